// SPDX-License-Identifier: MIT
// Whether something comes between two instructions; asked whenever that may have changed.
#pragma once

namespace symsim {

inline bool Processor::nmi_ready() const {
    return nmi_ && !system_.nmi_blocked;
}

inline bool Processor::line_ready() const {
    return line_ && context_.flags.system & Flags::kInterrupt;
}

inline bool Processor::wakes() const {
    return nmi_ready() || line_ready();
}

inline bool Processor::attention() const {
    return system_.deferred.active || nmi_ready() || line_ready() || context_.halted ||
           context_.stepping || context_.flags.system & (Flags::kTrap | Flags::kResume);
}

// From when on an instruction does not simply begin.
inline void Processor::set_stop() {
    stop_ = attention() || debug_ ? kAlways : limit_;
}

// Ahead of the present, where what asks for attention stays as it is but for flags, which say so.
inline void Processor::set_limit(Time limit) {
    limit_ = limit;
    if (stop_ != kAlways) stop_ = limit;
}

}  // namespace symsim
