// SPDX-License-Identifier: MIT
// The keys of devices. Defaults are a Symmetry Model A; configs/machines/symmetry-a.toml gives the
// source of each.
#include "sim/config/make_key.h"

namespace symsim {

std::vector<Key> device_keys() {
    return {
        {"slic.message_ns", "ns", IntegerKey{MEMBER(slic, message_ns), 4000, 1, 1000000},
         "Time for which a message occupies the bus of the interrupt controllers."},
        {"slic.mask_ns", "ns", IntegerKey{MEMBER(slic, mask_ns), 500, 1, 1000000},
         "Time from a write of the interrupt mask until the mask takes effect."},
        {"sync_bus.present", "", FlagKey{MEMBER(sync_bus, present), false},
         "Whether the machine has a synchronisation bus beside the System Bus: one-bit locks in "
         "hardware with test-and-set."},
        {"sync_bus.locks", "locks", IntegerKey{MEMBER(sync_bus, locks), 65536, 1, 1048576},
         "Number of locks of the synchronisation bus."},
        {"sync_bus.latency_ns", "ns", IntegerKey{MEMBER(sync_bus, latency_ns), 1500, 1, 100000},
         "Time of an operation, from the grant of the synchronisation bus until the processor "
         "continues."},
        {"sync_bus.occupancy_ns", "ns", IntegerKey{MEMBER(sync_bus, occupancy_ns), 500, 1, 10000},
         "Time for which an operation occupies the synchronisation bus; others wait, first come, "
         "first served."},
        {"monitor.present", "", FlagKey{MEMBER(monitor, present), false},
         "Whether each processor has a performance monitor, which the guest can read: counts of "
         "its cache misses and stores, the time waited, the node of an address, and the lines of "
         "a range in its cache."},
        // A guess: "very expensive compared to the processor cycle time", 10 ns on the SPP 1000
        // (Steckermeier and Bellosa 1995, section 7.1.4), by hardware outside of the processor. A
        // microsecond is between that machine's accesses to local and remote memory.
        {"monitor.read_ns", "ns", IntegerKey{MEMBER(monitor, read_ns), 1000, 1, 100000},
         "Time of an access to a register of the performance monitor; the processor waits."},
        {"sub_page.present", "", FlagKey{MEMBER(sub_page, present), false},
         "Whether a processor can lock a line for longer than an instruction, as the KSR1 does "
         "with get_sub_page and release_sub_page. On nodes, other nodes are kept off the whole "
         "block."},
    };
}

}  // namespace symsim
