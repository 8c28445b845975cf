// SPDX-License-Identifier: MIT
// Measures calls between address spaces by their parts: send, poll, receive and dispatch, of client
// and server (URPC Table II). The numbers come from the probe points of calls.
//
// Each probe point of a call ends what the processor did before. So the parts, the time of idle
// processors, and all other time sum to the time of the processor.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/observe/numbers.h"

namespace symsim {

enum class CallPart : std::uint8_t {
    client_send,
    client_poll,
    client_receive,
    client_dispatch,
    server_receive,
    server_dispatch,
    server_send,
    server_poll,
    idle,   // polls that have found nothing
    other,  // what is not part of a call: procedures, callers, kernel
};
constexpr std::size_t kCallParts = index(CallPart::other) + 1;
constexpr std::array<std::string_view, kCallParts> kCallPartNames = {
    "client_send",    "client_poll",
    "client_receive", "client_dispatch",
    "server_receive", "server_dispatch",
    "server_send",    "server_poll",
    "idle",           "other"};
constexpr std::array<std::string_view, kCallParts> kCallPartMeanings = {
    "the client sends a call: call_begin to call_sent",
    "the client looks for messages, and finds an answer: call_poll to answer_received",
    "the client copies the answer: answer_received to answer_dispatch",
    "the client's threads: answer_dispatch or call_sent to call_end, a new thread or the next poll",
    "the server copies the call: call_received to call_dispatch",
    "the server's threads: call_dispatch to call_served; call_answered to the next poll",
    "the server sends the answer: call_answer to call_answered",
    "the server looks for messages, and finds a call: call_poll to call_received",
    "a processor looks for messages, and finds none: call_poll to the next one",
    "all else: procedures, callers, the kernel"};

constexpr std::string_view name(CallPart part) {
    return kCallPartNames[index(part)];
}

struct CallSpan {
    CallPart part = CallPart::other;
    Time from = 0;
    Time to = 0;
};

class CallParts {
  public:
    // Returns the span that the mark ends, if it ends one.
    std::optional<CallSpan> take(const Mark& mark);
    // Ends the span under way.
    CallSpan cut(Time at) { return begin(CallPart::other, at); }
    // What the processor does. A poll is idle until it has found something.
    CallPart now() const { return part_; }
    Time since() const { return since_; }

  private:
    std::optional<CallPart> after(ProbeKind kind) const;
    CallSpan begin(CallPart part, Time at);

    CallPart part_ = CallPart::other;
    bool polls_ = false;  // it is not known yet what the poll finds
    Time since_ = 0;
};

struct CallReport {
    std::uint64_t calls = 0;   // that have returned
    std::uint64_t served = 0;  // procedures that were entered
    std::array<Spans, kCallParts> parts;
};

// The Recorder calls passed() for each mark, then close() once, then report().
class CallMeter {
  public:
    explicit CallMeter(unsigned processors) : processors_(processors) {}

    void passed(ProcessorId processor, const Mark& mark) {
        if (const auto ended = processors_[processor].take(mark)) count(*ended, mark.probe);
    }
    // Aborts unless the parts sum to the time of all processors.
    void close(Time end);
    const CallReport& report() const { return report_; }

  private:
    void add(const CallSpan& span) { report_.parts[index(span.part)].add(span.from, span.to); }
    // The probe point has ended the span.
    void count(const CallSpan& ended, ProbeKind kind) {
        add(ended);
        if (kind == ProbeKind::call_end) ++report_.calls;
        if (kind == ProbeKind::call_served) ++report_.served;
    }

    CallReport report_;
    std::vector<CallParts> processors_;  // by number
};

}  // namespace symsim
