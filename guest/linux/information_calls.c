// SPDX-License-Identifier: MIT

// What programs ask of the system and of themselves.

#include "calls.h"
#include "string.h"
#include "symsim.h"
#include "thread.h"

int call_getuid(struct trap_frame* frame) {
    (void)frame;
    return 0;
}

// The release is below 5.1: programs then take the calls with 32-bit times, which all have.
int call_uname(struct trap_frame* frame) {
    static const char fields[6][65] = {"Linux", "symsim", "4.19.0", "#1 SMP", "i686", "(none)"};
    return copy_out(frame->ebx, fields, sizeof fields);
}

#define RLIMIT_STACK 3
#define RLIMIT_FILES 7
#define RLIMITS 16

static uint32_t limit_of(uint32_t which) {
    if (which == RLIMIT_STACK) return STACK_BYTES_MOST;
    return which == RLIMIT_FILES ? FILES_MOST : UINT32_MAX;
}

int call_ugetrlimit(struct trap_frame* frame) {
    if (frame->ebx >= RLIMITS) return -EINVAL;
    const uint32_t limit[2] = {limit_of(frame->ebx), UINT32_MAX};
    return copy_out(frame->ecx, limit, sizeof limit);
}

int call_prlimit64(struct trap_frame* frame) {
    const uint32_t id = frame->ebx;
    if (frame->ecx >= RLIMITS) return -EINVAL;
    if (id != 0 && id != (uint32_t)this_thread()->process->id) return -ESRCH;
    if (frame->edx != 0) return -EPERM;
    if (frame->esi == 0) return 0;
    const uint32_t limit = limit_of(frame->ecx);
    const uint64_t pair[2] = {limit == UINT32_MAX ? UINT64_MAX : limit, UINT64_MAX};
    return copy_out(frame->esi, pair, sizeof pair);
}

#define GRND_FLAGS 7u

int call_getrandom(struct trap_frame* frame) {
    const uint32_t bytes = frame->ecx < 4096 ? frame->ecx : 4096;
    if (frame->edx & ~GRND_FLAGS) return -EINVAL;
    for (uint32_t i = 0; i < bytes; i += 4) {
        const uint32_t word = random_next();
        if (copy_out(frame->ebx + i, &word, bytes - i < 4 ? bytes - i : 4) != 0) return -EFAULT;
    }
    return (int)bytes;
}

static void tell_name(const struct thread* thread) {
    const uint32_t* words = (const uint32_t*)thread->name;
    PROBE(PROBE_THREAD_NAME, thread->id);
    PROBE(PROBE_NAME_PART, words[0]);
    PROBE(PROBE_NAME_PART, words[1]);
    PROBE(PROBE_NAME_PART, words[2]);
    PROBE(PROBE_NAME_PART, words[3]);
}

#define PR_SET_NAME 15
#define PR_GET_NAME 16

int call_prctl(struct trap_frame* frame) {
    char* name = this_thread()->name;
    char given[THREAD_NAME_BYTES];
    switch (frame->ebx) {
        case PR_SET_NAME: {
            const int length = copy_text(given, frame->ecx, sizeof given);
            if (length == -EFAULT) return length;
            memset(name, 0, THREAD_NAME_BYTES);
            memcpy(name, given, length < 0 ? THREAD_NAME_BYTES - 1 : (unsigned)length);
            tell_name(this_thread());
            return 0;
        }
        case PR_GET_NAME:
            return copy_out(frame->ecx, name, THREAD_NAME_BYTES);
        default:
            return -EINVAL;
    }
}
