// SPDX-License-Identifier: MIT
// The pages that a guest linked with symsim's library never uses on purpose. An access there ends
// the run, without a check that would cost the guest or the fast path anything.
//
//   - The first page, where null pointers lead. guest/boot/guest.ld links from 1 MB on.
//   - A guard page in each processor's stack, above the processor's struct cpu. Images whose stacks
//     have no room for it do not have the symbol symsim_stack_bytes (guest/boot/start.S).
//
// Guests without the library, among them ROMs, use memory as they like.
#pragma once

#include "sim/image/image.h"
#include "sim/interconnect/memory.h"

namespace symsim {

// Whether the first page is closed.
bool closes_first_page(const Image& image);
void close_pages(const Image& image, unsigned processors, Memory& memory);

}  // namespace symsim
