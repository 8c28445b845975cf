// SPDX-License-Identifier: MIT

// The calls about threads and processes: clone, exit, identities, affinity.

#include "calls.h"
#include "string.h"
#include "symsim.h"
#include "thread.h"

int call_exit(struct trap_frame* frame) {
    thread_end((int)frame->ebx);
}

int call_exit_group(struct trap_frame* frame) {
    process_end((int)(frame->ebx & 255) << 8);
}

enum clone_flag {
    CLONE_VM = 0x100,
    CLONE_SIGHAND = 0x800,
    CLONE_VFORK = 0x4000,
    CLONE_THREAD = 0x10000,
    CLONE_SETTLS = 0x80000,
    CLONE_PARENT_SETTID = 0x100000,
    CLONE_CHILD_CLEARTID = 0x200000,
    CLONE_CHILD_SETTID = 0x1000000,
};

static int clone(const struct trap_frame* frame, uint32_t flags, uintptr_t stack) {
    const uintptr_t parent_word = frame->edx, child_word = frame->edi;
    const uint32_t shared = flags & (CLONE_VM | CLONE_VFORK | CLONE_THREAD);
    volatile bool borrowed = shared == (CLONE_VM | CLONE_VFORK);
    struct thread* self = this_thread();
    struct descriptor before[TLS_ENTRIES];  // the new one has a copy of what its creator has now
    memcpy(before, self->tls, sizeof before);
    const int error = flags & CLONE_SETTLS ? tls_set(self, frame->esi, false) : 0;
    if (error) return error;
    struct thread* thread = flags & CLONE_THREAD
                                ? thread_create(self->process, frame, stack)
                                : process_fork(frame, stack, borrowed ? &borrowed : NULL);
    memcpy(self->tls, before, sizeof before);
    if (thread == NULL) return -EAGAIN;
    const int id = thread->id;  // it may end before this call does
    const uint32_t word = (uint32_t)id;
    if (flags & CLONE_CHILD_CLEARTID) thread->clear_word = child_word;
    if (flags & CLONE_CHILD_SETTID)
        copy_out_to(thread->process->memory, child_word, &word, sizeof word);
    if (flags & CLONE_PARENT_SETTID) write_word(parent_word, word);
    thread_start(thread);
    wait_while(&borrowed);
    return id;
}

// A new thread shares all with its process. A new process shares the memory only after vfork(),
// while its parent waits.
int call_clone(struct trap_frame* frame) {
    const uint32_t flags = frame->ebx;
    if ((flags & CLONE_THREAD) && !(flags & CLONE_SIGHAND)) return -EINVAL;
    if ((flags & CLONE_SIGHAND) && !(flags & CLONE_VM)) return -EINVAL;
    if ((flags & CLONE_VM) && !(flags & (CLONE_THREAD | CLONE_VFORK))) return -ENOSYS;
    return clone(frame, flags, frame->ecx);
}
CALL(fork, clone(frame, 0, 0))
CALL(vfork, clone(frame, CLONE_VM | CLONE_VFORK, 0))

CALL(getpid, (void)frame, this_thread()->process->id)

CALL(gettid, (void)frame, this_thread()->id)

int call_getppid(struct trap_frame* frame) {
    (void)frame;
    const struct process* parent = this_thread()->process->parent;
    return parent != NULL ? parent->id : 1;
}

int call_set_tid_address(struct trap_frame* frame) {
    this_thread()->clear_word = frame->ebx;
    return this_thread()->id;
}

int call_set_robust_list(struct trap_frame* frame) {
    if (frame->ecx != 12) return -EINVAL;
    this_thread()->robust = frame->ebx;
    return 0;
}

int call_set_thread_area(struct trap_frame* frame) {
    const int error = tls_set(this_thread(), frame->ebx, true);
    if (!error) tls_load(this_thread());
    return error;
}
