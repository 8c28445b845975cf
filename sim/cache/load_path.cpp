// SPDX-License-Identifier: MIT
#include "sim/cache/load_path.h"

#include <algorithm>

#include "sim/devices/board.h"

namespace symsim {

Access LoadPath::load(Address address, unsigned size, const AccessTime& when,
                      std::uint32_t& value) {
    if (address >= kDeviceSpace) return device_load(address, size, when, value);
    if (!memory_.open(address)) return when.committed ? Access::unmapped : Access::retry;
    return cached(address, size, when, TransactionKind::read, value);
}

// The value that the processor reads from memory: the bytes in memory, and over them the bytes of
// its stores that are still in the write buffer.
inline std::uint32_t LoadPath::datum(Address address, unsigned size) const {
    const std::uint32_t value = memory_.read(address, size);
    return stores_.buffer().empty() ? value : stores_.buffer().over(address, size, value);
}

// A hit may be speculative: the line stays until a snoop takes it, and the snoop rolls the access
// back. The port must be free: when it becomes free is not known before the store under way is
// granted.
Access LoadPath::cached(Address address, unsigned size, const AccessTime& when,
                        TransactionKind kind, std::uint32_t& value) {
    if (blocks_port_ && !port_free(when.at)) return await_port(when);
    if (too_early(when)) return Access::retry;
    if (arriving(address, when.at))
        return when.committed ? await(Awaiting::line, when) : Access::retry;
    if (Line* line = cache_.find(address)) {
        cache_.use(*line, when.at);
        value = datum(address, size);
        return Access::hit;
    }
    if (!may_post(when)) return Access::retry;
    if (take_fill(kind, address, when)) {
        value = datum(address, size);
        return Access::made;
    }
    const Address line = cache_.line_of(address);
    if (!stores_.buffer().empty()) {
        switch (stores_.buffer().overlap(address, size)) {
            case WriteBuffer::Overlap::whole:
                value = stores_.buffer().over(address, size, 0);
                return Access::hit;
            case WriteBuffer::Overlap::part:
                return await(Awaiting::drained, when);
            case WriteBuffer::Overlap::none:
                break;
        }
        // A store in the buffer will bring this line.
        if (protocol_.lines_have_owners() && stores_.buffer().touches(line, cache_.line_bytes()))
            return await(Awaiting::drained, when);
    }
    if (!protocol_.keeps_lines()) return request_fill(kind, address, size, when);
    return request_fill(kind, line, cache_.line_bytes(), when);
}

Access LoadPath::fetch(Address address, const AccessTime& when, bool branched) {
    address = decoded(address);
    if (!memory_.contains(address, 1)) return when.committed ? Access::unmapped : Access::retry;
    if (branched && blocks_port_ && !port_free(when.at)) return await_port(when);
    return fetch_line(address, when);
}

[[gnu::noinline]] Access LoadPath::fetch_line(Address address, const AccessTime& when) {
    const Address line_address = cache_.line_of(address);
    // Code is fetched from memory, so code that the processor itself has written must be there.
    if (stores_.buffer().touches(line_address, cache_.line_bytes()))
        return when.committed ? await(Awaiting::drained, when) : Access::retry;
    if (too_early(when)) return Access::retry;
    if (arriving(address, when.at))
        return when.committed ? await(Awaiting::line, when) : Access::retry;
    if (Line* line = cache_.find(address)) {
        cache_.use(*line, when.at);
        return Access::hit;
    }
    if (!may_post(when)) return Access::retry;
    if (take_fill(TransactionKind::fetch, line_address, when)) return Access::made;
    return request_fill(TransactionKind::fetch, line_address, cache_.line_bytes(), when);
}

Access LoadPath::device_load(Address address, unsigned size, const AccessTime& when,
                             std::uint32_t& value) {
    if (decoded(address) != address) return load(decoded(address), size, when, value);
    if (board::answers(address)) {
        value = board::read(address, size, when.at, id_, config_.processors, config_.topology);
        return Access::hit;
    }
    if (!when.committed) return Access::retry;
    if (const auto made = device_access(address, size, when, false, value)) return *made;
    if (take_fill(TransactionKind::io_read, address, when)) {
        value = fill_.io_value();
        return unmapped_ ? Access::unmapped : Access::made;
    }
    if (!port_free(when.at)) return await(Awaiting::completion, when);
    return request_fill(TransactionKind::io_read, address, size, when);
}

// An access beside the bus begins when all earlier stores are complete. So a processor that
// acquires a lock of the synchronisation bus sees the stores of the section before, and a
// performance monitor has counted them. It is made at once, and the processor waits for the answer.
std::optional<Access> LoadPath::device_access(Address address, unsigned size,
                                              const AccessTime& when, bool write,
                                              std::uint32_t& value) {
    for (Device* const device : devices_) {
        if (!device->range().contains(address)) continue;
        const bool waits = device->range().reach == DeviceReach::after_stores;
        if (waits && answer_) {
            if (!write) value = *answer_;
            answer_.reset();
            return Access::made;
        }
        if (waits && !port_free(when.at)) return await(Awaiting::completion, when);
        const DeviceAccess access{id_, address, size, when.at};
        const DeviceReply reply = write ? device->write(access, value) : device->read(access);
        if (!reply.answered) return std::nullopt;
        if (!waits) {
            value = reply.value;
            return Access::hit;
        }
        answer_ = reply.value;
        waiter_->served(when.at);
        wake(when.at + reply.delay);
        return Access::waiting;
    }
    return std::nullopt;
}

Access LoadPath::request_fill(TransactionKind kind, Address address, unsigned size,
                              const AccessTime& when) {
    fill_.request(kind, address);
    unmapped_ = false;
    if (kind != TransactionKind::io_read) memory_.prefetch(address);
    post(kind, address, size, 0, when);
    return await(Awaiting::fill, when);
}

// Takes the reply to the read that the processor has waited for. The line is installed unless it
// was invalidated on its way. The access gets the datum that memory has now in any case. That is
// correct, since the access is made now, and it ensures progress.
bool LoadPath::take_fill(TransactionKind kind, Address address, const AccessTime& when) {
    if (!fill_.arrived() || fill_.kind() != kind) return false;
    if (kind != TransactionKind::io_read &&
        cache_.line_of(fill_.address()) != cache_.line_of(address))
        return false;
    fill_.take();
    if (kind == TransactionKind::io_read) return true;
    if (fill_.state() != LineState::invalid)
        install(fill_.address(), fill_.state(), when.at, when.activity);
    return true;
}

// The port will be free when the stores under way are complete. A speculative access can begin its
// wait if the store has not been granted: then port_granted() will report the end of the wait, or
// that there is none.
Access LoadPath::await_port(const AccessTime& when) {
    if (when.committed || (ahead_.posts && !protocol_.has_own_lines() && !stores_.buffer().empty()))
        return await(Awaiting::completion, when);
    return Access::retry;
}

std::uint32_t LoadPath::peek(Address address, unsigned size) const {
    address = decoded(address);
    if (!memory_.contains(address, size)) return 0;
    return datum(address, size);
}

std::uint32_t LoadPath::peek_at(Address address, unsigned size, Time commit_time) {
    if (protocol_.has_own_lines())
        for (const Address byte : {address, address + size - 1})
            interconnect_.roll_back_line(decoded(byte), commit_time, id_);
    return peek(address, size);
}

void LoadPath::peek_bytes(Address address, std::uint8_t* bytes, unsigned count) const {
    std::copy_n(memory_.data() + address, count, bytes);
    if (!stores_.buffer().touches(address, count)) return;
    for (unsigned i = 0; i < count; ++i)
        bytes[i] = static_cast<std::uint8_t>(stores_.buffer().over(address + i, 1, bytes[i]));
}

}  // namespace symsim
