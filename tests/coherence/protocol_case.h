// SPDX-License-Identifier: MIT
// A protocol under test, with what the tester has to know to judge it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sim/base/options.h"
#include "sim/cache/protocol.h"

namespace symsim::test {

// Which events are met in which states (coverage.h, reached.h).
struct Declared {
    std::string_view lines;
    std::string_view buffer;
    std::string_view locks;
};

struct ProtocolCase {
    std::string name;
    std::unique_ptr<Protocol> (*make)();
    // What another's store does to a copy: brings it up to date, or takes it away.
    bool store_updates_copies;
    Declared (*declared)(StorePolicy policy);
};

ProtocolCase write_through_case();

}  // namespace symsim::test
