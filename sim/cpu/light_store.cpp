// SPDX-License-Identifier: MIT
#include "sim/cpu/light_store.h"

namespace symsim {

[[gnu::noinline]] void LightRun::store(Processor& cpu, const Op& op, Address place, unsigned size,
                                       std::uint32_t value, Time time) {
    const AccessTime when = cpu.access_time(time + cpu.stores_from(op));
    cpu.cache_.leave_store(place, size, when, value);
    complete(cpu);
    time += cpu.clock_.cycles(op.clocks);
    if (!when.present) cpu.posted_ahead(when.at);
    if (time >= cpu.limit_) return reach_further(cpu, *op.next, time);
    op.next->light(cpu, *op.next, time);
}

}  // namespace symsim
