// SPDX-License-Identifier: MIT
// Processor states: whether a processor executes, waits for the bus, is served by it, or is halted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/types.h"

namespace symsim {

// At each instant a processor is in exactly one state.
enum class ProcessorState : std::uint8_t { executing, waiting, served, halted };
constexpr std::array<std::string_view, 4> kProcessorStateNames = {"executing", "waiting", "served",
                                                                  "halted"};
constexpr std::array<std::string_view, 4> kProcessorStateMeanings = {
    "executing instructions, cache hits included", "waiting until the bus is granted",
    "served by the bus: its transaction has been granted and is not finished",
    "halted until an interrupt"};
constexpr std::size_t kProcessorStates = kProcessorStateNames.size();

constexpr std::string_view name(ProcessorState s) {
    return kProcessorStateNames[index(s)];
}

}  // namespace symsim
