// SPDX-License-Identifier: MIT
#include "sim/checkpoint/checkpoint_taker.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <sstream>
#include <utility>

#include "sim/base/archive.h"
#include "sim/base/failure.h"
#include "sim/base/saved_state.h"
#include "sim/observe/numbers.h"

namespace symsim {

namespace {

// The time between two attempts to save the machine.
constexpr Time kSoon = kMicrosecond / 10;

template <class Archive>
void archive_observers(Archive& archive, RunParts& parts) {
    archive(parts.recorder, parts.console, parts.results, parts.post);
}

// What the recorder knows of each process must be what the machine knows.
void check_processes(const RunParts& parts) {
    const ProcessTimeline* const measured = parts.recorder.processes();
    if (!measured) return;
    const ProcessTable& table = parts.machine.processes();
    for (std::uint32_t n = 0; n < kMaxProcesses; ++n)
        require(index(measured->now(n)) == index(table.state(n)),
                "process {} is in state {} and {}", n, index(table.state(n)),
                index(measured->now(n)));
    for (ProcessorId p = 0; p < parts.machine.processors(); ++p)
        require(measured->current(p) == table.current(p), "processor {} runs two processes", p);
}

// What the recorder has accounted for must fit what the machine does: the machine reports its next
// events in order of time, and changes of state from the present one.
void check_observers(const RunParts& parts, const std::vector<WakeState>& wake_states, Time at) {
    parts.recorder.check_loaded(at);
    require(parts.recorder.bus_free_at() <= parts.machine.bus_free_at(),
            "the bus is free at {} ps, after a use that ends at {} ps", parts.machine.bus_free_at(),
            parts.recorder.bus_free_at());
    const Ledger& ledger = parts.recorder.ledger();
    for (ProcessorId p = 0; p < wake_states.size(); ++p) {
        const ProcessorState state = ledger.current(p).first;
        const StopReason reason = wake_states[p].stop_reason;
        const bool waits = state == ProcessorState::waiting || state == ProcessorState::served;
        require(waits == (reason == StopReason::waiting) &&
                    (state == ProcessorState::halted) == (reason == StopReason::halted),
                "processor {} is {} and has stopped for reason {}", p, name(state), index(reason));
        const Context& context = parts.machine.processor(p).context();
        // Only an instruction under way has reported events after its start. A fetch that waits
        // will have been at the end of its wait.
        const bool fetches = waits && context.time == parts.machine.processor(p).next_time();
        require(context.latched || fetches || context.time >= ledger.since(p),
                "processor {} is at {} ps and accounted for up to {} ps", p, context.time,
                ledger.since(p));
    }
    check_processes(parts);
    for (const PostCode& post : parts.post.codes())
        require(post.time >= 0 && post.time <= at, "a POST code was written at {} ps", post.time);
}

}  // namespace

std::string checkpoint_name(Time time) {
    return fmt::format("checkpoint-{}us.symsim", us_text(time));
}

void resume_from(const Checkpoint& checkpoint, RunParts& parts) {
    try {
        LoadArchive archive(checkpoint.state);
        const std::vector<WakeState> wake_states = parts.machine.load(archive, checkpoint.time);
        archive_observers(archive, parts);
        archive.finish();
        check_observers(parts, wake_states, checkpoint.time);
    } catch (const StateError& error) {
        refuse_checkpoint(checkpoint.path,
                          fmt::format("its state at {} us is none of this machine: {}",
                                      us_text(checkpoint.time), error.what()),
                          "take it again with this symsim");
    }
}

CheckpointTaker::CheckpointTaker(std::vector<Time> times, const RunParts& parts, Checkpoint like,
                                 ResultFiles& files)
    : left_(std::move(times)), parts_(parts), like_(std::move(like)), files_(files) {
    if (left_.empty()) return;
    std::sort(left_.begin(), left_.end(), std::greater<>());
    parts_.machine.call_back_at(left_.back(), [this](Time now) { return take(now); });
}

Time CheckpointTaker::take(Time now) {
    if (!parts_.machine.can_be_saved()) return now + kSoon;
    parts_.recorder.settle(now);
    std::ostringstream out;
    {
        SaveArchive archive(out, SaveArchive::Options::LittleEndian());
        parts_.machine.save(archive);
        archive_observers(archive, parts_);
    }
    Checkpoint checkpoint = like_;
    checkpoint.time = now;
    checkpoint.state = out.str();
    // Several checkpoints may be due, because the first could not be taken at its own time.
    for (; !left_.empty() && left_.back() <= now; left_.pop_back()) {
        files_.save(checkpoint_name(left_.back()), [&](const std::filesystem::path& path) {
            return write_checkpoint(checkpoint, path);
        });
        if (files_.failed()) return kNever;
    }
    return left_.empty() ? kNever : left_.back();
}

}  // namespace symsim
