// SPDX-License-Identifier: MIT
#pragma once

// The simulator takes a processor's activity from the section of the code it runs (boot/guest.ld).
// So these functions must stay whole: not inlined, not cloned.
#define SECTION_FUNCTION(name) __attribute__((noinline, noclone, unused, section(name)))

#define BOOT_FUNCTION SECTION_FUNCTION(".text.boot")
#define KERNEL_FUNCTION SECTION_FUNCTION(".text.kernel")
#define THREADS_FUNCTION SECTION_FUNCTION(".text.threads")
#define IDLE_FUNCTION SECTION_FUNCTION(".text.idle")  // waiting for work
#define SPIN_FUNCTION SECTION_FUNCTION(".text.spin")  // waiting for a lock
