// SPDX-License-Identifier: MIT
// configs/machines/firefly.toml: the times that it states, and guests on lines of 4 bytes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/private_lines.h"
#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

class Firefly : public ::testing::Test {
  protected:
    std::map<std::string, std::string> run(const std::string& image, unsigned processors,
                                           const std::string& engine = "fast") {
        const auto config = scratch_.write(
            "config.toml", fmt::format("base = \"{}/configs/machines/firefly.toml\"\n"
                                       "machine.processors = {}\nguest.image = \"{}\"\n"
                                       "run.engine = \"{}\"\nrun.limit_ms = 20000.0\n",
                                       SOURCE_FOLDER, processors, image, engine));
        const std::string out = (scratch_.path() / engine).string();
        const Outcome outcome = run_symsim({config.string(), "--quiet", "--out", out});
        EXPECT_EQ(outcome.exit, 0) << outcome.err;
        return result_files(out);
    }
    static nlohmann::json summary(const std::map<std::string, std::string>& files) {
        return nlohmann::json::parse(files.at("summary.json"));
    }
    nlohmann::json of_program(const std::string& program, unsigned processors) {
        const std::string image = (scratch_.path() / "program.elf").string();
        write_program(image, program);
        return summary(run(image, processors));
    }
    // Each processor makes `access` to `lines` lines that no cache has.
    nlohmann::json misses(const std::string& access, unsigned processors, unsigned lines) {
        return of_program(private_lines(access, lines, 4), processors);
    }

    ScratchFolder scratch_;
};

// 4 cycles of the bus and one to synchronise, up to the next edge of a clock of 218.5 ns.
TEST_F(Firefly, AReadMissTakesHalfAMicrosecondAfterItsGrant) {
    const double few = misses("mov eax, [esi]", 1, 100)["processors"][0]["states_us"]["served"];
    const double many = misses("mov eax, [esi]", 1, 1100)["processors"][0]["states_us"]["served"];
    EXPECT_GE((many - few) / 1000, 0.5);
    EXPECT_LE((many - few) / 1000, 0.5 + 0.2185);
}

TEST_F(Firefly, TheBusCarriesTenMegabytesASecond) {
    const auto bus = misses("mov eax, [esi]", 6, 1000)["bus"];
    const double reads = bus["transactions"]["read"], fetches = bus["transactions"]["fetch"];
    EXPECT_NEAR((reads + fetches) * 4 / double(bus["busy_us"]), 10, 0.2);
}

// A store of a whole line brings the line: the second one stays in the cache. Part of a line does
// not.
TEST_F(Firefly, OnlyTheFirstStoreToALineUsesTheBus) {
    const auto stores = [&](const char* access) {
        return double(misses(access, 1, 1000)["bus"]["transactions"]["store"]);
    };
    EXPECT_NEAR(stores("mov [esi], eax; mov [esi], eax"), 1000, 10);
    EXPECT_NEAR(stores("mov [esi], al; mov [esi], al"), 2000, 10);
}

// mov dword ptr [disp32], imm32 has 10 bytes. The code of this program is 28 bytes: 7 lines, each
// fetched once.
TEST_F(Firefly, FetchesEachLineOfALongInstruction) {
    const auto bus = of_program(R"(
        start:  .byte 0x90, 0x90, 0x90
                mov dword ptr ds:[0x200000], 5
                xor eax, eax
                nop
                mov [0xd0001000], eax
                nop
        stays:  jmp stays
                nop; nop
    )",
                                1)["bus"];
    EXPECT_EQ(bus["transactions"]["fetch"], 6) << "the power-off comes before the last line";
}

TEST_F(Firefly, AProcedureCallTakesSevenMicroseconds) {
    const auto of = summary(run(BUILD_FOLDER "/guest/urpc_null.elf", 4));
    EXPECT_NEAR(double(of["guest"]["results"]["procedure_call_ns"]), 7000, 10);
}

TEST_F(Firefly, RunsTestsOfLocksAndSpacesUnderBothEngines) {
    const std::vector<std::pair<const char*, unsigned>> tests = {{"lock_exclusion-xchgb", 6},
                                                                 {"lock_exclusion-mcs", 4},
                                                                 {"lock_progress-clh", 4},
                                                                 {"spaces_donate", 1},
                                                                 {"urpc", 2},
                                                                 {"urpc_many", 5}};
    for (const auto& [test, processors] : tests) {
        SCOPED_TRACE(fmt::format("{} on {} processors", test, processors));
        const std::string image = fmt::format("{}/guest-tests/{}.elf", BUILD_FOLDER, test);
        const auto fast = run(image, processors);
        EXPECT_TRUE(fast == run(image, processors, "reference")) << "the engines differ";
        EXPECT_EQ(summary(fast)["guest"]["exit_status"], 0);
    }
}

}  // namespace
}  // namespace symsim::test
