// SPDX-License-Identifier: MIT

// The timers of a process: those of setitimer and alarm, and those of timer_create. They count real
// time, or what the processors have spent on the process; that is looked at every quantum.

#include "calls.h"
#include "thread.h"

#define SECOND_US 1000000u
#define TIMERS_MOST 32

static struct spinlock lock;  // of all timers of processes
static struct pool pool;

static struct clock_timer* timer_of(struct timer* timer) {
    return (struct clock_timer*)timer;
}

static void send_to_thread(struct thread* thread, void* timer) {
    const struct clock_timer* of = timer;
    if (thread->process == of->process) signal_thread(thread, &of->information);
}

static void over(struct timer* timer) {
    struct clock_timer* of = timer_of(timer);
    if (of->information.code == SI_TIMER) of->information.value[1] = timer->missed;
    timer->missed = 0;
    if (of->quiet) return;
    if (of->thread == 0)
        signal_process(of->process, &of->information);
    else
        thread_with(of->thread, is_thread, send_to_thread, of);
}

static uint64_t now_of(const struct clock_timer* timer) {
    return timer->timer.list != NULL ? process_ran_us(timer->process, now_us()) : now_us();
}

// What a program sets and asks: the time that is left, 0 if the timer is not set, and the period.
struct setting {
    uint64_t left, period;
};

static struct setting setting_of(const struct clock_timer* timer) {
    const uint64_t now = now_of(timer), at = timer->timer.at;
    if (!timer->timer.set) return (struct setting){0, 0};
    return (struct setting){at > now ? at - now : 1, timer->timer.period};
}

static void set(struct clock_timer* timer, struct setting to, bool absolute) {
    timer_remove(&timer->timer);
    if (to.left == 0) return;
    const uint64_t begin = timer->realtime ? REALTIME_BEGIN_US : 0;
    timer->timer.at = !absolute ? now_of(timer) + to.left : to.left > begin ? to.left - begin : 0;
    timer->timer.period = to.period;
    timer->timer.fire = over;
    timer_add(&timer->timer);
}

static int read_setting(uintptr_t from, enum time_kind kind, struct setting* setting) {
    const int error = read_time(from, kind, &setting->period);
    return error ? error : read_time(from + (kind == TIMESPEC64 ? 16 : 8), kind, &setting->left);
}

static int write_setting(uintptr_t to, enum time_kind kind, struct setting setting) {
    const int error = write_time(to, kind, setting.period);
    return error ? error : write_time(to + (kind == TIMESPEC64 ? 16 : 8), kind, setting.left);
}

// ---- setitimer, alarm ----

enum { ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF };

static struct setting change_interval(uint32_t which, const struct setting* to) {
    static const int signals[INTERVALS] = {SIGALRM, SIGVTALRM, SIGPROF};
    struct process* process = this_thread()->process;
    struct clock_timer* timer = &process->intervals[which];
    spinlock_acquire(&lock);
    timer->process = process;
    timer->timer.list = which != ITIMER_REAL ? &process->cpu_timers : NULL;
    timer->information.signal = signals[which];
    timer->information.code = SI_KERNEL;
    const struct setting before = setting_of(timer);
    if (to != NULL) set(timer, *to, false);
    spinlock_release(&lock);
    return before;
}

int call_alarm(struct trap_frame* frame) {
    const struct setting to = {(uint64_t)frame->ebx * SECOND_US, 0};
    const uint64_t left = change_interval(ITIMER_REAL, &to).left;
    return left != 0 && left < SECOND_US / 2 ? 1 : (int)((left + SECOND_US / 2) / SECOND_US);
}

int call_setitimer(struct trap_frame* frame) {
    struct setting to = {0, 0};
    const int error = frame->ecx != 0 ? read_setting(frame->ecx, TIMEVAL, &to) : 0;
    if (error) return error;
    if (frame->ebx >= INTERVALS) return -EINVAL;
    const struct setting before = change_interval(frame->ebx, &to);
    return frame->edx != 0 ? write_setting(frame->edx, TIMEVAL, before) : 0;
}

int call_getitimer(struct trap_frame* frame) {
    if (frame->ebx >= INTERVALS) return -EINVAL;
    return write_setting(frame->ecx, TIMEVAL, change_interval(frame->ebx, NULL));
}

// ---- timer_create ----

enum notify { SIGEV_SIGNAL, SIGEV_NONE, SIGEV_THREAD, SIGEV_THREAD_ID = 4 };

struct event {  // struct sigevent
    uint32_t value, signal, notify, thread;
};

static void check_process(struct thread* thread, void* own) {
    *(bool*)own = thread->process == this_thread()->process;
}

static int check_event(const struct event* event) {
    bool own = false;
    if (event->notify == SIGEV_NONE) return 0;
    if (event->notify == SIGEV_THREAD_ID)
        thread_with((int)event->thread, is_thread, check_process, &own);
    else if (event->notify == SIGEV_SIGNAL || event->notify == SIGEV_THREAD)
        own = true;
    return own && event->signal >= 1 && event->signal <= SIGNALS ? 0 : -EINVAL;
}

// Call these two with the lock.
static struct clock_timer** find(uint32_t id) {
    struct clock_timer** place = &this_thread()->process->timers;
    while (*place != NULL && (*place)->information.value[0] != id) place = &(*place)->next;
    return place;
}

static int create(struct clock_timer* timer, const struct event* event) {
    uint32_t id = 0;
    while (id < TIMERS_MOST && *find(id) != NULL) id++;
    if (id == TIMERS_MOST) return -EAGAIN;
    timer->process = this_thread()->process;
    timer->thread = event->notify == SIGEV_THREAD_ID ? (int)event->thread : 0;
    timer->quiet = event->notify == SIGEV_NONE;
    timer->information = (struct signal_information){
        .signal = (int)event->signal, .code = SI_TIMER, .value = {id, 0, event->value}};
    *find(id) = timer;
    return (int)id;
}

int call_timer_create(struct trap_frame* frame) {
    const uint32_t clock = frame->ebx;
    struct event event = {0, SIGALRM, SIGEV_SIGNAL, 0};
    uint64_t now;
    if (read_clock(clock, &now) != 0 || clock == 3 || (clock >= 4 && clock <= 6)) return -EINVAL;
    if (frame->ecx != 0 && copy_in(&event, frame->ecx, sizeof event) != 0) return -EFAULT;
    int id = check_event(&event);
    if (id < 0) return id;
    struct clock_timer* timer = pool_take(&pool, sizeof *timer);
    if (timer == NULL) return -EAGAIN;
    timer->realtime = clock == 0;
    if (clock == 2) timer->timer.list = &this_thread()->process->cpu_timers;
    spinlock_acquire(&lock);
    id = create(timer, &event);
    if (id >= 0 && frame->ecx == 0) timer->information.value[2] = (uint32_t)id;
    spinlock_release(&lock);
    if (id < 0) pool_give(&pool, timer);
    return id < 0 ? id : write_word(frame->edx, (uint32_t)id);
}

static int settime(const struct trap_frame* frame, enum time_kind kind) {
    struct setting to, before;
    if (frame->edx == 0) return -EINVAL;
    const int error = read_setting(frame->edx, kind, &to);
    if (error) return error;
    spinlock_acquire(&lock);
    struct clock_timer* timer = *find(frame->ebx);
    if (timer != NULL) before = setting_of(timer);
    if (timer != NULL) set(timer, to, frame->ecx & TIMER_ABSTIME);
    spinlock_release(&lock);
    if (timer == NULL) return -EINVAL;
    return frame->esi != 0 ? write_setting(frame->esi, kind, before) : 0;
}

CALL(timer_settime, settime(frame, TIMESPEC))
CALL(timer_settime64, settime(frame, TIMESPEC64))

static int gettime(const struct trap_frame* frame, enum time_kind kind) {
    struct setting setting;
    spinlock_acquire(&lock);
    const struct clock_timer* timer = *find(frame->ebx);
    if (timer != NULL) setting = setting_of(timer);
    spinlock_release(&lock);
    return timer != NULL ? write_setting(frame->ecx, kind, setting) : -EINVAL;
}

CALL(timer_gettime, gettime(frame, TIMESPEC))
CALL(timer_gettime64, gettime(frame, TIMESPEC64))

int call_timer_getoverrun(struct trap_frame* frame) {
    spinlock_acquire(&lock);
    const struct clock_timer* timer = *find(frame->ebx);
    const int overrun = timer != NULL ? (int)timer->overrun : -EINVAL;
    spinlock_release(&lock);
    return overrun;
}

int call_timer_delete(struct trap_frame* frame) {
    spinlock_acquire(&lock);
    struct clock_timer **place = find(frame->ebx), *timer = *place;
    if (timer != NULL) *place = timer->next;
    if (timer != NULL) timer_remove(&timer->timer);
    spinlock_release(&lock);
    if (timer == NULL) return -EINVAL;
    pool_give(&pool, timer);
    return 0;
}

void timer_taken(const struct signal_information* information) {
    spinlock_acquire(&lock);
    struct clock_timer* timer = *find(information->value[0]);
    if (timer != NULL) timer->overrun = information->value[1];
    spinlock_release(&lock);
}

// Nobody else can set a timer of the process: it has one thread, or none.
void timers_delete(struct process* process) {
    for (struct clock_timer* timer; (timer = process->timers) != NULL;) {
        process->timers = timer->next;
        timer_remove(&timer->timer);
        pool_give(&pool, timer);
    }
}

void timers_end(struct process* process) {
    for (unsigned i = 0; i < INTERVALS; i++) timer_remove(&process->intervals[i].timer);
    timers_delete(process);
}
