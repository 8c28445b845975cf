// SPDX-License-Identifier: MIT

// The editor of URPC Figure 1. Its two threads call a window manager and a file cache manager; two
// processors, of which the editor and the window manager have one each.
//
// T1 shows a line in the window, then reads a block of the file. T2 counts the words of the text
// meanwhile, then reads another block. So the file cache manager, which has no processor, has two
// calls to serve when the editor has nothing else to do. Region 1 is the time of the figure; before
// it the editor has called each server once.
//
// Arguments: text_bytes (512), which T2 counts. The window manager should answer earlier.

#include "space.h"
#include "string.h"
#include "symsim.h"
#include "threads.h"
#include "urpc.h"

#define TEXT_MOST 65536
#define LINE_WORDS 8

static struct urpc_channel *windows, *files;
static char text[TEXT_MOST];
static unsigned text_bytes, text_words;

static void read_block(unsigned number) {
    unsigned block[URPC_WORDS];
    if (urpc_call(files, 0, &number, 1, block, URPC_WORDS) != URPC_WORDS)
        panic("block %u cannot be read", number);
    if (block[0] != number) panic("block %u is read as %u", number, block[0]);
}

static void show_line(void) {
    unsigned line[LINE_WORDS];
    memcpy(line, text, sizeof line);
    if (urpc_call(windows, 0, line, LINE_WORDS, NULL, 0) != 0) panic("no line is shown");
}

static void show_and_read(void* unused) {  // T1
    (void)unused;
    show_line();
    read_block(1);
}

static void count_and_read(void* unused) {  // T2
    (void)unused;
    for (unsigned i = 0; i < text_bytes; i++)
        if (text[i] != ' ' && (i == 0 || text[i - 1] == ' ')) text_words++;
    read_block(2);
}

int main(void) {
    text_bytes = arg_unsigned("text_bytes", 512);
    if (text_bytes < LINE_WORDS * sizeof(unsigned) || text_bytes > TEXT_MOST)
        panic("argument text_bytes: %u; %zu to %u", text_bytes, LINE_WORDS * sizeof(unsigned),
              TEXT_MOST);
    for (unsigned i = 0; i < text_bytes; i++) text[i] = i % 8 == 7 ? ' ' : 'a';
    windows = urpc_bind(space_named("window_manager"));
    files = urpc_bind(space_named("file_cache"));
    if (windows == NULL || files == NULL) panic("there is no server");

    show_line();
    read_block(0);

    static struct thread_task first, second;
    PROBE(PROBE_REGION_BEGIN, 1);
    thread_fork(&first, show_and_read, NULL);
    thread_fork(&second, count_and_read, NULL);
    thread_join(&first);
    thread_join(&second);
    PROBE(PROBE_REGION_END, 1);
    return text_words == (text_bytes + 7) / 8 ? 0 : 1;
}
