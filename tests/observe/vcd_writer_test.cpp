// SPDX-License-Identifier: MIT
#include "sim/observe/vcd_writer.h"

#include <map>
#include <vector>

#include "sim/base/activity.h"
#include "sim/base/failure.h"
#include "sim/base/transaction_kind.h"
#include "tests/observe/support.h"

namespace symsim {
namespace {

using testing::contents;
using testing::reply;
using testing::use;
using VcdWriterTest = testing::InFolder;

// A VCD file, as far as a viewer needs it. `at` has the values of all signals at each time stamp.
// The last time stamp is the end of the trace.
struct Vcd {
    std::string timescale;
    std::map<Time, std::map<std::string, std::string>> at;
    std::vector<std::string> errors;
};

Vcd read_vcd(const std::string& text) {
    Vcd vcd;
    std::map<std::string, std::string> names;  // name of each id
    std::map<std::string, std::string> values;
    std::istringstream in(text);
    std::string word;
    Time now = -1;
    const auto set = [&](const std::string& id, const std::string& value) {
        if (names.count(id) == 0) vcd.errors.push_back("unknown id " + id);
        values[names[id]] = value;
        vcd.at[now] = values;
    };
    while (in >> word) {
        if (word == "$timescale") {
            for (in >> word; word != "$end"; in >> word) vcd.timescale += word;
        } else if (word == "$var") {
            std::string type, bits, id, name;
            in >> type >> bits >> id >> name >> word;
            if (word != "$end") vcd.errors.push_back("$var of " + name + " has no $end");
            names[id] = name;
        } else if (word == "$dumpvars" || word == "$end") {
            continue;
        } else if (word[0] == '$') {
            while (word != "$end" && in >> word) continue;
        } else if (word[0] == '#') {
            const Time next = std::stoll(word.substr(1));
            if (next <= now) vcd.errors.push_back("time goes back to " + word);
            now = next;
            vcd.at[now] = values;
        } else if (word[0] == 'b' || word[0] == 's') {
            std::string id;
            in >> id;
            set(id, word.substr(1));
        } else {
            set(word.substr(1), word.substr(0, 1));
        }
    }
    return vcd;
}

class TraceOf : public VcdWriterTest {
  protected:
    Vcd trace(const std::vector<BusUse>& uses, Time end, std::size_t max_bytes = kMaxVcdBytes,
              Time from = 0) {
        VcdWriter writer({folder_ / "trace.vcd", max_bytes});
        writer.begin({from, kNever});
        for (const BusUse& one : uses) writer.used(one);
        writer.close({end});
        writer.commit();
        stopped_at_ = writer.stopped_at();
        Vcd vcd = read_vcd(contents(folder_ / "trace.vcd"));
        EXPECT_EQ(vcd.errors, std::vector<std::string>{});
        return vcd;
    }
    std::optional<Time> stopped_at_;
};

TEST_F(TraceOf, BusWithoutUsesIsIdleToTheEnd) {
    const Vcd vcd = trace({}, 1'000);
    EXPECT_EQ(vcd.timescale, "1ps");
    ASSERT_EQ(vcd.at.size(), 2u);
    EXPECT_EQ(vcd.at.at(0).at("grant"), "0");
    EXPECT_EQ(vcd.at.at(0).at("kind"), "-");
    EXPECT_EQ(vcd.at.at(1'000).at("owner"), "z");
}

TEST_F(TraceOf, TraceBeginsWithTheWindow) {
    const Vcd vcd = trace({use(100, 700, 100, 3)}, 1'000, kMaxVcdBytes, 500);
    ASSERT_EQ(vcd.at.size(), 4u);  // 500, 700, 800, 1000
    EXPECT_EQ(vcd.at.begin()->first, 500);
    EXPECT_EQ(vcd.at.at(500).at("grant"), "0");
    EXPECT_EQ(vcd.at.at(700).at("owner"), "11");
}

TEST_F(TraceOf, UseShowsProcessorKindAndAddress) {
    BusUse one = use(300'000, 500'000, 200'000, 5, TransactionKind::locked_read, Activity::spin);
    one.address = 0x1040;
    one.size = 4;
    one.locked = true;
    const Vcd vcd = trace({one}, 1'000'000);
    const auto& during = vcd.at.at(500'000);
    EXPECT_EQ(during.at("grant"), "1");
    EXPECT_EQ(during.at("owner"), "101");
    EXPECT_EQ(during.at("kind"), "locked_read");
    EXPECT_EQ(during.at("activity"), "spin");
    EXPECT_EQ(during.at("address"), "1000001000000");
    EXPECT_EQ(during.at("size_bytes"), "100");
    EXPECT_EQ(during.at("reply"), "0");
    EXPECT_EQ(during.at("locked"), "1");
    EXPECT_EQ(std::stoll(during.at("wait_ps"), nullptr, 2), 200'000);
    const auto& after = vcd.at.at(700'000);
    EXPECT_EQ(after.at("grant"), "0");
    EXPECT_EQ(after.at("kind"), "-");
    EXPECT_EQ(after.at("address"), "z");
}

TEST_F(TraceOf, NoIdleBusBetweenConsecutiveUses) {
    const Vcd vcd = trace({use(0, 100, 100, 1), reply(0, 200, 100, 2)}, 1'000);
    ASSERT_EQ(vcd.at.size(), 5u);  // 0, 100, 200, 300, 1000
    EXPECT_EQ(contents(folder_ / "trace.vcd").find("#200\n0!"), std::string::npos);
    EXPECT_EQ(vcd.at.at(200).at("grant"), "1");
    EXPECT_EQ(vcd.at.at(200).at("owner"), "10");
    EXPECT_EQ(vcd.at.at(200).at("reply"), "1");
    EXPECT_EQ(vcd.at.at(300).at("grant"), "0");
}

TEST_F(TraceOf, UseAtTimeZeroReplacesTheIdleBus) {
    EXPECT_EQ(trace({use(0, 0, 100)}, 1'000).at.at(0).at("grant"), "1");
}

TEST_F(TraceOf, UseAcrossTheEndStillOccupiesTheBus) {
    const Vcd vcd = trace({use(0, 100, 300)}, 250);
    EXPECT_EQ(vcd.at.rbegin()->first, 250);
    EXPECT_EQ(vcd.at.at(250).at("grant"), "1");
}

TEST_F(TraceOf, SizeIsLimited) {
    std::vector<BusUse> uses;
    for (Time t = 0; t < 10'000; ++t) uses.push_back(use(t * 1'000, t * 1'000, 500, t % 7));
    const Vcd vcd = trace(uses, 10'000'000, 20'000);
    ASSERT_TRUE(stopped_at_);
    EXPECT_EQ(vcd.at.rbegin()->first, *stopped_at_);
    EXPECT_EQ(vcd.at.rbegin()->second.at("grant"), "0");
    EXPECT_LT(std::filesystem::file_size(folder_ / "trace.vcd"), 20'500u);
    EXPECT_GT(std::filesystem::file_size(folder_ / "trace.vcd"), 19'999u);
}

TEST_F(VcdWriterTest, FullDiskIsNoErrorUntilCommit) {
    std::filesystem::create_symlink("/dev/full", folder_ / "trace.vcd");
    VcdWriter writer({folder_ / "trace.vcd"});
    writer.begin({});
    for (Time t = 0; t < 10'000; ++t) writer.used(use(t * 1'000, t * 1'000, 500, t % 7));
    EXPECT_TRUE(writer.failed());
    writer.close({10'000'000});
    EXPECT_THROW(writer.commit(), OutputError);
}

}  // namespace
}  // namespace symsim
