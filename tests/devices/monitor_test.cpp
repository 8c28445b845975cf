// SPDX-License-Identifier: MIT
// The performance monitors: alone, and in runs of small guests under both engines.
#include "sim/devices/monitor.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/bus/bus_bench.h"
#include "tests/support/idle_interconnect.h"
#include "tests/support/private_lines.h"
#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

constexpr Address kMonitor = Monitor::kBase;
constexpr Time kAccess = 1000 * 1000;

DeviceHost host_with(Interconnect& interconnect) {
    DeviceHost host;
    host.processors = 2;
    host.interconnect = &interconnect;
    return host;
}
std::uint32_t read(Monitor& monitor, ProcessorId processor, Address offset) {
    return monitor.read({processor, kMonitor + offset, 4, 0}).value;
}
void write(Monitor& monitor, ProcessorId processor, Address offset, std::uint32_t value) {
    monitor.write({processor, kMonitor + offset, 4, 0}, value);
}

class MonitorAlone : public BusTest {
  protected:
    MonitorAlone() { build(2); }
    Monitor monitor() { return Monitor({}, host_with(*bus)); }
};

TEST_F(MonitorAlone, ReadsTheCountsOfItsOwnProcessor) {
    Monitor monitor = this->monitor();
    ports[1]->needs_as = TransactionKind::read_exclusive;
    post(1, TransactionKind::read, 0x100, 0);
    post(1, TransactionKind::store, 0x200, 0);
    run();
    EXPECT_EQ(read(monitor, 1, Monitor::kCacheMisses), 2u);
    EXPECT_EQ(read(monitor, 1, Monitor::kFarMisses), 0u);
    EXPECT_EQ(read(monitor, 1, Monitor::kStores), 1u);
    EXPECT_EQ(read(monitor, 1, Monitor::kWaited), bus->counts(1).waited / 1000);
    for (const Address counter : {Monitor::kCacheMisses, Monitor::kStores, Monitor::kWaited})
        EXPECT_EQ(read(monitor, 0, counter), 0u);
}

TEST_F(MonitorAlone, AnAccessTakesItsTime) {
    Monitor monitor = this->monitor();
    EXPECT_EQ(monitor.read({0, kMonitor, 4, 700}).delay, kAccess);
    EXPECT_EQ(monitor.write({0, kMonitor + Monitor::kNode, 4, 900}, 0).delay, kAccess);
}

TEST_F(MonitorAlone, TakesDwordsOfItsRegistersInTheirDirection) {
    Monitor monitor = this->monitor();
    ports[0]->lines_of_range = [](Address, std::uint32_t) { return 0u; };
    for (Address offset = 0; offset < Monitor::kSize; offset += 4) {
        const Address at = kMonitor + offset;
        EXPECT_EQ(monitor.read({0, at, 4, 0}).answered, offset != Monitor::kRange) << offset;
        EXPECT_EQ(monitor.write({0, at, 4, 0}, 0).answered, offset >= Monitor::kNode) << offset;
        EXPECT_FALSE(monitor.read({0, at, 2, 0}).answered) << offset;
        EXPECT_FALSE(monitor.write({0, at, 2, 0}, 0).answered) << offset;
        EXPECT_FALSE(monitor.read({0, at + 2, 4, 0}).answered) << offset;
    }
    EXPECT_TRUE(monitor.range().contains(kMonitor + Monitor::kSize - 1));
    EXPECT_FALSE(monitor.range().contains(kMonitor + Monitor::kSize));
    EXPECT_FALSE(monitor.range().contains(kMonitor - 1));
}

// Eight nodes whose memory has 64 KB each.
class EightNodes final : public IdleInterconnect {
  public:
    using IdleInterconnect::IdleInterconnect;
    unsigned node_of_address(Address address) const override { return address >> 16; }
};

TEST(MonitorOfNodes, TellsTheNodeOfTheAddressThatItsProcessorWroteLast) {
    Memory memory(1 << 19);
    NoCode code;
    EightNodes nodes(memory, code);
    Port first, second;
    for (Port* const port : {&first, &second}) nodes.attach(*port);
    Monitor monitor({}, host_with(nodes));
    const auto node = [&](ProcessorId p) { return read(monitor, p, Monitor::kNode); };
    write(monitor, 0, Monitor::kNode, 0x5'4321);
    write(monitor, 1, Monitor::kNode, 0x7'ffff);
    EXPECT_EQ(node(0), 5u);
    EXPECT_EQ(node(1), 7u);
    for (const Address nowhere : {0x8'0000u, 0xcb00'0000u, 0xffff'ffffu}) {
        write(monitor, 1, Monitor::kNode, nowhere);
        EXPECT_EQ(node(1), Monitor::kNoNode) << nowhere;
    }
    EXPECT_EQ(node(0), 5u);
}

// An interconnect asks the cache of the processor that reads, for the range that it wrote last.
TEST_F(MonitorAlone, AsksTheOwnCacheForTheLinesOfTheRangeWrittenLast) {
    Monitor monitor = this->monitor();
    const auto lines = [&](ProcessorId p) { return read(monitor, p, Monitor::kLines); };
    ports[0]->lines_of_range = [](Address first, std::uint32_t bytes) { return first + bytes; };
    ports[1]->lines_of_range = [](Address first, std::uint32_t bytes) { return first - bytes; };
    write(monitor, 0, Monitor::kRange, 0x1000);
    write(monitor, 0, Monitor::kLines, 0x20);
    write(monitor, 1, Monitor::kLines, 0x10);
    write(monitor, 1, Monitor::kRange, 0x3000);
    EXPECT_EQ(lines(0), 0x1020u);
    EXPECT_EQ(lines(1), 0x2ff0u);
    write(monitor, 0, Monitor::kNode, 0x7000);  // no part of the range
    EXPECT_EQ(lines(0), 0x1020u);
}

constexpr const char* kNames = R"(
    .set power, 0xd0001000
    .set number, 0xc8000000
    .set count, 0xc8000004
    .set nodes, 0xc8000008
    .set per_node, 0xc800000c
    .set misses, 0xcb000000
    .set stores, 0xcb000008
    .set waited, 0xcb00000c
    .set node, 0xcb000010
    .set range, 0xcb000014
    .set lines, 0xcb000018
    .set sums, 0x200000
    .set finished, 0x200200
)";

// Loads, stores and exchanges on lines that all share, in an order that depends on what the
// monitor says. Processor 0 ends with a sum of all counts.
constexpr const char* kTraffic = R"(
    start:  mov esi, [number]
            lea edi, [esi * 8 + 3]
            mov ebp, 60
            mov dword ptr [range], 0x201000
            mov dword ptr [lines], 0x500
    next:   imul edi, edi, 1103515245
            add edi, [lines]
            add edi, 12345
            mov ebx, edi
            shr ebx, 16
            and ebx, 0x3fc
            mov eax, [ebx + 0x201000]
            add edi, [misses]
            mov [ebx + 0x201100], edi
            xor edi, [waited]
            xchg eax, [ebx + 0x201080]
            add edi, [stores]
            dec ebp
            jnz next
            mov [sums + esi * 4], edi
            lock inc dword ptr [finished]
            test esi, esi
            jnz other
    wait:   mov eax, [finished]
            cmp eax, [count]
            jne wait
            xor eax, eax
            mov ecx, [count]
    sum:    add eax, [sums + ecx * 4 - 4]
            rol eax, 3
            dec ecx
            jnz sum
            mov [power], eax
    other:  hlt
)";

class MonitorRun : public ::testing::Test {
  protected:
    std::map<std::string, std::string> run(const std::string& program,
                                           const std::vector<std::string>& settings,
                                           const std::string& out,
                                           const std::vector<std::string>& more = {}) {
        write_program(scratch_.path() / "guest.elf", kNames + program);
        const auto config = scratch_.write(
            "config.toml", fmt::format("machine.processors = 1\nmonitor.present = true\n"
                                       "run.limit_ms = 100.0\nguest.image = \"{}\"\n",
                                       (scratch_.path() / "guest.elf").string()));
        std::vector<std::string> arguments = {config.string(), "--quiet", "--out",
                                              (scratch_.path() / out).string()};
        for (const std::string& setting : settings)
            arguments.insert(arguments.end(), {"--set", setting});
        arguments.insert(arguments.end(), more.begin(), more.end());
        outcome_ = run_symsim(arguments);
        return result_files(scratch_.path() / out);
    }
    static nlohmann::json summary(const std::map<std::string, std::string>& files) {
        return nlohmann::json::parse(files.at("summary.json"));
    }
    // The exit status of a program that must end.
    std::uint32_t status(const std::string& program, const std::vector<std::string>& settings) {
        const auto of = summary(run(program, settings, "status"));
        EXPECT_EQ(of["status"], "finished") << outcome_.err;
        return of["guest"]["exit_status"];
    }

    ScratchFolder scratch_;
    Outcome outcome_;
};

TEST_F(MonitorRun, BothEnginesReadTheSameCounts) {
    for (const std::string interconnect : {"bus", "crossbar"})
        for (const std::string protocol :
             {"write-through", "write-back", "illinois", "write-update", "none"})
            for (const std::string policy : {"buffered", "block-port", "stall"}) {
                SCOPED_TRACE(interconnect + " " + protocol + " " + policy);
                const std::vector<std::string> settings = {
                    "machine.processors=4",       "machine.interconnect=" + interconnect,
                    "cache.protocol=" + protocol, "cache.store_policy=" + policy,
                    "cache.size_bytes=256",       "cache.write_buffer_depth=4"};
                auto reference = settings;
                reference.push_back("run.engine=reference");
                const auto fast = run(kTraffic, settings, "fast");
                EXPECT_EQ(summary(fast)["status"], "finished") << outcome_.err;
                EXPECT_EQ(fast, run(kTraffic, reference, "reference"));
            }
}

// After the last read of the counter the program has no miss: its last bytes are in one line.
TEST_F(MonitorRun, TheCountersAgreeWithTheTransactionsOfTheSummary) {
    const auto program = [](const char* counter) {
        return fmt::format(R"(
            start:  mov ecx, 100
            next:   mov eax, [ecx * 8 + 0x201000]
                    mov [ecx * 8 + 0x202000], eax
                    xchg eax, [ecx * 8 + 0x203000]
                    dec ecx
                    jnz next
                    jmp last
                    .balign 16
            last:   mov eax, [{}]
                    mov [power], eax
                    hlt
        )",
                           counter);
    };
    for (const std::string protocol : {"write-through", "write-back", "illinois"}) {
        SCOPED_TRACE(protocol);
        const std::vector<std::string> settings = {"cache.protocol=" + protocol,
                                                   "cache.size_bytes=512"};
        const auto sum = [&](std::initializer_list<const char*> kinds) {
            const auto of = summary(run(program("misses"), settings, "sum"));
            unsigned all = 0;
            for (const char* const kind : kinds)
                all += of["bus"]["transactions"][kind].get<unsigned>();
            return all;
        };
        EXPECT_EQ(status(program("misses"), settings),
                  sum({"fetch", "read", "read_exclusive", "locked_read"}));
        EXPECT_EQ(status(program("stores"), settings),
                  sum({"store", "locked_store", "read_exclusive", "upgrade"}));
    }
}

// Each read takes 2 us or 32 clocks more, and no transaction.
TEST_F(MonitorRun, AReadTakesItsTimeAndNoTransaction) {
    const std::string program = R"(
        start:  mov ecx, 50
        next:   mov eax, [misses]
                dec ecx
                jnz next
                mov [power], ecx
                hlt
    )";
    const auto cheap = summary(run(program, {"monitor.read_ns=1000"}, "cheap"));
    const auto expensive = summary(run(program, {"monitor.read_ns=3000"}, "expensive"));
    const auto served = [](const nlohmann::json& of) {
        return of["processors"][0]["states_us"]["served"].get<double>();
    };
    EXPECT_NEAR(served(expensive) - served(cheap), 50 * 2.0, 1e-6);
    EXPECT_EQ(cheap["bus"]["transactions"], expensive["bus"]["transactions"]);
    EXPECT_EQ(cheap["bus"]["transactions"]["io_read"], 0);
    EXPECT_EQ(cheap["config"]["monitor.read_ns"], 1000);
}

// The store waits in the write buffer, and the counter has it.
TEST_F(MonitorRun, AnAccessBeginsWhenEarlierStoresAreComplete) {
    for (const std::string policy : {"buffered", "block-port", "stall"})
        EXPECT_EQ(status("start: mov [0x200000], eax\n mov [0x200010], eax\n mov eax, [stores]\n"
                         "mov [power], eax\n hlt",
                         {"cache.store_policy=" + policy, "cache.write_buffer_depth=4"}),
                  2u)
            << policy;
}

TEST_F(MonitorRun, TheBoardTellsTheTopologyOnAnyMachine) {
    const std::string program =
        "start: cmp dword ptr [number], 0\n jne other\n mov eax, [nodes]\n shl eax, 16\n"
        "mov ax, [per_node]\n mov [power], eax\n other: hlt";
    for (const std::string interconnect : {"bus", "crossbar"})
        EXPECT_EQ(status(program, {"machine.processors=5", "monitor.present=false",
                                   "machine.interconnect=" + interconnect}),
                  0x1'0005u);
}

TEST_F(MonitorRun, TheNodeOfAnAddressIsWrittenAndRead) {
    const auto node_of = [&](const char* address) {
        return status(fmt::format("start: mov dword ptr [node], {}\n mov eax, [node]\n"
                                  "mov [power], eax\n hlt",
                                  address),
                      {});
    };
    EXPECT_EQ(node_of("0x200000"), 0u);
    EXPECT_EQ(node_of("0xcb000000"), Monitor::kNoNode);
}

// The program's own lines are elsewhere in the cache.
TEST_F(MonitorRun, TheLinesOfARangeAreThoseInTheCache) {
    const auto lines_of = [&](unsigned loaded, unsigned first, unsigned count) {
        return status(fmt::format(R"(
            start:  mov ecx, {}
                    mov ebx, 0x201000
            next:   mov eax, [ebx]
                    add ebx, 16
                    dec ecx
                    jnz next
                    mov dword ptr [range], {}
                    mov dword ptr [lines], {}
                    mov eax, [lines]
                    mov [power], eax
                    hlt
        )",
                                  loaded, 0x201000 + 16 * first, 16 * count),
                      {"cache.size_bytes=16384", "cache.ways=1"});
    };
    EXPECT_EQ(lines_of(40, 0, 40), 40u);
    EXPECT_EQ(lines_of(40, 30, 100), 10u);
    EXPECT_EQ(lines_of(40, 40, 100), 0u);
    EXPECT_EQ(lines_of(40, 0, 0), 0u);
}

TEST_F(MonitorRun, AnotherAccessIsAFailureOfTheGuest) {
    for (const char* wrong :
         {"mov al, [misses]", "mov [misses], eax", "mov [node + 2], ax", "mov eax, [lines + 4]",
          "mov eax, [misses + 2]", "xchg eax, [node]", "add [stores], eax", "mov eax, [range]",
          "mov [lines + 4], eax", "mov ax, [lines]"}) {
        run(fmt::format("start: {}\n hlt", wrong), {}, "out");
        EXPECT_EQ(outcome_.exit, 3) << wrong << outcome_.err;
        EXPECT_NE(outcome_.err.find("device space, where"), std::string::npos)
            << wrong << outcome_.err;
    }
}

TEST_F(MonitorRun, AMachineWithoutItHasNoDeviceThere) {
    const auto files = run("start: mov eax, [misses]\n hlt", {"monitor.present=false"}, "out");
    EXPECT_EQ(outcome_.exit, 3) << outcome_.err;
    EXPECT_NE(outcome_.err.find("device space, where no device takes it"), std::string::npos);
    EXPECT_NE(outcome_.err.find("monitor.present"), std::string::npos) << outcome_.err;
    EXPECT_EQ(summary(files)["config"].count("monitor.read_ns"), 0u);
}

}  // namespace
}  // namespace symsim::test
