// SPDX-License-Identifier: MIT
// The Illinois protocol (Papamarcos and Patel, ISCA 1984): write-back with invalidation, as
// write_back.cpp, and a state for a line that no other cache has (MESI). A signal of the bus, its
// shared line, tells the requester of a read whether other caches have the line. If none has, the
// line is exclusive, and a store to it needs no transaction.
//
// In the paper a cache supplies a line even if memory has the same bytes. Here, as under
// write-back, only the owner of a modified line supplies it.
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
    {exclusive, local_locked_load,  none,            exclusive},
    {modified,  local_locked_load,  none,            modified},
    {invalid,   local_store,        read_exclusive,  modified},
    {shared,    local_store,        upgrade,         modified},
    {exclusive, local_store,        none,            modified},
    {modified,  local_store,        none,            modified},
    {modified,  local_evict,        write_back,      invalid},
};

constexpr BusRow kBus[] = {
    //  state      event                next state
    {shared,    bus_read,            shared},
    {shared,    bus_locked_read,     invalid},
    {shared,    bus_read_exclusive,  invalid},
    {shared,    bus_upgrade,         invalid},
    {exclusive, bus_read,            shared},
    {exclusive, bus_locked_read,     invalid},
    {exclusive, bus_read_exclusive,  invalid},
    {modified,  bus_read,            shared,    supplies},
    {modified,  bus_locked_read,     invalid,   supplies},
    {modified,  bus_read_exclusive,  invalid,   supplies},
};
// clang-format on

}  // namespace

constexpr Protocol protocols::illinois{
    "illinois",
    "write-back, and a store to a line that no other cache has needs no transaction (MESI)", kLocal,
    kBus};

}  // namespace symsim
