// SPDX-License-Identifier: MIT
#pragma once

// What a function must give back as it found it: ebx, esi, edi, ebp, esp, and where it returns to.
typedef unsigned jmp_buf[6];

__attribute__((returns_twice)) int setjmp(jmp_buf place);
_Noreturn void longjmp(jmp_buf place, int value);
