// SPDX-License-Identifier: MIT
// The words all parts share: addresses, processors, what a processor is doing, and what crosses
// the bus.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace symsim {

using Address = std::uint32_t;      // physical address
using ProcessorId = std::uint32_t;  // 0 .. processors-1, also the number of its port on the bus

// A set of processors is one 64-bit mask.
constexpr unsigned kMaxProcessors = 64;

// What a processor works on; design.md section 5. At each instant exactly one.
enum class Activity : std::uint8_t { user, threads, critical, spin, idle, kernel, boot };
constexpr std::array<std::string_view, 7> kActivityNames = {"user", "threads", "critical", "spin",
                                                            "idle", "kernel",  "boot"};
constexpr std::array<std::string_view, 7> kActivityMeanings = {
    "none of the others",
    "thread management",
    "between acquiring and releasing a lock",
    "waiting for a lock",
    "waiting for work",
    "the guest's kernel: interrupts, exceptions, what they call",
    "start-up, up to main"};
constexpr std::size_t kActivities = kActivityNames.size();

// Where a processor is in time; design.md section 5. At each instant exactly one.
enum class State : std::uint8_t { executing, waiting, served, halted };
constexpr std::array<std::string_view, 4> kStateNames = {"executing", "waiting", "served",
                                                         "halted"};
constexpr std::array<std::string_view, 4> kStateMeanings = {
    "executing instructions, cache hits included", "waiting until the bus is granted",
    "served by the bus: its transaction has been granted and is not finished",
    "halted until an interrupt comes"};
constexpr std::size_t kStates = kStateNames.size();

// What a transaction on the bus is for.
enum class Kind : std::uint8_t {
    fetch,
    read,
    read_own,
    invalidate,
    store,
    locked_read,
    locked_store,
    unlock,
    copy_back,
    io_read,
    io_write
};
constexpr std::array<std::string_view, 11> kKindNames = {
    "fetch",        "read",   "read_own",  "invalidate", "store",   "locked_read",
    "locked_store", "unlock", "copy_back", "io_read",    "io_write"};
constexpr std::array<std::string_view, 11> kKindMeanings = {
    "brings instructions",
    "brings a line of data; without a cache, the bytes asked for",
    "for a store: brings the line, and takes it from all others (write-back)",
    "for a store to a line that is here: takes it from all others (write-back)",
    "writes memory; others drop their copies or bring them up to date",
    "reads for a locked instruction, and locks the address",
    "writes for a locked instruction",
    "ends the lock of an address",
    "writes a line that memory does not have yet (write-back, write-update)",
    "reads a device",
    "writes a device"};
constexpr std::size_t kKinds = kKindNames.size();

template <class Enum>
constexpr std::size_t index(Enum value) {
    return static_cast<std::size_t>(value);
}
constexpr std::string_view name(Activity a) {
    return kActivityNames[index(a)];
}
constexpr std::string_view name(State s) {
    return kStateNames[index(s)];
}
constexpr std::string_view name(Kind k) {
    return kKindNames[index(k)];
}

}  // namespace symsim
