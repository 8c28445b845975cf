// SPDX-License-Identifier: MIT
// Write-through with invalidation, the Symmetry's Model A (Anderson, Lazowska & Levy (1989),
// section 2). Each store goes to memory and invalidates every other copy; the writer's own copy is
// updated. No source says whether a store that misses allocates its line, so there is a protocol
// for either case. The default, no allocation, is a guess.
//
// A store that allocates first reads its line, and then goes to memory as a store to a shared line.
//
// On change only is hardware that they propose in section 4.6 of the journal version. Memory
// compares old and new bytes. A failed xchgb writes the value that is there already, so it leaves
// the other copies valid.
#include "sim/protocol/protocols.h"

namespace symsim {
namespace {

using namespace protocol_words;

// clang-format off
constexpr LocalRow kLocal[] = {
    //  state      event               needs            next state
    {invalid,   local_load,         read,            shared},
    {invalid,   local_locked_load,  locked_read,     shared},
    {shared,    local_locked_load,  locked_read,     shared},
    {invalid,   local_store,        store,           invalid},
    {shared,    local_store,        store,           shared},
};

constexpr LocalRow kLocalAllocate[] = {
    //  state      event               needs            next state
    {invalid,   local_load,         read,            shared},
    {invalid,   local_locked_load,  locked_read,     shared},
    {shared,    local_locked_load,  locked_read,     shared},
    {invalid,   local_store,        read,            shared},
    {shared,    local_store,        store,           shared},
};

constexpr BusRow kBus[] = {
    //  state      event                next state
    {shared,    bus_read,            shared},
    {shared,    bus_locked_read,     shared},
    {shared,    bus_store,           invalid},
};
constexpr BusRow kBusOnChange[] = {
    //  state      event                next state
    {shared,    bus_read,            shared},
    {shared,    bus_locked_read,     shared},
    {shared,    bus_store,           invalid},
    {shared,    bus_same_store,      shared},
};
// clang-format on

}  // namespace

constexpr Protocol protocols::write_through{
    "write-through", "a store goes to memory and invalidates other copies", kLocal, kBus};

constexpr Protocol protocols::write_through_allocate{
    "write-through-allocate", "as write-through, but a store that misses first fetches its line",
    kLocalAllocate, kBus};

constexpr Protocol protocols::write_through_on_change{
    "write-through-on-change",
    "as write-through, but only a store that changes memory invalidates other copies", kLocal,
    kBusOnChange};

}  // namespace symsim
