// SPDX-License-Identifier: MIT
// MOESI (Sweazey and Smith, ISCA 1986): as illinois.cpp, and a state for a line that is dirty and
// shared. When another cache reads a modified line, its cache supplies it and becomes its owner:
// memory is not updated, and the owner still supplies the line. An owned line that is evicted is
// written back.
//
// A store to an owned line invalidates the other copies by an upgrade. A locked read of it locks
// its address on the bus as any other does; the cache keeps its own bytes, since those of the reply
// are memory's. A cache with a shared copy may upgrade it too: it has the same bytes, so the owner
// drops the line, and a write-back of it that waits for the bus.
#include "sim/protocol/protocols.h"

namespace symsim {
namespace {

using namespace protocol_words;

// clang-format off
constexpr LocalRow kLocal[] = {
    //  state      event               needs            next state
    {invalid,   local_load,         read,            {exclusive, shared}},
    {invalid,   local_locked_load,  locked_read,     modified},
    {shared,    local_locked_load,  locked_read,     modified},
    {owned,     local_locked_load,  locked_read,     modified},
    {exclusive, local_locked_load,  none,            exclusive},
    {modified,  local_locked_load,  none,            modified},
    {invalid,   local_store,        read_exclusive,  modified},
    {shared,    local_store,        upgrade,         modified},
    {owned,     local_store,        upgrade,         modified},
    {exclusive, local_store,        none,            modified},
    {modified,  local_store,        none,            modified},
    {owned,     local_evict,        write_back,      invalid},
    {modified,  local_evict,        write_back,      invalid},
};

constexpr BusRow kBus[] = {
    //  state      event                next state
    {shared,    bus_read,            shared},
    {shared,    bus_locked_read,     invalid},
    {shared,    bus_read_exclusive,  invalid},
    {shared,    bus_upgrade,         invalid},
    {owned,     bus_read,            owned,     supplies},
    {owned,     bus_locked_read,     invalid,   supplies},
    {owned,     bus_read_exclusive,  invalid,   supplies},
    {owned,     bus_upgrade,         invalid},
    {exclusive, bus_read,            shared},
    {exclusive, bus_locked_read,     invalid},
    {exclusive, bus_read_exclusive,  invalid},
    {modified,  bus_read,            owned,     supplies},
    {modified,  bus_locked_read,     invalid,   supplies},
    {modified,  bus_read_exclusive,  invalid,   supplies},
};
// clang-format on

}  // namespace

constexpr Protocol protocols::moesi{
    "moesi",
    "as illinois, but a line that another cache reads stays dirty and is not written to memory",
    kLocal, kBus};

}  // namespace symsim
