// SPDX-License-Identifier: MIT
// The oracle's part for requests to ports and their answers. Events of the bus are in
// bus_oracle_grants.cpp.
#include "tests/coherence/bus_oracle.h"

#include <fmt/format.h>

#include <algorithm>

namespace symsim::test {

BusOracle::BusOracle(const RoundConfig& round, Rules rules, const Memory& memory, Reached& reached)
    : Oracle(round, memory),
      rules_(rules),
      reached_(reached),
      model_(rules, line_bytes_, memory.size() / line_bytes_, round.ports),
      versions_(memory.size() / line_bytes_) {}

void BusOracle::add(CacheController& cache) {
    Port& port = ports_.emplace_back();
    port.copies.resize(versions_.size());
    Oracle::add(cache, port);
}

void BusOracle::asked(ProcessorId id, const Step& step, Time) {
    Port& port = ports_[id];
    port.asking = true;
    port.posted = port.filled = false;
    port.step = step;
    port.may_return.clear();
    count_asked(id);
    switch (step.what) {
        case Step::What::load:
        case Step::What::locked_load:
            port.may_return.push_back(view(id, step.address, step.size));
            break;
        case Step::What::unlock:
        case Step::What::unlock_line:
            unlock_asked(id);
            break;
        default:
            break;
    }
}

// Where lines have owners, or the line was locked within the cache, the unlock needs no
// transaction.
void BusOracle::unlock_asked(ProcessorId id) {
    Port& port = ports_[id];
    const bool all = port.step.what == Step::What::unlock;
    const Address line = line_of(port.step.address);
    may_unlock(id);
    for (Lock& lock : locks_) {
        if (lock.owner != id || lock.unlock_posted || (!all && lock.line != line)) continue;
        lock.unlock_posted = true;
        if (!lock.on_bus || lines_have_owners()) continue;
        port.unlocking.push_back(lock.line);
        ++port.unlocks_asked;
    }
    locks_.erase(std::remove_if(locks_.begin(), locks_.end(),
                                [&](const Lock& lock) {
                                    return lock.unlock_posted &&
                                           (!lock.on_bus || lines_have_owners());
                                }),
                 locks_.end());
}

void BusOracle::answered(ProcessorId id, Access answer, std::uint32_t value, Time at) {
    Port& port = ports_[id];
    if (answer == Access::retry || answer == Access::unmapped)
        throw Incoherent(fmt::format("port {}: the answer to a {} that is present is {}", id,
                                     name(port.step.what), index(answer)));
    switch (port.step.what) {
        case Step::What::store:
        case Step::What::locked_store:
            store_answered(id, answer, at);
            break;
        case Step::What::exchange:
            exchange_answered(id, answer, value, at);
            break;
        case Step::What::unlock:
        case Step::What::unlock_line:
            break;
        default:
            if (answer != Access::waiting) read_answered(id, answer, value, at);
            break;
    }
    if (answer != Access::waiting) port.asking = false;
}

void BusOracle::store_answered(ProcessorId id, Access answer, Time at) {
    Port& port = ports_[id];
    const Step& step = port.step;
    if (answer == Access::hit) return store_if_owned(id, step, at);
    const bool locked = step.what == Step::What::locked_store;
    const StorePolicy policy = round_.cache.store_policy;
    const bool to_the_end = locked || policy == StorePolicy::stall;
    const bool handed_over = answer != Access::waiting ||
                             (to_the_end && (locked || (port_free(port, at) && !allocating(id))));
    if (!port.posted && handed_over) {
        if (allocating(id))
            throw Incoherent(fmt::format("port {}: a store that misses brings no line in", id));
        if (port.fill.state != FillOf::none) taken(id);
        if (policy == StorePolicy::block_port && !port_free(port, at))
            throw Incoherent(fmt::format("port {}: a store passes one that blocks the port", id));
        port.posted = true;
        port.pending.push_back({locked ? TransactionKind::locked_store : TransactionKind::store,
                                step.address, step.size, step.value, port.unlocks_asked});
        if (port.pending.size() > std::max(round_.cache.write_buffer_depth, 1u))
            throw Incoherent(fmt::format("port {}: more stores than the buffer has places", id));
    }
    if (answer != Access::waiting && to_the_end && !port_free(port, at))
        throw Incoherent(fmt::format("port {}: continues before its store is complete", id));
}

// By one update, which waits for its grant and its completion, or at once in an own line.
void BusOracle::exchange_answered(ProcessorId id, Access answer, std::uint32_t value, Time at) {
    Port& port = ports_[id];
    const Step& step = port.step;
    const bool posts = !port.posted && port.cache->exchanging() == step.address;
    if (answer == Access::hit || posts) {
        port.stores_ahead += !posts;  // the line that the fill brought has been stored to already
        if (port.fill.state != FillOf::none) taken(id);
        port.stores_ahead -= !posts;
        stores_let_by(id, step, at);
        if (model_.owned(id, line_of(step.address)) == posts)
            throw Incoherent(fmt::format("port {}: an exchange goes the wrong way", id));
    }
    if (posts) {
        port.posted = true;
        port.pending.push_back({TransactionKind::locked_store, step.address, step.size, step.value,
                                port.unlocks_asked, false, true});
    }
    if (answer == Access::waiting) return;
    if (answer == Access::hit) {
        port.exchanged = in_memory(step.address, step.size);
        not_locked_by_others(id, line_of(step.address));
        store_if_owned(id, step, at);
    } else if (!port.posted || !port_free(port, at)) {
        throw Incoherent(fmt::format("port {}: continues before its exchange is complete", id));
    }
    if (value != port.exchanged)
        throw Incoherent(
            fmt::format("port {}: an exchange at {:#x} returns {:#x} and replaces {:#x}", id,
                        step.address, value, port.exchanged));
}

// The store is made in an own line, after all earlier stores of the port.
void BusOracle::store_if_owned(ProcessorId id, const Step& step, Time at) {
    stores_let_by(id, step, at);
    const bool locked = step.what == Step::What::locked_store;
    const Store store = {locked ? TransactionKind::locked_store : TransactionKind::store,
                         step.address, step.size, step.value};
    const Address line = line_of(step.address);
    reached_.lines.reached(state_of(id, line), LineEvent::stored_here);
    if (locked) atomic(id, store);
    const bool changed = changes(store);
    model_.stored_here(id, line);
    performed(id, store, changed);
}

// Checks that the access need not wait for its port's earlier stores any more.
void BusOracle::stores_let_by(ProcessorId id, const Step& step, Time at) const {
    const Port& port = ports_[id];
    const bool fetch = step.what == Step::What::fetch;
    const bool needs_port = !fetch || step.branched;
    if (round_.cache.store_policy != StorePolicy::buffered && needs_port && !port_free(port, at))
        throw Incoherent(
            fmt::format("port {}: a {} does not wait for the store before", id, name(step.what)));
    const bool reads = fetch || step.what == Step::What::load;
    if (!reads && !port.pending.empty())
        throw Incoherent(fmt::format("port {}: a {} passes a store", id, name(step.what)));
    const auto in_line = [&](const Store& s) {
        return line_of(s.address) == line_of(step.address);
    };
    if (fetch && std::any_of(port.pending.begin(), port.pending.end(), in_line))
        throw Incoherent(fmt::format("port {}: fetches what it is still writing", id));
    if (line_of(step.address) == port.arriving && at < port.complete_at)
        throw Incoherent(
            fmt::format("port {}: a {} of a line before it is here", id, name(step.what)));
}

void BusOracle::hit_ahead(ProcessorId id, const Step& step, Time at) {
    stores_let_by(id, step, at);
    ports_[id].stores_ahead += step.what == Step::What::store;
    const Line* const line = ports_[id].cache->cache().find(step.address);
    if (!line || (step.what == Step::What::store && !is_owned(line->state)))
        throw Incoherent(fmt::format("port {}: a hit ahead on a line that is not there", id));
}

void BusOracle::confirmed(ProcessorId id, const Step& step, std::uint32_t value, Time at) {
    const Address line = line_of(step.address);
    if (model_.state(id, line) == LineState::invalid)
        throw Incoherent(fmt::format("port {}: a {} ahead at {} ps hit line {:#x}, which has gone",
                                     id, name(step.what), at, line));
    if (step.what == Step::What::store) {
        --ports_[id].stores_ahead;
        store_if_owned(id, step, at);
    }
    if (step.what == Step::What::load && value != view(id, step.address, step.size))
        throw Incoherent(fmt::format(
            "port {}: a load ahead at {} ps of {} bytes at {:#x} got {:#x}, and should have been "
            "rolled back",
            id, at, step.size, step.address, value));
}

void BusOracle::read_answered(ProcessorId id, Access answer, std::uint32_t value, Time at) {
    Port& port = ports_[id];
    const Step& step = port.step;
    const Address line = line_of(step.address);
    const bool fetch = step.what == Step::What::fetch;
    const bool locked = step.what == Step::What::locked_load;

    stores_let_by(id, step, at);
    if (port.fill.state != FillOf::none) {
        taken(id);
    } else {
        if (locked && !owns(id, line) && model_.owned(id, line)) {
            reached_.lines.reached(state_of(id, line), LineEvent::held);
            not_locked_by_others(id, line);
            locks_.push_back({id, line, false});
        }
        const bool there = locked ? owns(id, line) : model_.state(id, line) != LineState::invalid;
        if (answer != Access::hit || (!there && !forwarded(port, step)))
            throw Incoherent(
                fmt::format("port {}: {} of {:#x} answered without a fill, and not "
                            "there either",
                            id, name(step.what), step.address));
    }
    if (locked && !owns(id, line))
        throw Incoherent(fmt::format("port {}: locked load without a lock", id));
    if (locked) port.held.push_back({step.address, step.size, value});
    if (fetch) return;
    may_be_read(id, value);
}

// The port takes its fill. The line is then in the cache, if the protocol installs it and it was
// not invalidated on its way.
void BusOracle::taken(ProcessorId id) {
    Port& port = ports_[id];
    const Fill fill = port.fill;
    if (fill.state != FillOf::here || fill.line != line_of(port.step.address))
        throw Incoherent(fmt::format("port {}: answered while its fill is under way", id));
    reached_.lines.reached(state_of(id, fill.line), LineEvent::taken);
    port.fill.state = FillOf::none;
    port.filled = true;
    const bool was_there = model_.state(id, fill.line) != LineState::invalid;
    const bool is_there = model_.taken(id) != LineState::invalid;
    if (is_there && !was_there) port.copies[number_of(fill.line)] = fill.version;
    if (is_there && !was_there) look_for_victim(id, fill.line);
    states_right(fill.line);
    copies_good(fill.line);
}

// A line that has arrived may have evicted another line of its set.
void BusOracle::look_for_victim(ProcessorId id, Address behind) {
    const CacheGeometry& geometry = round_.cache.geometry;
    const Address sets = geometry.size_bytes / (geometry.ways * line_bytes_);
    unsigned gone = 0, in_set = 0;
    for (const Address line : lines_) {
        if (model_.state(id, line) == LineState::invalid) continue;
        const bool same_set = number_of(line) % sets == number_of(behind) % sets;
        in_set += same_set;
        if (ports_[id].cache->cache().find(line)) continue;
        if (line == behind || !same_set || ++gone > 1)
            throw Incoherent(fmt::format("port {}: line {:#x} is gone behind the coming of {:#x}",
                                         id, line, behind));
        reached_.lines.reached(state_of(id, line), LineEvent::evicted);
        model_.evicted(id, line);
    }
    if (gone != (in_set > geometry.ways))
        throw Incoherent(
            fmt::format("port {}: {} lines in a set, and {} evicted", id, in_set, gone));
}

bool BusOracle::allocating(ProcessorId id) const {
    const Port& port = ports_[id];
    return rules_ == Rules::write_through_allocate && port.asking && !port.posted &&
           port.step.what == Step::What::store && !port.filled && port.fill.state != FillOf::here &&
           model_.state(id, line_of(port.step.address)) == LineState::invalid;
}

unsigned BusOracle::state_of(ProcessorId id, Address line) const {
    const Port& port = ports_[id];
    const LineState in = model_.state(id, line);
    if (port.fill.state != FillOf::none) {
        if (port.fill.line != line) return line_state(in, FillOf::none);
        return line_state(in, model_.spoilt(id) ? FillOf::changed : port.fill.state);
    }
    const Step::What what = port.step.what;
    const bool reads = what == Step::What::load || what == Step::What::fetch ||
                       what == Step::What::locked_load ||
                       (what == Step::What::exchange && !port.posted);
    const bool wanted =
        port.asking && (reads || allocating(id)) && line_of(port.step.address) == line;
    return line_state(in, wanted ? FillOf::wanted : FillOf::none);
}

BufferState BusOracle::buffer_state(const Port& port) const {
    if (port.pending.empty()) return BufferState::empty;
    return port.pending.size() < round_.cache.write_buffer_depth ? BufferState::partly
                                                                 : BufferState::full;
}

// Counts by the state before the request, in which the line is not wanted yet.
void BusOracle::count_asked(ProcessorId id) const {
    const Port& port = ports_[id];
    const Step& step = port.step;
    const BufferState buffer = buffer_state(port);
    const unsigned line = line_state(model_.state(id, line_of(step.address)), FillOf::none);
    const auto count = [&](LineEvent line_event, BufferEvent buffer_event) {
        reached_.lines.reached(line, line_event);
        reached_.buffer.reached(buffer, buffer_event);
    };
    switch (step.what) {
        case Step::What::store:
            return count(LineEvent::store, BufferEvent::store);
        case Step::What::locked_load:
            return count(LineEvent::locked_load, BufferEvent::locked_load);
        case Step::What::exchange:  // counted by what it requests
            return;
        case Step::What::locked_store:
            return count(LineEvent::locked_store, BufferEvent::locked_store);
        case Step::What::unlock:
        case Step::What::unlock_line:
            return reached_.buffer.reached(buffer, BufferEvent::unlock);
        case Step::What::fetch: {
            const auto over = [&](const Store& s) {
                return line_of(s.address) == line_of(step.address);
            };
            const bool any = std::any_of(port.pending.begin(), port.pending.end(), over);
            return count(LineEvent::fetch, any ? BufferEvent::fetch_over : BufferEvent::fetch_none);
        }
        case Step::What::load: {
            BufferEvent covered = BufferEvent::load_none;
            for (const Store& s : port.pending) {
                if (s.address + s.size <= step.address || step.address + step.size <= s.address)
                    continue;
                const bool whole =
                    s.address <= step.address && step.address + step.size <= s.address + s.size;
                covered = whole ? BufferEvent::load_whole : BufferEvent::load_part;
            }
            return count(LineEvent::load, covered);
        }
    }
}

}  // namespace symsim::test
