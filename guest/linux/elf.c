// SPDX-License-Identifier: MIT

// A static executable: its segments become areas that show the file, and its first stack has
// arguments, environment and auxiliary vector, as Linux's binaries expect them.

#include "elf.h"

#include "string.h"
#include "symsim.h"

struct elf_header {
    uint8_t ident[16];
    uint16_t type, machine;
    uint32_t version, entry, segments, sections, flags;
    uint16_t bytes, segment_bytes, segment_number, section_bytes, section_number, names;
};
struct elf_segment {
    uint32_t type, offset, address, physical, file_bytes, bytes, flags, align;
};
#define TYPE_EXECUTABLE 2
#define TYPE_INDEPENDENT 3
#define MACHINE_386 3
#define SEGMENT_LOAD 1

static int read_file(struct node* file, uint32_t at, void* to, uint32_t bytes) {
    const int done = node_move(file, &at, (uintptr_t)to, bytes, TO_KERNEL);
    return done == (int)bytes ? 0 : -ENOEXEC;
}

static int read_header(struct node* file, struct elf_header* header) {
    const int error = read_file(file, 0, header, sizeof *header);
    if (error || memcmp(header->ident, "\177ELF", 4) != 0) return -ENOEXEC;
    if (header->machine != MACHINE_386 || header->segment_bytes != sizeof(struct elf_segment))
        return -ENOEXEC;
    const bool known = header->type == TYPE_EXECUTABLE || header->type == TYPE_INDEPENDENT;
    return known ? 0 : -ENOEXEC;
}

static unsigned rights_of(uint32_t flags) {
    return (flags & 4 ? PROT_READ : 0) | (flags & 2 ? PROT_WRITE : 0) | (flags & 1 ? PROT_EXEC : 0);
}

// The bytes between the end of the file's part and the next page are zero, as far as they can be
// written.
static int clear_rest(struct memory* memory, uintptr_t address, unsigned rights) {
    if (!(rights & PROT_WRITE)) return 0;
    return copy_out_to(memory, address, zero_page, page_up(address) - address);
}

static int map_segment(struct memory* memory, struct node* file, uintptr_t base,
                       const struct elf_segment* segment) {
    const uintptr_t address = base + segment->address;
    const uint32_t before = address % PAGE_BYTES;  // bytes of the file that share its first page
    const uintptr_t begin = address - before, end = page_up(address + segment->bytes);
    const uintptr_t file_end = address + segment->file_bytes;
    if (segment->offset % PAGE_BYTES != before) return -ENOEXEC;
    if (segment->offset > file->bytes || segment->file_bytes > file->bytes - segment->offset)
        return -ENOEXEC;
    if (segment->file_bytes > segment->bytes) return -ENOEXEC;
    if (begin < USER_BEGIN || end <= begin || end > MAPPINGS_END) return -ENOEXEC;
    for (uintptr_t page = begin; page < end; page += PAGE_BYTES)
        if (area_at(memory, page) != NULL) return -ENOEXEC;
    struct area area = {
        .begin = begin, .end = page_up(file_end), .rights = rights_of(segment->flags)};
    int error = 0;
    if (segment->file_bytes == 0) area.end = begin;
    if (area.end > begin) {
        area.node = file;
        area.page = segment->offset / PAGE_BYTES;
        error = area_add(memory, &area);
        if (!error && segment->bytes > segment->file_bytes)
            error = clear_rest(memory, file_end, area.rights);
    }
    area.node = NULL;
    area.begin = area.end;
    area.end = end;
    if (!error && area.begin < end) error = area_add(memory, &area);
    if (end > memory->break_begin) memory->break_begin = memory->break_end = end;
    return error;
}

// ---- the first stack ----

#define RANDOM_BYTES 16
#define PLATFORM "i686"

// Pushes onto a stack that nobody runs on yet.
struct pusher {
    struct memory* memory;
    uintptr_t top;
    int error;
};

static uintptr_t push(struct pusher* to, const void* bytes, uint32_t number) {
    to->top -= number;
    if (!to->error) to->error = copy_out_to(to->memory, to->top, bytes, number);
    return to->top;
}

static void push_word(struct pusher* to, uint32_t word) {
    push(to, &word, sizeof word);
}

static void push_random(struct pusher* to) {
    for (unsigned i = 0; i < RANDOM_BYTES / 4; i++) push_word(to, random_next());
}

// Where the text after the one at `at` begins.
static uint32_t skip_text(struct node* texts, uint32_t at) {
    for (;;) {
        const uintptr_t page = node_page(texts, at / PAGE_BYTES, false);
        const uint32_t left = PAGE_BYTES - at % PAGE_BYTES;
        const uint32_t length = strnlen((const char*)page + at % PAGE_BYTES, left);
        frame_release(page);
        at += length;
        if (length < left) return at + 1;
    }
}

// Pushes pointers to the arguments and a NULL, and above them the same for the variables.
static void push_pointers(struct pusher* to, const struct texts* texts, uintptr_t begin) {
    const uint32_t number = texts->arguments + 1 + texts->variables + 1;
    uint32_t at = skip_text(texts->file, 0);  // after the path
    to->top -= 4 * number;
    for (uint32_t i = 0; i < number && !to->error; i++) {
        const bool end = i == texts->arguments || i == number - 1;
        const uint32_t pointer = end ? 0 : begin + at;
        to->error = copy_out_to(to->memory, to->top + 4 * i, &pointer, sizeof pointer);
        if (!end) at = skip_text(texts->file, at);
    }
}

// The texts are a file that the last pages of the stack show.
static int map_stack(struct memory* memory, struct node* texts, uintptr_t* top) {
    struct area area = {.begin = USER_END - page_up(texts->bytes),
                        .end = USER_END,
                        .rights = PROT_READ | PROT_WRITE,
                        .node = texts};
    const int error = area_add(memory, &area);
    *top = area.end = area.begin;
    area.begin = STACK_BOTTOM;
    area.node = NULL;
    return error ? error : area_add(memory, &area);
}

static int fill_stack(struct memory* memory, const struct texts* texts, uintptr_t segments,
                      const struct elf_header* header, struct start* start) {
    struct pusher to = {.memory = memory};
    to.error = map_stack(memory, texts->file, &to.top);
    if (to.error) return to.error;
    const uintptr_t begin = to.top;
    const uintptr_t platform = push(&to, PLATFORM, sizeof PLATFORM);
    to.top &= ~15u;
    push_random(&to);
    const uintptr_t random = to.top;
    // esp at the entry is a multiple of 16, as the ABI wants it.
    const uint32_t words = 1 + texts->arguments + 1 + texts->variables + 1;
    if (words % 4 != 0) to.top -= 16 - words % 4 * 4;
    const uint32_t auxiliary[12][2] = {
        {3, segments},  // AT_PHDR
        {4, sizeof(struct elf_segment)},
        {5, header->segment_number},
        {6, PAGE_BYTES},
        {9, start->entry},
        {16, 0},    // AT_HWCAP
        {17, 100},  // AT_CLKTCK
        {23, 0},    // AT_SECURE
        {25, random},
        {15, platform},
        {31, begin},  // AT_EXECFN
        {0, 0},
    };
    push(&to, auxiliary, sizeof auxiliary);
    push_pointers(&to, texts, begin);
    push_word(&to, texts->arguments);
    start->stack = to.top;
    return to.error;
}

int program_map(struct memory* memory, struct node* file, const struct texts* texts,
                struct start* start) {
    struct elf_header header = {0};
    struct elf_segment segment;
    uintptr_t segments = 0;
    int error = read_header(file, &header);
    const uintptr_t base = header.type == TYPE_INDEPENDENT ? INDEPENDENT_BASE : 0;
    for (unsigned i = 0; i < header.segment_number && !error; i++) {
        error = read_file(file, header.segments + i * sizeof segment, &segment, sizeof segment);
        if (error || segment.type != SEGMENT_LOAD || segment.bytes == 0) continue;
        error = map_segment(memory, file, base, &segment);
        if (header.segments >= segment.offset &&
            header.segments - segment.offset < segment.file_bytes)
            segments = base + segment.address + header.segments - segment.offset;
    }
    start->entry = base + header.entry;
    return error ? error : fill_stack(memory, texts, segments, &header, start);
}
