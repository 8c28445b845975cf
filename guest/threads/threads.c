// SPDX-License-Identifier: MIT

// The dispatcher of each processor, and the operations of threads.h that enter it.

#include "threads.h"

#include "package.h"
#include "strategy.h"
#include "symsim.h"

struct processor_and_own thread_processors[MAX_PROCESSORS];
struct threads_end threads_end;

void thread_leave(struct thread* self, struct lock* lock) THREAD_CALL;
void thread_resumed(void);

#ifdef SYMSIM_SPACES
#include "event.h"
#define LEFT_EVENT , "=c"(left.event)
#define LEFT_CLOBBERED
void thread_leave_for(struct thread* self, struct thread_event* event) THREAD_CALL;
#else
#define LEFT_EVENT
#define LEFT_CLOBBERED "ecx",
#endif

// Result of running a thread (switch.S): finished, blocked or yielding.
struct left {
    struct stack* stack;
    struct lock* lock;
#ifdef SYMSIM_SPACES
    struct thread_event* event;
#endif
};

// Without optimisation ebp must be the dispatcher's frame pointer; else it is any register.
#ifdef __OPTIMIZE__
#define TAKE_FRAME ""
#define FRAME_CLOBBERED "ebp",
#else
#define TAKE_FRAME "movl %%gs:" PROBE_TEXT(PROCESSOR_FRAME) ", %%ebp\n\t"
#define FRAME_CLOBBERED
#endif

// Jumps to `to` on the stack `esp`. The code after the label thread_left runs when a thread leaves
// this processor; the processor's `current` says which thread.
ALWAYS_INLINE struct left run_until_left(void* esp, void* to) {
    struct left left;
    __asm__ volatile(
        "movl %[esp], %%esp\n\t"
        "jmp *%[to]\n\t"
        ".globl thread_left\n"
        "thread_left:\n\t"
        "movl %%gs:" PROBE_TEXT(PROCESSOR_STACK) ", %%esp\n\t" TAKE_FRAME
        : "=a"(left.stack), "=d"(left.lock)LEFT_EVENT
        : [esp] "r"(esp), [to] "r"(to)
        : "ebx", LEFT_CLOBBERED "esi", "edi", FRAME_CLOBBERED "cc", "memory");
    return left;
}

ALWAYS_INLINE struct left run(struct next next) {
    struct thread* thread = next.thread;
    void *esp, *to;
    this_processor()->current = thread;
    if (is_new(thread)) {
        PROBE(PROBE_THREAD_START, thread);
        if (!next.stack_filled) stack_fill(next.stack, thread);
        esp = &next.stack->returns_to;
        to = (void*)thread->function;
    } else {
        PROBE(PROBE_THREAD_RESUME, thread);
        esp = thread->context;
        thread->context = NULL;
        to = (void*)thread_resumed;
    }
    return run_until_left(esp, to);
}

ALWAYS_INLINE void check_stack(const struct stack* stack) {
    (void)stack;
#ifdef THREADS_CHECKED
    for (unsigned i = 0; i < STACK_MARKS; i++)
        THREADS_CHECK(stack->room[i] == STACK_MARK, "a thread needed more stack than it has");
#endif
}

#ifdef SYMSIM_SPACES
static void spaces_idle(void);  // spaces.h
#define PACKAGE_IDLE spaces_idle
#else
#define PACKAGE_IDLE strategy_idle
#endif

// One per processor, on the processor's stack. It calls nothing with arguments on the stack, so esp
// stays as it is on entry.
static THREADS_FUNCTION void dispatch(void) {
    __asm__ volatile("movl %%esp, %0\n\tmovl %%ebp, %1"
                     : "=m"(this_processor()->stack), "=m"(this_processor()->frame));
    struct thread* thread = NULL;
    struct stack* stack = NULL;  // of a finished thread
    for (;;) {
        struct next next = strategy_next(thread, stack);
        if (next.thread == NULL) {
            if (threads_stopping) return;
            PACKAGE_IDLE();
            stack = NULL;
            continue;
        }
        struct left left = run(next);
        thread = this_processor()->current;
        stack = left.stack;
        if (stack != NULL) {
            check_stack(stack);
            PROBE(PROBE_THREAD_FINISH, thread);
        } else if (left.lock != NULL) {
            lock_release(left.lock, &this_processor()->lock_slot);
#ifdef SYMSIM_SPACES
        } else if (left.event != NULL) {
            const unsigned char before = exchange_byte(&left.event->state, EVENT_AWAITED);
            if (before == EVENT_POSTED) strategy_ready(thread);
#endif
        } else {
            strategy_ready(thread);
        }
    }
}

static THREADS_FUNCTION THREAD_CALL void create_refilled(thread_function* function,
                                                         void* argument) {
    strategy_refill();
    thread_create(function, argument);
}

THREADS_FUNCTION THREAD_CALL void thread_create(thread_function* function, void* argument) {
    if (!strategy_create((struct birth){function, argument, 0}))
        create_refilled(function, argument);
}

THREADS_FUNCTION THREAD_CALL void thread_create_copy(thread_function* function, const void* data,
                                                     size_t bytes) {
    if (bytes == 0 || bytes > THREAD_COPY_BYTES) panic("thread_create_copy: %zu bytes", bytes);
    while (!strategy_create((struct birth){function, data, bytes})) strategy_refill();
}

THREADS_FUNCTION THREAD_CALL struct thread* thread_self(void) {
    return this_processor()->current;
}

THREADS_FUNCTION THREAD_CALL struct lock_slot* thread_lock_slot(void) {
    return &this_processor()->lock_slot;
}

THREADS_FUNCTION THREAD_CALL void thread_yield(void) {
    thread_leave(this_processor()->current, NULL);
}

THREADS_FUNCTION THREAD_CALL void thread_block(struct lock* lock) {
    struct thread* self = this_processor()->current;
    PROBE(PROBE_THREAD_BLOCK, self);
    thread_leave(self, lock);
}

THREADS_FUNCTION THREAD_CALL void thread_signal(struct thread* thread) {
    THREADS_CHECK(!is_new(thread), "a signal to a thread that has not blocked");
    strategy_ready(thread);
}

#ifdef STRATEGY_READIES_ALL
void thread_signal_all(struct thread_queue* queue) {
    strategy_ready_all(queue);
}
#endif

// ---- start and end, called by main ----

struct thread_counts threads_count(void) {
    struct thread_counts counts = {.blocks_made = blocks_made, .stacks_made = stacks_made};
    strategy_count(&counts);
    return counts;
}

#ifdef SYMSIM_SPACES
#include "spaces.h"
#else

static struct {
    thread_function* function;
    void* argument;
} first;

static void run_first(void* unused) {
    (void)unused;
    first.function(first.argument);
    threads_stopping = true;
}

static void serve(unsigned cpu, void* unused) {
    (void)unused;
    processor_setup(cpu, &thread_processors[cpu].processor, sizeof thread_processors[cpu]);
    if (cpu == 0 || PRIVATE_COPIES) thread_create(run_first, NULL);
    dispatch();
}

#if STRATEGY_MAY_LEAVE
static void serve_again(unsigned cpu, void* unused) {
    (void)cpu;
    (void)unused;
    dispatch();
}
#endif

void threads_run(thread_function* function, void* argument) {
    first.function = function;
    first.argument = argument;
    threads_stopping = false;
    strategy_setup(processors());
    run_on_all(serve, NULL);
#if STRATEGY_MAY_LEAVE
    while (strategy_left()) run_on_all(serve_again, NULL);
#endif
}

#endif
