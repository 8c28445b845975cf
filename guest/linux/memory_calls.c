// SPDX-License-Identifier: MIT

// The calls that map, unmap, protect and move memory. They check what ring 3 passes.

#include "calls.h"
#include "nodes.h"
#include "thread.h"

#define MAP_SHARED 1u
#define MAP_PRIVATE 2u
#define MAP_TYPE 15u
#define MAP_FIXED 0x10u
#define MAP_ANONYMOUS 0x20u
#define MAP_NORESERVE 0x4000u
#define MAP_FIXED_NOREPLACE 0x100000u
#define MREMAP_MAYMOVE 1u

// The end of the pages of a range; 0 if the range is not one of ring 3.
static uintptr_t range_end(uintptr_t begin, uint32_t bytes) {
    const uintptr_t end = page_up(begin + bytes);
    return begin >= USER_BEGIN && end >= begin && end - begin >= bytes && end <= USER_END ? end : 0;
}

// Nobody gets more at once than the machine has; less is not there for sure before it is used.
static bool is_too_much(uint32_t bytes) {
    return bytes > symsim_memory_bytes;
}

static int add_locked(struct memory* memory, const struct area* area) {
    spinlock_acquire(&memory->lock);
    const int error = area_add(memory, area);
    spinlock_release(&memory->lock);
    return error;
}

// True if nothing is mapped in the range; only for who may change the memory.
static bool is_free(const struct memory* memory, uintptr_t begin, uintptr_t end) {
    for (const struct area* area = memory->areas; area != NULL; area = area->next)
        if (area->begin < end && area->end > begin) return false;
    return true;
}

int call_brk(struct trap_frame* frame) {
    struct memory* memory = this_memory();
    const uintptr_t wanted = frame->ebx;
    memory_change(memory);
    const uintptr_t before = page_up(memory->break_end), after = page_up(wanted);
    if (wanted >= memory->break_begin && after >= wanted && after <= MAPPINGS_END &&
        (after <= before || !is_too_much(after - before))) {
        const struct area more = {.begin = before, .end = after, .rights = PROT_READ | PROT_WRITE};
        int error = 0;
        if (after > before)
            error = is_free(memory, before, after) ? add_locked(memory, &more) : -ENOMEM;
        else if (after < before)
            error = memory_unmap(memory, after, before);
        if (!error) memory->break_end = wanted;
    }
    const uintptr_t end = memory->break_end;
    memory_changed(memory);
    return (int)end;
}

// Where the mapping goes; 0 if there is no room.
static uintptr_t place_for(struct memory* memory, uintptr_t hint, uint32_t bytes, unsigned flags) {
    hint &= PAGE_FRAME;
    const uintptr_t end = range_end(hint, bytes);
    if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) return end != 0 ? hint : 0;
    if (end != 0 && is_free(memory, hint, end)) return hint;
    return area_gap(memory, bytes);
}

// Adds what the area says, at the place that the hint and the flags name.
static int map_at(uintptr_t hint, uint32_t bytes, unsigned flags, struct area area) {
    struct memory* memory = this_memory();
    if (page_up(bytes) < bytes) return -ENOMEM;
    const bool is_kept = !area.shared && area.rights & PROT_WRITE && !(flags & MAP_NORESERVE);
    if (is_kept && is_too_much(bytes)) return -ENOMEM;
    bytes = page_up(bytes);
    memory_change(memory);
    area.begin = place_for(memory, hint, bytes, flags);
    area.end = area.begin + bytes;
    int error = area.begin == 0 ? -ENOMEM : 0;
    if (!error && !is_free(memory, area.begin, area.end))
        error = flags & MAP_FIXED ? memory_unmap(memory, area.begin, area.end) : -EEXIST;
    if (!error) error = add_locked(memory, &area);
    memory_changed(memory);
    return error ? error : (int)area.begin;
}

static int map_file(const struct file* file, uintptr_t hint, uint32_t bytes, unsigned flags,
                    struct area area) {
    const uint32_t way = file->flags & O_ACCESS;
    const bool writes = area.shared && (area.rights & PROT_WRITE);
    if (way == O_WRONLY || (writes && way != O_RDWR)) return -EACCES;
    if (area.page + page_up(bytes) / PAGE_BYTES < area.page) return -EOVERFLOW;
    if (file->kind != &regular_kind && file->kind != &zero_kind) return -ENODEV;
    if (file->kind == &regular_kind) area.node = file->node;
    return map_at(hint, bytes, flags, area);
}

// `page`: of the file, at the beginning.
static int map(uintptr_t hint, uint32_t bytes, unsigned rights, unsigned flags, uint32_t number,
               uint32_t page) {
    const unsigned type = flags & MAP_TYPE;
    const struct area area = {.rights = rights & 7, .shared = type == MAP_SHARED, .page = page};
    if (bytes == 0 || (type != MAP_SHARED && type != MAP_PRIVATE)) return -EINVAL;
    if ((flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) && hint % PAGE_BYTES != 0) return -EINVAL;
    if (flags & MAP_ANONYMOUS) return map_at(hint, bytes, flags, area);
    struct file* file = file_get(number);
    if (file == NULL) return -EBADF;
    const int result = map_file(file, hint, bytes, flags, area);
    file_put(file);
    return result;
}

int call_mmap2(struct trap_frame* frame) {
    return map(frame->ebx, frame->ecx, frame->edx, frame->esi, frame->edi, frame->ebp);
}

int call_mmap(struct trap_frame* frame) {
    uint32_t arguments[6];  // address, bytes, rights, flags, file, offset
    if (copy_in(arguments, frame->ebx, sizeof arguments) != 0) return -EFAULT;
    if (arguments[5] % PAGE_BYTES != 0) return -EINVAL;
    return map(arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
               arguments[5] / PAGE_BYTES);
}

int call_munmap(struct trap_frame* frame) {
    struct memory* memory = this_memory();
    const uintptr_t begin = frame->ebx, end = range_end(begin, frame->ecx);
    if (begin % PAGE_BYTES != 0 || end == 0 || frame->ecx == 0) return -EINVAL;
    memory_change(memory);
    const int error = memory_unmap(memory, begin, end);
    memory_changed(memory);
    return error;
}

int call_mprotect(struct trap_frame* frame) {
    struct memory* memory = this_memory();
    const uintptr_t begin = frame->ebx, end = range_end(begin, frame->ecx);
    if (begin % PAGE_BYTES != 0 || frame->edx > 7) return -EINVAL;
    if (frame->ecx == 0) return 0;
    if (end == 0) return -ENOMEM;
    memory_change(memory);
    const int error = memory_protect(memory, begin, end, frame->edx);
    memory_changed(memory);
    return error;
}

static int grow(struct memory* memory, uintptr_t begin, uintptr_t old_end, uintptr_t end,
                bool may_move) {
    struct area more = *area_at(memory, begin);
    if (is_too_much(end - old_end)) return -ENOMEM;
    if (more.end < old_end) return -EFAULT;
    more.page += (old_end - more.begin) / PAGE_BYTES;
    more.begin = old_end;
    more.end = end;
    if (end > old_end && range_end(begin, end - begin) != 0 && is_free(memory, old_end, end)) {
        const int error = add_locked(memory, &more);
        return error ? error : (int)begin;
    }
    if (!may_move) return -ENOMEM;
    const uintptr_t to = area_gap(memory, end - begin);
    if (to == 0) return -ENOMEM;
    int error = memory_move(memory, begin, to, old_end - begin);
    if (error) return error;
    more.begin = to + (old_end - begin);
    more.end = to + (end - begin);
    error = add_locked(memory, &more);
    return error ? error : (int)to;
}

int call_mremap(struct trap_frame* frame) {
    struct memory* memory = this_memory();
    const uintptr_t begin = frame->ebx;
    const uint32_t old = page_up(frame->ecx), bytes = page_up(frame->edx);
    if (begin % PAGE_BYTES != 0 || frame->edx == 0 || bytes == 0 || old == 0) return -EINVAL;
    if (frame->esi & ~MREMAP_MAYMOVE) return -EINVAL;
    if (range_end(begin, old) == 0) return -EFAULT;
    memory_change(memory);
    int result = (int)begin;
    if (area_at(memory, begin) == NULL)
        result = -EFAULT;
    else if (bytes < old)
        result = memory_unmap(memory, begin + bytes, begin + old);
    else if (bytes > old)
        result = grow(memory, begin, begin + old, begin + bytes, frame->esi & MREMAP_MAYMOVE);
    memory_changed(memory);
    return result == 0 ? (int)begin : result;
}

#define MADV_DONTNEED 4

// Anonymous pages are zero after MADV_DONTNEED; other advice changes nothing.
int call_madvise(struct trap_frame* frame) {
    struct memory* memory = this_memory();
    const uintptr_t begin = frame->ebx, end = range_end(begin, frame->ecx);
    if (begin % PAGE_BYTES != 0) return -EINVAL;
    if (frame->ecx == 0) return 0;
    if (end == 0) return -ENOMEM;
    if (frame->edx > 25) return -EINVAL;
    memory_change(memory);
    spinlock_acquire(&memory->lock);
    const bool covered = areas_cover(memory, begin, end);
    if (covered && frame->edx == MADV_DONTNEED) pages_close(memory->space, begin, end);
    spinlock_release(&memory->lock);
    if (covered && frame->edx == MADV_DONTNEED) {
        memory_flush(memory);
        spinlock_acquire(&memory->lock);
        pages_release(memory->space, begin, end);
        spinlock_release(&memory->lock);
    }
    memory_changed(memory);
    return covered ? 0 : -ENOMEM;
}

#define POLICIES 7
#define POLICY_FLAGS 0xe000u

// All memory is equally near, so every policy is kept.
int call_set_mempolicy(struct trap_frame* frame) {
    uint32_t nodes;
    if ((frame->ebx & ~POLICY_FLAGS) >= POLICIES) return -EINVAL;
    return frame->ecx != 0 ? read_word(frame->ecx, &nodes) : 0;
}
