// SPDX-License-Identifier: MIT
#include "sim/interconnect/snoops.h"

namespace symsim {

namespace {
std::uint32_t low_bytes(std::uint32_t value, unsigned size) {
    return size == 4 ? value : value & ((1u << 8 * size) - 1);
}
}  // namespace

void Snoops::attach(Port& port) {
    const auto number = static_cast<ProcessorId>(ports_.size());
    ports_.push_back(&port);
    const bool set_silent =
        filters_ && port.watches(TransactionKind::read) && port.reads_become_silent();
    reads_become_silent_ = number == 0 ? set_silent : reads_become_silent_ && set_silent;
    for (std::size_t kind = 0; kind < kTransactionKinds; ++kind)
        if (port.watches(static_cast<TransactionKind>(kind))) watching_[kind].add(number);
}

void Snoops::snoop_installed(ProcessorId port, Request request, Time at) {
    request.kind = TransactionKind::read;
    snoop(port, request, at);
    if (filters_) filter_.add(request.address, port);
}

Snooped Snoops::ask(ProcessorSet others, const Request& request, Time at) {
    Snooped all;
    const bool changes = changes_memory(request);
    for (const ProcessorId other : others) {
        const Snooped one = ports_[other]->snoop(request.kind, request.address, changes, at);
        all.shares |= one.shares;
        all.supplies |= one.supplies;
        if (filters_ && one.absent) filter_.remove(request.address, other);
    }
    return all;
}

bool Snoops::changes_memory(const Request& request) const {
    return is_store(request.kind) &&
           memory_.read(request.address, request.size) != low_bytes(request.value, request.size);
}

}  // namespace symsim
