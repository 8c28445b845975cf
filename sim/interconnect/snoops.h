// SPDX-License-Identifier: MIT
// Which ports snoop a transaction, and what the snoopers answer. A port snoops the kinds of
// transactions that its protocol watches (Port::watches()). With a snoop filter only ports that may
// have bytes of the line are asked, and no port is asked about further reads of a silent line.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/base/processor_set.h"
#include "sim/base/time.h"
#include "sim/base/transaction_kind.h"
#include "sim/base/types.h"
#include "sim/interconnect/memory.h"
#include "sim/interconnect/port.h"
#include "sim/interconnect/request.h"

namespace symsim {

// The snoop filter records which ports may have bytes of each line, so that the interconnect asks
// no other port to snoop. A port is added when it reads the line over the interconnect, or installs
// it by a store (Port::installs_stored()). It is removed when its answer to a snoop says that it
// has nothing of the line.
//
// The filter also records which lines are silent: no cache needs to snoop further reads of such a
// line (Port::reads_become_silent()).
//
// Addresses are those of memory, except for prefetch(). Pages of the
// table are made when a port first reads a line in them.
class SnoopFilter {
  public:
    SnoopFilter(std::uint64_t memory_bytes, std::uint32_t line_bytes) {
        while (1u << line_shift_ < line_bytes) ++line_shift_;
        pages_.resize((memory_bytes >> line_shift_ >> kPageShift) + 1);
    }

    unsigned line_shift() const { return line_shift_; }

    // The ports that may have bytes of the line.
    ProcessorSet of(Address a) const {
        const auto& page = pages_[a >> line_shift_ >> kPageShift];
        return page ? page->ports[a >> line_shift_ & kPageMask] : ProcessorSet();
    }
    // Starts to bring the line's entry into the host's caches, before it is needed. Device
    // addresses have no entry.
    void prefetch(Address a) const {
        const std::size_t number = a >> line_shift_ >> kPageShift;
        if (number >= pages_.size() || !pages_[number]) return;
        __builtin_prefetch(&pages_[number]->ports[a >> line_shift_ & kPageMask]);
        __builtin_prefetch(&pages_[number]->silent);
    }
    void add(Address a, ProcessorId port) {
        page_of(a).ports[a >> line_shift_ & kPageMask].add(port);
    }
    // Only for a line that some port has read: its page exists.
    void remove(Address a, ProcessorId port) {
        pages_[a >> line_shift_ >> kPageShift]->ports[a >> line_shift_ & kPageMask].remove(port);
    }

    bool silent(Address a) const {
        const auto& page = pages_[a >> line_shift_ >> kPageShift];
        return page && page->silent[a >> line_shift_ & kPageMask];
    }
    void set_silent(Address a) { page_of(a).silent[a >> line_shift_ & kPageMask] = true; }
    void clear_silent(Address a) {
        if (const auto& page = pages_[a >> line_shift_ >> kPageShift])
            page->silent[a >> line_shift_ & kPageMask] = false;
    }

  private:
    static constexpr unsigned kPageShift = 8;  // a page is 256 lines
    static constexpr Address kPageMask = (1u << kPageShift) - 1;
    struct Page {
        std::array<ProcessorSet, 1u << kPageShift> ports;
        std::bitset<1u << kPageShift> silent;
    };
    Page& page_of(Address a) {
        auto& page = pages_[a >> line_shift_ >> kPageShift];
        if (!page) page = std::make_unique<Page>();
        return *page;
    }

    unsigned line_shift_ = 0;
    std::vector<std::unique_ptr<Page>> pages_;
};

class Snoops {
  public:
    // `filter`: whether to use a snoop filter. The results are the same without it.
    Snoops(const Memory& memory, std::uint32_t line_bytes, bool filter)
        : memory_(memory), filters_(filter), filter_(memory.size(), line_bytes) {}

    // Ports are numbered in the order they are attached.
    void attach(Port& port);

    // The other ports snoop this port's transaction, which takes effect at `at`. Memory still has
    // the old bytes.
    Snooped snoop(ProcessorId port, const Request& request, Time at) {
        const ProcessorSet others = snoopers(port, request);
        return others.empty() ? Snooped() : ask(others, request, at);
    }
    // The same for a transaction that brings the line to the port. No cache snoops a fetch or read
    // of a silent line. Once a line's fetch or read has been snooped, the line is silent until
    // another kind of transaction reaches it.
    Snooped snoop_read(ProcessorId port, const Request& request, Time at) {
        const bool only_reads = is_read(request.kind);
        Snooped snooped;
        if (!(reads_become_silent_ && only_reads && filter_.silent(request.address))) {
            snooped = snoop(port, request, at);
            if (reads_become_silent_ && only_reads) filter_.set_silent(request.address);
        }
        if (!only_reads) end_silence(request.address);
        if (filters_) filter_.add(request.address, port);
        return snooped;
    }
    // A store that installs its line is first snooped as a read: the other caches share the line
    // with the port from now on.
    void snoop_installed(ProcessorId port, Request request, Time at);
    // The port's transaction, which is not a read, has been snooped: its line is no longer silent.
    void end_silence(Address address) {
        if (reads_become_silent_) filter_.clear_silent(address);
    }

    // Starts to bring what a transaction for this line needs into the host's caches.
    void prefetch(Address address) const { filter_.prefetch(address); }

  private:
    // The ports that must snoop the request.
    ProcessorSet snoopers(ProcessorId port, const Request& request) const {
        const ProcessorSet others = watching_[index(request.kind)].without(port);
        if (others.empty() || !filters_) return others;
        return others & filter_.of(request.address);
    }
    Snooped ask(ProcessorSet others, const Request& request, Time at);
    bool changes_memory(const Request& request) const;

    const Memory& memory_;
    bool filters_;
    // Snoops are filtered, and Port::reads_become_silent() is true for all ports.
    bool reads_become_silent_ = false;
    SnoopFilter filter_;
    std::vector<Port*> ports_;
    std::array<ProcessorSet, kTransactionKinds> watching_;  // ports that snoop each kind
};

}  // namespace symsim
