// SPDX-License-Identifier: MIT
// Op: one decoded instruction. It contains what the execute loop needs, and nothing that only the
// decoder needs. The Decoder (decoder.h) fills it in, the decode cache (decode_cache.h) keeps it.
#pragma once

#include <cstdint>

#include "sim/base/activity.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/cpu/state/registers.h"
#include "sim/cpu/state/segment.h"

namespace symsim {

class Processor;
struct Op;
struct Complaint;

// Executes one instruction. False: an access cannot be made now, or the instruction raised an
// exception. If an access cannot be made, no register or flag has changed, and the instruction will
// be executed again from its start. The accesses that it has already made are remembered.
using Handler = bool (*)(Processor&, const Op&);

// Executes a fast-path instruction that begins at `time`, and then those after it that can take the
// fast path too. A fast-path instruction makes at most one load and one store. Beside the store it
// changes only registers and flags. Execution ends before the first instruction that cannot take
// the fast path now; nothing of that instruction has been done. See fast_path.h.
using FastHandler = void (*)(Processor&, const Op&, Time);
void leave_to_execute(Processor& cpu, const Op& op, Time time);  // of ops without a fast path
void pass_probes(Processor& cpu, const Op& op, Time time);       // of a ProbedOp with a fast path

// The role of an instruction in a loop that only counts a register down (delay_loop.h).
enum class InLoop : std::uint8_t {
    other,
    idles,    // nop
    counts,   // dec of a 32-bit register
    repeats,  // jnz or jns; in the decode cache, only one that closes such a loop
};

// Op::entry of an instruction with probe points, which must fire before the instruction begins.
constexpr std::uint8_t kProbedEntry = 0xff;

// Each Op occupies one line of the host's cache. The executed ops are spread over many such lines,
// and the simulator itself waits for memory when it misses one.
struct alignas(64) Op {
    Handler execute = nullptr;  // null: not decoded, or its bytes have been written since
    FastHandler fast = leave_to_execute;
    const Op* next = nullptr;  // the next instruction in sequence; null if on another page
    union {
        const Op* target = nullptr;  // the target of its taken branch, if known
        const Complaint* complaint;  // of an undefined op: why it cannot be executed
    };
    Address address = 0;          // physical address of its first byte
    Address last = 0;             // and of its last byte
    std::uint32_t immediate = 0;  // or the distance of a relative branch
    std::uint32_t displacement = 0;
    std::uint8_t base = 0;
    std::uint8_t index = 0;
    std::int8_t base_mask = 0;  // -1 if there is a base, else 0: saves the host a branch
    std::int8_t index_mask = 0;
    std::uint8_t scale_shift = 0;  // log2 of the scale factor
    std::uint8_t length = 0;
    std::uint8_t address_size : 4;  // 2: the effective address is truncated to 16 bits
    std::uint8_t operand_size : 4;  // of branches, 2: the target is truncated to 16 bits
    Seg segment = ds;               // of the memory operand
    std::uint8_t dst = 0;           // register numbers as encoded
    std::uint8_t src = 0;
    std::uint8_t extra = 0;       // for the handler: condition code, level of enter, ...
    std::uint8_t clocks = 0;      // the manual's count, without m, data-dependent clocks and waits
    std::uint8_t stores = 0;      // dwords it writes, in its last clocks, two clocks each
    std::uint8_t components : 4;  // the manual's m, charged when a branch leads here
    std::uint8_t dwords : 3;      // dwords of code it covers: fetched when a branch leads here
    bool in_one_line : 1;         // all its bytes are in one cache line
    bool locked : 1;              // LOCK prefix, or xchg with memory
    bool simple : 1;              // neither locked nor with probe points
    bool relative : 1;            // its target is `immediate` bytes after its end
    InLoop in_loop : 2;
    Activity region : 3;
    std::uint8_t entry = kProbedEntry;  // its region, or kProbedEntry

    Op()
        : address_size(4),
          operand_size(4),
          components(0),
          dwords(0),
          in_one_line(false),
          locked(false),
          simple(true),
          relative(false),
          in_loop(InLoop::other),
          region(Activity::user) {}
    // Only for a decoded op. True: the op is a ProbedOp.
    bool probed() const { return entry == kProbedEntry; }
    void empty() {
        execute = nullptr;
        fast = leave_to_execute;
    }
};
static_assert(sizeof(Op) == 64);

}  // namespace symsim
