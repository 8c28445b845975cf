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

// The new thread, of this process or of a copy.
static struct thread* create(const struct trap_frame* frame, uint32_t flags, uintptr_t stack) {
    if (flags & CLONE_THREAD) return thread_create(this_thread()->process, frame, stack);
    return process_fork(frame, stack);
}

static int clone(const struct trap_frame* frame, uint32_t flags, uintptr_t stack) {
    const uintptr_t parent_word = frame->edx, child_word = frame->edi;
    struct thread* thread = create(frame, flags, stack);
    if (thread == NULL) return -EAGAIN;
    const int id = thread->id;  // it may end before this call does
    const uint32_t word = (uint32_t)id;
    const int error = flags & CLONE_SETTLS ? tls_set(thread, frame->esi, false) : 0;
    if (error) {
        thread_discard(thread);
        return error;
    }
    if (flags & CLONE_CHILD_CLEARTID) thread->clear_word = child_word;
    if (flags & CLONE_CHILD_SETTID)
        copy_out_to(thread->process->memory, child_word, &word, sizeof word);
    if (flags & CLONE_PARENT_SETTID) write_word(parent_word, word);
    thread_start(thread);
    return id;
}

// A new thread shares all with its process. A new process has a copy of the memory, also after
// vfork(): what it writes before its end is its own.
int call_clone(struct trap_frame* frame) {
    const uint32_t flags = frame->ebx;
    if ((flags & CLONE_THREAD) && !(flags & CLONE_SIGHAND)) return -EINVAL;
    if ((flags & CLONE_SIGHAND) && !(flags & CLONE_VM)) return -EINVAL;
    if ((flags & CLONE_VM) && !(flags & (CLONE_THREAD | CLONE_VFORK))) return -ENOSYS;
    return clone(frame, flags, frame->ecx);
}

int call_fork(struct trap_frame* frame) {
    return clone(frame, 0, 0);
}

int call_getpid(struct trap_frame* frame) {
    (void)frame;
    return this_thread()->process->id;
}

int call_gettid(struct trap_frame* frame) {
    (void)frame;
    return this_thread()->id;
}

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

// ---- which processor ----

static void give_up_turn(void) {
    PROBE(PROBE_PROCESS_YIELD, this_thread()->id);
    requeue_task();
}

int call_sched_yield(struct trap_frame* frame) {
    (void)frame;
    if (run_queue_has(read_register(BOARD_PROCESSOR))) give_up_turn();
    return 0;
}

int call_getcpu(struct trap_frame* frame) {
    if (frame->ebx != 0 && write_word(frame->ebx, read_register(BOARD_PROCESSOR)) != 0)
        return -EFAULT;
    if (frame->ecx != 0 && write_word(frame->ecx, 0) != 0) return -EFAULT;
    return 0;
}

static bool is_id(struct thread* thread, int id) {
    return id == 0 ? thread == this_thread() : thread->id == id;
}

// A thread that may run on one processor only is bound to it. One that may run on several runs on
// any.
static void use_affinity(struct thread* thread, void* mask) {
    memcpy(&thread->affinity, mask, sizeof thread->affinity);
    thread->task.bound = UNBOUND;
    for (unsigned i = 0; i < processors(); i++)
        if (thread->affinity == 1ull << i) thread->task.bound = (int)i;
}

int call_sched_setaffinity(struct trap_frame* frame) {
    uint64_t mask = 0;
    const uint32_t bytes = frame->ecx < sizeof mask ? frame->ecx : sizeof mask;
    if (copy_in(&mask, frame->edx, bytes) != 0) return -EFAULT;
    mask &= ~0ull >> (64 - processors());
    if (mask == 0) return -EINVAL;
    if (!thread_with((int)frame->ebx, is_id, use_affinity, &mask)) return -ESRCH;
    const struct task* task = &this_thread()->task;
    if (task->bound != UNBOUND && task->bound != (int)read_register(BOARD_PROCESSOR)) {
        this_thread()->task.last = task->bound;
        give_up_turn();
    }
    return 0;
}

static void read_affinity(struct thread* thread, void* mask) {
    memcpy(mask, &thread->affinity, sizeof thread->affinity);
}

int call_sched_getaffinity(struct trap_frame* frame) {
    uint64_t mask;
    const uint32_t most = frame->ecx;
    if (most % 4 != 0 || most * 8 < processors()) return -EINVAL;
    if (!thread_with((int)frame->ebx, is_id, read_affinity, &mask)) return -ESRCH;
    const uint32_t bytes = most < sizeof mask ? most : sizeof mask;
    return copy_out(frame->edx, &mask, bytes) != 0 ? -EFAULT : (int)bytes;
}
