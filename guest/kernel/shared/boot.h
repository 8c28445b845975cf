// SPDX-License-Identifier: MIT
#pragma once

void close_user_return(void);  // once, before ring 3 runs
void enter_kernel(void);       // each processor, after its descriptors_load()
