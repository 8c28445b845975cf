// SPDX-License-Identifier: MIT
// Measures calls between address spaces by their parts: send, poll, receive and dispatch, of client
// and server (URPC Table II). The numbers come from the probe points of calls.
//
// Each probe point ends what the processor did before. So the parts, the time of idle processors,
// and all other time sum to the time of all processors.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/events/observer.h"
#include "sim/observe/spans.h"

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
    other,  // what is no part of a call: procedures, callers, kernel
};
constexpr std::size_t kCallParts = index(CallPart::other) + 1;
constexpr std::array<std::string_view, kCallParts> kCallPartNames = {
    "client_send",     "client_poll", "client_receive", "client_dispatch", "server_receive",
    "server_dispatch", "server_send", "server_poll",    "idle",            "other"};
constexpr std::array<std::string_view, kCallParts> kCallPartMeanings = {
    "the client sends a call: call_begin to call_sent",
    "the client looks for messages, and finds an answer: call_poll to answer_received",
    "the client copies the answer: answer_received to answer_dispatch",
    "the client's threads: answer_dispatch to call_end or the next poll; call_sent to the next poll",
    "the server copies the call: call_received to call_dispatch",
    "the server's threads: call_dispatch to call_served; call_answered to the next poll",
    "the server sends the answer: call_answer to call_answered",
    "the server looks for messages, and finds a call: call_poll to call_received",
    "a processor looks for messages, and finds none: call_poll to the next one",
    "all else: procedures, callers, the kernel"};

struct CallReport {
    std::uint64_t calls = 0;   // that have returned
    std::uint64_t served = 0;  // procedures that were entered
    std::array<Spans, kCallParts> parts;
};

// The Recorder calls passed() for each mark, then close() once, then report().
class CallMeter {
  public:
    explicit CallMeter(unsigned processors) : places_(processors) {}

    void passed(ProcessorId processor, const Mark& mark) {
        if (mark.what == Mark::What::probe) probe(places_[processor], mark);
    }
    // Aborts unless the parts sum to the time of all processors.
    void close(Time end);
    const CallReport& report() const { return report_; }

    template <class Archive>
    void serialize(Archive& archive) {
        archive(report_.calls, report_.served, places_);
        for (Spans& part : report_.parts) archive(part.count, part.sum, part.longest);
    }
    // Throws StateError unless the loaded times are before `at`.
    void check_loaded(unsigned processors, Time at) const;

  private:
    // What a processor does, and since when.
    struct Place {
        CallPart part = CallPart::other;
        bool polls = false;  // it is not known yet what the poll finds
        Time since = 0;

        template <class Archive>
        void serialize(Archive& archive) {
            archive(part, polls, since);
        }
    };
    void probe(Place& place, const Mark& mark);
    void begin(Place& place, CallPart part, Time at);

    CallReport report_;
    std::vector<Place> places_;
};

}  // namespace symsim
