// SPDX-License-Identifier: MIT
// Someone who keeps something derived from memory's bytes (decoded instructions) and must know
// when they change.
#pragma once

#include "sim/base/types.h"

namespace symsim {

class WriteWatch {
  public:
    virtual ~WriteWatch() = default;
    // Whether anything derived from these bytes, or from their neighbours in the line, is kept.
    virtual bool covers(Address address, unsigned size) const = 0;
    // Memory has been written.
    virtual void written(Address address, unsigned size) = 0;
};

}  // namespace symsim
