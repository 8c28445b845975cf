// SPDX-License-Identifier: MIT
// Probe points: marks in the guest's code at which the simulator reports an event. They cost the
// guest no instruction and no time, in the manner of SystemTap's static probes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace symsim {

// Kinds of probe points. The guest's probe records contain these numbers (guest/include/probes.h).
enum class ProbeKind : std::uint32_t {
    lock_attempt = 1,
    lock_acquired = 2,
    lock_release = 3,
    region_begin = 4,
    region_end = 5,
    lock_released = 6,
    thread_create = 16,
    thread_start = 17,
    thread_finish = 18,
    thread_block = 19,
    thread_resume = 20,
    thread_handle = 21,
    mutex_attempt = 22,
    mutex_acquired = 23,
    mutex_release = 24,
    thread_join = 25,
    condition_wait = 26,
    barrier_wait = 27,
    wait_end = 28,
    message = 32,
    argument = 33,
    memory_free = 34,
    memory_used = 35,
    page_closed = 36,
    page_opened = 37,
    failure = 38,
    process_create = 48,
    process_run = 49,
    process_preempt = 50,
    process_yield = 51,
    process_block = 52,
    process_wake = 53,
    process_exit = 54,
    process_warn = 55,
    process_fault = 56,
    process_upcall = 57,
    call_begin = 64,
    call_sent = 65,
    call_poll = 66,
    call_received = 67,
    call_dispatch = 68,
    call_served = 69,
    call_answer = 70,
    call_answered = 71,
    answer_received = 72,
    answer_dispatch = 73,
    call_end = 74,
    system_call = 80,
    page_fault = 81,
    futex_wait = 82,
    thread_process = 83,
    thread_name = 84,
    name_part = 85,
    thread_function = 86,
    caller = 87,
    event = 88,
    event_argument = 89,
};
constexpr bool is_lock(ProbeKind kind) {
    return kind <= ProbeKind::lock_release || kind == ProbeKind::lock_released;
}
// Those whose operand is the number of a process.
constexpr bool is_process(ProbeKind kind) {
    return kind >= ProbeKind::process_create && kind <= ProbeKind::process_warn;
}
constexpr bool is_page(ProbeKind kind) {
    return kind == ProbeKind::page_closed || kind == ProbeKind::page_opened;
}
// Those of calls between address spaces by messages.
constexpr bool is_call(ProbeKind kind) {
    return kind >= ProbeKind::call_begin && kind <= ProbeKind::call_end;
}
// Those of threads of a Linux program, besides is_process() and process_fault.
constexpr bool is_linux(ProbeKind kind) {
    return kind >= ProbeKind::system_call;
}
// Those that `caller` follows.
constexpr bool has_callers(ProbeKind kind) {
    return kind == ProbeKind::futex_wait || kind == ProbeKind::process_fault;
}

struct ProbePoint {
    ProbeKind kind;
    std::string_view name;
    std::string_view operand;
    std::string_view meaning;
};
// All kinds that are reported as events. `argument` is none: its operand is the address of a name,
// which the processor reads and keeps (Processor::arguments_asked).
constexpr std::array<ProbePoint, 56> kProbePoints = {{
    {ProbeKind::lock_attempt, "lock_attempt", "address of the lock",
     "a processor is about to try to acquire the lock; its wait begins"},
    {ProbeKind::lock_acquired, "lock_acquired", "address of the lock",
     "the processor has the lock: its wait ends, its hold and the activity critical begin"},
    {ProbeKind::lock_release, "lock_release", "address of the lock",
     "the processor is about to release the lock; its hold ends"},
    {ProbeKind::region_begin, "region_begin", "number of the region",
     "a region begins on this processor, for example the measured part"},
    {ProbeKind::region_end, "region_end", "number of the region", "the region ends"},
    {ProbeKind::lock_released, "lock_released", "address of the lock",
     "the release of the lock is complete; optional, after lock_release"},
    {ProbeKind::thread_create, "thread_create", "address of the thread",
     "a thread has been created"},
    {ProbeKind::thread_start, "thread_start", "address of the thread",
     "a processor begins to run a new thread"},
    {ProbeKind::thread_finish, "thread_finish", "address of the thread",
     "the running thread has finished"},
    {ProbeKind::thread_block, "thread_block", "address of the thread", "the running thread blocks"},
    {ProbeKind::thread_resume, "thread_resume", "address of the thread",
     "a processor continues a thread that had blocked"},
    {ProbeKind::thread_handle, "thread_handle", "address of two words: its function, its number",
     "the running thread is one of pthread.h; it begins its function"},
    {ProbeKind::mutex_attempt, "mutex_attempt", "address of the mutex",
     "the running thread is about to lock a mutex, for which it may have to wait"},
    {ProbeKind::mutex_acquired, "mutex_acquired", "address of the mutex",
     "the running thread holds the mutex"},
    {ProbeKind::mutex_release, "mutex_release", "address of the mutex",
     "the running thread is about to unlock the mutex"},
    {ProbeKind::thread_join, "thread_join", "what thread_handle had of the other thread",
     "the running thread waits for the end of another"},
    {ProbeKind::condition_wait, "condition_wait", "address of the condition variable",
     "the running thread waits for a signal"},
    {ProbeKind::barrier_wait, "barrier_wait", "address of the barrier",
     "the running thread waits at a barrier"},
    {ProbeKind::wait_end, "wait_end", "address of what the thread has waited for",
     "the wait that began with one of the three before is over"},
    {ProbeKind::message, "message", "a value of the guest's own",
     "a mark that the guest wants in a trace"},
    {ProbeKind::memory_free, "memory_free", "address of an object",
     "nobody but the owner may access the object from now on"},
    {ProbeKind::memory_used, "memory_used", "address of an object", "the object is in use again"},
    {ProbeKind::page_closed, "page_closed", "address in a page",
     "the page is the guard of a stack from now on; an access to it ends the run"},
    {ProbeKind::page_opened, "page_opened", "address in a page", "the page may be accessed again"},
    {ProbeKind::failure, "failure", "address of a text",
     "the guest has found an error in itself; the run ends as a failure with that text"},
    {ProbeKind::process_create, "process_create", "number of the process",
     "a process has been created; it is ready to run"},
    {ProbeKind::process_run, "process_run", "number of the process",
     "the processor begins to run the process"},
    {ProbeKind::process_preempt, "process_preempt", "number of the process",
     "the processor stops running the process against its will; the process is ready to run"},
    {ProbeKind::process_yield, "process_yield", "number of the process",
     "the running process has given up the processor, and is ready to run"},
    {ProbeKind::process_block, "process_block", "number of the process",
     "the running process blocks, and gives up the processor"},
    {ProbeKind::process_wake, "process_wake", "number of the process",
     "a blocked process is ready to run again"},
    {ProbeKind::process_exit, "process_exit", "number of the process",
     "the running process has ended"},
    {ProbeKind::process_warn, "process_warn", "number of the process",
     "the quantum of the running process is over, and the kernel extends it"},
    {ProbeKind::process_fault, "process_fault", "address of the instruction (eip)",
     "the running process has caused an exception for which the kernel ends it"},
    {ProbeKind::process_upcall, "process_upcall", "reason of the upcall",
     "the kernel enters an address space on this processor by an upcall"},
    {ProbeKind::call_begin, "call_begin", "address of the channel",
     "a thread begins a call of another address space"},
    {ProbeKind::call_sent, "call_sent", "address of the message", "the call has been sent"},
    {ProbeKind::call_poll, "call_poll", "0",
     "a processor without a thread begins to look for messages"},
    {ProbeKind::call_received, "call_received", "address of the message",
     "the server has found a call"},
    {ProbeKind::call_dispatch, "call_dispatch", "a value of the guest's own",
     "the server has received the call, and begins to make a thread of it"},
    {ProbeKind::call_served, "call_served", "a value of the guest's own",
     "the thread is about to enter the procedure"},
    {ProbeKind::call_answer, "call_answer", "a value of the guest's own",
     "the procedure has returned"},
    {ProbeKind::call_answered, "call_answered", "address of the message",
     "the answer has been sent"},
    {ProbeKind::answer_received, "answer_received", "address of the message",
     "the client has found an answer"},
    {ProbeKind::answer_dispatch, "answer_dispatch", "a value of the guest's own",
     "the client has received the answer, and looks for the thread that waits for it"},
    {ProbeKind::call_end, "call_end", "address of the channel",
     "the call returns to the thread that has made it"},
    {ProbeKind::system_call, "system_call", "its number",
     "a system call of a Linux program begins"},
    {ProbeKind::page_fault, "page_fault", "the address that was accessed",
     "the kernel begins to handle a page fault of a Linux program"},
    {ProbeKind::futex_wait, "futex_wait", "address of the word",
     "the running thread is about to sleep on a futex"},
    {ProbeKind::thread_process, "thread_process", "number of the process",
     "the process of the thread whose process_create has just been passed"},
    {ProbeKind::thread_name, "thread_name", "number of the thread",
     "a thread gets a name; four points name_part follow"},
    {ProbeKind::name_part, "name_part", "four characters", "a part of the thread's name"},
    {ProbeKind::thread_function, "thread_function", "address of a function",
     "pthread_create is called: the thread that it creates begins in this function; the simulator "
     "places this point"},
    {ProbeKind::caller, "caller", "address in the program",
     "where a futex_wait or process_fault was called from: several, the innermost first; the "
     "simulator adds them"},
    {ProbeKind::event, "event", "its number among the program's static probes",
     "a static probe of sys/sdt.h; its arguments follow"},
    {ProbeKind::event_argument, "event_argument", "its value", "an argument of the event before"},
}};

}  // namespace symsim
