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
#define ELF_MAGIC 0x464c457f
#define TYPE_EXECUTABLE 2
#define TYPE_INDEPENDENT 3
#define MACHINE_386 3
#define SEGMENT_LOAD 1
#define INDEPENDENT_BASE 0x56555000u  // where Linux puts such programs without randomness

static uint32_t word_at(const void* address) {
    uint32_t word;
    memcpy(&word, address, sizeof word);
    return word;
}

static const struct elf_header* header_of(const char* file, uint32_t bytes) {
    const struct elf_header* header = (const struct elf_header*)file;
    if (bytes < sizeof *header || word_at(header->ident) != ELF_MAGIC) return NULL;
    if (header->machine != MACHINE_386 || header->segment_bytes != sizeof(struct elf_segment))
        return NULL;
    if (header->type != TYPE_EXECUTABLE && header->type != TYPE_INDEPENDENT) return NULL;
    const uint32_t table = header->segment_number * sizeof(struct elf_segment);
    return header->segments <= bytes && table <= bytes - header->segments ? header : NULL;
}

static unsigned rights_of(uint32_t flags) {
    return (flags & 4 ? PROT_READ : 0) | (flags & 2 ? PROT_WRITE : 0) | (flags & 1 ? PROT_EXEC : 0);
}

// Code is seen to the end of its last page, as Linux does it: zeros follow variables only.
static uint32_t bytes_shown(const struct elf_segment* segment, uint32_t before) {
    const uint32_t bytes = before + segment->file_bytes;
    return segment->flags & 2 || segment->file_bytes < segment->bytes ? bytes : page_up(bytes);
}

static int map_segment(struct memory* memory, const char* file, uint32_t bytes, uintptr_t base,
                       const struct elf_segment* segment) {
    const uintptr_t address = base + segment->address;
    const uint32_t before = address % PAGE_BYTES;  // bytes of the file that share its first page
    const uintptr_t begin = address - before, end = page_up(address + segment->bytes);
    if (segment->offset % PAGE_BYTES != before) return -ENOEXEC;
    if (segment->offset > bytes || segment->file_bytes > bytes - segment->offset) return -ENOEXEC;
    if (segment->file_bytes > segment->bytes) return -ENOEXEC;
    if (begin < USER_BEGIN || end <= begin || end > MAPPINGS_END) return -ENOEXEC;
    for (uintptr_t page = begin; page < end; page += PAGE_BYTES)
        if (area_at(memory, page) != NULL) return -ENOEXEC;
    const struct area area = {
        .begin = begin,
        .end = end,
        .rights = rights_of(segment->flags),
        .file = file + segment->offset - before,
        .file_bytes = bytes_shown(segment, before),
    };
    if (end > memory->break_begin) memory->break_begin = memory->break_end = end;
    return area_add(memory, &area);
}

// ---- the first stack ----

enum auxiliary {
    AT_NULL = 0,
    AT_PHDR = 3,
    AT_PHENT = 4,
    AT_PHNUM = 5,
    AT_PAGESZ = 6,
    AT_BASE = 7,
    AT_FLAGS = 8,
    AT_ENTRY = 9,
    AT_UID = 11,
    AT_EUID = 12,
    AT_GID = 13,
    AT_EGID = 14,
    AT_PLATFORM = 15,
    AT_HWCAP = 16,
    AT_CLKTCK = 17,
    AT_SECURE = 23,
    AT_RANDOM = 25,
    AT_EXECFN = 31,
};
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

static void push_auxiliary(struct pusher* to, enum auxiliary type, uint32_t value) {
    push_word(to, value);
    push_word(to, type);
}

static void push_random(struct pusher* to) {
    for (unsigned i = 0; i < RANDOM_BYTES / 4; i++) push_word(to, random_next());
}

// Pushes pointers to `number` texts, which begin at `text`, and a NULL after them.
static void push_pointers(struct pusher* to, const char* texts, uint32_t number, uintptr_t text) {
    to->top -= 4 * (number + 1);
    struct pusher up = *to;
    for (uint32_t i = 0; i <= number; i++) {
        const uint32_t pointer = i < number ? text : 0;
        if (!up.error) up.error = copy_out_to(up.memory, up.top, &pointer, 4);
        up.top += 4;
        const uint32_t bytes = strlen(texts) + 1;
        if (i < number) texts += bytes, text += bytes;
    }
    to->error = up.error;
}

static const char* skip_texts(const char* text, uint32_t number) {
    while (number-- > 0) text += strlen(text) + 1;
    return text;
}

static int fill_stack(struct memory* memory, const struct program* program, uintptr_t segments,
                      const struct elf_header* header, struct start* start) {
    struct pusher to = {memory, USER_END, 0};
    const char* path = (const char*)program + program->text;
    const char* arguments = path + strlen(path) + 1;
    const char* variables = skip_texts(arguments, program->arguments);
    const char* end = skip_texts(variables, program->variables);
    const uintptr_t texts = push(&to, path, (uint32_t)(end - path));
    const uintptr_t platform = push(&to, PLATFORM, sizeof PLATFORM);
    to.top &= ~15u;
    push_random(&to);
    const uintptr_t random = to.top;
    // esp at the entry is a multiple of 16, as the ABI wants it.
    const uint32_t words = 1 + program->arguments + 1 + program->variables + 1;
    if (words % 4 != 0) to.top -= 16 - words % 4 * 4;
    push_auxiliary(&to, AT_NULL, 0);
    push_auxiliary(&to, AT_EXECFN, texts);
    push_auxiliary(&to, AT_PLATFORM, platform);
    push_auxiliary(&to, AT_RANDOM, random);
    push_auxiliary(&to, AT_SECURE, 0);
    push_auxiliary(&to, AT_UID, 0);
    push_auxiliary(&to, AT_EUID, 0);
    push_auxiliary(&to, AT_GID, 0);
    push_auxiliary(&to, AT_EGID, 0);
    push_auxiliary(&to, AT_CLKTCK, 100);
    push_auxiliary(&to, AT_HWCAP, 0);
    push_auxiliary(&to, AT_ENTRY, start->entry);
    push_auxiliary(&to, AT_FLAGS, 0);
    push_auxiliary(&to, AT_BASE, 0);
    push_auxiliary(&to, AT_PAGESZ, PAGE_BYTES);
    push_auxiliary(&to, AT_PHNUM, header->segment_number);
    push_auxiliary(&to, AT_PHENT, sizeof(struct elf_segment));
    push_auxiliary(&to, AT_PHDR, segments);
    push_pointers(&to, variables, program->variables, texts + (uintptr_t)(variables - path));
    push_pointers(&to, arguments, program->arguments, texts + (uintptr_t)(arguments - path));
    push_word(&to, program->arguments);
    start->stack = to.top;
    return to.error;
}

int program_map(struct memory* memory, const struct program* program, struct start* start) {
    const char* file = (const char*)program + program->file;
    const struct elf_header* header = header_of(file, program->file_bytes);
    if (header == NULL) return -ENOEXEC;
    const uintptr_t base = header->type == TYPE_INDEPENDENT ? INDEPENDENT_BASE : 0;
    const struct elf_segment* segment = (const struct elf_segment*)(file + header->segments);
    uintptr_t segments = 0;
    for (unsigned i = 0; i < header->segment_number; i++, segment++) {
        if (segment->type != SEGMENT_LOAD || segment->bytes == 0) continue;
        const int error = map_segment(memory, file, program->file_bytes, base, segment);
        if (error) return error;
        if (header->segments >= segment->offset &&
            header->segments - segment->offset < segment->file_bytes)
            segments = base + segment->address + header->segments - segment->offset;
    }
    const struct area stack = {
        .begin = STACK_BOTTOM, .end = USER_END, .rights = PROT_READ | PROT_WRITE};
    const int error = area_add(memory, &stack);
    if (error) return error;
    start->entry = base + header->entry;
    return fill_stack(memory, program, segments, header, start);
}
