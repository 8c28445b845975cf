// SPDX-License-Identifier: MIT
// A protocol under test, and its declaration of which events can occur in which states (coverage.h,
// reached.h).
#pragma once

#include <ostream>
#include <string>

#include "sim/base/options.h"
#include "sim/nodes/home_protocol.h"
#include "sim/nodes/node_protocol.h"
#include "sim/protocol/protocols.h"
#include "tests/coherence/line_model.h"

namespace symsim::test {

struct Declared {
    std::string lines;
    std::string buffer;
    std::string locks;
};

// What is declared for each policy. `lines` and `buffer` are those of buffered; `..._blocking` is
// added for block_port, `lines_stalling` for stall, which has a buffer of its own.
struct Tables {
    std::string lines, lines_blocking, lines_stalling;
    std::string buffer, buffer_blocking, buffer_stalling;
    std::string locks;
};
inline Declared declared_for(StorePolicy policy, const Tables& tables) {
    switch (policy) {
        case StorePolicy::buffered:
            return {tables.lines, tables.buffer, tables.locks};
        case StorePolicy::block_port:
            return {tables.lines + tables.lines_blocking, tables.buffer + tables.buffer_blocking,
                    tables.locks};
        case StorePolicy::stall:
            break;
    }
    return {tables.lines + tables.lines_stalling, tables.buffer_stalling, tables.locks};
}

struct ProtocolCase {
    std::string name;
    Rules rules;               // what the oracle expects
    const Protocol* protocol;  // what the machine does
    Declared (*declared)(StorePolicy policy);
    // Of nodes.
    const NodeProtocol* node = &kNodeProtocol;
    const HomeProtocol* home = &kHomeProtocol;
};

inline void PrintTo(const ProtocolCase& protocol, std::ostream* out) {
    *out << protocol.name;
}

ProtocolCase write_through_case();
ProtocolCase write_through_allocate_case();
ProtocolCase write_through_on_change_case();
ProtocolCase write_back_case();
ProtocolCase illinois_case();
ProtocolCase moesi_case();
ProtocolCase write_update_case();
ProtocolCase no_cache_case();

}  // namespace symsim::test
