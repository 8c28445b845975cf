// SPDX-License-Identifier: MIT

// Groups of processes and sessions, as far as signals and waiting ask for them. There is no
// terminal.

#include "calls.h"
#include "thread.h"

struct change {
    int group, found, error;
};

static void read_ids(struct thread* thread, void* change) {
    *(struct change*)change = (struct change){thread->process->group, thread->process->session, 0};
}

static void set_group(struct thread* thread, void* argument) {
    struct change* change = argument;
    struct process *process = thread->process, *caller = this_thread()->process;
    if (process != caller && process->parent != caller)
        change->error = -ESRCH;
    else if (process->session != caller->session || process->session == process->id ||
             (change->group != process->id && change->found != caller->session))
        change->error = -EPERM;
    else
        process->group = change->group;
}

int call_setpgid(struct trap_frame* frame) {
    const int self = this_thread()->process->id, id = frame->ebx != 0 ? (int)frame->ebx : self;
    struct change change = {.group = frame->ecx != 0 ? (int)frame->ecx : id}, there = {0};
    if ((int)frame->ecx < 0) return -EINVAL;
    thread_with(change.group, is_in_group, read_ids, &there);
    change.found = there.found;
    return thread_with(id, is_process, set_group, &change) ? change.error : -ESRCH;
}

static int ids_of(uint32_t id, struct change* ids) {
    if (id == 0) id = (uint32_t)this_thread()->process->id;
    return thread_with((int)id, is_process, read_ids, ids) ? 0 : -ESRCH;
}

int call_getpgid(struct trap_frame* frame) {
    struct change ids;
    const int error = ids_of(frame->ebx, &ids);
    return error ? error : ids.group;
}

CALL(getpgrp, (void)frame, this_thread()->process->group)

int call_getsid(struct trap_frame* frame) {
    struct change ids;
    const int error = ids_of(frame->ebx, &ids);
    return error ? error : ids.found;
}

int call_setsid(struct trap_frame* frame) {
    struct change there;
    (void)frame;
    struct process* process = this_thread()->process;
    if (thread_with(process->id, is_in_group, read_ids, &there)) return -EPERM;
    process->group = process->session = process->id;
    return process->id;
}
