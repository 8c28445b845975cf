// SPDX-License-Identifier: MIT

// What a signal's handler finds on its stack, and the way back: Linux's layout for the i386.

#include "calls.h"
#include "string.h"
#include "thread.h"

struct context {  // struct sigcontext
    uint32_t gs, fs, es, ds;
    uint32_t edi, esi, ebp, esp, ebx, edx, ecx, eax;
    uint32_t vector, error, eip, cs, flags, esp_again, ss;
    uint32_t fpu;  // address of a struct fpu_context; 0: not used
    uint32_t blocked, cr2;
};
struct fpu_context {  // struct _fpstate
    uint32_t registers[27];
    uint16_t status, magic;
};
struct signal_stack {
    uint32_t begin, flags, bytes;
};
enum { SS_ONSTACK = 1, SS_DISABLE = 2 };
#define STACK_LEAST 2048

struct user_context {  // struct ucontext
    uint32_t flags, link;
    struct signal_stack stack;
    struct context context;
    uint32_t blocked[2];
};

struct old_frame {
    uint32_t back, signal;
    struct context context;
    uint32_t unused[156], blocked_upper;
    uint8_t code[8];
};
struct new_frame {
    uint32_t back, signal, information_address, user_address;
    struct signal_information information;
    uint32_t unused[32 - sizeof(struct signal_information) / 4];
    struct user_context user;
    uint8_t code[8];
};
_Static_assert(sizeof(struct context) == 88 && sizeof(struct fpu_context) == 112,
               "as Linux has it");
_Static_assert(offsetof(struct new_frame, user) == 16 + 128, "as Linux has it");

static const uint32_t old_code[2] = {0x77b858, 0x80cd0000};              // pop; sigreturn
static const uint8_t new_code[8] = {0xb8, 173, 0, 0, 0, 0xcd, 0x80, 0};  // rt_sigreturn

static bool on_stack(const struct thread* thread, uint32_t esp) {
    return esp > thread->stack_begin && esp - thread->stack_begin <= thread->stack_bytes;
}

static struct signal_stack stack_of(const struct thread* thread, uint32_t esp) {
    struct signal_stack stack = {thread->stack_begin, 0, thread->stack_bytes};
    if (on_stack(thread, esp)) stack.flags = SS_ONSTACK;
    if (thread->stack_bytes == 0) stack.flags = SS_DISABLE;
    return stack;
}

static struct context context_of(const struct trap_frame* frame, uint32_t fpu, uint64_t blocked) {
    struct context context = {.es = frame->es,
                              .ds = frame->ds,
                              .edi = frame->edi,
                              .esi = frame->esi,
                              .ebp = frame->ebp,
                              .esp = frame->esp,
                              .ebx = frame->ebx,
                              .edx = frame->edx,
                              .ecx = frame->ecx,
                              .eax = frame->eax,
                              .vector = this_thread()->fault_vector,
                              .error = this_thread()->fault_error,
                              .eip = frame->eip,
                              .cs = frame->cs,
                              .flags = frame->flags,
                              .esp_again = frame->esp,
                              .ss = frame->ss,
                              .fpu = fpu,
                              .blocked = (uint32_t)blocked,
                              .cr2 = this_thread()->fault_address};
    __asm__("movl %%gs, %0" : "=r"(context.gs));
    __asm__("movl %%fs, %0" : "=r"(context.fs));
    return context;
}

// Puts the 80387's registers on the stack, if it is used; the handler begins with fresh ones.
static int save_fpu(uint32_t* esp, uint32_t* fpu) {
    struct task* task = &this_thread()->task;
    struct fpu_context context = {.magic = 0xffff};
    *fpu = 0;
    leave_fpu(task);
    if (!task->fpu.kept) return 0;
    memcpy(context.registers, task->fpu.registers, sizeof context.registers);
    context.status = (uint16_t)context.registers[1];
    task->fpu.kept = false;
    *fpu = *esp = (*esp - sizeof context) & ~15u;
    return copy_out(*esp, &context, sizeof context);
}

int signal_enter(struct trap_frame* frame, const struct signal_information* information,
                 const struct action* action, uint64_t blocked) {
    struct thread* thread = this_thread();
    uint32_t esp = frame->esp, fpu;
    if ((action->flags & SA_ONSTACK) && thread->stack_bytes != 0 && !on_stack(thread, esp))
        esp = thread->stack_begin + thread->stack_bytes;
    if (save_fpu(&esp, &fpu) != 0) return -EFAULT;
    const struct context context = context_of(frame, fpu, blocked);
    const bool own = !(action->flags & SA_RESTORER);  // the code for the way back is on the stack
    frame->eax = (uint32_t)information->signal;
    frame->edx = frame->ecx = 0;
    if (action->flags & SA_SIGINFO) {
        struct new_frame new;
        memset(&new, 0, sizeof new);
        esp = ((esp - sizeof new) & ~15u) - 4;
        frame->edx = new.information_address = esp + offsetof(struct new_frame, information);
        frame->ecx = new.user_address = esp + offsetof(struct new_frame, user);
        new.back = own ? esp + offsetof(struct new_frame, code) : action->restorer;
        new.signal = (uint32_t)information->signal;
        new.information = *information;
        new.user.stack = stack_of(thread, frame->esp);
        new.user.context = context;
        new.user.blocked[0] = (uint32_t)blocked;
        new.user.blocked[1] = (uint32_t)(blocked >> 32);
        memcpy(new.code, new_code, sizeof new.code);
        if (copy_out(esp, &new, sizeof new) != 0) return -EFAULT;
    } else {
        esp = ((esp - sizeof(struct old_frame)) & ~15u) - 4;
        const uint32_t begin[2] = {own ? esp + offsetof(struct old_frame, code) : action->restorer,
                                   (uint32_t)information->signal};
        const uint32_t end[3] = {(uint32_t)(blocked >> 32), old_code[0], old_code[1]};
        if (copy_out(esp, begin, sizeof begin) != 0 ||
            copy_out(esp + offsetof(struct old_frame, context), &context, sizeof context) != 0 ||
            copy_out(esp + offsetof(struct old_frame, blocked_upper), end, sizeof end) != 0)
            return -EFAULT;
    }
    frame->esp = esp;
    frame->eip = action->handler;
    frame->cs = USER_CODE;
    frame->ss = frame->ds = frame->es = USER_DATA;
    frame->flags &= ~(uint32_t)(FLAG_TRAP | 1u << 10);  // and the direction flag
    frame->vector = 0;
    return 0;
}

// ---- the way back ----

// The segments that ring 3 may name: none, the flat one, and those of set_thread_area().
static bool is_user_segment(uint32_t selector) {
    const uint32_t entry = (selector & 0xffff) / 8;
    if ((selector & 0xfffc) == 0) return true;
    if ((selector & 7) != 3) return false;
    return entry == USER_DATA / 8 || (entry >= TLS_FIRST && entry < TLS_FIRST + TLS_ENTRIES);
}

static int restore_fpu_from(uint32_t address) {
    struct task* task = &this_thread()->task;
    leave_fpu(task);
    task->fpu.kept = address != 0;
    if (address == 0) return 0;
    return copy_in(task->fpu.registers, address, sizeof task->fpu.registers);
}

#define USER_FLAGS 0x50dd5u  // arithmetic flags, trap, direction, resume, alignment

// Returns what the call leaves in eax. What is on the stack is not trusted.
static int go_back(struct trap_frame* frame, const struct context* context, uint64_t blocked) {
    if (!is_user_segment(context->gs) || !is_user_segment(context->fs) ||
        !is_user_segment(context->es) || !is_user_segment(context->ds) ||
        restore_fpu_from(context->fpu) != 0)
        process_end(SIGSEGV);
    this_thread()->blocked = blocked & ~UNBLOCKABLE;
    frame->edi = context->edi, frame->esi = context->esi, frame->ebp = context->ebp;
    frame->ebx = context->ebx, frame->edx = context->edx, frame->ecx = context->ecx;
    frame->esp = context->esp, frame->eip = context->eip;
    frame->es = context->es, frame->ds = context->ds;
    frame->flags = (context->flags & USER_FLAGS) | FLAG_INTERRUPT;
    frame->vector = 0;
    __asm__ volatile("movw %w0, %%gs" : : "r"(context->gs));
    __asm__ volatile("movw %w0, %%fs" : : "r"(context->fs));
    return (int)context->eax;
}

int call_sigreturn(struct trap_frame* frame) {
    const uint32_t at = frame->esp - 8;  // the handler and the way back have popped two words
    struct context context;
    uint32_t upper;
    if (copy_in(&context, at + offsetof(struct old_frame, context), sizeof context) != 0 ||
        read_word(at + offsetof(struct old_frame, blocked_upper), &upper) != 0)
        process_end(SIGSEGV);
    return go_back(frame, &context, (uint64_t)upper << 32 | context.blocked);
}

int call_rt_sigreturn(struct trap_frame* frame) {
    const uint32_t at = frame->esp - 4 + offsetof(struct new_frame, user);
    struct user_context user;
    if (copy_in(&user, at, sizeof user) != 0) process_end(SIGSEGV);
    return go_back(frame, &user.context, (uint64_t)user.blocked[1] << 32 | user.blocked[0]);
}

int call_sigaltstack(struct trap_frame* frame) {
    struct thread* thread = this_thread();
    const struct signal_stack old = stack_of(thread, frame->esp);
    struct signal_stack new;
    if (frame->ebx != 0) {
        if (copy_in(&new, frame->ebx, sizeof new) != 0) return -EFAULT;
        if (old.flags == SS_ONSTACK) return -EPERM;
        if (new.flags & ~(uint32_t)(SS_ONSTACK | SS_DISABLE)) return -EINVAL;
        const bool none = new.flags& SS_DISABLE;
        if (!none && new.bytes < STACK_LEAST) return -ENOMEM;
        thread->stack_begin = none ? 0 : new.begin;
        thread->stack_bytes = none ? 0 : new.bytes;
    }
    return frame->ecx != 0 ? copy_out(frame->ecx, &old, sizeof old) : 0;
}
