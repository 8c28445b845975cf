// SPDX-License-Identifier: MIT

// execve: another program in place of the one that a process runs.

#include "calls.h"
#include "elf.h"
#include "string.h"
#include "thread.h"

static bool executes(struct thread* thread, int node) {
    return thread->process->executable == (const struct node*)node;
}
static void nothing(struct thread* thread, void* unused) {
    (void)thread, (void)unused;
}

// Nobody writes to such a file: parts of it that are not in memory yet come from it.
bool node_is_executed(const struct node* node) {
    return thread_with((int)node, executes, nothing, NULL);
}

#define TEXTS_BYTES_MOST (128u << 10)

// Adds a text of ring 3 to the file.
static int add_text(struct node* file, uintptr_t from) {
    char part[128];
    for (;;) {
        const int length = copy_text(part, from, sizeof part);
        if (length == -EFAULT) return length;
        const uint32_t bytes = length < 0 ? sizeof part : (uint32_t)length + 1;
        if (file->bytes + bytes > TEXTS_BYTES_MOST) return -E2BIG;
        if (node_move(file, NULL, (uintptr_t)part, bytes, FROM_KERNEL) != (int)bytes)
            return -ENOMEM;
        if (length >= 0) return 0;
        from += bytes;
    }
}

// The same for those of an array of pointers, up to a NULL; no array is an empty one.
static int add_texts(struct node* file, uintptr_t array, uint32_t* number) {
    uint32_t text = 0;
    int error = 0;
    for (*number = 0; array != 0 && !error; ++*number) {
        error = read_word(array + *number * 4, &text);
        if (error || text == 0) return error;
        error = add_text(file, text);
    }
    return error;
}

static int read_texts(const struct trap_frame* frame, struct texts* texts) {
    int error = add_text(texts->file, frame->ebx);
    if (!error) error = add_texts(texts->file, frame->ecx, &texts->arguments);
    if (!error) error = add_texts(texts->file, frame->edx, &texts->variables);
    return error;
}

// What the process keeps of the program before: its number, its folder, files that do not close,
// what it ignores and blocks.
static void become(struct trap_frame* frame, struct node* file, struct memory* memory,
                   const struct start* start) {
    struct thread* thread = this_thread();
    struct process* process = thread->process;
    struct node* before = process->executable;
    process->executable = node_use(file);
    node_put(before);
    use_space(memory->space);
    this_processor()->space = thread->task.space = memory->space;
    process_leave_memory(process);
    process->memory = memory;
    files_execute(process);
    timers_delete(process);
    for (unsigned i = 0; i < SIGNALS; i++)
        if (process->actions[i].handler > SIG_IGN) process->actions[i] = (struct action){0};
    thread->id = thread->task.number = process->id;
    strncpy(thread->name, file->name, sizeof thread->name - 1);
    thread->clear_word = thread->robust = 0;
    thread->stack_bytes = 0;
    thread->suspended = false;
    memset(thread->tls, 0, sizeof thread->tls);
    tls_load(thread);
    leave_fpu(&thread->task);
    thread->task.fpu.kept = false;
    begin_frame(frame, start->entry, start->stack, 0, 0);
    __asm__ volatile("movl %0, %%gs; movl %0, %%fs" : : "r"(0));
}

static int execute(struct node* file, uintptr_t argument) {
    struct trap_frame* frame = (struct trap_frame*)argument;
    struct start start;
    if (!is_type(file, TYPE_REGULAR) || !(file->mode & 0111)) return -EACCES;
    struct texts texts = {node_create(TYPE_REGULAR), 0, 0};
    struct memory* memory = texts.file != NULL ? memory_create() : NULL;
    int error = memory != NULL ? read_texts(frame, &texts) : -ENOMEM;
    if (!error) error = program_map(memory, file, &texts, &start);
    if (texts.file != NULL) node_put(texts.file);
    if (!error && !threads_end_others()) error = -EAGAIN;  // and this thread ends
    if (!error) become(frame, file, memory, &start);
    if (error && memory != NULL) memory_release(memory);
    return error;
}
CALL(execve, on_path(HERE, frame->ebx, 0, execute, (uintptr_t)frame))
