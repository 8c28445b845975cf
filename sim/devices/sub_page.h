// SPDX-License-Identifier: MIT
// The registers by which a processor gets and releases sub-pages, on a machine with
// sub_page.present. The KSR1 has instructions for it (get_sub_page, release_sub_page): a processor
// that has got a sub-page has the only copy, and requests of others for any byte of it wait until
// it is released. That is the KSR1's native lock (Wisniewski, Kontothanassis and Scott, TR 454,
// 1993, section 4).
//
// Here a store of an address gets or releases the sub-page at that physical address. What is locked
// is the line of the cache, by a locked load that does not unlock (CacheController). On nodes the
// requests of other nodes for its whole block wait. On the KSR1, whose nodes have one processor,
// the block is a sub-page.
#pragma once

#include "sim/base/types.h"

namespace symsim::sub_page {

constexpr Address kGet = 0xCA80'0000;
constexpr Address kRelease = 0xCA80'0004;

constexpr bool answers(Address address) {
    return address == kGet || address == kRelease;
}

}  // namespace symsim::sub_page
