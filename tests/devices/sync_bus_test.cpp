// SPDX-License-Identifier: MIT
// The synchronisation bus: alone, and in runs of small guests under both engines.
#include "sim/devices/sync_bus.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/assembler.h"
#include "tests/support/elf_writer.h"
#include "tests/support/part_configs.h"
#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

constexpr Address kLock = SyncBus::kBase;
constexpr Time kLatency = 1500 * 1000, kOccupancy = 500 * 1000;

// Each operation is of the whole dword of a lock.
class SyncBusAlone : public ::testing::Test {
  protected:
    DeviceReply test_and_set(ProcessorId processor, Address lock, Time at) {
        return bus.read({processor, lock, 4, at});
    }
    DeviceReply write(ProcessorId processor, Address lock, std::uint32_t value, Time at) {
        return bus.write({processor, lock, 4, at}, value);
    }
    // The named number of a processor in the report.
    std::int64_t reported(ProcessorId processor, const std::string& name) const {
        const Results results = bus.report().results;
        return number(results.back().items.at(processor), name);
    }
    static std::int64_t number(const Results& results, const std::string& name) {
        for (const Result& result : results)
            if (result.name == name) return std::stoll(result.value.text());
        throw std::out_of_range(name);
    }
    SyncBus bus{test_sync_bus_config(), {3}};
};

TEST_F(SyncBusAlone, TestAndSetReturnsTheOldBitAndSetsIt) {
    EXPECT_EQ(test_and_set(0, kLock + 8, 0).value, 0u);
    EXPECT_EQ(test_and_set(1, kLock + 8, 1).value, 1u);
    EXPECT_EQ(test_and_set(1, kLock + 4, 2).value, 0u) << "another lock";
    write(0, kLock + 8, 0, 3);
    EXPECT_EQ(test_and_set(1, kLock + 8, 4).value, 0u);
    write(0, kLock + 12, 2, 5);
    EXPECT_EQ(test_and_set(1, kLock + 12, 6).value, 1u) << "any value but 0 sets";
}

TEST_F(SyncBusAlone, TakesDwordsOfItsLocksOnly) {
    EXPECT_TRUE(bus.read({0, kLock, 4, 0}).answered);
    EXPECT_TRUE(bus.write({0, kLock, 4, 0}, 0).answered);
    EXPECT_FALSE(bus.read({0, kLock, 1, 0}).answered);
    EXPECT_FALSE(bus.write({0, kLock, 1, 0}, 0).answered);
    EXPECT_FALSE(bus.read({0, kLock + 2, 2, 0}).answered);
    EXPECT_FALSE(bus.read({0, kLock + 2, 4, 0}).answered);
    EXPECT_EQ(reported(0, "operations"), 2) << "an access that is not taken has no effect";
    EXPECT_TRUE(bus.range().contains(kLock + 4 * 16 - 1));
    EXPECT_FALSE(bus.range().contains(kLock + 4 * 16));
    EXPECT_FALSE(bus.range().contains(kLock - 1));
}

TEST_F(SyncBusAlone, GrantsInTheOrderOfRequests) {
    EXPECT_EQ(test_and_set(2, kLock, 1000).delay, kLatency);
    EXPECT_EQ(test_and_set(0, kLock, 1000).delay, kOccupancy + kLatency);
    EXPECT_EQ(write(1, kLock + 4, 0, 2000).delay, 2 * kOccupancy + kLatency - 1000);
    const Time later = 10 * kLatency;
    EXPECT_EQ(write(2, kLock, 0, later).delay, kLatency) << "it is free again";
    EXPECT_EQ(reported(0, "wait_us"), kOccupancy);
    EXPECT_EQ(reported(1, "wait_us"), 2 * kOccupancy - 1000);
    EXPECT_EQ(reported(2, "wait_us"), 0);
    EXPECT_EQ(number(bus.report().results, "max_wait_us"), 2 * kOccupancy - 1000);
    EXPECT_EQ(reported(0, "failed"), 1);
    EXPECT_EQ(reported(2, "operations"), 2);
}

constexpr Address kCode = 0x10'0000;

constexpr const char* kNames = R"(
    .intel_syntax noprefix
    .globl start
    .set lock, 0xca000000
    .set power, 0xd0001000
    .set number, 0xc8000000
    .set count, 0xc8000004
    .set shared, 0x200000
    .set finished, 0x200040
    .set pairs, 0x200080
)";

// Each processor enters the section 50 times and increments a counter that only the lock protects.
// A pseudo-random delay and stores to other lines come in between.
constexpr const char* kExclusion = R"(
    start:  mov esi, [number]
            lea edi, [esi + 1]
            mov ebp, 50
    next:   imul edi, edi, 1103515245
            add edi, 12345
            mov ecx, edi
            shr ecx, 16
            and ecx, 63
            inc ecx
    delay:  mov [esi * 4 + 0x201000], ecx
            dec ecx
            jnz delay
    again:  mov eax, [lock + 20]
            test eax, eax
            jnz again
            mov eax, [shared]
            mov ebx, [pairs]
            inc eax
            inc ebx
            mov [shared], eax
            mov [pairs], ebx
            mov dword ptr [lock + 20], 0
            dec ebp
            jnz next
            lock inc dword ptr [finished]
            test esi, esi
            jnz other
    wait:   mov eax, [finished]
            cmp eax, [count]
            jne wait
            mov eax, [shared]
            sub eax, [pairs]
            jnz end
            mov eax, [count]
            imul eax, eax, 50
            sub eax, [shared]
    end:    mov [power], eax
    other:  hlt
)";

class SyncBusRun : public ::testing::Test {
  protected:
    std::map<std::string, std::string> run(const std::string& program,
                                           const std::vector<std::string>& settings,
                                           const std::string& out,
                                           const std::vector<std::string>& more = {}) {
        ElfWriter elf;
        elf.code(".text", kCode, assemble_program(kNames + program, kCode)).entry(kCode);
        elf.write(scratch_.path() / "guest.elf");
        const auto config = scratch_.write(
            "config.toml",
            fmt::format("machine.processors = 4\nsync_bus.present = true\nsync_bus.locks = 16\n"
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

    ScratchFolder scratch_;
    Outcome outcome_;
};

TEST_F(SyncBusRun, ALockExcludesUnderEachProtocolAndStorePolicy) {
    for (const std::string protocol :
         {"write-through", "write-through-allocate", "write-back", "write-update", "none"})
        for (const std::string policy : {"buffered", "block-port", "stall"}) {
            const std::vector<std::string> settings = {"cache.protocol=" + protocol,
                                                       "cache.store_policy=" + policy,
                                                       "cache.write_buffer_depth=4"};
            auto reference = settings;
            reference.push_back("run.engine=reference");
            const auto fast = run(kExclusion, settings, "fast");
            EXPECT_EQ(outcome_.exit, 0) << protocol << " " << policy << outcome_.err;
            EXPECT_EQ(fast, run(kExclusion, reference, "reference")) << protocol << " " << policy;
        }
}

TEST_F(SyncBusRun, TheSummaryCountsOperationsExactly) {
    const auto of = summary(run(kExclusion, {}, "out"));
    const auto& bus = of["sync_bus"];
    EXPECT_EQ(bus["writes"], 200);
    EXPECT_EQ(bus["operations"], bus["test_and_sets"].get<unsigned>() + 200);
    EXPECT_EQ(bus["test_and_sets"], bus["failed"].get<unsigned>() + 200);
    EXPECT_GT(bus["failed"], 0);
    EXPECT_GT(bus["wait_us"], 0);
    EXPECT_EQ(bus["busy_us"].get<double>(), bus["operations"].get<double>() / 2);
    unsigned operations = 0, failed = 0;
    double wait = 0;
    for (const auto& one : bus["processors"]) {
        operations += one["operations"].get<unsigned>();
        failed += one["failed"].get<unsigned>();
        wait += one["wait_us"].get<double>();
    }
    EXPECT_EQ(bus["operations"], operations);
    EXPECT_EQ(bus["failed"], failed);
    EXPECT_NEAR(bus["wait_us"], wait, 1e-6);
    EXPECT_EQ(of["config"]["sync_bus.locks"], 16);
}

// mov eax, [lock]; the power-off is the only transaction after the code has been fetched.
TEST_F(SyncBusRun, AnOperationUsesNoCycleOfTheSystemBus) {
    const auto of =
        summary(run("start: mov eax, [lock]\n mov eax, [lock]\n mov [lock], eax\n"
                    "mov [power], eax\n hlt",
                    {"machine.processors=1"}, "out"));
    EXPECT_EQ(of["guest"]["exit_status"], 1);
    EXPECT_EQ(of["sync_bus"]["operations"], 3);
    EXPECT_EQ(of["bus"]["transactions"]["io_read"], 0);
    EXPECT_EQ(of["bus"]["transactions"]["io_write"], 1);
}

TEST_F(SyncBusRun, AnotherAccessIsAFailureOfTheGuest) {
    for (const char* wrong : {"mov al, [lock]", "mov [lock + 2], ax", "mov eax, [lock + 64]",
                              "mov eax, [lock + 2]", "xchg eax, [lock]"}) {
        run(fmt::format("start: {}\n hlt", wrong), {"machine.processors=1"}, "out");
        EXPECT_EQ(outcome_.exit, 3) << wrong << outcome_.err;
        EXPECT_NE(outcome_.err.find("device space, where"), std::string::npos)
            << wrong << outcome_.err;
    }
}

TEST_F(SyncBusRun, AMachineWithoutTheBusHasNoDeviceThere) {
    const auto files = run("start: mov eax, [lock]\n hlt", {"sync_bus.present=false"}, "out");
    EXPECT_EQ(outcome_.exit, 3) << outcome_.err;
    EXPECT_NE(outcome_.err.find("sync_bus.present"), std::string::npos) << outcome_.err;
    EXPECT_EQ(summary(files).count("sync_bus"), 0u);
    EXPECT_EQ(summary(files)["config"].count("sync_bus.locks"), 0u);
}

}  // namespace
}  // namespace symsim::test
