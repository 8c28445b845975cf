// SPDX-License-Identifier: MIT

// lrpc.h: the stubs of client and server.

#include "lrpc.h"

#include "kernel/system_call.h"
#include "kernel/user/user.h"

int lrpc_bind(int server) {
    return (int)system_call(CALL_LRPC_BIND, (uint32_t)server, 0, 0);
}

unsigned* lrpc_arguments(int binding, unsigned stack) {
    const uintptr_t first = system_call(CALL_LRPC_ARGUMENTS, (uint32_t)binding, 0, 0);
    return first != 0 ? (unsigned*)first + stack * LRPC_WORDS : NULL;
}

// The server leaves no register as it was.
int lrpc_call(int binding, unsigned procedure, unsigned stack) {
    uint32_t result = CALL_LRPC_CALL;
    __asm__ volatile(
        "pushl %%ebp\n\t"
        "int %[vector]\n\t"
        "popl %%ebp"
        : "+a"(result), "+b"(binding), "+c"(procedure), "+d"(stack)
        : [vector] "i"(SYSTEM_CALL_VECTOR)
        : "esi", "edi", "memory", "cc");
    return (int)result;
}

// ---- server ----

static lrpc_procedure* const* exported;

// The kernel enters here, on a stack of the call, and only with a number that is exported.
static __attribute__((regparm(2))) _Noreturn void enter(unsigned procedure, unsigned* arguments) {
    exported[procedure](arguments);
    for (;;) system_call(CALL_LRPC_RETURN, 0, 0, 0);
}

void lrpc_export(lrpc_procedure* const* procedures, unsigned number) {
    exported = procedures;
    system_call(CALL_LRPC_EXPORT, (uintptr_t)enter, number, 0);
}
