// SPDX-License-Identifier: MIT
#include "sim/cpu/light_store.h"

namespace symsim {

[[gnu::noinline]] void Processor::store_light(const Op& op, Address place, unsigned size,
                                              std::uint32_t value, Time time) {
    const AccessTime when = access_time(time + stores_from(op));
    cache_.leave_store(place, size, when, value);
    complete_light();
    time += clock_.cycles(op.clocks);
    if (!when.present) posted_ahead(when.at);
    if (time >= limit_) return reach_further_light(*op.next, time);
    op.next->light(*this, *op.next, time);
}

}  // namespace symsim
