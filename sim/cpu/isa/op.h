// SPDX-License-Identifier: MIT
// One decoded instruction: what the execute loop needs, and nothing that only decoding needs.
#pragma once

#include <cstdint>
#include <tuple>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/cpu/state/registers.h"
#include "sim/cpu/state/segment.h"
#include "sim/processor/activity.h"

namespace symsim {

class Processor;
struct Op;
struct Complaint;

// Executes one instruction. False: an access could not be made now; nothing has changed, and the
// instruction will be executed again from its start (accesses already made are remembered).
using Handler = bool (*)(Processor&, const Op&);

// Executes a light instruction, one that makes one load at most and one store at most, and changes
// nothing else but registers and flags; and all that follow and are light too, from `time` on. What
// cannot be executed so is left, unchanged: light.h.
using FastHandler = void (*)(Processor&, const Op&, Time);
void leave_to_execute(Processor& cpu, const Op& op, Time time);  // what is not light
void pass_probes(Processor& cpu, const Op& op, Time time);       // of a ProbedOp

// What it can be in a loop that only counts (CountedLoop).
enum class InLoop : std::uint8_t {
    other,
    idles,    // nop
    counts,   // dec of a whole register
    repeats,  // jnz
};

// No line of a cache starts at an odd address, so none is equal to this.
constexpr Address kNoLine = 1;
// Of an op at whose beginning there is more to do than to see that the activity stays: a probe.
constexpr std::uint8_t kProbedEntry = 0xff;
// Equal to no op's.
constexpr std::uint8_t kNoEntry = 0xfe;

// A line of the host's cache each: what is executed is spread over them, and the simulator waits
// for memory like everybody else.
struct alignas(64) Op {
    Handler execute = nullptr;  // null: not decoded, or its bytes have been written since
    FastHandler fast = leave_to_execute;
    const Op* next = nullptr;  // the instruction behind this one; null on another page
    union {
        const Op* target = nullptr;  // where its taken branch leads, if that can be told
        const Complaint* complaint;  // of an op no 386 executes: why
    };
    Address address = 0;          // physical, of its first byte
    Address last = 0;             // and of its last
    std::uint32_t immediate = 0;  // or branch distance
    std::uint32_t displacement = 0;
    std::uint8_t base = 0;
    std::uint8_t index = 0;
    std::int8_t base_mask = 0;  // -1 if there is a base, else 0: the address needs no branch
    std::int8_t index_mask = 0;
    std::uint8_t scale_shift = 0;  // log2 of the scale factor
    std::uint8_t length = 0;
    std::uint8_t address_size : 4;  // 2: the effective address is cut to 16 bits
    std::uint8_t operand_size : 4;  // of branches: 2 cuts the target to 16 bits
    Seg segment = ds;               // of the memory operand
    std::uint8_t dst = 0;           // register numbers as encoded
    std::uint8_t src = 0;
    std::uint8_t extra = 0;       // condition code, shift kind, ...: the handler's own
    std::uint8_t clocks = 0;      // the manual's count without m, data-dependent part, waits
    std::uint8_t stores = 0;      // dwords it writes: they take its last clocks, two each
    std::uint8_t components : 4;  // the manual's m, charged when a branch comes here
    std::uint8_t dwords : 3;      // dwords of code it covers: fetched again after a branch
    bool in_one_line : 1;
    bool locked : 1;    // LOCK prefix, or xchg with memory
    bool simple : 1;    // neither that nor a probe
    bool relative : 1;  // its target lies a distance of `immediate` behind it
    InLoop in_loop : 2;
    Activity region : 3;
    std::uint8_t entry = kProbedEntry;  // its region, if no probe point stands here

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
    // Of one that is decoded. Then it is a ProbedOp.
    bool probed() const { return entry == kProbedEntry; }
    void empty() {
        execute = nullptr;
        fast = leave_to_execute;
    }
};
static_assert(sizeof(Op) == 64);

// Whether both were decoded from the same bytes, at the same place.
inline bool same_instruction(const Op& a, const Op& b) {
    const auto all = [](const Op& op) {
        return std::make_tuple(op.execute, op.address, op.last, op.immediate, op.displacement,
                               op.base, op.index, op.base_mask, op.index_mask, op.scale_shift,
                               op.length, +op.address_size, +op.operand_size, op.segment, op.dst,
                               op.src, op.extra, op.locked);
    };
    return all(a) == all(b);
}

}  // namespace symsim
