// SPDX-License-Identifier: MIT

// No "#pragma once": each inclusion must test NDEBUG again.

#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) \
    ((condition) ? (void)0 : symsim_assertion_failed(#condition, __FILE__, __LINE__, __func__))
#endif

#ifndef SYMSIM_ASSERT_H
#define SYMSIM_ASSERT_H
_Noreturn void symsim_assertion_failed(const char* condition, const char* file, int line,
                                       const char* function);
#define static_assert _Static_assert
#endif
