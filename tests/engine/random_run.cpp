// SPDX-License-Identifier: MIT
// Random machines and images for random guests, as functions of a seed.
#include "tests/engine/random_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>

#include "sim/base/observer.h"
#include "tests/engine/random_guest.h"
#include "tests/engine/random_system_guest.h"
#include "tests/support/assembler.h"
#include "tests/support/elf_writer.h"

namespace symsim::test {
namespace {

constexpr std::uint32_t kCodeBase = RandomGuest::kCodeBase;
static_assert(RandomSystemGuest::kCodeBase == kCodeBase);

unsigned from_environment(const char* name, unsigned otherwise) {
    const char* text = std::getenv(name);
    return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : otherwise;
}

// Options of the arbiter and of memory, as the tables of random_machine() continue with them.
struct ArbiterOptions {
    std::string bus;
    std::string memory;
};
ArbiterOptions random_arbiter(std::mt19937 random) {
    random.discard(100);  // other numbers than those of the rest of the machine
    const auto pick = [&](unsigned n) {
        return std::uniform_int_distribution<unsigned>(0, n - 1)(random);
    };
    // A fixed priority and a low class starve some processors where memory is busy.
    const std::array<const char*, 8> arbitrations = {"round-robin", "round-robin", "round-robin",
                                                     "round-robin", "oldest",      "oldest",
                                                     "oldest",      "fixed"};
    const std::array<const char*, 4> locked = {"skip", "keep-turn", "hold-bus", "bypass"};
    const std::array<unsigned, 4> busy_for_a_read = {0, 0, 3, 6}, busy_for_a_store = {0, 0, 4, 8};
    return {fmt::format("locked_request = \"{}\"\nlocked_class = \"{}\"\nunlock = \"{}\"\n"
                        "arbitration = \"{}\"\n",
                        locked[pick(4)], pick(12) == 0 ? "low" : "same",
                        pick(2) == 0 ? "with-store" : "cycle", arbitrations[pick(8)]),
            fmt::format("controllers = {}\nread_busy_cycles = {}\nstore_busy_cycles = {}\n"
                        "read_pipe = {}\n",
                        1u << pick(3), busy_for_a_read[pick(4)], busy_for_a_store[pick(4)],
                        1 + pick(2))};
}

// A quarter of the machines have a crossbar in place of the bus, and a quarter consist of nodes.
const char* random_interconnect(std::mt19937 random) {
    random.discard(300);  // other numbers than those of the rest of the machine
    const std::array<const char*, 4> kinds = {"crossbar", "nodes", "bus", "bus"};
    return kinds[std::uniform_int_distribution<unsigned>(0, 3)(random)];
}

// Nodes with caches that are so small that their blocks conflict.
std::string random_nodes(std::mt19937 random, unsigned processors, unsigned line_bytes) {
    random.discard(400);  // other numbers than those of the rest of the machine
    const auto pick = [&](unsigned n) {
        return std::uniform_int_distribution<unsigned>(0, n - 1)(random);
    };
    const unsigned in_node = 1u << (processors > 8 ? 1 + pick(3) : pick(4));
    const unsigned nodes = (processors + in_node - 1) / in_node + pick(2);
    const std::array<const char*, 4> placements = {"first-touch", "interleaved", "by-address",
                                                   "follows-owner"};
    return fmt::format(
        "[nodes]\ncount = {}\nnode_processors = {}\ninside = \"{}\"\nplacement = \"{}\"\n"
        "page_bytes = {}\nblock_bytes = {}\nnetwork_cache_kb = 1\nnetwork_cache_ways = {}\n"
        "lookup_cycles = {}\nhome_buffer = {}\nrings = {}\nring_bytes_per_cycle = "
        "{}\nring_hop_cycles = {}\n"
        "ring_interface_cycles = {}\n",
        nodes, in_node, pick(2) == 0 ? "bus" : "crossbar", placements[pick(4)], 256u << pick(3),
        std::max(8u, line_bytes << pick(3)), 1u << pick(3), pick(4), pick(2) == 0 ? 1 : 256,
        1u << pick(2), 1 + pick(16), 1 + pick(3), pick(4));
}

std::string random_entry(std::mt19937& random, unsigned processor, unsigned position) {
    const auto pick = [&](unsigned n) {
        return std::uniform_int_distribution<unsigned>(0, n - 1)(random);
    };
    const bool access = pick(2) == 0;
    const std::string delay = std::to_string(1 + pick(200'000));
    const std::array<std::string, 3> what = {"hold " + delay, "stores " + delay, "interrupt"};
    return fmt::format("{} {} {} {}", processor, access ? "access" : "instruction", position,
                       what[pick(access ? 2 : 3)]);
}

// A quarter of the machines preempt a processor somewhere in the run, and a quarter hold some.
std::string random_preemption(std::mt19937 random, unsigned processors) {
    random.discard(200);  // other numbers than those of the rest of the machine
    const auto pick = [&](unsigned n) {
        return std::uniform_int_distribution<unsigned>(0, n - 1)(random);
    };
    const unsigned what = pick(4);
    if (what > 1) return "";
    const std::string origin = pick(2) == 0 ? "from = \"region\"\nregion = 5\n" : "";
    if (what == 1) {
        std::string entries;
        unsigned position = 0;
        for (unsigned n = 1 + pick(12); n > 0; --n) {
            position += 1 + pick(1'000);
            entries +=
                (entries.empty() ? "" : ", ") + random_entry(random, pick(processors), position);
        }
        return fmt::format("[schedule]\nholds = \"{}\"\n{}", entries, origin);
    }
    return fmt::format("[preempt]\ninstructions = {}\non_processor = {}\n{}", 1 + pick(20'000),
                       pick(processors), origin);
}

// A machine small enough for frequent conflicts, in which every option is varied.
std::string random_machine(std::mt19937& random, unsigned& processors) {
    const auto pick = [&](unsigned n) {
        return std::uniform_int_distribution<unsigned>(0, n - 1)(random);
    };
    const ArbiterOptions arbiter = random_arbiter(random);
    const std::array<unsigned, 8> counts = {1, 2, 2, 3, 4, 5, 8, 20};
    const std::array<const char*, 3> stores = {"buffered", "block-port", "stall"};
    const std::array<const char*, 6> protocols = {
        "write-through", "write-through-allocate", "write-through-on-change",
        "write-back",    "write-update",           "none"};
    const std::array<unsigned, 4> lines = {4, 8, 16, 32};
    processors = counts[pick(8)];
    const unsigned line = lines[pick(4)];
    const unsigned ways = 1u << pick(3);
    const unsigned size = pick(4) == 0 ? 65536 : line * ways * (1u << pick(4));
    const std::string preemption = random_preemption(random, processors);
    const std::string interconnect = random_interconnect(random);
    const char* protocol = protocols[pick(6)];
    if (interconnect == "nodes") protocol = pick(2) == 0 ? "write-back" : "illinois";
    return preemption + random_nodes(random, processors, line) +
           fmt::format(
               "[machine]\ninterconnect = \"{}\"\nprocessors = {}\n"
               "[cache]\nprotocol = \"{}\"\nline_bytes = {}\nways = {}\nsize_bytes = "
               "{}\nhit_wait_clocks "
               "= {}\n"
               "write_buffer_depth = {}\nstore_policy = \"{}\"\n"
               "[bus]\n{}arbitration_cycles = {}\n"
               "line_unavailable_cycles = {}\nstore_completion_cycles = "
               "{}\nowner_supply_cycles = {}\n"
               "[memory]\nsize_mb = 4\nlatency_cycles = {}\n{}"
               "[run]\nlimit_ms = 200.0\n[observe]\ninterval_us = 7.5\nvcd = true\n"
               "transactions = true\nperfetto = true\n",
               interconnect, processors, protocol, line, ways, std::max(size, 64u), pick(3),
               pick(4), stores[pick(3)], arbiter.bus, pick(3), pick(3) == 0 ? 12 : 0, 1 + pick(9),
               pick(3), pick(7), arbiter.memory);
}

// The part of a run that traces show; runs last some milliseconds.
std::string random_window(std::mt19937& random) {
    const std::array<const char*, 4> windows = {
        "", "[observe.window]\nfrom_us = 40.03\nto_us = 900.7\n",
        "[observe.window]\nlast_ms = 0.3333\n",
        "[observe.window]\naround = \"lock_acquired\"\naround_us = 123.4\n"};
    return windows[std::uniform_int_distribution<std::size_t>(0, windows.size() - 1)(random)];
}

// Kinds of probe points that may come in any order and with any operand: not those of processes,
// and not those that end a run, at once or at the next access to a page.
std::vector<ProbeKind> kinds_in_any_order() {
    std::vector<ProbeKind> kinds;
    for (const ProbePoint& point : kProbePoints)
        if (!is_process(point.kind) && !is_page(point.kind) && point.kind != ProbeKind::failure)
            kinds.push_back(point.kind);
    return kinds;
}

// Half of the guests are plain code. In the others a part of the code is in a section with an
// activity. They also have probe points at randomly chosen bytes, some in the middle of
// instructions.
void add_code(ElfWriter& elf, unsigned seed, const std::vector<std::uint8_t>& code) {
    std::mt19937 random(~seed);
    const auto pick = [&](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    if (pick(2) == 0) {
        elf.code(".text", kCodeBase, code);
        return;
    }
    const std::array<const char*, 3> sections = {".text.spin", ".text.threads", ".text.kernel"};
    const std::array<const char*, 6> operands = {"$5",     "%edi",     "%bl",
                                                 "(%esp)", "-8(%esp)", "0x20000e"};
    const std::vector<ProbeKind> kinds = kinds_in_any_order();
    const auto border = static_cast<std::uint32_t>(1 + pick(code.size() - 1));
    elf.code(".text", kCodeBase, {code.begin(), code.begin() + border});
    elf.code(sections[pick(3)], kCodeBase + border, {code.begin() + border, code.end()});
    for (std::uint32_t n = 0; n < code.size(); ++n)
        if (pick(12) == 0)
            elf.probe(kCodeBase + n, index(kinds[pick(kinds.size())]), operands[pick(6)]);
}

}  // namespace

std::vector<std::uint8_t> random_guest(std::uint32_t seed, unsigned processors) {
    return RandomGuest(seed, processors).code();
}

std::vector<std::uint8_t> random_system(std::uint32_t seed, unsigned processors) {
    return assemble_program(RandomSystemGuest(seed, processors).source(), kCodeBase);
}

std::string write_random_guest(unsigned seed, const MakeGuest& make,
                               const std::filesystem::path& image, const std::string& image_name) {
    std::mt19937 random(seed);
    unsigned processors = 0;
    std::string config = random_machine(random, processors);
    config += random_window(random);
    if (RandomGuest::reads_monitor(seed))
        config += fmt::format("[monitor]\npresent = true\nread_ns = {}\n", 1 + seed * 37 % 2000);
    ElfWriter elf;
    add_code(elf.entry(kCodeBase), seed, make(seed, processors));
    elf.write(image);
    return config + fmt::format("[guest]\nimage = \"{}\"\n", image_name);
}

std::filesystem::path write_random_run(const ScratchFolder& folder, unsigned seed,
                                       const MakeGuest& make) {
    const std::filesystem::path image = folder.path() / "guest.elf";
    // Few bytes, so that some guests read beyond the end.
    std::mt19937 random(seed);
    std::string input(std::uniform_int_distribution<std::size_t>(0, 300)(random), '\0');
    for (char& byte : input) byte = static_cast<char>(random());
    folder.write("input", input);
    return folder.write("config.toml", write_random_guest(seed, make, image, image.string()) +
                                           "stdin = \"input\"\n");
}

const std::vector<std::string> kCopiesBack = {
    "--set", "cache.protocol=write-back", "--set", "cache.size_bytes=64", "--set", "cache.ways=1",
    "--set", "cache.line_bytes=16",       "--set", "nodes.block_bytes=32"};

void for_many_seeds(unsigned otherwise, const std::function<bool(unsigned seed)>& test) {
    const unsigned guests = from_environment("SYMSIM_RANDOM_GUESTS", otherwise);
    const unsigned first = from_environment("SYMSIM_FIRST_SEED", 1);
    unsigned finished = 0;
    for (unsigned seed = first; seed < first + guests && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(fmt::format("SYMSIM_FIRST_SEED={} SYMSIM_RANDOM_GUESTS=1", seed));
        if (test(seed)) ++finished;
    }
    if (!testing::Test::HasFailure()) {
        EXPECT_GE(finished, guests * 9 / 10) << "too many guests only reached the time limit";
    }
}

}  // namespace symsim::test
