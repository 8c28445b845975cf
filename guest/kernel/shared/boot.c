// SPDX-License-Identifier: MIT

// Steps from the boot to ring 3 that all kernels take.

#include "kernel.h"
#include "lib/kernel.h"

// The gate by which run_user() returns to ring 0 (lib/user.S) would let a program into the kernel.
void close_user_return(void) {
    interrupt_table();
    set_gate(USER_RETURN, gate_descriptor(GATE_INTERRUPT, 0, KERNEL_CODE, 0, 0));
}

void enter_kernel(void) {
    use_space(kernel_space);
    slic_mask(1 << SLIC_CLOCK_BIN | 1);
}
