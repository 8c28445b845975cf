// SPDX-License-Identifier: MIT
// One 386 processor: the execute loop, and the path of an operand from an instruction to the cache.
//
// An instruction starts at Context::time. Its loads are made from that time on, two clocks apart.
// Its stores are made in its last clocks, two clocks each. (A bus cycle of the 386 takes two
// clocks: Intel 386 DX data sheet.) When the memory system makes the instruction wait, the wait is
// added to Context::time. When the instruction completes, its own clocks are added.
//
// A processor can run ahead of the bus, speculatively. `commit_time` is the time up to which the
// bus has been simulated. Every access up to `commit_time` can be made. A later access is made
// speculatively if it hits, since a hit uses nothing but the processor's own cache. The cache
// controller may post a miss or a store ahead of the bus (CacheController::post_ahead). Any other
// access ends the run with StopReason::retry until commit time has reached the access. No access is
// made at or after `limit`. An instruction that changes other state than registers, flags, memory
// and the 80387 is never executed speculatively: see non_speculative().
//
// An engine (sim/engine) calls run() whenever the processor has something to do. run() returns the
// reason it stopped. After StopReason::retry the engine calls run() again at next_time(). After
// StopReason::waiting it calls resume() and then run() once the controller has called its Waiter.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/base/failure.h"
#include "sim/base/time.h"
#include "sim/cache/controller.h"
#include "sim/cpu/core/branch_trace.h"
#include "sim/cpu/core/context.h"
#include "sim/cpu/core/debug_hook.h"
#include "sim/cpu/core/decode_cache.h"
#include "sim/cpu/core/engine_hook.h"
#include "sim/cpu/core/execution.h"
#include "sim/cpu/core/fast_path_run.h"
#include "sim/cpu/core/loop_watch.h"
#include "sim/cpu/core/preemption.h"
#include "sim/cpu/core/probes.h"
#include "sim/cpu/core/process_table.h"
#include "sim/cpu/core/processor_config.h"
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

class Processor {
  public:
    Processor(ProcessorId id, const ProcessorConfig& config, CacheController& cache,
              DecodeCache& code, InterruptSource& interrupts);

    ProcessorId id() const { return id_; }
    Context& context() { return context_; }
    const Context& context() const { return context_; }
    // The non-const fpu() counts as a change: it gives the state a new version. A copy with the
    // same version is equal to the state.
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
    // The table of a guest that reports its processes; all processors share it.
    void set_process_table(ProcessTable& processes) { processes_ = &processes; }
    System& system() { return system_; }
    const System& system() const { return system_; }
    Isa isa() const { return isa_; }

    // Executes until the processor must stop. `commit_time` must be less than `limit`. At the limit
    // the processor asks `hook`, if given, for a later one. With a `hook` the context must be as
    // the last run() or restore() left it.
    StopReason run(Time commit_time, Time limit, EngineHook* hook = nullptr);
    // Time of the access or instruction at which the last run stopped. After StopReason::retry:
    // when to call run() again. After StopReason::waiting: when the wait began.
    Time next_time() const { return next_time_; }
    // Ends a wait: the access under way is tried again at `at`, by the next run().
    void resume(Time at) { context_.time += at - next_time_; }
    // Undoes resume(at): the processor still waits, since `from`.
    void wait_again(Time from, Time at) {
        context_.time -= at - from;
        pause(from, StopReason::waiting);
    }

    // Sets the line from the interrupt controller. Instructions that begin from now on see the new
    // level. The engine has rolled back speculative execution before the call.
    void set_interrupt_line(bool asserted) {
        line_ = asserted;
        set_stop();
    }
    void signal_nmi() {
        nmi_ = true;
        set_stop();
    }
    // Whether the processor, if halted, would continue now.
    bool wakes() const;
    const Clock& clock() const { return clock_; }

    const GuestFailure& failure() const { return failure_; }
    bool halted() const { return stop_reason_ == StopReason::halted; }
    // Names of the arguments that the guest has looked up on this processor.
    const std::set<std::string>& arguments_asked() const { return arguments_asked_; }
    std::vector<Branch> last_branches() const { return trace_.last(context_.branches); }
    BranchTrace& branch_trace() { return trace_; }
    // Physical address of the instruction at eip; kNoLine if it has not been looked up yet.
    static Address code_address(const Context& context) {
        const Offset offset = context.eip - context.window.begin;
        return offset < context.window.size ? context.window.physical + offset : kNoLine;
    }
    // The physical address of a linear address as mapped now, if any. Without side effects: for
    // observers.
    std::optional<Address> look_up(LinearAddress linear) const;

    // Values of the accesses that the instruction under way has made; a rollback point saves them.
    // A task switch makes the most accesses, about 110.
    using AccessLog = std::array<std::uint32_t, 256>;
    static constexpr std::size_t kMostAccesses = 128;  // that a checkpoint may contain
    const AccessLog& log() const { return log_; }
    AccessLog& log() { return log_; }
    // The instruction under way, if Context::latched.
    Op& latched() { return latched_; }
    std::vector<Mark>& marks() { return marks_; }
    // Only the reference engine runs under a debugger. Null removes the hook. Returns the previous
    // hook.
    DebugHook* set_debug_hook(DebugHook* hook);
    // Makes the timer's interrupt arrive at a given instruction. Returns the previous preemption.
    Preemption set_preemption(const Preemption& preemption);
    const Preemption& preemption() const { return preemption_; }
    // To be on only in a run with an EngineHook.
    LoopWatch& loop_watch() { return loop_watch_; }
    // For a checkpoint file, when nothing has been executed speculatively: processor_archive.h.
    bool can_be_saved() const;
    template <class Archive>
    void serialize(Archive& archive);
    // Throws StateError unless a processor can be in the loaded state at `at`, with this wake
    // state.
    void check_loaded(Time at, StopReason stop_reason, Time next) const;
    bool interrupt_line() const { return line_; }

    // --- what instruction handlers use ---------------------------------------------------------
    static constexpr bool k32BitAddressesOnly = false;  // the address size must be checked
    Registers& regs() { return context_.regs; }
    const Registers& regs() const { return context_.regs; }
    Flags& flags() { return context_.flags; }
    Offset next_eip() const { return next_eip_; }

    // Access one operand of 1, 2 or 4 bytes, in Op::segment or in the segment given. False: the
    // access cannot be made now. The handler must then return false, and the instruction will be
    // executed again from its start. Every instruction makes its loads before its stores, and
    // changes registers only after both.
    template <unsigned Size>
    bool read(const Op& op, Offset offset, std::uint32_t& value);
    template <unsigned Size>
    bool write(const Op& op, Offset offset, std::uint32_t value);
    template <unsigned Size>
    bool read_at(const Op& op, Seg segment, Offset offset, std::uint32_t& value);
    template <unsigned Size>
    bool write_at(const Op& op, Seg segment, Offset offset, std::uint32_t value);
    // Reads an operand that the instruction will also write. Faults now if the operand is not
    // writable.
    template <unsigned Size>
    bool read_for_write(const Op& op, Offset offset, std::uint32_t& value);
    // To be called by xchg before its accesses: makes both at once where the cache does so.
    bool exchange(const Op& op, Offset offset, unsigned size, std::uint32_t value) {
        return !cache_.exchanges() || again() || exchange_slow(op, offset, size, value);
    }

    // Clocks beyond Op::clocks that depend on data.
    void add_clocks(unsigned n) {
        execution_.extra_clocks += n;
        execution_.eventful = true;
    }
    // Takes a branch to an offset in cs. False: the offset is beyond the segment's limit. The
    // manual's m and the refill of the prefetch queue are charged to the target instruction.
    bool branch(Offset target) {
        if (target > system_.segments[cs].limit) return raise(Fault::general_protection);
        go_to(target);
        return true;
    }
    bool branch_by(const Op& op) {
        const Offset target = next_eip_ + op.immediate;
        return branch(op.operand_size == 2 ? target & 0xffff : target);
    }
    // Takes a branch whose target has already been checked against the code segment's limit.
    void go_to(Offset target, Arrival arrival = Arrival::by_branch) {
        next_eip_ = target;
        execution_.arrival = arrival;
        execution_.eventful = true;
    }
    // A repeated string instruction has more elements: it is executed again without another fetch.
    void repeat() { execution_.repeating = execution_.eventful = true; }
    // To be called when state other than registers and flags has changed. A loop in which this
    // happens does not repeat with the same state.
    void changed() { ++context_.changes; }
    // The interrupt flag or the trap flag may have changed.
    void flags_changed() { set_stop(); }
    // No interrupt is taken before the next instruction has completed.
    void shadow() { context_.shadow_at = context_.instructions + 2; }
    // No single-step trap of this instruction is taken either.
    void shadow_all() {
        shadow();
        context_.stepping = false;
    }

    // Raises an exception: the instruction changes nothing. Always returns false.
    bool raise(Fault fault, std::uint32_t error_code = 0);
    // Raises an exception after the instruction has completed, before the next one.
    void raise_after(Fault fault, std::uint32_t error_code);
    // Raises the exception of an instruction that this processor cannot execute.
    bool refuse(const Complaint& complaint) {
        complaint_ = &complaint;
        return raise(complaint.fault);
    }
    // Checks a write without making it. False: the write would fault (the exception is raised), or
    // the check cannot be made now.
    template <unsigned Size>
    bool probe_write(Seg segment, Offset offset) {
        return system_.plain_writes >> segment & 1 || probe_checked(segment, offset, Size);
    }
    // Raises a general protection fault outside ring 0.
    bool require_ring_0() { return system_.cpl == 0 || raise(Fault::general_protection); }
    // For popf and iret: replaces the flags that the current privilege level may change.
    void write_flags(std::uint32_t value, unsigned size);
    // The guest asked for something this machine cannot do. Ends the run when commit time has
    // reached the instruction.
    bool fail(const std::string& what, const std::string& fix);

    // --- what instructions that change System use ----------------------------------------------
    // To be called first. The instruction is then executed only when commit time has reached it.
    // Its accesses follow each other in the order made, loads and stores alike, two clocks apart.
    bool non_speculative();
    // Access by linear address, with the rights of ring 0 or, if `user`, of ring 3.
    bool read_system(LinearAddress linear, unsigned size, std::uint32_t& value, bool user = false);
    bool write_system(LinearAddress linear, unsigned size, std::uint32_t value, bool user = false);
    // Set or clear bits of a byte by a locked update.
    bool set_bits_system(LinearAddress linear, std::uint8_t bits);
    bool clear_bits_system(LinearAddress linear, std::uint8_t bits);
    // I/O ports. If no device answers, a read gives all ones and a write has no effect.
    template <unsigned Size>
    bool read_port(const Op& op, std::uint32_t port, std::uint32_t& value);
    template <unsigned Size>
    bool write_port(const Op& op, std::uint32_t port, std::uint32_t value);
    // To be called after a change of segments, cr0 or the mode.
    void system_changed();
    void flush_tlb() {
        tlb_.flush();
        close_window();
    }
    void flush_tlb(LinearAddress linear) {
        tlb_.forget(linear);
        close_window();
    }
    // Begins an exception or interrupt. Always returns false.
    bool begin_event(const Event& event);
    bool halt();

  private:
    friend class FastPathRun;

    void execute();
    const Op* first();
    const Op* latched_first();
    const Op* find();
    void latch(const Op& op);
    // Keeps a copy of `op` without its probe points, which have already fired.
    void keep_latched(const Op& op) {
        latched_ = op.probed() ? static_cast<const ProbedOp&>(op).instruction : op;
        latched_.simple = op.simple;  // a lock_release probe needs complete_slow()
    }
    const Op* decoded_now(const Op& op) const;
    const Op* following(const Op& op);
    const Op* in_sequence(const Op* op);
    const Op* at_target(const Op* op);
    const Op* still_there(const Op* op);
    const Op* execute_fast(const Op* op);
    const Op* after_fast_path();
    bool loops(const Op& jump);
    // Whether the engine may skip iterations of the loop that `jump` closes.
    bool may_skip(const Op& jump) const {
        return jump.in_loop == InLoop::repeats && stop_ == limit_ && hook_;
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
    bool preempt_if_due();
    void look_for_region();
    bool deliver();
    bool triple_fault();
    bool in_fetch_line(const Op& op) const;
    Address line_after(const Op& op, Address line) const;
    bool queue_hits(const Op& op);
    bool target_hits(const Op& op, Time time);
    bool fetch(const Op& op);
    bool fetch_slow(const Op& op);
    Time refill_time(const Op& op, Arrival arrival) const;
    bool refill(const Op& op);
    bool fetched_at_limit();
    bool enter_lines(const Op& op);
    bool enter_line(Address address);
    std::uint32_t operand_of(const Probe& probe) const;
    void fire_probes(const ProbedOp& op);
    bool switch_processes(const ProbedOp& op);
    void note_argument(LinearAddress name);
    bool enters_activity(const Op& op);
    void enter_activity(const Op& op);
    void complete(const Op& op);
    void complete_slow(const Op& op);
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
    bool exchange_slow(const Op& op, Offset offset, unsigned size, std::uint32_t value);
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
    // Whether the access has been made. If not, the processor stops.
    bool finish_access(Access outcome, Time at) {
        return outcome <= Access::made || not_made(outcome, at);
    }
    bool not_made(Access outcome, Time at);
    // To be called after a store was posted ahead of the bus. The limit moves to just after the
    // store, where the engine saves a rollback point. A loop with a store does not repeat with the
    // same state.
    void posted_ahead(Time at) {
        set_limit(at + 1);
        changed();
    }
    bool access_unmapped(const Op& op, Address address);
    [[noreturn]] void refuse_accesses() const;
    bool record(const Op& op, Access outcome, Time at, Address address, std::uint32_t value);
    Time load_offset() const;
    Time store_offset(const Op& op) const;
    // Offset in time of the instruction's first store, if no access was split. A fast-path
    // instruction makes no other store.
    Time stores_from(const Op& op) const { return clock_.cycles(op.clocks - 2 * op.stores); }
    bool out_of_time(Time at) const {
        return at >= limit_ || (execution_.non_speculative && at > commit_time_);
    }
    bool branched() const { return execution_.arrival != Arrival::in_sequence; }
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
    static constexpr Time kCheckAlways = -1;
    // From this number of accesses on, load() always takes the slow path, which checks the size of
    // the log. Under a debugger the number is 0, since only the slow path reports loads.
    static constexpr unsigned kFewAccesses = 16;
    static constexpr std::size_t kLongestArgument = 256;

    ProcessorId id_;
    Clock clock_;
    Isa isa_;
    CacheController& cache_;
    DecodeCache& decode_cache_;
    InterruptSource& interrupts_;

    // The members that every instruction needs are adjacent, to occupy few lines of the host's
    // cache.
    Context context_;
    Offset next_eip_ = 0;
    Execution execution_;
    Time commit_time_ = 0;
    Time limit_ = 0;
    EngineHook* hook_ = nullptr;
    Time stop_ = kCheckAlways;
    Time next_time_ = 0;
    StopReason stop_reason_ = StopReason::retry;
    bool line_ = false;
    bool nmi_ = false;
    // When the current run of fast-path instructions must end.
    Time fast_stop_ = 0;
    // The instruction at which that run ended; null if the processor stops.
    const Op* fast_end_ = nullptr;
    // The instruction at which the processor last stopped on the fast path; null if it did not.
    const Op* paused_at_ = nullptr;
    DebugHook* debug_ = nullptr;
    ProcessTable* processes_ = nullptr;  // null: the guest reports no processes
    bool watched_ = false;  // a debugger or a pending preemption looks at each instruction
    unsigned few_accesses_ = kFewAccesses;
    std::vector<Mark> marks_;
    std::set<std::string> arguments_asked_;
    std::uint64_t fpu_version_ = 0;  // of the state in fpu_; no number is used twice
    System system_;
    LoopWatch loop_watch_;

    Fpu fpu_;
    std::uint64_t fpu_versions_ = 0;
    Tlb tlb_;
    AccessLog log_{};
    BranchTrace trace_;
    GuestFailure failure_;
    // The first of the nested exceptions that led to the one being delivered.
    Event first_event_;
    const Complaint* complaint_ = nullptr;  // of the last undefined opcode
    Op latched_;                            // the instruction under way, if Context::latched
    // An instruction on two pages that are not adjacent in physical memory.
    ProbedOp crossing_;
    std::optional<Complaint> crossing_complaint_;
    PageWalk walk_;
    Preemption preemption_;
};

}  // namespace symsim

#include "sim/cpu/core/attention.h"
#include "sim/cpu/core/fast_path_steps.h"
#include "sim/cpu/core/physical_access.h"
#include "sim/cpu/core/prefetch.h"
