// SPDX-License-Identifier: MIT
#pragma once

// What a function must preserve, ebx, esi, edi, ebp and esp, and its return address.
typedef unsigned jmp_buf[6];

__attribute__((returns_twice)) int setjmp(jmp_buf place);
_Noreturn void longjmp(jmp_buf place, int value);
