// SPDX-License-Identifier: MIT
#include "sim/run/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace symsim {
namespace {

constexpr double kFirstAfter_s = 2;
constexpr double kEvery_s = 0.5;

std::string duration(double seconds) {
    const auto s = static_cast<std::int64_t>(std::ceil(std::min(seconds, 3.6e8)));
    if (s < 60) return fmt::format("{} s", s);
    if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
    return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

}  // namespace

std::string progress_line(const Progress& p) {
    std::string text = fmt::format("{:.1f} ms simulated in {:.0f} s",
                                   static_cast<double>(p.simulated) / kMillisecond, p.host_s);
    if (p.window_s > 0 && p.window_simulated > 0) {
        text += fmt::format(", slowdown {:.1f}",
                            p.window_s * 1e12 / static_cast<double>(p.window_simulated));
    }
    if (p.window_s > 0) {
        text += fmt::format(", {:.1f} MIPS",
                            static_cast<double>(p.window_instructions) / 1e6 / p.window_s);
    }
    if (p.limit > 0 && p.simulated > 0) {
        // The speed of the whole run predicts better than that of the last half second. The text
        // says "at most" because the guest may end before the limit.
        const double left = p.host_s *
                            static_cast<double>(std::max<Time>(p.limit - p.simulated, 0)) /
                            static_cast<double>(p.simulated);
        text += fmt::format(", at most {} left", duration(left));
    }
    return text;
}

ProgressMeter::ProgressMeter(std::FILE* out, bool is_terminal, Time limit)
    : out_(out), is_terminal_(is_terminal) {
    last_.limit = limit;
}

void ProgressMeter::update(double host_s, Time simulated, std::uint64_t instructions) {
    if (!is_terminal_ || host_s < kFirstAfter_s || host_s - last_.host_s < kEvery_s) return;
    Progress now = last_;
    now.host_s = host_s;
    now.simulated = simulated;
    now.instructions = instructions;
    now.window_s = host_s - last_.host_s;
    now.window_simulated = simulated - last_.simulated;
    now.window_instructions = instructions - last_.instructions;
    last_ = now;
    // Returns to the first column, and erases to the end of the line after the text (ECMA-48 EL).
    std::fputs(fmt::format("\r{}\x1b[K", progress_line(now)).c_str(), out_);
    std::fflush(out_);
    shown_ = true;
}

void ProgressMeter::clear() {
    if (!shown_) return;
    std::fputs("\r\x1b[K", out_);
    std::fflush(out_);
    shown_ = false;
}

}  // namespace symsim
