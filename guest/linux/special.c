// SPDX-License-Identifier: MIT

// What is there before the program: its own file and those of the loader, and what C libraries look
// for in /dev, /proc and /sys.

#include "calls.h"
#include "nodes.h"
#include "string.h"
#include "symsim.h"
#include "thread.h"

// ---- /dev ----

static int read_nothing(struct file* file, uintptr_t to, uint32_t bytes) {
    (void)file, (void)to, (void)bytes;
    return 0;
}

static int write_nowhere(struct file* file, uintptr_t from, uint32_t bytes) {
    (void)file, (void)from;
    return (int)bytes;
}

static int read_zeros(struct file* file, uintptr_t to, uint32_t bytes) {
    (void)file;
    for (uint32_t done = 0; done < bytes; done += PAGE_BYTES) {
        const uint32_t left = bytes - done < PAGE_BYTES ? bytes - done : PAGE_BYTES;
        if (copy_out(to + done, zero_page, left) != 0) return -EFAULT;
    }
    return (int)bytes;
}

static int read_random(struct file* file, uintptr_t to, uint32_t bytes) {
    (void)file;
    return random_out(to, bytes);
}

static const struct file_kind null_kind = {.read = read_nothing, .write = write_nowhere};
const struct file_kind zero_kind = {.read = read_zeros, .write = write_nowhere};
static const struct file_kind random_kind = {.read = read_random, .write = write_nowhere};

// ---- /proc and /sys ----

static void online(struct node* into) {
    if (processors() == 1)
        node_print(into, "0\n");
    else
        node_print(into, "0-%u\n", processors() - 1);
}

static void cpuinfo(struct node* into) {
    for (unsigned i = 0; i < processors(); i++)
        node_print(into, "processor\t: %u\nmodel name\t: symsim\n\n", i);
}

static void cpu_times(struct node* into) {
    node_print(into, "cpu  0 0 0 0 0 0 0 0 0 0\n");
    for (unsigned i = 0; i < processors(); i++) node_print(into, "cpu%u 0 0 0 0 0 0 0 0 0 0\n", i);
}

static void meminfo(struct node* into) {
    const uint32_t left_kb = frames_left() * (PAGE_BYTES / 1024);
    node_print(into, "MemTotal: %u kB\nMemFree: %u kB\nMemAvailable: %u kB\n",
               symsim_memory_bytes / 1024, left_kb, left_kb);
}

static void status(struct node* into) {
    struct process* process = this_thread()->process;
    unsigned threads = 0;
    spinlock_acquire(&process->lock);
    for (const struct thread* at = process->threads; at != NULL; at = at->next_of_process)
        threads++;
    spinlock_release(&process->lock);
    node_print(into, "Name:\t%s\nPid:\t%d\nThreads:\t%u\n", this_thread()->name, process->id,
               threads);
}

static void print_path(struct node* into, struct node* node) {
    char path[PATH_BYTES];
    const int length = path_of(node, path, sizeof path);
    if (length > 0) node_move(into, NULL, (uintptr_t)path, (uint32_t)length - 1, FROM_KERNEL);
}

static void executable(struct node* into) {
    print_path(into, this_thread()->process->executable);
}

// A copy of the first area that ends after the address, a user of its node; false if there is none.
static bool area_after(struct memory* memory, uintptr_t address, struct area* copy) {
    spinlock_acquire(&memory->lock);
    const struct area* area = memory->areas;
    while (area != NULL && area->end <= address) area = area->next;
    if (area != NULL) *copy = *area;
    if (area != NULL && area->node != NULL) node_use(area->node);
    spinlock_release(&memory->lock);
    return area != NULL;
}

static void maps(struct node* into) {
    struct area area;
    for (uintptr_t at = 0; area_after(this_memory(), at, &area); at = area.end) {
        node_print(into, "%08x-%08x %c%c%c%c %08x 00:01 %u ", area.begin, area.end,
                   area.rights & PROT_READ ? 'r' : '-', area.rights & PROT_WRITE ? 'w' : '-',
                   area.rights & PROT_EXEC ? 'x' : '-', area.shared ? 's' : 'p',
                   area.page * PAGE_BYTES, area.node != NULL ? area.node->number : 0);
        if (area.node != NULL) print_path(into, area.node);
        node_print(into, "\n");
        if (area.node != NULL) node_put(area.node);
    }
}

static const struct special {
    const char* path;
    uint32_t mode;
    void (*generate)(struct node* into);
    const struct file_kind* kind;
    uint32_t device;
} specials[] = {
    {.path = "/tmp", .mode = TYPE_FOLDER | 01777},
    {"/dev/null", TYPE_DEVICE | 0666, NULL, &null_kind, 0x103},
    {"/dev/zero", TYPE_DEVICE | 0666, NULL, &zero_kind, 0x105},
    {"/dev/random", TYPE_DEVICE | 0666, NULL, &random_kind, 0x108},
    {"/dev/urandom", TYPE_DEVICE | 0666, NULL, &random_kind, 0x109},
    {"/proc/cpuinfo", TYPE_REGULAR | 0444, cpuinfo, &regular_kind, 0},
    {"/proc/meminfo", TYPE_REGULAR | 0444, meminfo, &regular_kind, 0},
    {"/proc/stat", TYPE_REGULAR | 0444, cpu_times, &regular_kind, 0},
    {"/proc/self/exe", TYPE_LINK | 0777, executable, &regular_kind, 0},
    {"/proc/self/maps", TYPE_REGULAR | 0444, maps, &regular_kind, 0},
    {"/proc/self/status", TYPE_REGULAR | 0444, status, &regular_kind, 0},
    {"/sys/devices/system/cpu/online", TYPE_REGULAR | 0444, online, &regular_kind, 0},
    {"/sys/devices/system/cpu/possible", TYPE_REGULAR | 0444, online, &regular_kind, 0},
};

struct node* node_given(const struct program* program, const struct given* given) {
    struct node* node = given->path != 0 ? node_for((const char*)program + given->path, given->mode)
                                         : node_create(given->mode);
    node->given = (char*)program + given->at;
    node->given_bytes = node->bytes = given->bytes;
    return node;
}

void setup_files(struct program* program) {
    const struct given* others = (const struct given*)((const char*)program + program->others);
    program->root = &root;
    for (unsigned i = 0; i < sizeof specials / sizeof specials[0]; i++) {
        struct node* node = node_for(specials[i].path, specials[i].mode);
        node->generate = specials[i].generate;
        node->device = specials[i].device;
        if (specials[i].kind != NULL) node->kind = specials[i].kind;
    }
    for (unsigned i = 0; i < program->number; i++) node_given(program, &others[i]);
}
