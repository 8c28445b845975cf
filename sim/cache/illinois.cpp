// SPDX-License-Identifier: MIT
// The Illinois protocol (Papamarcos and Patel, ISCA 1984): write-back with invalidation, as
// write_back.h, and a state for a line that no other cache has (MESI). A signal of the bus, its
// shared line, tells the requester of a read whether other caches have the line. If none has, the
// line is exclusive, and a store to it needs no transaction.
//
// In the paper a cache supplies a line even if memory has the same bytes. Here, as under
// write-back, only the owner of a modified line supplies it.
#include <memory>

#include "sim/cache/write_back.h"

namespace symsim {
namespace {

class Illinois final : public WriteBack {
  public:
    LineState filled(TransactionKind fill, bool shared) const override {
        if (!is_read(fill)) return LineState::modified;
        return shared ? LineState::shared : LineState::exclusive;
    }
};

}  // namespace

std::unique_ptr<Protocol> illinois() {
    return std::make_unique<Illinois>();
}

}  // namespace symsim
