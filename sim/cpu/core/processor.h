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
// `limit`. What changes more than registers, flags and memory is never done ahead: see
// non_speculative().
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/failure.h"
#include "sim/base/time.h"
#include "sim/cache/controller.h"
#include "sim/cpu/core/branch_trace.h"
#include "sim/cpu/core/context.h"
#include "sim/cpu/core/counted_loop.h"
#include "sim/cpu/core/debug_hook.h"
#include "sim/cpu/core/decode_cache.h"
#include "sim/cpu/core/execution.h"
#include "sim/cpu/core/fast_path_run.h"
#include "sim/cpu/core/loop_detector.h"
#include "sim/cpu/core/probes.h"
#include "sim/cpu/core/run_ahead_limit.h"
#include "sim/cpu/core/stop_reason.h"
#include "sim/cpu/fpu/fpu.h"
#include "sim/cpu/isa/op.h"
#include "sim/cpu/state/fault.h"
#include "sim/cpu/state/page_walk.h"
#include "sim/cpu/state/system.h"
#include "sim/cpu/state/tlb.h"
#include "sim/events/observer.h"
#include "sim/processor/interrupt_source.h"

namespace symsim {

struct Config;

// Made by processor_config() from the keys of the config, and in no other way: a default here would
// be a second one beside the key's.
struct ProcessorConfig {
    Time clock_period;
    Isa isa;

  private:
    ProcessorConfig() {}
    friend ProcessorConfig processor_config(const Config&);
};

class Processor {
  public:
    Processor(ProcessorId id, const ProcessorConfig& config, CacheController& cache,
              DecodeCache& code, InterruptSource& interrupts);

    ProcessorId id() const { return id_; }
    Context& context() { return context_; }
    const Context& context() const { return context_; }
    // Who asks for it to change it makes it another: its version says whether a copy is like it.
    Fpu& fpu() {
        fpu_version_ = ++fpu_versions_;
        return fpu_;
    }
    const Fpu& fpu() const { return fpu_; }
    std::uint64_t fpu_version() const { return fpu_version_; }
    void restore(const Context& context) {
        context_ = context;
        set_stop();
    }
    void restore_fpu(const Fpu& fpu, std::uint64_t version) {
        fpu_ = fpu;
        fpu_version_ = version;
    }
    System& system() { return system_; }
    const System& system() const { return system_; }
    Isa isa() const { return isa_; }

    // Executes until it must pause. `present` < `limit`, where it goes on if `run_ahead_limit` lets
    // it. With one its context is as the last run left it, or restore().
    StopReason run(Time commit_time, Time limit, RunAheadLimit* run_ahead_limit = nullptr);
    // When the access or instruction comes at which the last run paused with StopReason::retry.
    Time next_time() const { return next_time_; }
    // The controller lets a waiting processor go on: the access under way is tried again at `at`.
    void resume(Time at) { context_.time += at - next_time_; }
    // And has not, after all: it waits since `from`, and was resumed at `at`.
    void wait_again(Time from, Time at) {
        context_.time -= at - from;
        pause(from, StopReason::waiting);
    }

    // From its interrupt controller; seen by instructions that begin from now on. What was executed
    // ahead has been taken back.
    void set_interrupt_line(bool asserted) {
        line_ = asserted;
        set_stop();
    }
    void signal_nmi() {
        nmi_ = true;
        set_stop();
    }
    // Whether, halted, it would now go on.
    bool wakes() const;
    const Clock& clock() const { return clock_; }

    const GuestFailure& failure() const { return failure_; }
    bool halted() const { return stop_reason_ == StopReason::halted; }
    std::vector<Branch> last_branches() const { return trace_.last(context_.branches); }
    BranchTrace& branch_trace() { return trace_; }
    // Physical address of the instruction at eip; kNoLine where it has not been looked up yet.
    static Address code_address(const Context& context) {
        const Offset offset = context.eip - context.window.begin;
        return offset < context.window.size ? context.window.physical + offset : kNoLine;
    }
    // Where a linear address is now, without doing anything about it: for observers.
    std::optional<Address> look_up(LinearAddress linear) const;

    // For a checkpoint: values of the accesses the instruction under way has made. A task switch
    // makes the most, some 110.
    using AccessLog = std::array<std::uint32_t, 256>;
    const AccessLog& log() const { return log_; }
    AccessLog& log() { return log_; }
    // And which it is, if Context::held.
    Op& latched() { return latched_; }
    std::vector<Mark>& marks() { return marks_; }
    // Of the reference engine only. Null: none. Returns the one before.
    DebugHook* set_debug_hook(DebugHook* hook);
    LoopDetector& loop_detector() { return loop_; }
    // For a checkpoint file, with nothing ahead: processor_state.h.
    bool can_be_saved() const;
    template <class Archive>
    void serialize(Archive& archive);

    // --- what instruction handlers use ---------------------------------------------------------
    static constexpr bool kWideAddresses = false;  // there may be others
    Registers& regs() { return context_.regs; }
    const Registers& regs() const { return context_.regs; }
    Flags& flags() { return context_.flags; }
    Offset next_eip() const { return next_eip_; }

    // One operand of 1, 2 or 4 bytes, in Op::segment or an explicit one. False: give up, the
    // instruction will be executed again. Loads come before stores in every instruction, and
    // registers change only behind both.
    template <unsigned Size>
    bool read(const Op& op, Offset offset, std::uint32_t& value);
    template <unsigned Size>
    bool write(const Op& op, Offset offset, std::uint32_t value);
    template <unsigned Size>
    bool read_at(const Op& op, Seg segment, Offset offset, std::uint32_t& value);
    template <unsigned Size>
    bool write_at(const Op& op, Seg segment, Offset offset, std::uint32_t value);
    // Of an operand that will be written too: faults now if it may not be.
    template <unsigned Size>
    bool read_for_write(const Op& op, Offset offset, std::uint32_t& value);

    // Clocks beyond Op::clocks that depend on data.
    void add_clocks(unsigned n) {
        execution_.extra_clocks += n;
        execution_.eventful = true;
    }
    // Taken branch to an offset in cs; false: it is beyond the segment. The manual's m and the
    // refill of the prefetch queue are the target's.
    bool branch(Offset target) {
        if (target > system_.segments[cs].limit) return raise(Fault::general_protection);
        go_to(target);
        return true;
    }
    bool branch_by(const Op& op) {
        const Offset target = next_eip_ + op.immediate;
        return branch(op.operand_size == 2 ? target & 0xffff : target);
    }
    // The same, where the new code segment's limit has been looked at.
    void go_to(Offset target, Arrival arrival = Arrival::by_branch) {
        next_eip_ = target;
        execution_.arrival = arrival;
        execution_.eventful = true;
    }
    // A repeated string instruction has more to do: it is executed again, already fetched.
    void repeat() { execution_.repeating = execution_.eventful = true; }
    // State that is neither registers, flags nor memory has changed.
    void changed() { ++context_.changes; }
    // The interrupt flag or the trap flag may have changed.
    void flags_changed() { set_stop(); }
    // No interrupt is taken before the next instruction has been executed.
    void shadow() { context_.shadow_at = context_.instructions + 2; }
    // Nor the single-step trap of this one.
    void shadow_all() {
        shadow();
        context_.stepping = false;
    }

    // An exception: the instruction changes nothing. Always false.
    bool raise(Fault fault, std::uint32_t error_code = 0);
    // Raised when all of the instruction has been done: before the next one.
    void raise_after(Fault fault, std::uint32_t error_code);
    // An instruction that cannot be executed.
    bool refuse(const Complaint& complaint) {
        complaint_ = &complaint;
        return raise(complaint.fault);
    }
    // Whether a write to this place would fault, without making it.
    template <unsigned Size>
    bool probe_write(Seg segment, Offset offset) {
        return system_.plain_writes >> segment & 1 || probe_checked(segment, offset, Size);
    }
    // What only ring 0 may do.
    bool require_ring_0() { return system_.cpl == 0 || raise(Fault::general_protection); }
    // popf and iret: replaces the flags the current privilege level may change.
    void write_flags(std::uint32_t value, unsigned size);
    // What this machine cannot do: ends the run, once the bus has come to this time.
    bool fail(const std::string& what, const std::string& fix);

    // --- what instructions that change System use ----------------------------------------------
    // First of all: the instruction is executed only when the bus has come to its time, and its
    // accesses follow each other in any order, two clocks apart.
    bool non_speculative();
    // By linear address, with the rights of ring 0 or of ring 3.
    bool read_system(LinearAddress linear, unsigned size, std::uint32_t& value, bool user = false);
    bool write_system(LinearAddress linear, unsigned size, std::uint32_t value, bool user = false);
    // Sets bits of a byte by a locked update.
    bool set_bits_system(LinearAddress linear, std::uint8_t bits);
    bool clear_bits_system(LinearAddress linear, std::uint8_t bits);
    // Ports: a device that does not answer reads as ones and takes nothing.
    template <unsigned Size>
    bool read_port(const Op& op, std::uint32_t port, std::uint32_t& value);
    template <unsigned Size>
    bool write_port(const Op& op, std::uint32_t port, std::uint32_t value);
    // Segments, cr0 or the mode have been changed.
    void system_changed();
    void flush_tlb() {
        tlb_.flush();
        close_window();
    }
    void flush_tlb(LinearAddress linear) {
        tlb_.forget(linear);
        close_window();
    }
    // An exception or interrupt begins; always false.
    bool begin_event(const Event& event);
    bool halt();

  private:
    friend class FastPathRun;

    void execute();
    const Op* first();
    const Op* latched_first();
    const Op* find();
    void latch(const Op& op);
    // Its probe points have fired.
    void keep_latched(const Op& op) {
        latched_ = op.probed() ? static_cast<const ProbedOp&>(op).instruction : op;
        latched_.simple = op.simple;  // one of them may have said that a lock is released
    }
    const Op* following(const Op& op);
    const Op* in_sequence(const Op* op);
    const Op* at_target(const Op* op);
    const Op* still_there(const Op* op);
    const Op* execute_fast(const Op* op);
    const Op* after_fast_path();
    bool repeats_state(const Op& jump);
    // To be asked once behind every such jump.
    bool counts_again(const Op& jump) {
        return jump.in_loop == InLoop::repeats && stop_ == limit_ && counted_.repeats(context_);
    }
    Address eip_of(const Op& op) const {
        return op.address - context_.window.physical + context_.window.begin;
    }
    const Op* across(const Op& op);
    bool open_window();
    void close_window() {
        context_.window = {};
        paused_at_ = nullptr;
    }
    bool begin(const Op& op);
    bool begin_slow(const Op& op);
    bool may_begin();
    bool extend_limit();
    bool at_limit();
    bool take_interrupt();
    bool deliver();
    bool triple_fault();
    bool in_fetch_line(const Op& op) const;
    bool queue_hits(const Op& op);
    bool target_hits(const Op& op, Time time);
    bool fetch(const Op& op);
    bool fetch_slow(const Op& op);
    Time refill_time(const Op& op, Arrival arrival) const;
    bool refill(const Op& op);
    bool fetched_at_limit();
    bool enter_lines(const Op& op);
    bool enter_line(Address address);
    void fire_probes(const ProbedOp& op);
    bool enters_activity(const Op& op);
    void enter_activity(const Op& op);
    void complete(const Op& op);
    void complete_slow(const Op& op);
    bool skip_turns(const Op& jump);
    void start_execution(unsigned length) {
        next_eip_ = context_.eip + length;
        execution_ = {};
    }
    void abandon();

    template <unsigned Size>
    bool read_physical(const Op& op, Address address, std::uint32_t& value);
    template <unsigned Size>
    bool write_physical(const Op& op, Address address, std::uint32_t value);
    bool read_split(const Op& op, Address address, unsigned size, std::uint32_t& value);
    bool write_split(const Op& op, Address address, unsigned size, std::uint32_t value);
    bool read_checked(const Op& op, Seg segment, Offset offset, unsigned size, bool will_write,
                      std::uint32_t& value);
    bool write_checked(const Op& op, Seg segment, Offset offset, unsigned size,
                       std::uint32_t value);
    bool read_linear(const Op& op, LinearAddress linear, unsigned size, Reach reach,
                     std::uint32_t& value);
    bool write_linear(const Op& op, LinearAddress linear, unsigned size, Reach reach,
                      std::uint32_t value);
    bool probe_checked(Seg segment, Offset offset, unsigned size);
    bool update_system(LinearAddress linear, std::uint8_t clear, std::uint8_t set);
    bool check_segment(Seg segment, Offset offset, unsigned size, bool write);
    bool locate(LinearAddress linear, unsigned size, unsigned first, Reach reach, Time offset,
                std::array<Address, 2>& physical);
    bool translate(LinearAddress linear, Reach reach, Address& physical);
    bool allowed(bool user, bool writable, Reach reach) const;
    bool walk(LinearAddress linear, Reach reach, Address& physical);
    bool walk_read(Address address, std::uint32_t& entry);
    bool walk_set(Address address, std::uint32_t bits);
    bool finish_walk_access(Access outcome, Time at, Address address, std::uint32_t value);
    bool page_fault(LinearAddress linear, Reach reach, bool present);

    bool load(const Op& op, Address address, unsigned size, std::uint32_t& value);
    bool load_slow(const Op& op, Address address, unsigned size, std::uint32_t& value);
    bool store(const Op& op, Address address, unsigned size, std::uint32_t value);
    // Whether it has been made; else the processor pauses.
    bool finish_access(Access outcome, Time at) {
        return outcome <= Access::made || not_made(outcome, at);
    }
    bool not_made(Access outcome, Time at);
    // A store has been: a checkpoint comes behind it, and no loop comes round unchanged.
    void posted_ahead(Time at) {
        set_limit(at + 1);
        changed();
    }
    bool access_unmapped(Address address);
    [[noreturn]] void refuse_accesses() const;
    bool record(Access outcome, Time at, Address address, std::uint32_t value);
    Time load_offset() const;
    Time store_offset(const Op& op) const;
    // The first, if no access was split; a light instruction has no other.
    Time stores_from(const Op& op) const { return clock_.cycles(op.clocks - 2 * op.stores); }
    bool out_of_time(Time at) const {
        return at >= limit_ || (execution_.non_speculative && at > commit_time_);
    }
    bool arrived() const { return execution_.arrival != Arrival::in_sequence; }
    bool again() const { return execution_.next_access < context_.accesses; }
    void split() {
        ++execution_.splits;
        add_clocks(2);
    }
    AccessTime access_time(Time at) const { return {at, at <= commit_time_, context_.activity}; }
    bool pause(Time at, StopReason stop_reason) {
        next_time_ = at;
        stop_reason_ = stop_reason;
        return false;
    }
    bool nmi_ready() const;
    bool line_ready() const;
    bool attention() const;
    void set_stop();
    void set_limit(Time limit);
    static constexpr Time kAlways = -1;
    // Where each access is looked at: of instructions that make more, and under a debugger.
    static constexpr unsigned kFewAccesses = 16;

    ProcessorId id_;
    Clock clock_;
    Isa isa_;
    CacheController& cache_;
    DecodeCache& decode_cache_;
    InterruptSource& interrupts_;

    // What each instruction needs stands together: it shall be few lines of the host's cache.
    Context context_;
    Offset next_eip_ = 0;
    Execution execution_;
    Time commit_time_ = 0;
    Time limit_ = 0;
    RunAheadLimit* run_ahead_limit_ = nullptr;
    Time stop_ = kAlways;
    Time next_time_ = 0;
    StopReason stop_reason_ = StopReason::retry;
    bool line_ = false;
    bool nmi_ = false;
    Time fast_stop_ = 0;
    const Op* fast_end_ = nullptr;
    const Op* paused_at_ = nullptr;  // a light run, last; null if it did not
    DebugHook* debug_ = nullptr;
    unsigned few_accesses_ = kFewAccesses;
    std::vector<Mark> marks_;
    std::uint64_t fpu_version_ = 0;  // of what fpu_ holds: none is given twice
    System system_;
    CountedLoop counted_;
    LoopDetector loop_;

    Fpu fpu_;
    std::uint64_t fpu_versions_ = 0;
    Tlb tlb_;
    AccessLog log_{};
    BranchTrace trace_;
    GuestFailure failure_;
    Event first_event_;                     // of those that led to the one being delivered
    const Complaint* complaint_ = nullptr;  // of the last undefined opcode
    Op latched_;                            // the instruction under way, if Context::held
    ProbedOp crossing_;                     // an instruction on two pages that are not neighbours
    std::optional<Complaint> crossing_complaint_;
    PageWalk walk_;
};

}  // namespace symsim

#include "sim/cpu/core/attention.h"
#include "sim/cpu/core/fast_path_steps.h"
#include "sim/cpu/core/physical_access.h"
#include "sim/cpu/core/prefetch.h"
