// SPDX-License-Identifier: MIT
// Silent lines: lines whose further reads no cache needs to snoop.
#include "sim/base/transaction_kind.h"
#include "tests/bus/bus_bench.h"
#include "tests/support/part_configs.h"

namespace symsim::test {
namespace {

class SettledTest : public BusTest {
  protected:
    void build_settling(bool filter = true) {
        InterconnectConfig config = test_bus_config();
        config.filter_snoops = filter;
        watch_reads = true;
        set_silent = true;
        build(3, config);
    }
    std::size_t told(ProcessorId port) const { return ports[port]->snoops.size(); }
};

TEST_F(SettledTest, FurtherReadsOfASilentLineAreNotSnooped) {
    build_settling();
    post(1, TransactionKind::read, 0x100, 0);
    post(2, TransactionKind::fetch, 0x108, 20);
    post(0, TransactionKind::read, 0x10c, 40);
    run();
    EXPECT_EQ(told(1), 0u);
    EXPECT_EQ(told(2), 0u);
    EXPECT_EQ(ports[0]->arrivals.size(), 1u);
}

TEST_F(SettledTest, AnyOtherTransactionIsSnoopedAndSoIsTheNextRead) {
    for (const TransactionKind kind :
         {TransactionKind::store, TransactionKind::upgrade, TransactionKind::read_exclusive,
          TransactionKind::locked_read, TransactionKind::locked_store,
          TransactionKind::write_back}) {
        build_settling();
        post(1, TransactionKind::read, 0x100, 0);
        run(20);
        post(0, kind, 0x100, 20);
        if (kind == TransactionKind::locked_read) post(0, TransactionKind::unlock, 0x100, 30);
        run();
        EXPECT_EQ(told(1), 1u) << name(kind);
        post(2, TransactionKind::read, 0x100, 60);
        run();
        EXPECT_EQ(told(1), 2u) << name(kind);
        post(2, TransactionKind::read, 0x100, 100);
        run();
        EXPECT_EQ(told(1), 2u) << name(kind) << ": settled again";
    }
}

TEST_F(SettledTest, ReadOfOneLineDoesNotMakeAnotherSilent) {
    build_settling();
    post(1, TransactionKind::read_exclusive, 0x110, 0);
    post(2, TransactionKind::read, 0x100, 40);
    post(0, TransactionKind::read, 0x110, 60);
    run();
    EXPECT_EQ(told(1), 1u);
}

TEST_F(SettledTest, NoLineBecomesSilentIfSnoopsAreNotFiltered) {
    build_settling(false);
    post(1, TransactionKind::read, 0x100, 0);
    post(2, TransactionKind::read, 0x100, 20);
    run();
    EXPECT_EQ(told(1), 1u);
    EXPECT_EQ(told(2), 1u);
}

TEST_F(SettledTest, NoLineBecomesSilentIfOnePortForbidsIt) {
    for (const unsigned other : {0u, 2u}) {
        unlike = other;
        build_settling();
        post(1, TransactionKind::read, 0x100, 0);
        post(2, TransactionKind::read, 0x100, 20);
        run();
        EXPECT_EQ(told(1), 1u) << other;
    }
}

}  // namespace
}  // namespace symsim::test
