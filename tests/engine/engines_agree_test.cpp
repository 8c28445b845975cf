// SPDX-License-Identifier: MIT
// Runs random guests in random machines with both engines: every byte of every output file must be
// the same. SYMSIM_RANDOM_GUESTS sets the number of guests, SYMSIM_FIRST_SEED the first seed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/types.h"
#include "tests/engine/random_run.h"
#include "tests/support/assembler.h"
#include "tests/support/elf_writer.h"

namespace symsim::test {
namespace {

// Runs one guest in one machine with both engines. Returns the exit status.
int agree_on(const ScratchFolder& scratch, const std::filesystem::path& config,
             const std::vector<std::string>& more = {}) {
    std::array<int, 2> exits{};
    std::array<std::map<std::string, std::string>, 2> files;
    for (int i = 0; i < 2; ++i) {
        const std::string engine = i == 0 ? "fast" : "reference";
        const std::string out = (scratch.path() / engine).string();
        std::vector<std::string> arguments = {config, "--quiet", "--out",
                                              out,    "--set",   "run.engine=" + engine};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = run_symsim(arguments);
        exits[i] = outcome.exit;
        EXPECT_TRUE(outcome.exit == 0 || outcome.exit == 1 || outcome.exit == 5)
            << engine << " ended with " << outcome.exit << "\n"
            << outcome.err;
        files[i] = result_files(out);
    }
    EXPECT_EQ(exits[0], exits[1]);
    EXPECT_GE(files[0].size(), 9u)
        << "summary, bus, locks, three traces, config, console, manifest";
    EXPECT_EQ(files[0].size(), files[1].size());
    for (const auto& [name, bytes] : files[0])
        EXPECT_TRUE(bytes == files[1][name]) << name << " differs between the engines";
    return exits[0];
}

// Returns whether the guest ended before the time limit.
bool agree_on(unsigned seed, const MakeGuest& make, const std::vector<std::string>& more = {}) {
    const ScratchFolder scratch;
    const int exit = agree_on(scratch, write_random_run(scratch, seed, make), more);
    if (exit == 5) fmt::print("seed {} reached the time limit\n", seed);
    return exit != 5;
}

TEST(Engines, AgreeOnEveryByteForRandomGuests) {
    for_many_seeds(50, [](unsigned seed) { return agree_on(seed, random_guest); });
}

// As many processors as a machine can have; no more than fit into the byte with which the guest
// compares its counters.
TEST(Engines, AgreeOnEveryByteWithTheMostProcessors) {
    constexpr unsigned kProcessors = std::min(kMaxProcessors, 127u);
    const auto make = [](std::uint32_t seed, unsigned) { return random_guest(seed, kProcessors); };
    unsigned ended = 0;
    for (const unsigned seed : {1u, 2u, 3u, 4u})
        if (agree_on(seed, make,
                     {"--set", fmt::format("machine.processors={}", kProcessors), "--set",
                      "nodes.count=16", "--set", "nodes.node_processors=8"}))
            ++ended;
    EXPECT_GE(ended, 2u) << "with so many processors some guests are still running at the limit";
}

TEST(Engines, AgreeOnEveryByteForRandomSystems) {
    for_many_seeds(35, [](unsigned seed) { return agree_on(seed, random_system); });
}

// Lines have owners, and are evicted soon. A locked read holds the whole bus.
TEST(Engines, AgreeOnEveryByteWithFrequentWriteBacks) {
    std::vector<std::string> machine = kCopiesBack;
    machine.insert(machine.end(), {"--set", "bus.locked_request=hold-bus"});
    for_many_seeds(40, [&](unsigned seed) { return agree_on(seed, random_guest, machine); });
}

// For protocols that nodes do not know.
std::string bus_or_crossbar(unsigned seed) {
    return seed % 4 == 0 ? "machine.interconnect=crossbar" : "machine.interconnect=bus";
}

// Lines become exclusive, modified, owned and shared, and are evicted soon.
TEST(Engines, AgreeOnEveryByteUnderIllinoisAndMoesi) {
    for_many_seeds(40, [&](unsigned seed) {
        std::vector<std::string> machine = kCopiesBack;
        machine.insert(machine.end(), {"--set", seed % 2 == 0 ? "cache.protocol=illinois"
                                                              : "cache.protocol=moesi"});
        if (seed % 2 == 1) machine.insert(machine.end(), {"--set", bus_or_crossbar(seed / 2)});
        return agree_on(seed, seed % 3 == 0 ? random_system : random_guest, machine);
    });
}

// Blocked requests hold the bus, which is bus time in the meters.
TEST(Engines, AgreeOnEveryByteWhereALockHoldsTheBus) {
    for_many_seeds(20, [](unsigned seed) {
        return agree_on(seed, random_guest, {"--set", "bus.locked_request=hold-bus"});
    });
}

TEST(Engines, AgreeOnEveryByteWhereAnExchangeIsOneUpdate) {
    for_many_seeds(30, [](unsigned seed) {
        return agree_on(
            seed, seed % 3 == 0 ? random_system : random_guest,
            {"--set", "cache.protocol=write-update", "--set", bus_or_crossbar(seed), "--set",
             seed % 5 == 0 ? "cache.update_exchange=locked" : "cache.update_exchange=one-update"});
    });
}

// An instruction spans up to five lines. A store of a whole line installs it under write-update.
TEST(Engines, AgreeOnEveryByteWithLinesOfOneDword) {
    for_many_seeds(30, [](unsigned seed) {
        const std::array<const char*, 4> protocols = {"write-update", "write-through",
                                                      "write-update", "write-back"};
        return agree_on(seed, seed % 3 == 0 ? random_system : random_guest,
                        {"--set", "cache.line_bytes=4", "--set",
                         fmt::format("cache.protocol={}", protocols[seed % 4]), "--set",
                         bus_or_crossbar(seed / 4)});
    });
}

// Blocks move between nodes, and are evicted soon from network caches of 1 KB.
TEST(Engines, AgreeOnEveryByteOnNodes) {
    for_many_seeds(30, [](unsigned seed) {
        return agree_on(seed, seed % 3 == 0 ? random_system : random_guest,
                        {"--set", "machine.interconnect=nodes", "--set",
                         seed % 2 == 0 ? "cache.protocol=illinois" : "cache.protocol=write-back"});
    });
}

constexpr Address kCode = 0x10'0000;

// Runs a program of a few lines up to the time limit.
void agree_on(const char* program, const std::string& machine,
              const std::vector<std::pair<Address, std::string>>& messages = {}) {
    const ScratchFolder scratch;
    ElfWriter elf;
    elf.code(".text", kCode, assemble_program(program, kCode)).entry(kCode);
    for (const auto& [at, operand] : messages) elf.probe(at, index(ProbeKind::message), operand);
    elf.write(scratch.path() / "guest.elf");
    const std::filesystem::path config = scratch.write(
        "config.toml", fmt::format("{}[run]\nlimit_ms = 2\n"
                                   "[observe]\nvcd = true\ntransactions = true\nperfetto = true\n"
                                   "[guest]\nimage = \"{}\"\n",
                                   machine, (scratch.path() / "guest.elf").string()));
    EXPECT_EQ(agree_on(scratch, config), 5);
}

// Processor 2 stores to an own line. The others' probe points read the same dword, often in the
// same clock. Processors with lower numbers must then see the old value.
TEST(Engines, LetProcessorsActInOrderOfTheirNumbersAtOneTime) {
    agree_on(R"(
        .intel_syntax noprefix
        .globl start
        start:
            cmp dword ptr [0xc8000000], 2
            jne looks
        stores:
            inc ecx
            mov [0x200000], ecx
            jmp stores
        .org 0x20
        looks:
            nop
            jmp looks
    )",
             "[machine]\nprocessors = 4\n[cache]\nprotocol = \"write-back\"\n",
             {{kCode + 0x20, "0x200000"}});
}

// The immediate of a long instruction spans several short lines, which the other processor changes.
TEST(Engines, AgreeWhereTheMiddleOfALongInstructionIsWritten) {
    for (const unsigned line : {4, 8})
        for (const char* protocol : {"write-through", "write-update", "write-back"})
            agree_on(R"(
                .intel_syntax noprefix
                .globl start
                start:
                    xor ebx, ebx
                    cmp dword ptr [0xc8000000], 0
                    jne executes
                writes:
                    inc ebx
                    mov byte ptr [long - start + 0x100008], bl
                    mov ecx, ebx
                    and ecx, 7
                pause:
                    dec ecx
                    jns pause
                    jmp writes
                .org 0x3b
                executes:
                    inc ebx
                    jmp long
                .org 0x47
                long:
                    mov dword ptr [ebx * 4 + 0x200000], 0x12345678
                    and ebx, 0xff
                    jmp executes
            )",
                     fmt::format("[machine]\nprocessors = 2\n[cache]\nline_bytes = {}\n"
                                 "protocol = \"{}\"\n",
                                 line, protocol));
}

// Each element is stored over the instruction itself, which differs when it is executed again.
TEST(Engines, AgreeWhereARepeatedInstructionOverwritesItself) {
    agree_on(R"(
        .intel_syntax noprefix
        .globl start
        start:
            mov eax, 0x90909090
            mov edi, offset here
            mov ecx, 6
            mov [0x200000], eax
        here:
            rep stosb
            .fill 12, 1, 0x90
            mov [0x200004], ecx
        ends:
            jmp ends
    )",
             "[machine]\nprocessors = 1\n");
}

}  // namespace
}  // namespace symsim::test
