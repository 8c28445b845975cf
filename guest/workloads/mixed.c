// SPDX-License-Identifier: MIT

// Several loads at once, on a saturated bus: the code of an interpreter (routines.h), a private
// list per processor that is larger than its cache, and cells that each processor writes and all
// others read.
//
// Arguments   turns       iterations of each processor, even; default 1000
//             operations  interpreted in each iteration, 1 to 1024; default 16
//             nodes       of each processor's list, LINE_BYTES each; default 4096, 128 KB
//             visits      nodes visited in each iteration; default 24
//             changes     how many of these, the first ones, are changed; default 12
// Results     elapsed_us, turns (of all processors)
// Checks      after forwards and backwards interpretation in turn the words are as before; the
//             nodes have the right number of changes; no cell has decreased

#include "cpu.h"
#include "routines.h"
#include "stdlib.h"

#define PROGRAM_OPERATIONS 1024
#define NODE_DISTANCE 509  // from a node to the next of the list; prime

struct node {
    LINE_ALIGNED struct node* next;
    unsigned changes;
};

static uint8_t program[PROGRAM_OPERATIONS];
static unsigned turns, operations, nodes, visits, changes;
static struct node* lists;  // of all processors, one after the other
static bool right[MAX_PROCESSORS];

// Iterations done; written by its own processor, read by all.
static struct { LINE_ALIGNED volatile unsigned turn; } cells[MAX_PROCESSORS];

static struct node* make_list(struct node* list) {
    for (unsigned i = 0; i < nodes; i++)
        list[i] = (struct node){.next = &list[(i + NODE_DISTANCE) % nodes]};
    return list;
}

// Interprets a part of the program in even iterations, and the same part backwards in odd ones.
static void interpret_turn(unsigned turn, struct state* state) {
    const uint8_t* first = program + turn / 2 * operations % (PROGRAM_OPERATIONS - operations + 1);
    if (turn % 2 == 0)
        interpret(first, first + operations, 1, state);
    else
        interpret_backwards(first, first + operations, state);
}

// Visits nodes from `node` on; returns the next node.
static struct node* visit(struct node* node) {
    for (unsigned i = 0; i < visits; i++) {
        if (i < changes) node->changes++;
        node = node->next;
    }
    return node;
}

// Whether no cell has decreased since it was last read.
static bool look_at_cells(unsigned* seen) {
    bool forwards = true;
    for (unsigned i = 0; i < processors(); i++) {
        unsigned turn = cells[i].turn;
        forwards &= turn >= seen[i];
        seen[i] = turn;
    }
    return forwards;
}

static unsigned changes_of(const struct node* list) {
    unsigned sum = 0;
    for (unsigned i = 0; i < nodes; i++) sum += list[i].changes;
    return sum;
}

static void run(unsigned cpu, void* unused) {
    (void)unused;
    struct state begin = {random_next(), random_next()}, state = begin;
    struct node *list = make_list(lists + cpu * nodes), *node = list;
    unsigned seen[MAX_PROCESSORS] = {0};
    bool forwards = true;
    for (unsigned turn = 0; turn < turns; turn++) {
        interpret_turn(turn, &state);
        node = visit(node);
        cells[cpu].turn = turn + 1;
        forwards &= look_at_cells(seen);
    }
    right[cpu] = forwards && same_state(state, begin) && changes_of(list) == turns * changes;
}

int main(void) {
    turns = arg_unsigned("turns", 1000);
    operations = arg_unsigned("operations", 16);
    nodes = arg_unsigned("nodes", 4096);
    visits = arg_unsigned("visits", 24);
    changes = arg_unsigned("changes", 12);
    if (turns == 0 || turns % 2 != 0) panic("turns must be even, and at least 2");
    if (operations == 0 || operations > PROGRAM_OPERATIONS)
        panic("operations must be 1 to %u", PROGRAM_OPERATIONS);
    if (nodes == 0 || changes > visits) panic("nodes must be at least 1, changes at most visits");
    char* memory = malloc(processors() * nodes * sizeof(struct node) + LINE_BYTES);
    if (memory == NULL) panic("no memory for %u lists of %u nodes", processors(), nodes);
    lists = (struct node*)(((uintptr_t)memory + LINE_BYTES - 1) & -LINE_BYTES);
    setup_program(program, PROGRAM_OPERATIONS);
    uint32_t start_us = clock_us();
    run_on_all(run, NULL);
    report("elapsed_us", clock_us() - start_us);
    report("turns", (uint64_t)processors() * turns);
    for (unsigned cpu = 0; cpu < processors(); cpu++)
        if (!right[cpu]) {
            printf("processor %u: words, list or cells are wrong\n", cpu);
            return 1;
        }
    return 0;
}
