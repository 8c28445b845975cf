// SPDX-License-Identifier: MIT
// The tail of processor.h, which includes it at its end; nothing else may include it.
//
// Decides whether something must happen between two instructions: an interrupt, a trap, a halt, or
// a deferred exception. set_stop() is called whenever the answer may have changed.
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

// Sets stop_. An instruction that begins at stop_ or later must call may_begin() first.
inline void Processor::set_stop() {
    stop_ = attention() || watched_ ? kCheckAlways : limit_;
}

// Moves the limit. A stop_ of kCheckAlways stays. The reasons for attention cannot change during
// speculative execution, except for the flags, whose handlers call set_stop().
inline void Processor::set_limit(Time limit) {
    limit_ = limit;
    if (stop_ != kCheckAlways) stop_ = limit;
}

}  // namespace symsim
