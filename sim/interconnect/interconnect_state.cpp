// SPDX-License-Identifier: MIT
// Checks of what each interconnect loads from a checkpoint.
#include "sim/base/saved_state.h"
#include "sim/base/schedule_entry.h"
#include "sim/interconnect/device_space.h"
#include "sim/interconnect/interconnect.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {

// A request of memory must be for bytes that there are, and one of a line for its whole.
void Interconnect::check_loaded_request(const Request& request, Time at) const {
    const std::uint32_t line_bytes = ~line_mask_ + 1;
    require(index(request.kind) < kTransactionKinds && index(request.activity) < kActivities,
            "a request is of kind {} and activity {}", index(request.kind),
            index(request.activity));
    // A line that is evicted is written back when the line in its place has arrived. A schedule can
    // hold stores.
    const Time ahead = request.kind == TransactionKind::write_back ? kFarAhead
                       : request.kind == TransactionKind::store    ? kLongestHold
                                                                   : 0;
    require(request.posted >= 0 && request.posted <= at + ahead, "a request was posted at {} ps",
            request.posted);
    const bool datum = request.size >= 1 && request.size <= 4;
    if (is_io(request.kind))
        return require(datum && request.address >= kDeviceSpace,
                       "a request is for {} bytes of a device at {:#x}", request.size,
                       request.address);
    const bool whole_line =
        request.size == line_bytes && line_of(request.address) == request.address;
    const bool fits = [&] {
        switch (request.kind) {
            case TransactionKind::unlock:
                return request.size == 0 && line_of(request.address) == request.address;
            case TransactionKind::write_back:
            case TransactionKind::locked_read:
                return whole_line;
            case TransactionKind::fetch:
            case TransactionKind::read:
                return datum || whole_line;
            default:
                return datum;
        }
    }();
    require(fits && memory_.contains(line_of(request.address), line_bytes) &&
                memory_.contains(request.address, request.size),
            "a request is for {} bytes at {:#x}", request.size, request.address);
}

}  // namespace symsim
