// SPDX-License-Identifier: MIT
#include "sim/checkpoint/checkpoint_taker.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <sstream>
#include <utility>

#include "sim/base/archive.h"
#include "sim/base/failure.h"
#include "sim/observe/numbers.h"

namespace symsim {

namespace {

// The time between two attempts to save the machine.
constexpr Time kSoon = kMicrosecond / 10;

template <class Archive>
void archive_observers(Archive& archive, RunParts& parts) {
    archive(parts.recorder, parts.console, parts.results, parts.post);
}

}  // namespace

std::string checkpoint_name(Time time) {
    return fmt::format("checkpoint-{}us.symsim", us_text(time));
}

void resume_from(const Checkpoint& checkpoint, RunParts& parts) {
    std::istringstream in(checkpoint.state);
    LoadArchive archive(in);
    try {
        parts.machine.load(archive, checkpoint.time);
        archive_observers(archive, parts);
    } catch (const std::exception& error) {
        throw UserError(
            fmt::format("--restore: its state is not one of this symsim: {}; take the "
                        "checkpoint again with this one",
                        error.what()));
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
    std::ostringstream out;
    {
        SaveArchive archive(out);
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
