// SPDX-License-Identifier: MIT
#include "sim/observe/transaction_log.h"

#include <random>

#include "sim/base/activity.h"
#include "sim/base/failure.h"
#include "sim/base/probe_point.h"
#include "sim/base/transaction_kind.h"
#include "tests/observe/transaction_log_reader.h"

namespace symsim {
namespace {

using testing::change;
using testing::contents;
using testing::decompress;
using testing::kUs;
using testing::Log;
using testing::probe;
using testing::read_log;
using testing::Record;
using testing::reply;
using testing::TransactionLogTest;
using testing::use;
using testing::Values;

TEST_F(TransactionLogTest, HeaderNamesTheMeaningOfAllNumbers) {
    TraceConfig with_symbols = config(5);
    with_symbols.symbols = {{0x1000, 0x1010, 0x1000, "run"}, {0x1010, 0x1020, 0x1000, "run"}};
    Writer writer(with_symbols);
    const nlohmann::json header = ended(writer, 0).header;
    EXPECT_EQ(header["format"], "symsim transaction log");
    EXPECT_EQ(header["schema_version"], 2);
    EXPECT_EQ(header["layout"], "planes");
    EXPECT_EQ(header["processors"], 5);
    EXPECT_EQ(header["names"]["kinds"]["5"], "locked_read");
    EXPECT_EQ(header["names"]["kinds"].size(), kTransactionKinds);
    EXPECT_EQ(header["names"]["activities"]["3"], "spin");
    EXPECT_EQ(header["names"]["states"]["1"], "waiting");
    EXPECT_EQ(header["names"]["probes"]["2"], "lock_acquired");
    EXPECT_EQ(header["names"]["probes"]["32"], "message");
    EXPECT_EQ(header["symbols"].dump(), "[[4096,4112,4096,\"run\"],[4112,4128,4096,\"run\"]]");
    for (const nlohmann::json& record : header["records"])
        for (const nlohmann::json& field : record["fields"]) {
            const std::string name = field["name"], unit = field["unit"];
            const std::size_t under = name.rfind('_');
            if (under != std::string::npos) {
                EXPECT_EQ(unit, name.substr(under + 1));
            }
        }
}

TEST_F(TransactionLogTest, BusUseHasAllFields) {
    Writer writer(config(64));
    BusUse one =
        use(3 * kUs, 5 * kUs, 200'000, 63, TransactionKind::locked_store, Activity::critical);
    one.address = 0xfedc'ba98;
    one.size = 32;
    one.locked = true;
    writer.feed.used(one);
    BusUse other = reply(6 * kUs, 7 * kUs, 100'000, 1);
    other.start += Time{1} << 40;
    other.posted += Time{1} << 40;
    writer.feed.used(other);
    const Log log = ended(writer, kNever / 2);
    ASSERT_EQ(log.records.at("bus").size(), 2u);
    EXPECT_EQ(log.records.at("bus")[0], (Record{{"grant_ps", 5'000'000},
                                                {"duration_ps", 200'000},
                                                {"posted_ps", 3'000'000},
                                                {"processor", 63},
                                                {"kind", index(TransactionKind::locked_store)},
                                                {"activity", index(Activity::critical)},
                                                {"reply", 0},
                                                {"address", 0xfedc'ba98},
                                                {"size_bytes", 32},
                                                {"locked", 1}}));
    EXPECT_EQ(log.records.at("bus")[1].at("grant_ps"), 7'000'000 + (std::uint64_t{1} << 40));
    EXPECT_EQ(log.records.at("bus")[1].at("reply"), 1u);
    EXPECT_EQ(log.records.at("bus")[1].at("locked"), 0u);
    EXPECT_TRUE(log.whole);
}

TEST_F(TransactionLogTest, MarkIsAnActivityOrAProbe) {
    Writer writer(config());
    Mark acquired = probe(4 * kUs, ProbeKind::lock_acquired, 0x1040);
    acquired.address = 0x10'0123;
    writer.feed.passed(1, {change(3 * kUs, Activity::spin), acquired});
    const auto marks = ended(writer, 9 * kUs).records.at("marks");
    ASSERT_EQ(marks.size(), 2u);
    EXPECT_EQ(marks[0], (Record{{"time_ps", 3'000'000},
                                {"processor", 1},
                                {"activity", index(Activity::spin)},
                                {"probe", kNoName},
                                {"value", 0},
                                {"address", 0}}));
    EXPECT_EQ(marks[1], (Record{{"time_ps", 4'000'000},
                                {"processor", 1},
                                {"activity", kNoName},
                                {"probe", 2},
                                {"value", 0x1040},
                                {"address", 0x10'0123}}));
}

TEST_F(TransactionLogTest, StatesPartitionTheTimeOfEachProcessor) {
    Writer writer(config());
    writer.feed.entered(1, ProcessorState::waiting, 4 * kUs);
    writer.feed.reached(5 * kUs);
    writer.feed.entered(0, ProcessorState::halted, 6 * kUs);
    writer.feed.entered(1, ProcessorState::served, 6 * kUs);
    writer.feed.reached(10 * kUs);
    const Log log = ended(writer, 12 * kUs);
    EXPECT_EQ(log.column("states", "processor"), (Values{1, 0, 1, 0, 1}));
    EXPECT_EQ(log.column("states", "start_ps"), (Values{0, 0, 4'000'000, 6'000'000, 6'000'000}));
    EXPECT_EQ(log.column("states", "end_ps"),
              (Values{4'000'000, 6'000'000, 6'000'000, 12'000'000, 12'000'000}));
    EXPECT_EQ(log.column("states", "state"), (Values{0, 0, 1, 3, 2}));
    EXPECT_EQ(log.column("end", "until_ps"), Values{12'000'000});
}

TEST_F(TransactionLogTest, MarksAndStatesOfABlockAreGroupedByProcessor) {
    Writer writer(config(3));
    writer.feed.entered(0, ProcessorState::waiting, 9 * kUs);
    writer.feed.entered(2, ProcessorState::waiting, 3 * kUs);
    writer.feed.passed(2, {probe(4 * kUs, ProbeKind::message, 1)});
    writer.feed.entered(2, ProcessorState::executing, 5 * kUs);
    writer.feed.entered(1, ProcessorState::waiting, 5 * kUs);
    writer.feed.passed(0, {probe(6 * kUs, ProbeKind::message, 2)});
    const Log log = ended(writer, 10 * kUs);
    EXPECT_EQ(log.column("marks", "processor"), (Values{0, 2}));
    EXPECT_EQ(log.column("marks", "time_ps"), (Values{6'000'000, 4'000'000}));
    EXPECT_EQ(log.column("states", "processor"), (Values{0, 1, 2, 2, 0, 1, 2}));
    EXPECT_EQ(log.column("states", "end_ps"), (Values{9'000'000, 5'000'000, 3'000'000, 5'000'000,
                                                      10'000'000, 10'000'000, 10'000'000}));
}

// Reports the events of four processors in two different orders. Each processor's own events stay
// in order of time.
TEST_F(TransactionLogTest, OrderBetweenProcessorsChangesNoByte) {
    std::array<std::string, 2> bytes;
    for (unsigned i = 0; i < 2; ++i) {
        Writer writer(config(4));
        std::mt19937 random(7 + i);
        std::array<Time, 4> next{};
        const auto tell = [&](ProcessorId p, Time before) {
            if (next[p] >= before) return false;
            const Time at = next[p];
            writer.feed.passed(p, {probe(at, ProbeKind::message, static_cast<std::uint32_t>(at)),
                                   change(at, Activity::spin)});
            writer.feed.entered(
                p, at % 2 == 0 ? ProcessorState::waiting : ProcessorState::executing, at);
            next[p] += 1 + (p + 1) % 3;
            return true;
        };
        for (Time border = 50; border <= 500; border += 50) {
            for (int n = 0; n < 1000; ++n) tell(random() % 4, border);
            for (ProcessorId p = 0; p < 4; ++p)
                while (tell(p, border)) continue;
            writer.feed.reached(border);
        }
        writer.close(500);
        writer.log.commit();
        bytes[i] = contents(folder_ / "bus.log.zst");
    }
    EXPECT_TRUE(bytes[0] == bytes[1]);
    std::map<std::uint64_t, std::uint64_t> reached;  // by processor
    const Log log = read_log(folder_ / "bus.log.zst");
    EXPECT_GT(log.records.at("marks").size(), 1000u);
    for (const Record& mark : log.records.at("marks")) {
        std::uint64_t& before = reached[mark.at("processor")];
        EXPECT_GE(mark.at("time_ps"), before);
        before = mark.at("time_ps");
    }
    EXPECT_EQ(reached.size(), 4u);
    for (const auto& [processor, last] : reached) EXPECT_GE(last, 495u) << processor;
}

TEST_F(TransactionLogTest, EventReportedEarlyIsInTheChunkOfItsTime) {
    Writer writer(config());
    writer.feed.passed(1, {probe(9 * kUs, ProbeKind::message, 1)});
    writer.feed.reached(5 * kUs);
    writer.feed.passed(0, {probe(7 * kUs, ProbeKind::message, 0)});
    writer.feed.reached(10 * kUs);
    EXPECT_EQ(ended(writer, 10 * kUs).column("marks", "processor"), (Values{0, 1}));
}

TEST_F(TransactionLogTest, UseUnderWayIsCutAtTheEndOfTheRun) {
    Writer writer(config());
    writer.feed.used(use(0, 1 * kUs, 1 * kUs));
    writer.feed.used(use(0, 3 * kUs, 2 * kUs));
    writer.feed.reached(4 * kUs);
    EXPECT_EQ(ended(writer, 4 * kUs + 1).column("bus", "duration_ps"),
              (Values{1'000'000, 1'000'001}));
}

TEST_F(TransactionLogTest, EventsAtTheVeryEndAreInTheLog) {
    Writer writer(config());
    writer.feed.used(use(0, 4 * kUs, 2 * kUs));
    writer.feed.passed(0, {probe(4 * kUs, ProbeKind::message, 0)});
    const Log log = ended(writer, 4 * kUs);
    EXPECT_EQ(log.column("bus", "duration_ps"), Values{0});
    EXPECT_EQ(log.column("marks", "time_ps"), Values{4'000'000});
}

TEST_F(TransactionLogTest, AllRecordTypesEndAtTheSameTimeAtTheSizeLimit) {
    TraceConfig small = config();
    small.max_bytes = 3'000;
    Writer writer(small);
    for (Time t = 0; t < 100; ++t) {
        writer.feed.used(use(t * kUs, t * kUs, kUs));
        writer.feed.passed(0, {probe(t * kUs, ProbeKind::message, 0)});
        writer.feed.entered(1, t % 2 == 0 ? ProcessorState::waiting : ProcessorState::served,
                            t * kUs);
        if (t % 10 == 5) writer.feed.reached(t * kUs + 1);
    }
    writer.feed.wait();
    ASSERT_TRUE(writer.log.stopped_at());
    const auto until = static_cast<std::uint64_t>(*writer.log.stopped_at());
    const Log log = ended(writer, 100 * kUs);
    EXPECT_TRUE(log.whole);
    EXPECT_EQ(until, 35'000'001u);
    EXPECT_EQ(log.column("end", "until_ps"), Values{until});
    EXPECT_EQ(log.column("marks", "time_ps").back(), 35'000'000u);
    std::uint64_t busy = 0;
    for (const std::uint64_t duration : log.column("bus", "duration_ps")) busy += duration;
    EXPECT_EQ(busy, until);
    std::map<std::uint64_t, std::uint64_t> covered;  // by processor
    for (const Record& r : log.records.at("states")) {
        EXPECT_EQ(covered[r.at("processor")], r.at("start_ps"));
        covered[r.at("processor")] = r.at("end_ps");
    }
    EXPECT_EQ(covered, (std::map<std::uint64_t, std::uint64_t>{{0, until}, {1, until}}));
}

// A use that crosses the time at which the log stops is cut off there.
TEST_F(TransactionLogTest, UseUnderWayIsCutAtTheSizeLimit) {
    TraceConfig small = config();
    small.max_bytes = 2 * record_bytes<BusUse>() + 2 * record_bytes<ProcessorMark>();
    Writer writer(small);
    writer.feed.used(use(1 * kUs, 1 * kUs, 2 * kUs));
    writer.feed.used(use(3 * kUs, 4 * kUs, 5 * kUs));
    writer.feed.reached(6 * kUs);
    writer.feed.passed(0, std::vector<Mark>(9, probe(7 * kUs, ProbeKind::message, 0)));
    writer.feed.reached(10 * kUs);
    writer.feed.wait();
    EXPECT_EQ(writer.log.stopped_at(), 6 * kUs);
    const Log log = ended(writer, 20 * kUs);
    EXPECT_EQ(log.column("bus", "duration_ps"), (Values{2'000'000, 2'000'000}));
    EXPECT_EQ(log.column("marks", "time_ps"), Values{});
    EXPECT_EQ(log.column("states", "end_ps"), (Values{6'000'000, 6'000'000}));
}

TEST_F(TransactionLogTest, PartOfTheLogCanBeReadBeforeTheEnd) {
    Writer writer(config());
    std::mt19937 random(1);
    for (Time t = 1; t <= 50'000; ++t) {
        BusUse one = use(t * kUs, t * kUs, 1'000);
        one.address = random();
        writer.feed.used(one);
        if (t % 100 == 0) writer.feed.reached((t + 1) * kUs);
    }
    writer.feed.wait();
    bool whole = true;
    const std::string text = decompress(contents(folder_ / "bus.log.zst.part"), whole);
    EXPECT_FALSE(whole);
    const std::size_t written = 50'000 * record_bytes<BusUse>();
    EXPECT_GT(text.size(), written / 2);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "bus.log.zst"));
}

TEST_F(TransactionLogTest, FullDiskIsNoErrorUntilCommit) {
    std::filesystem::create_symlink("/dev/full", folder_ / "bus.log.zst");
    Writer writer(config());
    std::mt19937 random(1);
    for (Time t = 0; t < 100'000; ++t) {
        BusUse one = use(t * 1'000, t * 1'000, 500);
        one.address = random();
        writer.feed.used(one);
        if (t % 100 == 99) writer.feed.reached((t + 1) * 1'000);
    }
    writer.feed.wait();
    EXPECT_TRUE(writer.log.failed());
    writer.close(100'000'000);
    EXPECT_THROW(writer.log.commit(), OutputError);
}

using TransactionLogDeathTest = TransactionLogTest;

TEST_F(TransactionLogDeathTest, LateEventAborts) {
    Writer writer(config());
    writer.feed.reached(5 * kUs);
    writer.feed.passed(1, {probe(4 * kUs, ProbeKind::message, 0)});
    EXPECT_DEATH(writer.feed.reached(6 * kUs),
                 "an event at 4000000 ps, told when all before 5000000 ps");
}

}  // namespace
}  // namespace symsim
