// SPDX-License-Identifier: MIT
// Failures of programs of processes (guest/kernel): a fault that ends a process is reported with
// its symbol, and a run whose processes all sleep ends with what it has so far.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class ProcessFailuresTest : public ::testing::Test {
  protected:
    // Runs a program of build/guest-tests on both engines, which must agree.
    void run(const std::string& image, const std::vector<std::string>& settings = {},
             const std::vector<std::string>& engines = {"reference", "fast"}) {
        files.clear();
        const std::string config =
            scratch.write("config.toml", fmt::format("[machine]\nprocessors = 2\n[guest]\nimage = "
                                                     "\"{}/guest-tests/{}.elf\"\n",
                                                     BUILD_FOLDER, image));
        for (const std::string& engine : engines) {
            const fs::path out = scratch.path() / engine;
            std::vector<std::string> words{config,       "--quiet", "--out",
                                           out.string(), "--set",   "run.engine=" + engine};
            for (const std::string& setting : settings)
                words.insert(words.end(), {"--set", setting});
            outcome = run_symsim(words);
            const auto all = result_files(out);
            if (!files.empty()) {
                EXPECT_TRUE(all == files);
            }
            files = all;
        }
        summary = json::parse(files["summary.json"]);
    }

    ScratchFolder scratch;
    Outcome outcome;
    std::map<std::string, std::string> files;
    json summary;
};

TEST_F(ProcessFailuresTest, AFaultNamesProcessAddressSymbolAndLine) {
    run("processes_main_ends-local");
    const json& fault = summary["processes"]["faults"].at(0);
    EXPECT_EQ(summary["processes"]["faults"].size(), 1u);
    EXPECT_EQ(fault["process"], 0);
    EXPECT_EQ(fault["processor"], 0);
    EXPECT_EQ(fault["symbol"].get<std::string>().substr(0, 5), "main+");
    const std::string source = fault["source"];
    EXPECT_NE(source.find("tests/guest/processes_main_ends.c:"), std::string::npos) << source;
    EXPECT_NE(outcome.err.find("process 0 faulted on processor 0 at "), std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.err.find(" in main+"), std::string::npos) << outcome.err;
    const std::string console = files["console.txt"];
    EXPECT_EQ(console, fmt::format("process 0 ended: page fault at eip {}, address 0x0, a null "
                                   "pointer\n",
                                   "0x" + fault["eip"].get<std::string>().substr(4)));
}

// For what the processor refused, the line says why and what to do.
TEST_F(ProcessFailuresTest, AFaultByARefusedInstructionNamesTheInstruction) {
    run("processes_faults-local", {"guest.args.quantum_us=400", "guest.args.quantum_spread_us=100"},
        {"fast"});
    const std::size_t at = outcome.err.find(" in invalid, tests/guest/processes_faults.c:");
    ASSERT_NE(at, std::string::npos) << outcome.err;
    const std::string line = outcome.err.substr(at, outcome.err.find('\n', at) - at);
    EXPECT_NE(line.find(": ud2 (bytes 0f 0b), gcc's trap for undefined behaviour; gcc puts it"),
              std::string::npos)
        << line;
    const std::string divide = outcome.err.substr(0, outcome.err.rfind('\n', at));
    EXPECT_EQ(divide.find("does not exist"), std::string::npos) << "of other faults: " << divide;
}

TEST_F(ProcessFailuresTest, ProcessesThatAllSleepAreADeadlock) {
    run("failing/process_deadlock");
    EXPECT_EQ(outcome.exit, 4);
    EXPECT_NE(outcome.err.find("all 2 processors are halted"), std::string::npos) << outcome.err;
    EXPECT_EQ(summary["status"], "deadlock");
    EXPECT_EQ(summary["partial"], true);
    EXPECT_EQ(summary["guest"]["results"], json({{"before", 1}}));
    EXPECT_EQ(summary["processes"]["ended"], 0);
    EXPECT_EQ(summary["processes"]["blocks"], 2);
    EXPECT_EQ(summary["processes"]["faults"].size(), 0u);
}

// A kernel with KERNEL_CHECKS (guest/kernel/shared/spinlock.h) names the lock of each mistake.
TEST_F(ProcessFailuresTest, AKernelFindsItsOwnMistakes) {
    const std::map<std::string, std::string> mistakes{
        {"acquire_twice", "spinlock_acquire(&first_lock): this processor has it already"},
        {"acquire_with_interrupts_on", "spinlock_acquire(&first_lock): interrupts are on"},
        {"release_free", "spinlock_release(&first_lock): this processor does not have it"},
        {"release_of_another", "spinlock_release(&first_lock): this processor does not have it"},
        {"sleep_without", "block_task: this processor does not have &first_lock"},
        {"sleep_with_two", "block_task: this processor holds locks: 2, expected: 1"},
        {"requeue_with_one", "requeue_task: this processor holds locks: 1, expected: 0"},
    };
    for (const auto& [mistake, report] : mistakes) {
        run("failing/kernel_mistakes", {"guest.args.mistake=\"" + mistake + "\""});
        EXPECT_EQ(files["console.txt"], "panic of the kernel on processor 0: " + report + "\n")
            << mistake;
        EXPECT_EQ(summary["guest"]["exit_status"], 1) << mistake;
    }
    run("failing/kernel_mistakes");
    EXPECT_EQ(files["console.txt"], "found nothing\n");
}

}  // namespace
}  // namespace symsim::test
