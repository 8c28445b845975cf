// SPDX-License-Identifier: MIT
// Who is asked to snoop a transaction, with and without a snoop filter.
#include "sim/interconnect/snoops.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace symsim::test {
namespace {

// Counts its snoops, and gives the answer that the test sets.
struct SnoopingPort final : Port {
    std::optional<TransactionKind> needs(const Request& r, Time) override { return r.kind; }
    void granted(const Request&, Time) override {}
    void answered(const Request&, bool, bool, Time) override {}
    void granted_and_answered(const Request&, bool, bool, Time) override {}
    Time replied(const Request&, std::uint32_t, Time arrives) override { return arrives; }
    bool watches(TransactionKind kind) const override {
        return kind == TransactionKind::read || is_store(kind);
    }
    bool reads_become_silent() const override { return becomes_silent; }
    Snooped snoop(TransactionKind, Address, bool changes, Time) override {
        ++snoops;
        changed = changes;
        return answer;
    }
    void roll_back_line(Address, Time) override {}

    bool becomes_silent = false;
    unsigned snoops = 0;
    bool changed = false;
    Snooped answer;
};

class SnoopsTest : public ::testing::Test {
  protected:
    void build(bool filter, bool becomes_silent = false) {
        snoops = std::make_unique<Snoops>(memory, 16, filter);
        ports.clear();
        for (int n = 0; n < 3; ++n) {
            ports.push_back(std::make_unique<SnoopingPort>());
            ports.back()->becomes_silent = becomes_silent;
            snoops->attach(*ports.back());
        }
    }
    static Request request(TransactionKind kind, Address address, std::uint32_t value = 0) {
        Request r;
        r.kind = kind;
        r.address = address;
        r.size = 4;
        r.value = value;
        return r;
    }
    Snooped read(ProcessorId port, Address address) {
        return snoops->snoop_read(port, request(TransactionKind::read, address), 0);
    }
    Snooped store(ProcessorId port, Address address, std::uint32_t value = 1) {
        return snoops->snoop(port, request(TransactionKind::store, address, value), 0);
    }
    // How often each port has been asked since the last call.
    std::vector<unsigned> asked() {
        std::vector<unsigned> numbers;
        for (const auto& port : ports) numbers.push_back(std::exchange(port->snoops, 0));
        return numbers;
    }

    using Numbers = std::vector<unsigned>;
    Memory memory{1 << 16};
    std::vector<std::unique_ptr<SnoopingPort>> ports;
    std::unique_ptr<Snoops> snoops;
};

TEST_F(SnoopsTest, WithoutAFilterAllOtherPortsAreAsked) {
    build(false);
    store(1, 0x100);
    EXPECT_EQ(asked(), (Numbers{1, 0, 1}));
    snoops->snoop(1, request(TransactionKind::unlock, 0x100), 0);  // which no port watches
    EXPECT_EQ(asked(), (Numbers{0, 0, 0}));
}

TEST_F(SnoopsTest, WithAFilterOnlyPortsThatHaveReadTheLineAreAsked) {
    build(true);
    read(0, 0x100);
    store(1, 0x110);
    EXPECT_EQ(asked(), (Numbers{0, 0, 0})) << "another line";
    store(1, 0x104);
    EXPECT_EQ(asked(), (Numbers{1, 0, 0}));
    store(0, 0x104);
    EXPECT_EQ(asked(), (Numbers{0, 0, 0})) << "not the port itself";
}

TEST_F(SnoopsTest, APortThatHasNothingOfTheLineIsNotAskedAgain) {
    build(true);
    read(0, 0x100);
    read(2, 0x100);
    asked();
    ports[0]->answer.absent = true;
    store(1, 0x100);
    EXPECT_EQ(asked(), (Numbers{1, 0, 1}));
    store(1, 0x100);
    EXPECT_EQ(asked(), (Numbers{0, 0, 1}));
}

TEST_F(SnoopsTest, AnswersAreJoined) {
    build(false);
    ports[1]->answer.shares = true;
    ports[2]->answer.supplies = true;
    const Snooped all = store(0, 0x100);
    EXPECT_TRUE(all.shares && all.supplies);
    EXPECT_FALSE(store(2, 0x100).supplies) << "its own answer is not asked for";
}

TEST_F(SnoopsTest, SnoopersLearnWhetherTheStoreChangesMemory) {
    build(false);
    memory.write(0x100, 4, 7);
    store(0, 0x100, 7);
    EXPECT_FALSE(ports[1]->changed);
    store(0, 0x100, 8);
    EXPECT_TRUE(ports[1]->changed);
}

TEST_F(SnoopsTest, ReadsOfASilentLineAreNotSnooped) {
    build(true, true);
    read(0, 0x100);
    read(1, 0x100);  // asks nobody, since the line is silent: port 0 is not asked
    EXPECT_EQ(asked(), (Numbers{0, 0, 0}));
    store(2, 0x100);
    snoops->end_silence(0x100);
    EXPECT_EQ(asked(), (Numbers{1, 1, 0}));
    read(2, 0x100);
    EXPECT_EQ(asked(), (Numbers{1, 1, 0}));
    read(0, 0x100);
    EXPECT_EQ(asked(), (Numbers{0, 0, 0}));
}

// A locked read ends the silence itself.
TEST_F(SnoopsTest, AReadThatTakesTheLineEndsItsSilence) {
    build(true, true);
    read(0, 0x100);
    snoops->snoop_read(1, request(TransactionKind::locked_read, 0x100), 0);
    read(2, 0x100);
    EXPECT_EQ(asked(), (Numbers{1, 1, 0}));
}

TEST_F(SnoopsTest, AnInstalledLineIsSnoopedAsARead) {
    build(true);
    read(0, 0x100);
    asked();
    snoops->snoop_installed(1, request(TransactionKind::store, 0x100, 5), 0);
    EXPECT_EQ(asked(), (Numbers{1, 0, 0}));
    EXPECT_FALSE(ports[0]->changed);
    store(2, 0x100);
    EXPECT_EQ(asked(), (Numbers{1, 1, 0})) << "both have the line now";
}

}  // namespace
}  // namespace symsim::test
