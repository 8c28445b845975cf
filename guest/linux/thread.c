// SPDX-License-Identifier: MIT

// How threads and processes begin and end.

#include "thread.h"

#include "nodes.h"
#include "string.h"
#include "symsim.h"

static struct pool pool;

// All threads, for those who look for one by its number.
static struct spinlock all_lock;
static struct thread* all;
static int next_id = FIRST_ID;

static void enlist(struct thread* thread) {
    struct process* process = thread->process;
    spinlock_acquire(&all_lock);
    thread->id = next_id++;
    thread->task.number = thread->id;
    thread->next = all;
    all = thread;
    spinlock_acquire(&process->lock);
    thread->next_of_process = process->threads;
    process->threads = thread;
    spinlock_release(&process->lock);
    spinlock_release(&all_lock);
    thread_place(thread);
}

// Some memory is left for the pages that threads are about to use.
static struct thread* allocate(struct process* process) {
    if (frames_left() < symsim_memory_bytes / PAGE_BYTES / 16) return NULL;
    struct thread* thread = pool_take(&pool, sizeof *thread);
    if (thread == NULL) return NULL;
    thread->task.kernel_stack = (char*)frame_take_any();
    if (thread->task.kernel_stack == NULL) {
        pool_give(&pool, thread);
        return NULL;
    }
    *(uint32_t*)thread->task.kernel_stack = 0;  // and stays so unless the stack runs over (calls.c)
    thread->process = process;
    thread->task.space = process->memory->space;
    thread->task.last = (int)read_register(BOARD_PROCESSOR);
    thread->affinity = all_processors();
    return thread;
}

void setup_first_thread(struct process* process, uintptr_t entry, uintptr_t stack) {
    struct thread* thread = allocate(process);
    if (thread == NULL) panic("no memory for the first thread; raise memory.size_mb");
    prepare_task(&thread->task, entry, stack, 0, 0);
    strncpy(thread->name, process->executable->name, sizeof thread->name - 1);
    enlist(thread);
    process->id = thread->id;
    make_ready(&thread->task);
}

// The registers that switch_stacks() takes from a new stack begin with gs and fs.
static void inherit_segments(uint32_t* context) {
    __asm__ volatile("movl %%gs, %0" : "=r"(context[0]));
    __asm__ volatile("movl %%fs, %0" : "=r"(context[1]));
}

struct thread* thread_create(struct process* process, const struct trap_frame* frame,
                             uintptr_t stack) {
    struct thread* creator = this_thread();
    struct thread* thread = allocate(process);
    if (thread == NULL) return NULL;
    prepare_task(&thread->task, 0, 0, 0, 0);
    struct trap_frame* own = (struct trap_frame*)(thread->task.kernel_stack + PAGE_BYTES) - 1;
    *own = *frame;
    own->eax = 0;
    if (stack != 0) own->esp = stack;
    inherit_segments(thread->task.context);
    leave_fpu(&creator->task);
    thread->task.fpu = creator->task.fpu;
    memcpy(thread->tls, creator->tls, sizeof thread->tls);
    memcpy(thread->name, creator->name, sizeof thread->name);
    thread->blocked = creator->blocked;
    thread->affinity = creator->affinity;
    enlist(thread);
    if (process->id == 0) process->id = thread->id;
    return thread;
}

bool thread_with(int id, bool (*is)(struct thread* thread, int id),
                 void (*use)(struct thread* thread, void* argument), void* argument) {
    spinlock_acquire(&all_lock);
    bool found = false;
    for (struct thread* thread = all; thread != NULL; thread = thread->next) {
        if (!is(thread, id)) continue;
        found = true;
        use(thread, argument);
    }
    spinlock_release(&all_lock);
    return found;
}

void thread_start(struct thread* thread) {
    make_ready(&thread->task);
}

// What it has run before, and on its processor since its turn began.
uint64_t thread_ran_us(const struct thread* thread, uint64_t now) {
    const bool runs = kernel_processors[thread->task.last].current == &thread->task;
    return thread->ran_us + (runs && now > thread->began_us ? now - thread->began_us : 0);
}

uint64_t process_ran_us(struct process* process, uint64_t now) {
    spinlock_acquire(&process->lock);
    uint64_t us = process->ran_us;
    for (struct thread* thread = process->threads; thread != NULL; thread = thread->next_of_process)
        us += thread_ran_us(thread, now);
    if (us < process->shown_us) us = process->shown_us;  // a turn was just ending elsewhere
    process->shown_us = us;
    spinlock_release(&process->lock);
    return us;
}

// ---- ends ----

// True if it was the last one of its process.
static bool delist(struct thread* thread) {
    struct process* process = thread->process;
    spinlock_acquire(&all_lock);
    struct thread** place = &all;
    while (*place != thread) place = &(*place)->next;
    *place = thread->next;
    spinlock_acquire(&process->lock);
    place = &process->threads;
    while (*place != thread) place = &(*place)->next_of_process;
    *place = thread->next_of_process;
    process->ran_us += thread_ran_us(thread, now_us());
    const bool last = process->threads == NULL;
    spinlock_release(&process->lock);
    spinlock_release(&all_lock);
    return last;
}

void thread_free(struct thread* thread) {
    signals_drop(&thread->pending, ~0ull);
    frame_release((uintptr_t)thread->task.kernel_stack);
    pool_give(&pool, thread);
}

// What others of the process see of the end; the thread does not use its memory after that.
static void tell_process(struct thread* thread) {
    robust_list_end(thread);
    if (thread->clear_word == 0) return;
    if (write_word(thread->clear_word, 0) == 0) futex_wake(thread->clear_word, true, 1, UINT32_MAX);
}

_Noreturn void thread_end(int status) {
    struct thread* thread = this_thread();
    if (!thread->process->ending && thread->id == thread->process->id)
        thread->process->status = (status & 255) << 8;
    tell_process(thread);
    struct processor* here = this_processor();
    use_space(kernel_space);
    here->space = kernel_space;
    if (delist(thread)) process_finish(thread->process);
    thread->task.ended = 1;
    retire_task();
}

void process_hurry(struct process* process) {
    stores_before_loads();
    for (unsigned i = 0; i < processors(); i++)
        if (i != read_register(BOARD_PROCESSOR) &&
            kernel_processors[i].space == process->memory->space)
            kick(i);
}

static void hurry(struct process* process) {
    spinlock_acquire(&process->lock);
    for (struct thread* other = process->threads; other != NULL; other = other->next_of_process)
        if (other != this_thread()) end_sleep(other, -EINTR);
    spinlock_release(&process->lock);
    process_hurry(process);
}

bool threads_end_others(void) {
    struct thread* thread = this_thread();
    struct process* process = thread->process;
    spinlock_acquire(&process->lock);
    const bool first = !must_end(thread);
    if (first) process->only = thread;
    spinlock_release(&process->lock);
    if (!first) return false;
    hurry(process);
    while (process->threads != thread || thread->next_of_process != NULL) requeue_task();
    process->only = NULL;
    return true;
}

_Noreturn void process_end(int status) {
    struct process* process = this_thread()->process;
    spinlock_acquire(&process->lock);
    const bool first = !process->ending;
    if (first) process->status = status;
    process->ending = true;
    spinlock_release(&process->lock);
    if (first) hurry(process);
    thread_end(0);
}
