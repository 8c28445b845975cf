// SPDX-License-Identifier: MIT
// No cache (Anderson, Lazowska & Levy (1989), ALL, section 4.6): each load reads its datum over the
// bus, and each store writes it over the bus. Code is fetched in what the prefetch queue takes, a
// line at a time.
//
// No line is ever shared. That state stands for the prefetch queue, which drops bytes that another
// processor changes, as it does with caches.
#include "sim/protocol/protocols.h"

namespace symsim {
namespace {

using namespace protocol_words;

// clang-format off
constexpr LocalRow kLocal[] = {
    //  state      event               needs            next state
    {invalid,   local_load,         read,            invalid},
    {invalid,   local_locked_load,  locked_read,     invalid},
    {invalid,   local_store,        store,           invalid},
};

constexpr BusRow kBus[] = {
    //  state      event                next state
    {shared,    bus_read,            shared},
    {shared,    bus_locked_read,     shared},
    {shared,    bus_store,           invalid},
};
// clang-format on

}  // namespace

constexpr Protocol protocols::no_cache{"none", "no caches", kLocal, kBus};

}  // namespace symsim
