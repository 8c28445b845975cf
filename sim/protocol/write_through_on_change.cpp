// SPDX-License-Identifier: MIT
// Write-through with invalidation on change only: hardware that Anderson, Lazowska & Levy (1989)
// propose in section 4.6 of the journal version. Memory compares old and new bytes. A failed xchgb
// writes the value that is there already, so it leaves the other copies valid.
#include "sim/protocol/protocol.h"
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

constexpr BusRow kBus[] = {
    //  state      event                next state
    {shared,    bus_read,            shared},
    {shared,    bus_locked_read,     shared},
    {shared,    bus_store,           invalid},
    {shared,    bus_same_store,      shared},
};
// clang-format on

}  // namespace

constexpr Protocol protocols::write_through_on_change{
    "write-through-on-change",
    "as write-through, but only a store that changes memory invalidates other copies", kLocal,
    kBus};

}  // namespace symsim
