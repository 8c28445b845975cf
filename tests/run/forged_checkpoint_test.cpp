// SPDX-License-Identifier: MIT
// Forged checkpoints: the state of a real one with changed bytes, under a right checksum. symsim
// must refuse each, or continue from it as from a guest that went wrong. It may not crash, hang, or
// take the file for a mistake of its own.
//
// SYMSIM_FORGED is the number of forgeries of each checkpoint, SYMSIM_FIRST_SEED the first seed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <random>

#include "sim/checkpoint/checkpoint_file.h"
#include "tests/support/elf_writer.h"
#include "tests/support/forge.h"
#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

constexpr Address kCode = 0x0010'0000;

// Both processors increment a shared counter, and store beside it:
// mov ecx, 3000; 1: lock inc [0x200000]; mov [0x200100], ecx; dec ecx; jnz 1b; then power off.
const Bytes kGuest = {0xb9, 0xb8, 0x0b, 0, 0,    0xf0, 0xff, 0x05, 0,    0,    0x20,
                      0,    0x89, 0x0d, 0, 1,    0x20, 0,    0x49, 0x75, 0xf0, 0xb8,
                      0,    0,    0,    0, 0xa3, 0,    0x10, 0,    0xd0, 0xf4};

unsigned from_environment(const char* name, unsigned otherwise) {
    const char* const text = std::getenv(name);
    return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : otherwise;
}

// Where the state goes on after the pages of memory, which may have any bytes: each has an address
// and a length, and the last has no bytes.
std::size_t end_of_memory(const std::string& state) {
    std::size_t at = 1;
    for (std::uint64_t bytes = 1; bytes != 0; at += bytes) {
        std::memcpy(&bytes, &state[at + 8], 8);
        at += 16;
    }
    return at;
}

// Seldom it has another time.
void change(Checkpoint& checkpoint, std::size_t from, std::mt19937_64& random) {
    if (random() % 48 == 0)
        checkpoint.time += static_cast<Time>(random() % 2'000'000) - 1'000'000;
    else
        forge(checkpoint.state, from, random);
}

class ForgedCheckpoint : public ::testing::TestWithParam<std::vector<std::string>> {
  protected:
    Outcome run(const std::vector<std::string>& options) {
        std::vector<std::string> all = {config_, "--quiet", "--out",
                                        (scratch_.path() / "out").string()};
        all.insert(all.end(), GetParam().begin(), GetParam().end());
        all.insert(all.end(), options.begin(), options.end());
        return run_symsim(all);
    }
    void SetUp() override {
        ElfWriter().entry(kCode).code(".text", kCode, kGuest).write(scratch_.path() / "guest.elf");
        config_ = scratch_
                      .write("config.toml",
                             "machine.processors = 2\nrun.limit_ms = 3.0\n"
                             "guest.image = \"guest.elf\"\n")
                      .string();
        ASSERT_EQ(run({"--checkpoint-at", "1ms"}).exit, 5);
        checkpoint_ = read_checkpoint(scratch_.path() / "out" / "checkpoint-1000us.symsim");
    }
    Outcome restored(const Checkpoint& checkpoint) {
        const std::filesystem::path file = scratch_.path() / "forged.symsim";
        write_checkpoint(checkpoint, file);
        return run({"--restore", file.string()});
    }

    ScratchFolder scratch_;
    std::string config_;
    Checkpoint checkpoint_;
};

TEST_P(ForgedCheckpoint, IsRefusedOrContinues) {
    EXPECT_EQ(restored(checkpoint_).exit, 5) << "not forged";
    const std::size_t from = end_of_memory(checkpoint_.state);
    const unsigned first = from_environment("SYMSIM_FIRST_SEED", 1);
    const unsigned count = from_environment("SYMSIM_FORGED", 25);
    unsigned refused = 0;
    for (unsigned seed = first; seed < first + count; ++seed) {
        std::mt19937_64 random(seed);
        Checkpoint forged = checkpoint_;
        for (unsigned changes = 1 + static_cast<unsigned>(random() % 3); changes > 0; --changes)
            change(forged, from, random);
        const Outcome outcome = restored(forged);
        EXPECT_LE(outcome.exit, 5) << "SYMSIM_FIRST_SEED=" << seed << ": " << outcome.err;
        if (outcome.exit != 2) continue;
        ++refused;
        EXPECT_NE(outcome.err.find("forged.symsim"), std::string::npos) << outcome.err;
        EXPECT_NE(outcome.err.find("none of this machine"), std::string::npos) << outcome.err;
    }
    EXPECT_GT(refused, count / 2);
}

TEST_P(ForgedCheckpoint, ThatEndsEarlyOrLateIsRefused) {
    Checkpoint forged = checkpoint_;
    forged.state += '\0';
    EXPECT_NE(restored(forged).err.find("1 bytes follow its end"), std::string::npos);
    forged.state.resize(checkpoint_.state.size() - 1);
    EXPECT_NE(restored(forged).err.find("too early"), std::string::npos);
    forged.state.clear();
    EXPECT_EQ(restored(forged).exit, 2);
    forged = checkpoint_;
    forged.time = -1;
    EXPECT_EQ(restored(forged).exit, 2);
}

INSTANTIATE_TEST_SUITE_P(
    Machines, ForgedCheckpoint,
    ::testing::Values(std::vector<std::string>{},
                      std::vector<std::string>{"--set", "cache.protocol=write-back", "--set",
                                               "cache.size_bytes=256"},
                      std::vector<std::string>{"--set", "cache.store_policy=stall", "--set",
                                               "bus.locked_request=hold-bus"},
                      std::vector<std::string>{"--set", "cache.protocol=none", "--set",
                                               "bus.locked_request=keep-turn"},
                      std::vector<std::string>{"--set", "machine.interconnect=crossbar", "--set",
                                               "cache.protocol=moesi"},
                      std::vector<std::string>{"--set", "machine.interconnect=nodes", "--set",
                                               "nodes.count=2", "--set", "nodes.node_processors=1",
                                               "--set", "cache.protocol=illinois"},
                      std::vector<std::string>{"--set", "machine.interconnect=nodes", "--set",
                                               "nodes.count=4", "--set", "nodes.node_processors=2",
                                               "--set", "nodes.placement=interleaved", "--set",
                                               "cache.protocol=write-back"}));

}  // namespace
}  // namespace symsim::test
