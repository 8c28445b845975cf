// SPDX-License-Identifier: MIT
// Makes protocols by their kind, and tabulates their answers.
#include "sim/cache/protocol.h"

#include "sim/base/failure.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {

std::unique_ptr<Protocol> make_protocol(ProtocolKind kind) {
    switch (kind) {
        case ProtocolKind::write_through:
            return write_through();
        case ProtocolKind::write_through_allocate:
            return write_through_allocate();
        case ProtocolKind::write_through_on_change:
            return write_through_on_change();
        case ProtocolKind::write_back:
            return write_back();
        case ProtocolKind::write_update:
            return write_update();
        case ProtocolKind::no_cache:
            return no_cache();
        case ProtocolKind::illinois:
            return illinois();
    }
    impossible("protocol {}", static_cast<int>(kind));
}

ProtocolTable::ProtocolTable(const Protocol& protocol) {
    for (std::size_t state = 0; state < kStates; ++state) {
        const auto own = static_cast<LineState>(state);
        stores_[state] = protocol.store(own);
        for (const bool flag : {false, true}) {
            const LineState stored = protocol.stored(own, flag);
            stored_[place(own, flag)] = stored;
            stores_change_state_ |= stored != own;
            for (std::size_t kind = 0; kind < kTransactionKinds; ++kind)
                snooped_[kind][place(own, flag)] =
                    protocol.snooped(own, static_cast<TransactionKind>(kind), flag);
        }
    }
    for (const bool shared : {false, true})
        stored_whole_[shared ? 1 : 0] = protocol.stored_whole(shared);
    for (std::size_t kind = 0; kind < kTransactionKinds; ++kind)
        for (const bool shared : {false, true})
            filled_[kind][shared ? 1 : 0] =
                protocol.filled(static_cast<TransactionKind>(kind), shared);
    for (const TransactionKind read : {TransactionKind::fetch, TransactionKind::read}) {
        const LineState alone = filled(read, false);
        reads_become_silent_ &= alone == filled(read, true) && silent(alone);
        for (std::size_t state = 0; state < kStates; ++state)
            reads_become_silent_ &= silent(snooped(static_cast<LineState>(state), read, false));
    }
}

// Whether a line in this state is silent: another cache's read does not change the state, and the
// own processor cannot change it without a transaction.
bool ProtocolTable::silent(LineState state) const {
    if (state == LineState::invalid) return true;
    return store(state) && snooped(state, TransactionKind::fetch, false) == state &&
           snooped(state, TransactionKind::read, false) == state;
}

}  // namespace symsim
