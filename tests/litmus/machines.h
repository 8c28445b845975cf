// SPDX-License-Identifier: MIT
// The machines on which the litmus tests run.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace symsim::test {

struct LitmusMachine {
    const char* name;
    unsigned processors;
    const char* policy;
    unsigned depth;
    const char* bus;       // further keys, and tables after them
    unsigned model_depth;  // of the store buffers in the model; 0: sequential consistency
    const char* protocol = "write-through";
    const char* interconnect = "bus";
};

inline void PrintTo(const LitmusMachine& machine, std::ostream* out) {
    *out << machine.name;
}

// With fixed arbitration and a slow bus, a store of the last processors waits as long as the first
// processors keep the bus busy. So by chance, too, loads often overtake stores.
//
// With block-port, no load is made until an earlier store is complete. Memory is then as strong as
// with stall, where the processor itself waits.
constexpr const char* kSlow = "arbitration = \"fixed\"\nstore_cycles = 6\n";
constexpr const char* kOneEach = "[nodes]\nnode_processors = 1\n";
constexpr const char* kTwoEach =
    "[nodes]\nnode_processors = 2\ncount = 2\nplacement = \"interleaved\"\npage_bytes = 256\n";
constexpr LitmusMachine kMachines[] = {
    {"Depth1", 4, "buffered", 1, kSlow, 1},
    {"Depth4", 4, "buffered", 4, kSlow, 4},
    {"Depth1RoundRobin", 4, "buffered", 1, "", 1},
    {"Depth4On3", 3, "buffered", 4, "", 4},
    {"Depth4On2", 2, "buffered", 4, "", 4},
    {"Depth0", 4, "buffered", 0, "", 0},
    {"Stall", 4, "stall", 1, "", 0},
    {"BlockPort", 4, "block-port", 1, "", 0},
    {"BlockPortSlow", 4, "block-port", 4, kSlow, 0},
    // The write buffer orders stores, whatever lines they go to.
    {"WriteBack", 4, "buffered", 1, kSlow, 1, "write-back"},
    {"WriteBackDepth4", 4, "buffered", 4, kSlow, 4, "write-back"},
    {"WriteBackStall", 4, "stall", 1, "", 0, "write-back"},
    {"Moesi", 4, "buffered", 1, kSlow, 1, "moesi"},
    {"MoesiDepth4", 4, "buffered", 4, kSlow, 4, "moesi"},
    {"WriteUpdate", 4, "buffered", 1, kSlow, 1, "write-update"},
    {"WriteUpdateDepth4", 4, "buffered", 4, kSlow, 4, "write-update"},
    {"WriteUpdateStall", 4, "stall", 1, "", 0, "write-update"},
    {"Crossbar", 4, "buffered", 1, "store_cycles = 6\n", 1, "write-through", "crossbar"},
    {"CrossbarDepth4", 4, "buffered", 4, "store_cycles = 6\n", 4, "write-through", "crossbar"},
    {"CrossbarStall", 4, "stall", 1, "", 0, "write-through", "crossbar"},
    {"CrossbarWriteBack", 4, "buffered", 4, "", 4, "write-back", "crossbar"},
    // The same outcomes as with one bus: a store takes effect when all other copies are gone.
    {"Nodes", 4, "buffered", 1, kOneEach, 1, "write-back", "nodes"},
    {"NodesOfTwo", 4, "buffered", 4, kTwoEach, 4, "illinois", "nodes"},
    {"NodesStall", 4, "stall", 1, kTwoEach, 0, "illinois", "nodes"},
};

// The tables of the machine in a config.
inline std::string config_of(const LitmusMachine& machine) {
    return fmt::format(
        "[machine]\nprocessors = {}\ninterconnect = \"{}\"\n"
        "[cache]\nprotocol = \"{}\"\nstore_policy = \"{}\"\nwrite_buffer_depth = {}\n[bus]\n{}",
        machine.processors, machine.interconnect, machine.protocol, machine.policy, machine.depth,
        machine.bus);
}
inline std::string machine_name(const ::testing::TestParamInfo<LitmusMachine>& info) {
    return info.param.name;
}

}  // namespace symsim::test
