// SPDX-License-Identifier: MIT
#pragma once

// Sub-pages of machines with sub_page.present, such as the KSR1: a processor gets one, and then
// has the only copy of its bytes until it releases it. All accesses of others to it wait, and the
// processors that want to get it are served in the order in which their requests arrive.
//
// The KSR1 has instructions for it, get_sub_page and release_sub_page. Here each is a store of the
// address to a register, a physical one. Memory that is locked so should have a sub-page of its
// own.

#define SUB_PAGE_BYTES 128  // nodes.block_bytes of the KSR1
#define SUB_PAGE_GET 0xCA800000
#define SUB_PAGE_RELEASE 0xCA800004
#define SUB_PAGE_REGISTERS 0xCA800000  // the page that has both
#define SUB_PAGE_REGISTER_BYTES 0x1000

static inline void sub_page_get(volatile void* address) {
    *(volatile void* volatile*)SUB_PAGE_GET = address;
    __asm__ volatile("" ::: "memory");
}
// After the stores before it are complete.
static inline void sub_page_release(volatile void* address) {
    __asm__ volatile("" ::: "memory");
    *(volatile void* volatile*)SUB_PAGE_RELEASE = address;
}
