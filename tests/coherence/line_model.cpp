// SPDX-License-Identifier: MIT
// The state changes of all protocols, written independently of sim/cache.
#include "tests/coherence/line_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/transaction_kind.h"

namespace symsim::test {

namespace {
constexpr auto kInvalid = LineState::invalid;
constexpr auto kValid = LineState::shared;
constexpr auto kExclusive = LineState::exclusive;
constexpr auto kModified = LineState::modified;
constexpr auto kOwned = LineState::owned;

bool is_dirty(LineState state) {
    return state == kModified || state == kOwned;
}

bool brings_line(TransactionKind kind) {
    return kind == TransactionKind::fetch || kind == TransactionKind::read ||
           kind == TransactionKind::locked_read;
}
}  // namespace

LineModel::LineModel(Rules rules, Address line_bytes, std::size_t lines, std::uint32_t ports)
    : rules_(rules), line_bytes_(line_bytes), ports_(ports), in_memory_(lines, true) {
    for (Port& port : ports_) port.copies.resize(lines, kInvalid);
}

std::optional<TransactionKind> LineModel::store_as(ProcessorId port, Address line,
                                                   TransactionKind posted) const {
    const LineState own = copy(port, line);
    if (is_owned(own)) return std::nullopt;
    if (!lines_have_owners(rules_)) return posted;
    return own == kValid || own == kOwned ? TransactionKind::upgrade
                                          : TransactionKind::read_exclusive;
}

bool LineModel::spoilt(ProcessorId port) const {
    const Fill& fill = ports_[port].fill;
    return fill.kept && fill.state == kInvalid;
}

LineState LineModel::snooped(LineState state, TransactionKind kind, bool changes) const {
    if (state == kInvalid) return kInvalid;
    switch (rules_) {
        case Rules::write_through:
        case Rules::write_through_allocate:
        case Rules::no_cache:
            return is_store(kind) ? kInvalid : state;
        case Rules::write_through_on_change:
            return is_store(kind) && changes ? kInvalid : state;
        case Rules::write_back:
        case Rules::illinois:
            if (is_store(kind) || kind == TransactionKind::locked_read) return kInvalid;
            return brings_line(kind) ? kValid : state;
        case Rules::moesi:
            if (is_store(kind) || kind == TransactionKind::locked_read) return kInvalid;
            if (!brings_line(kind)) return state;
            return is_dirty(state) ? kOwned : kValid;
        case Rules::write_update:
            return brings_line(kind) ? kValid : state;
    }
    return state;
}

LineState LineModel::filled(TransactionKind kind, bool shared) const {
    switch (rules_) {
        case Rules::no_cache:
            return kInvalid;
        case Rules::write_back:
            return kind == TransactionKind::locked_read ? kModified : kValid;
        case Rules::illinois:
        case Rules::moesi:
            if (kind == TransactionKind::locked_read) return kModified;
            return shared ? kValid : kExclusive;
        case Rules::write_update:
            return shared ? kValid : kExclusive;
        default:
            return kValid;
    }
}

// Whether a store over the bus brings its line into a cache that does not have it.
bool LineModel::installs(TransactionKind kind, unsigned size) const {
    return rules_ == Rules::write_update && is_store(kind) && size == line_bytes_;
}

bool LineModel::granted(ProcessorId id, TransactionKind kind, Address line, unsigned size,
                        bool changes) {
    bool shared = false, supplied = false, reaches_memory = rules_ != Rules::moesi;
    for (ProcessorId i = 0; i < ports_.size(); ++i) {
        if (i == id) continue;
        Port& other = ports_[i];
        LineState& own = copy(i, line);
        const bool coming = other.fill.line == line;
        shared |= own != kInvalid || (coming && other.fill.state != kInvalid);
        if (has_reply(kind)) {
            supplied |= is_dirty(own) || leaves(other, line);
            reaches_memory |= leaves(other, line);
            left(other, line);
        }
        if (kind == TransactionKind::upgrade) left(other, line);  // its bytes will be old
        const auto now = [&](LineState before) {
            const LineState after = snooped(before, kind, changes);
            return is_owned(after) && installs(kind, size) ? kValid : after;
        };
        own = now(own);
        if (coming) other.fill.state = now(other.fill.state);
    }
    if (has_reply(kind)) {
        const bool here = is_dirty(copy(id, line));  // the port needs no bytes, only the line
        if (!in_memory_[number(line)] && !supplied && !here)
            throw Incoherent(fmt::format(
                "port {}: a {} of {:#x} gets what memory has, which is not what it should have", id,
                name(kind), line));
        // What an owner supplies reaches memory too, except that under MOESI it still owns the
        // line.
        if (reaches_memory) in_memory_[number(line)] = true;
    }
    own_effect(id, kind, line, size, shared);
    return supplied;
}

void LineModel::own_effect(ProcessorId id, TransactionKind kind, Address line, unsigned size,
                           bool shared) {
    Port& port = ports_[id];
    LineState& own = copy(id, line);
    switch (kind) {
        case TransactionKind::fetch:
        case TransactionKind::read:
        case TransactionKind::locked_read: {
            const LineState state = filled(kind, shared);
            port.fill = {line, state, state != kInvalid};
            return;
        }
        case TransactionKind::read_exclusive:
            port.owning = line;
            in_memory_[number(line)] = false;
            return;
        case TransactionKind::upgrade:
            own = kModified;
            in_memory_[number(line)] = false;
            return;
        case TransactionKind::write_back:
            if (!leaves(port, line))
                throw Incoherent(
                    fmt::format("port {}: writes back {:#x}, which has not left it", id, line));
            left(port, line);
            in_memory_[number(line)] = true;
            return;
        default:
            if (rules_ != Rules::write_update || !is_store(kind)) return;
            if (installs(kind, size)) in_memory_[number(line)] = true;
            if (own != kInvalid || installs(kind, size)) own = shared ? kValid : kExclusive;
            return;
    }
}

void LineModel::arrived(ProcessorId id, Address line) {
    if (ports_[id].owning != line)
        throw Incoherent(fmt::format("port {}: nobody stores to {:#x}, which comes", id, line));
    ports_[id].owning = Line::kNoAddress;
    copy(id, line) = kModified;
}

LineState LineModel::taken(ProcessorId id) {
    Fill& fill = ports_[id].fill;
    if (fill.state != kInvalid) copy(id, fill.line) = fill.state;
    const LineState now = copy(id, fill.line);
    fill = {};
    return now;
}

void LineModel::evicted(ProcessorId id, Address line) {
    if (is_dirty(copy(id, line))) ports_[id].leaving.push_back(line);
    copy(id, line) = kInvalid;
}

void LineModel::stored_here(ProcessorId id, Address line) {
    if (!owned(id, line))
        throw Incoherent(
            fmt::format("port {}: stores in its cache to {:#x}, which it does not own", id, line));
    copy(id, line) = kModified;
    in_memory_[number(line)] = false;
    check(line);
}

void LineModel::check(Address line) const {
    unsigned copies = 0, owners = 0, dirty = 0, has_it = 0;
    for (const Port& port : ports_) {
        const LineState own = port.copies[number(line)];
        const LineState fill = port.fill.line == line ? port.fill.state : kInvalid;
        const bool owning = port.owning == line;
        copies += own != kInvalid || fill != kInvalid || owning;
        owners += is_owned(own) || is_owned(fill) || owning;
        dirty += is_dirty(own) || is_dirty(fill) || owning;
        has_it += is_dirty(own) || is_dirty(fill) || owning || leaves(port, line);
    }
    if (owners > 1 || dirty > 1 || (owners == 1 && copies > 1))
        throw Incoherent(
            fmt::format("line {:#x} has {} owners and {} copies", line, owners, copies));
    if (!in_memory_[number(line)] && has_it == 0)
        throw Incoherent(fmt::format("line {:#x} is neither in memory nor with an owner", line));
}

void LineModel::finished() const {
    for (ProcessorId id = 0; id < ports_.size(); ++id)
        if (!ports_[id].leaving.empty() || ports_[id].owning != Line::kNoAddress)
            throw Incoherent(fmt::format("port {}: a line is still on its way", id));
}

bool LineModel::leaves(const Port& port, Address line) {
    return std::find(port.leaving.begin(), port.leaving.end(), line) != port.leaving.end();
}

void LineModel::left(Port& port, Address line) {
    port.leaving.erase(std::remove(port.leaving.begin(), port.leaving.end(), line),
                       port.leaving.end());
}

}  // namespace symsim::test
