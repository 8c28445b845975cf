// SPDX-License-Identifier: MIT
#pragma once

// What a processor is doing, the simulator tells from the section its code lies in (boot/guest.ld).
// Such a function must stay whole: not inlined, not cloned.
#define SECTION_FUNCTION(name) __attribute__((noinline, noclone, unused, section(name)))

#define BOOT_FUNCTION SECTION_FUNCTION(".text.boot")
#define KERNEL_FUNCTION SECTION_FUNCTION(".text.kernel")
#define THREADS_FUNCTION SECTION_FUNCTION(".text.threads")
#define IDLE_FUNCTION SECTION_FUNCTION(".text.idle")  // waits for work
#define SPIN_FUNCTION SECTION_FUNCTION(".text.spin")  // waits for a lock
