// SPDX-License-Identifier: MIT
#include "sim/cpu/processor.h"

#include <fmt/format.h>

namespace symsim {

Processor::Processor(ProcessorId id, const ProcessorConfig& config, CacheController& cache,
                     Code& code, const ProbePoints& probes)
    : id_(id), clock_(config.clock_period), cache_(cache), code_(code), probes_(probes) {}

Pause Processor::run(Time present, Time limit) {
    present_ = present;
    limit_ = limit;
    loop_.forget();
    const Op* op = code_.at(context_.eip);
    for (;;) {
        if (!begin(*op) || !op->execute(*this, *op)) return why_;
        complete(*op);
        if (taken_ && loop_.watching() && context_.eip <= op->address &&
            loop_.came_round(context_, marks_.size())) {
            pause(context_.time, Pause::looping);
            return why_;
        }
        op = context_.eip == op->end ? op->next : code_.at(context_.eip);
        if (!op->execute) op = code_.at(context_.eip);
    }
}

// What comes before an instruction's own work: its probe points, its activity, its fetch.
bool Processor::begin(const Op& op) {
    if (context_.time >= limit_) return pause(context_.time, Pause::later);
    if (op.probed && !(context_.fetched & kProbed)) fire_probes(op);
    Activity activity = op.region;
    if (context_.critical_depth > 0 &&
        (activity == Activity::user || activity == Activity::threads))
        activity = Activity::critical;
    if (activity != context_.activity) {
        context_.activity = activity;
        mark(op, Mark::What::activity).activity = activity;
    }
    next_eip_ = op.end;
    taken_ = false;
    repeating_ = false;
    loads_ = stores_ = splits_ = 0;
    next_access_ = 0;
    extra_clocks_ = 0;
    const Address line = context_.fetch_line;
    const bool in_queue = !context_.branched && cache_.cache().line_of(op.address) == line &&
                          cache_.cache().line_of(op.end - 1) == line;
    return in_queue || fetch(op);
}

// The lines the instruction stands in are entered: in sequence without cost, since the prefetch
// queue has run ahead, after a branch with the manual's m and a cache access per dword.
bool Processor::fetch(const Op& op) {
    const Address first = cache_.cache().line_of(op.address);
    const Address last = cache_.cache().line_of(op.end - 1);
    if (!(context_.fetched & kFirstLine)) {
        if ((context_.branched || first != context_.fetch_line) && !enter_line(op, op.address))
            return false;
        context_.fetched |= kFirstLine;
    }
    if (!(context_.fetched & kLastLine)) {
        if (last != first && !enter_line(op, op.end - 1)) return false;
        context_.fetched |= kLastLine;
        context_.fetch_line = last;
    }
    if (context_.branched && !(context_.fetched & kRefilled)) {
        context_.fetched |= kRefilled;
        context_.time += clock_.cycles(op.components) + op.dwords * cache_.hit_wait();
    }
    if (context_.time >= limit_) return pause(context_.time, Pause::later);
    return true;
}

bool Processor::enter_line(const Op& op, Address address) {
    const Time at = context_.time;
    if (at >= limit_) return pause(at, Pause::later);
    if (cache_.fetch_hits(address, at)) return true;
    const Access outcome = cache_.fetch(address, access_time(at), context_.branched);
    if (outcome == Access::nothing_there)
        return fail(
            op, fmt::format("instruction fetch from {:#010x}, where there is no memory", address),
            "look for a wild jump, call or return: the backtrace shows where it came from");
    return settle(outcome, at);
}

void Processor::fire_probes(const Op& op) {
    context_.fetched |= kProbed;
    const auto peek = [this](Address a, unsigned size) { return cache_.peek(a, size); };
    for (const ProbePoints::Fired& fired : probes_.fire(op.address, context_.regs, peek)) {
        if (fired.kind == ProbeKind::lock_acquired) ++context_.critical_depth;
        if (fired.kind == ProbeKind::lock_release) context_.releasing = true;
        Mark& passed = mark(op, Mark::What::probe);
        passed.probe = fired.kind;
        passed.value = fired.value;
    }
}

Mark& Processor::mark(const Op& op, Mark::What what) {
    Mark& mark = marks_.emplace_back();
    mark.time = context_.time;
    mark.what = what;
    mark.address = op.address;
    return mark;
}

void Processor::complete(const Op& op) {
    if (op.locked) cache_.unlock(access_time(last_access_));
    context_.time += clock_.cycles(op.clocks + extra_clocks_ + 2 * splits_);
    context_.accesses = 0;
    if (repeating_) return;
    ++context_.instructions;
    context_.eip = next_eip_;
    context_.branched = taken_;
    context_.fetched = 0;
    if (context_.releasing) {
        context_.releasing = false;
        if (context_.critical_depth > 0) --context_.critical_depth;
    }
}

bool Processor::load(const Op& op, Address address, unsigned size, std::uint32_t& value) {
    if (again()) {
        value = log_[next_access_++];
        return true;
    }
    const Time at = load_time();
    if (at >= limit_) return pause(at, Pause::later);
    // What a board register holds changes with time, so a loop that reads one is no loop.
    if (address >= kDeviceSpace) loop_.forget();
    const AccessTime when = access_time(at);
    const Access outcome = op.locked ? cache_.locked_load(address, size, when, value)
                                     : cache_.load(address, size, when, value);
    return record(op, outcome, at, address, value);
}

bool Processor::store(const Op& op, Address address, unsigned size, std::uint32_t value) {
    if (again()) {
        ++next_access_;
        return true;
    }
    const Time at = store_time(op);
    if (at >= limit_) return pause(at, Pause::later);
    const AccessTime when = access_time(at);
    const Access outcome = op.locked ? cache_.locked_store(address, size, when, value)
                                     : cache_.store(address, size, when, value);
    return record(op, outcome, at, address, 0);
}

bool Processor::settle(Access outcome, Time at) {
    switch (outcome) {
        case Access::hit:
        case Access::made:
            return true;
        case Access::later:
            return pause(at, Pause::later);
        case Access::waiting:
            return pause(at, Pause::waiting);
        case Access::nothing_there:
            break;
    }
    impossible("processor {} goes on where there is nothing at {} ps", id_, at);
}

// An access of the instruction under way: remembered once it is made, with what it cost.
bool Processor::record(const Op& op, Access outcome, Time at, Address address,
                       std::uint32_t value) {
    if (outcome == Access::nothing_there)
        return fail(
            op,
            fmt::format("access to {:#010x}, where there is neither memory nor a device", address),
            "look for a wild pointer or a stack that has run over; memory.size_mb says how "
            "much memory there is");
    if (!settle(outcome, at)) return false;
    if (outcome == Access::hit) context_.time += cache_.hit_wait();
    last_access_ = at;
    log_[context_.accesses++] = value;
    next_access_ = context_.accesses;
    return true;
}

bool Processor::halt() {
    if (context_.time > present_) return pause(context_.time, Pause::later);
    return pause(context_.time, Pause::halted);
}

bool Processor::fail(const Op& op, const std::string& what, const std::string& fix) {
    const Time at = context_.time;
    if (at > present_) return pause(at, Pause::later);
    failure_.what = what;
    failure_.fix = fix;
    failure_.processor = id_;
    failure_.time = present_;
    failure_.eip = op.address;
    return pause(present_, Pause::failed);
}

}  // namespace symsim
