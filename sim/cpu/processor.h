// SPDX-License-Identifier: MIT
// One 386: the execute loop and the way from an instruction's operand to the cache.
//
// An instruction starts at Context::time. Its loads are made from there, two clocks apart (a bus
// cycle of the 386 takes two); its stores in its last clocks, two each. What the memory system
// makes it wait is added to Context::time, and at the end the instruction's own clocks are.
//
// A processor may run ahead of the bus. `present` is how far the bus has come: up to there every
// access can be made. Later ones only if they hit, since a hit uses nothing but the own cache; any
// other pauses the processor until the present has reached it. No access is made at or after
// `limit`.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/failure.h"
#include "sim/base/time.h"
#include "sim/cache/controller.h"
#include "sim/cpu/code.h"
#include "sim/cpu/context.h"
#include "sim/cpu/loop_detector.h"
#include "sim/cpu/op.h"
#include "sim/cpu/probes.h"
#include "sim/observe/events.h"

namespace symsim {

struct ProcessorConfig {
    Time clock_period = 62'500;
};

// Why Processor::run came back.
enum class Pause : std::uint8_t {
    later,    // its next access needs the present to be at `next_time()`, or `limit` is reached
    waiting,  // for its cache controller, which will call when it may go on
    looping,  // found a loop that only another processor's store can end
    halted,   // for ever: interrupts do not exist yet
    failed,   // the guest did what no program may; see failure()
};

class Processor {
  public:
    Processor(ProcessorId id, const ProcessorConfig& config, CacheController& cache, Code& code,
              const ProbePoints& probes);

    ProcessorId id() const { return id_; }
    Context& context() { return context_; }
    const Context& context() const { return context_; }

    // Executes until it must pause. `present` < `limit`.
    Pause run(Time present, Time limit);
    // When the access or instruction comes at which the last run paused with Pause::later.
    Time next_time() const { return next_time_; }
    // The controller lets a waiting processor go on: the access under way is tried again at `at`.
    void resume(Time at) { context_.time += at - next_time_; }

    const GuestFailure& failure() const { return failure_; }
    bool halted() const { return why_ == Pause::halted; }

    // For a checkpoint: values of the accesses the instruction under way has made. At most 124:
    // enter n,31 with misaligned esp and ebp.
    using AccessLog = std::array<std::uint32_t, 128>;
    const AccessLog& log() const { return log_; }
    AccessLog& log() { return log_; }
    std::vector<Mark>& marks() { return marks_; }
    LoopDetector& loop_detector() { return loop_; }

    // --- what instruction handlers use ---------------------------------------------------------
    Registers& regs() { return context_.regs; }
    Flags& flags() { return context_.flags; }

    // One operand of 1, 2 or 4 bytes. False: give up, the instruction will be executed again.
    // Loads come before stores in every instruction, and registers change only behind both.
    template <unsigned Size>
    bool read(const Op& op, Address linear, std::uint32_t& value);
    template <unsigned Size>
    bool write(const Op& op, Address linear, std::uint32_t value);

    // Clocks beyond Op::clocks that depend on data.
    void add_clocks(unsigned n) { extra_clocks_ += n; }
    // Taken branch. The manual's m and the refill of the prefetch queue are the target's.
    void branch(Address target) {
        next_eip_ = target;
        taken_ = true;
    }
    // A repeated string instruction has more to do: it is executed again, already fetched.
    void repeat() { repeating_ = true; }
    bool halt();
    // What this machine does not do: ends the run, once the bus has come to this time.
    bool fail(const Op& op, const std::string& what, const std::string& fix);

  private:
    bool begin(const Op& op);
    bool fetch(const Op& op);
    bool enter_line(const Op& op, Address address);
    void fire_probes(const Op& op);
    Mark& mark(const Op& op, Mark::What what);
    void complete(const Op& op);
    bool load(const Op& op, Address address, unsigned size, std::uint32_t& value);
    bool store(const Op& op, Address address, unsigned size, std::uint32_t value);
    bool settle(Access outcome, Time at);
    bool record(const Op& op, Access outcome, Time at, Address address, std::uint32_t value);
    Time load_time() const { return context_.time + clock_.cycles(2 * (loads_ + splits_)); }
    Time store_time(const Op& op) const {
        return context_.time + clock_.cycles(op.clocks - 2 * (op.stores - stores_ - splits_));
    }
    bool again() const { return next_access_ < context_.accesses; }
    AccessTime access_time(Time at) const { return {at, at <= present_, context_.activity}; }
    bool pause(Time at, Pause why) {
        next_time_ = at;
        why_ = why;
        return false;
    }

    ProcessorId id_;
    Clock clock_;
    CacheController& cache_;
    Code& code_;
    const ProbePoints& probes_;

    Context context_;
    AccessLog log_{};
    Time present_ = 0;
    Time limit_ = 0;
    Time next_time_ = 0;
    Pause why_ = Pause::later;
    std::vector<Mark> marks_;
    LoopDetector loop_;
    GuestFailure failure_;

    // Of the instruction under way, in this execution of it.
    Address next_eip_ = 0;
    bool taken_ = false;
    bool repeating_ = false;
    int loads_ = 0;
    int stores_ = 0;
    int splits_ = 0;  // operands across two dwords: a bus cycle more each
    unsigned next_access_ = 0;
    unsigned extra_clocks_ = 0;
    Time last_access_ = 0;
};

// An operand across two dwords is two accesses (PRM: misaligned operands take more bus cycles).
template <unsigned Size>
bool Processor::read(const Op& op, Address linear, std::uint32_t& value) {
    const unsigned first = 4 - (linear & 3);
    if (Size > first) {
        std::uint32_t low = 0, high = 0;
        if (!load(op, linear, first, low)) return false;
        ++splits_;
        if (!load(op, linear + first, Size - first, high)) return false;
        value = low | high << 8 * first;
    } else if (!load(op, linear, Size, value)) {
        return false;
    }
    ++loads_;
    return true;
}

template <unsigned Size>
bool Processor::write(const Op& op, Address linear, std::uint32_t value) {
    const unsigned first = 4 - (linear & 3);
    if (Size > first) {
        if (!store(op, linear, first, value & ((1u << 8 * first) - 1))) return false;
        ++splits_;
        if (!store(op, linear + first, Size - first, value >> 8 * first)) return false;
    } else if (!store(op, linear, Size, value)) {
        return false;
    }
    ++stores_;
    return true;
}

}  // namespace symsim
