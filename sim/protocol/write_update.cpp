// SPDX-License-Identifier: MIT
// Write-update, the protocol of the DEC Firefly (Archibald and Baer, TOCS 1986). A signal of the
// bus, its shared line, tells the requester whether other caches have the line. A store to a line
// that no other cache has is made in the cache. A store to a shared line goes over the bus and
// updates memory and all copies; nothing is ever invalidated. A store that misses also goes over
// the bus. If it is of the whole line, it allocates. The Firefly's lines were one word, so most of
// its stores were; in longer lines the rest would have to be read first.
#include "sim/protocol/protocols.h"

namespace symsim {
namespace {

using namespace protocol_words;

// clang-format off
constexpr LocalRow kLocal[] = {
    //  state      event               needs            next state
    {invalid,   local_load,         read,            {exclusive, shared}},
    {invalid,   local_locked_load,  locked_read,     {exclusive, shared}},
    {shared,    local_locked_load,  locked_read,     {exclusive, shared}},
    {exclusive, local_locked_load,  none,            exclusive},
    {modified,  local_locked_load,  none,            modified},
    {invalid,   local_store,        store,           invalid},
    {invalid,   local_whole_store,  store,           {exclusive, shared}},
    {shared,    local_store,        store,           {exclusive, shared}},
    {exclusive, local_store,        none,            modified},
    {modified,  local_store,        none,            modified},
    {modified,  local_evict,        write_back,      invalid},
};

constexpr BusRow kBus[] = {
    //  state      event                next state
    {shared,    bus_read,            shared},
    {shared,    bus_locked_read,     shared},
    {shared,    bus_store,           shared},
    {exclusive, bus_read,            shared},
    {exclusive, bus_locked_read,     shared},
    {exclusive, bus_store,           exclusive},
    {modified,  bus_read,            shared,    supplies},
    {modified,  bus_locked_read,     shared,    supplies},
    {modified,  bus_store,           modified},
};
// clang-format on

}  // namespace

constexpr Protocol protocols::write_update{"write-update", "a store updates other copies", kLocal,
                                           kBus};

}  // namespace symsim
