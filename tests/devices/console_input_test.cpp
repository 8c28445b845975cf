// SPDX-License-Identifier: MIT
// Guests that read their standard input from the console, under both engines.
// Each byte must be taken once, however far the fast engine runs ahead. The random guests of
// tests/engine read the console too.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/assembler.h"
#include "tests/support/elf_writer.h"
#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

constexpr Address kCode = 0x10'0000;

constexpr const char* kNames = R"(
    .intel_syntax noprefix
    .globl start
    .set console, 0xd0000000
    .set left, 0xd0000004
    .set power, 0xd0001000
    .set number, 0xc8000000
)";

// Processor 0 copies the input to the output. Between two bytes it computes for some 60 us.
constexpr const char* kCopy = R"(
    start:  cmp dword ptr [number], 0
            jne other
    next:   cmp dword ptr [left], 0
            je end
            mov al, [console]
            mov [console], al
            mov ecx, 100
    wait:   inc dword ptr [0x200000]
            dec ecx
            jnz wait
            jmp next
    end:    mov al, [console]
            mov [power], eax
    other:  hlt
)";

// Each processor takes 25 bytes and prints them; the last to finish switches the power off.
constexpr const char* kShare = R"(
    start:  mov ecx, 25
    next:   mov al, [console]
            mov [console], al
            dec ecx
            jnz next
            mov eax, 1
            lock add dword ptr [0x200000], eax
            cmp dword ptr [0x200000], 4
            jne other
            xor eax, eax
            mov [power], eax
    other:  hlt
)";

class ConsoleInput : public ::testing::Test {
  protected:
    void guest(const char* program) {
        ElfWriter()
            .code(".text", kCode, assemble_program(std::string(kNames) + program, kCode))
            .entry(kCode)
            .write(scratch.path() / "guest.elf");
    }
    Outcome run(const std::string& engine, const std::vector<std::string>& more = {}) {
        const std::string config = scratch.write(
            "config.toml",
            "[machine]\nprocessors = 4\n[run]\nlimit_ms = 100\n[observe]\nvcd = true\n"
            "[guest]\nimage = \"guest.elf\"\nstdin = \"input\"\n");
        std::vector<std::string> arguments = {config,         "--quiet", "--out",
                                              out().string(), "--set",   "run.engine=" + engine};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_symsim(arguments);
    }
    std::string printed() const { return read_text(out() / "console.txt"); }
    nlohmann::json summary() const {
        return nlohmann::json::parse(read_text(out() / "summary.json"));
    }
    std::filesystem::path out() const { return scratch.path() / "out"; }

    ScratchFolder scratch;
};

// All bytes but NUL, which the guest could not tell from the end.
std::string many_bytes() {
    std::string bytes;
    for (int n = 1; n < 256; ++n) bytes += static_cast<char>(n);
    return bytes;
}

TEST_F(ConsoleInput, IsReadByteForByteUpToItsEnd) {
    guest(kCopy);
    for (const std::string& input : {many_bytes(), std::string("x"), std::string()}) {
        scratch.write("input", input);
        ASSERT_EQ(run("fast").err, "");
        EXPECT_EQ(printed(), input);
        EXPECT_EQ(summary()["guest"]["exit_status"].get<int>() & 0xff, 0) << "0 behind the end";
        const auto fast = result_files(out());
        ASSERT_EQ(run("reference").err, "");
        EXPECT_TRUE(result_files(out()) == fast);
    }
}

TEST_F(ConsoleInput, WithoutAFileIsEmpty) {
    guest(kCopy);
    scratch.write("input", "x");
    ASSERT_EQ(run("fast", {"--set", "guest.stdin="}).err, "");
    EXPECT_EQ(printed(), "");
    EXPECT_FALSE(summary()["guest"].contains("stdin_sha256"));
    EXPECT_FALSE(summary()["config"].contains("guest.stdin"));
}

TEST_F(ConsoleInput, GoesToTheProcessorsInTheOrderOfTheBus) {
    guest(kShare);
    std::string input = many_bytes().substr(0, 100);
    scratch.write("input", input);
    ASSERT_EQ(run("fast").exit, 0);
    const auto fast = result_files(out());
    std::string output = printed();
    std::sort(output.begin(), output.end());
    EXPECT_EQ(output, input) << "each byte once";
    ASSERT_EQ(run("reference").exit, 0);
    EXPECT_TRUE(result_files(out()) == fast);
}

TEST_F(ConsoleInput, IsInTheSummaryByItsHash) {
    guest(kCopy);
    scratch.write("input", "abc");
    run("fast");
    EXPECT_EQ(summary()["guest"]["stdin_sha256"],
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(summary()["config"]["guest.stdin"], (scratch.path() / "input").string());
}

// A read takes as long as that of any other device: two more bytes cost the same twice.
TEST_F(ConsoleInput, CostsABusTransactionForEachRead) {
    guest(kCopy);
    const auto transactions = [&](const std::string& input) {
        scratch.write("input", input);
        run("fast");
        return summary()["bus"]["transactions"]["io_read"].get<int>();
    };
    const int none = transactions("");
    EXPECT_EQ(transactions("ab"), none + 4) << "two registers for each byte";
}

}  // namespace
}  // namespace symsim::test
