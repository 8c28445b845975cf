// SPDX-License-Identifier: MIT
// Write-back with invalidation, the policy of the Symmetry's Model B. Sources: Anderson, Lazowska &
// Levy (1989), ALL; Netlib machine descriptions (c. 1988); bus cycles by Sequent's bic.h (derived).
//
// A line is shared (memory has the same bytes) or modified (the only copy). A store to a shared
// line invalidates the other copies by one address cycle (upgrade). A store that misses reads the
// line and invalidates the other copies (read-exclusive). So does the locked read of an xchg,
// unless the line is modified here already. When another cache reads a modified line, the owner
// supplies it, and memory is updated too.
#include "sim/protocol/protocols.h"

namespace symsim {
namespace {

using namespace protocol_words;

// clang-format off
constexpr LocalRow kLocal[] = {
    //  state      event               needs            next state
    {invalid,   local_load,         read,            shared},
    {invalid,   local_locked_load,  locked_read,     modified},
    {shared,    local_locked_load,  locked_read,     modified},
    {modified,  local_locked_load,  none,            modified},
    {invalid,   local_store,        read_exclusive,  modified},
    {shared,    local_store,        upgrade,         modified},
    {modified,  local_store,        none,            modified},
    {modified,  local_evict,        write_back,      invalid},
};

constexpr BusRow kBus[] = {
    //  state      event                next state
    {shared,    bus_read,            shared},
    {shared,    bus_locked_read,     invalid},
    {shared,    bus_read_exclusive,  invalid},
    {shared,    bus_upgrade,         invalid},
    {modified,  bus_read,            shared,    supplies},
    {modified,  bus_locked_read,     invalid,   supplies},
    {modified,  bus_read_exclusive,  invalid,   supplies},
};
// clang-format on

}  // namespace

constexpr Protocol protocols::write_back{
    "write-back", "a store takes ownership of its line and stays in the cache", kLocal, kBus};

}  // namespace symsim
