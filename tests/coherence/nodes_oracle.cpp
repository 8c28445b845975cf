// SPDX-License-Identifier: MIT
#include "tests/coherence/nodes_oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/transaction_kind.h"

namespace symsim::test {

namespace {
TransactionKind fill_kind(Step::What what) {
    if (what == Step::What::fetch) return TransactionKind::fetch;
    return what == Step::What::locked_load ? TransactionKind::locked_read : TransactionKind::read;
}
std::uint32_t bytes_of(std::uint32_t value, unsigned size) {
    return size == 4 ? value : value & ((1u << 8 * size) - 1);
}
}  // namespace

void NodesOracle::add(CacheController& cache) {
    Oracle::add(cache, ports_.emplace_back());
}

// --- requests to a port, and its answers --------------------------------------------------------

void NodesOracle::asked(ProcessorId id, const Step& step, Time) {
    Port& port = ports_[id];
    port.asking = true;
    port.posted = false;
    port.step = step;
    port.may_return.clear();
    if (step.what == Step::What::load || step.what == Step::What::locked_load)
        port.may_return.push_back(view(id, step.address, step.size));
    if (!is_unlock(step.what)) return;
    may_unlock(id);
    const bool all = step.what == Step::What::unlock;
    locks_.erase(std::remove_if(locks_.begin(), locks_.end(),
                                [&](const Lock& lock) {
                                    return lock.owner == id &&
                                           (all || lock.line == line_of(step.address));
                                }),
                 locks_.end());
}

void NodesOracle::answered(ProcessorId id, Access answer, std::uint32_t value, Time at) {
    Port& port = ports_[id];
    if (answer == Access::retry || answer == Access::unmapped)
        throw Incoherent(fmt::format("port {}: the answer to a {} that is present is {}", id,
                                     name(port.step.what), index(answer)));
    if (port.step.what == Step::What::store || port.step.what == Step::What::locked_store)
        store_answered(id, answer);
    else if (!is_unlock(port.step.what) && answer != Access::waiting)
        read_answered(id, answer, value, at);
    if (answer != Access::waiting) port.asking = false;
}

// The store is made in an own line, or its request is in the port's queue until it is made.
void NodesOracle::store_answered(ProcessorId id, Access answer) {
    Port& port = ports_[id];
    const Step& step = port.step;
    if (answer == Access::hit) return store_in_line(id, step);
    const bool locked = step.what == Step::What::locked_store;
    const StorePolicy policy = round_.cache.store_policy;
    const std::size_t requested = stores_requested(id);
    if (!port.posted && requested > port.pending.size()) {
        port.posted = true;
        port.pending.push_back({locked ? TransactionKind::locked_store : TransactionKind::store,
                                step.address, step.size, step.value});
        const std::size_t most =
            locked || policy != StorePolicy::buffered ? 1 : round_.cache.write_buffer_depth;
        if (port.pending.size() > most)
            throw Incoherent(fmt::format("port {}: more stores under way than may be", id));
    }
    if (requested != port.pending.size())
        throw Incoherent(fmt::format("port {}: requests {} stores and has {}", id, requested,
                                     port.pending.size()));
    if (answer == Access::waiting) return;
    if (!port.posted) throw Incoherent(fmt::format("port {}: a store is lost", id));
    if ((locked || policy == StorePolicy::stall) && !port.pending.empty())
        throw Incoherent(fmt::format("port {}: continues before its store is complete", id));
}

void NodesOracle::store_in_line(ProcessorId id, const Step& step) {
    may_pass_stores(id, step);
    const Line* const line = line_in(id, line_of(step.address));
    if (!line || line->state != LineState::modified)
        throw Incoherent(fmt::format("port {}: stores in a line that it does not own", id));
    const bool locked = step.what == Step::What::locked_store;
    performed(id, {locked ? TransactionKind::locked_store : TransactionKind::store, step.address,
                   step.size, step.value});
}

void NodesOracle::may_pass_stores(ProcessorId id, const Step& step) const {
    const Port& port = ports_[id];
    const bool fetch = step.what == Step::What::fetch;
    const bool reads = fetch || step.what == Step::What::load;
    const bool needs_port = !fetch || step.branched;
    const bool passes =
        reads && (!needs_port || round_.cache.store_policy == StorePolicy::buffered);
    if (!passes && !port.pending.empty())
        throw Incoherent(fmt::format("port {}: a {} passes a store", id, name(step.what)));
    const auto in_line = [&](const Store& s) {
        return line_of(s.address) == line_of(step.address);
    };
    if (fetch && std::any_of(port.pending.begin(), port.pending.end(), in_line))
        throw Incoherent(fmt::format("port {}: fetches what it is still writing", id));
}

void NodesOracle::read_answered(ProcessorId id, Access answer, std::uint32_t value, Time at) {
    Port& port = ports_[id];
    const Step& step = port.step;
    const Address line = line_of(step.address);
    const bool locked = step.what == Step::What::locked_load;
    may_pass_stores(id, step);
    const bool from_buffer = forwarded(port, step);
    if (port.fill.line != Line::kNoAddress) {
        const Fill fill = std::exchange(port.fill, Fill{});
        if (fill.line != line || fill.arrives > at)
            throw Incoherent(fmt::format("port {}: answered while its fill is under way", id));
    } else if (answer != Access::hit ||
               (!line_in(id, line) && !from_buffer && !(locked && owns(id, line)))) {
        throw Incoherent(fmt::format("port {}: {} of {:#x} is answered without its line", id,
                                     name(step.what), step.address));
    }
    coherent(line);
    if (!from_buffer) not_locked_by_others(id, line);
    if (locked && !owns(id, line)) {
        const Line* const here = line_in(id, line);
        if (!here || !is_owned(here->state))
            throw Incoherent(fmt::format("port {}: locks a line that it does not own", id));
        locks_.push_back({id, line, false});
    }
    if (locked) port.held.push_back({step.address, step.size, value});
    if (step.what != Step::What::fetch) may_be_read(id, value);
}

void NodesOracle::hit_ahead(ProcessorId id, const Step& step, Time) {
    may_pass_stores(id, step);
    ports_[id].stores_ahead += step.what == Step::What::store;
    const Line* const line = line_in(id, line_of(step.address));
    if (!line || (step.what == Step::What::store && !is_owned(line->state)))
        throw Incoherent(fmt::format("port {}: a hit ahead on a line that is not there", id));
}

void NodesOracle::confirmed(ProcessorId id, const Step& step, std::uint32_t value, Time at) {
    const Address line = line_of(step.address);
    if (!line_in(id, line))
        throw Incoherent(fmt::format("port {}: a {} ahead at {} ps hit line {:#x}, which has gone",
                                     id, name(step.what), at, line));
    not_locked_by_others(id, line);
    if (step.what == Step::What::store) {
        --ports_[id].stores_ahead;
        store_in_line(id, step);
    }
    if (step.what == Step::What::load && value != view(id, step.address, step.size))
        throw Incoherent(fmt::format(
            "port {}: a load ahead at {} ps of {} bytes at {:#x} got {:#x}, and should have been "
            "rolled back",
            id, at, step.size, step.address, value));
}

// --- events of the nodes ------------------------------------------------------------------------

// Only the ways between processors and node tell of transactions; banks and links repeat them.
void NodesOracle::used(const BusUse& use) {
    Oracle::used(use);
    const NodeMachineConfig& nodes = round_.nodes;
    const unsigned in_node = nodes.inside == NodeInside::bus ? 1 : nodes.node_processors;
    if (!use.reply || use.resource >= nodes.count * in_node) return;
    Port& port = ports_[use.processor];
    const Address line = line_of(use.address);
    const Time arrives = use.start + use.duration + nodes.synchronise_cycles * nodes.period();
    touched_.push_back(line);
    if (is_store(use.kind)) {
        port.store_arrives = arrives;
        return;
    }
    if (!port.asking || port.fill.line != Line::kNoAddress || line != line_of(port.step.address) ||
        use.kind != fill_kind(port.step.what))
        throw Incoherent(fmt::format("port {}: nobody asked for the {} of {:#x}", use.processor,
                                     name(use.kind), use.address));
    port.fill = {line, use.kind, arrives};
}

std::size_t NodesOracle::stores_requested(ProcessorId id) const {
    const RequestQueue& queue = nodes_->requests(id);
    std::size_t stores = 0;
    for (std::size_t n = 0; n < queue.size(); ++n) stores += is_store(queue[n].kind);
    return stores;
}

// Whose oldest store has just been written. Its transaction has taken effect, and its request has
// left the queue; or it needs none, because the line has become an own line.
ProcessorId NodesOracle::writer(Address address, unsigned size) const {
    for (ProcessorId id = 0; id < ports_.size(); ++id) {
        const Port& port = ports_[id];
        if (port.pending.empty()) continue;
        const Store& store = port.pending.front();
        if (store.address != address || store.size != size ||
            bytes_of(store.value, size) != memory_.read(address, size))
            continue;
        const bool replied = stores_requested(id) < port.pending.size();
        if (replied && port.store_arrives != edge_)
            throw Incoherent(fmt::format("port {}: a store is made before its reply", id));
        const Line* const line = line_in(id, line_of(address));
        if (replied || (line && line->state == LineState::modified)) return id;
    }
    throw Incoherent(fmt::format("{} bytes at {:#x} are written by nobody", size, address));
}

void NodesOracle::written(Address address, unsigned size) {
    const ProcessorId id = writer(address, size);
    Port& port = ports_[id];
    const Store store = port.pending.front();
    port.pending.pop_front();
    port.store_arrives = -1;
    touched_.push_back(line_of(address));
    written_.push_back(store);
    performed(id, store);
}

// A store takes its place in the memory order.
void NodesOracle::performed(ProcessorId id, const Store& store) {
    const Address line = line_of(store.address);
    alone(id, line);
    not_locked_by_others(id, line);
    if (store.kind == TransactionKind::locked_store) atomic(id, store);
    order(store);
}

void NodesOracle::alone(ProcessorId id, Address line) const {
    for (ProcessorId other = 0; other < ports_.size(); ++other)
        if (other != id && (line_in(other, line) || ports_[other].fill.line == line))
            throw Incoherent(
                fmt::format("port {}: stores to {:#x}, which port {} has too", id, line, other));
}

void NodesOracle::coherent(Address line) const {
    unsigned copies = 0, owners = 0;
    for (ProcessorId id = 0; id < ports_.size(); ++id) {
        const Line* const found = line_in(id, line);
        const bool coming = ports_[id].fill.line == line;
        copies += found || coming;
        owners += (found && is_owned(found->state)) ||
                  (coming && ports_[id].fill.kind == TransactionKind::locked_read);
    }
    if (owners > 1 || (owners == 1 && copies > 1))
        throw Incoherent(
            fmt::format("line {:#x} has {} owners and {} copies", line, owners, copies));
}

void NodesOracle::edge_done() {
    written_rightly();
    for (const Address line : touched_) coherent(line);
    touched_.clear();
}

void NodesOracle::finished() const {
    for (ProcessorId id = 0; id < ports_.size(); ++id) {
        const Port& port = ports_[id];
        if (port.asking || !port.pending.empty() || !port.held.empty() ||
            port.fill.line != Line::kNoAddress || !nodes_->requests(id).empty())
            throw Incoherent(fmt::format("port {}: something is left over at the end", id));
    }
    if (!locks_.empty())
        throw Incoherent(fmt::format("line {:#x} is locked at the end", locks_.front().line));
    for (const Address line : lines_) coherent(line);
    memory_right_at_end();
}

std::string NodesOracle::dump(ProcessorId id) const {
    const Port& port = ports_[id];
    std::string text = dump_asked(id);
    if (port.fill.line != Line::kNoAddress)
        text += fmt::format("; {} of {:#x} arrives at {} ps", name(port.fill.kind), port.fill.line,
                            port.fill.arrives);
    return text + "\n";
}

}  // namespace symsim::test
