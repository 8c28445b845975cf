// SPDX-License-Identifier: MIT
// What a node's controller asks of its processors' ports.
#pragma once

#include "sim/base/processor_set.h"
#include "sim/base/supplier.h"
#include "sim/base/time.h"
#include "sim/base/transaction_kind.h"
#include "sim/base/types.h"
#include "sim/interconnect/port.h"

namespace symsim {

class NodePorts {
  public:
    virtual ~NodePorts() = default;
    // The port snoops another one's transaction for the line, which takes effect now.
    virtual Snooped snoop(ProcessorId port, TransactionKind kind, Address line, Time now) = 0;
    // Whether the port's transaction brings it the line, or only the right to store to it.
    virtual bool needs_line(ProcessorId port, Time now) = 0;
    // The line that the port's transaction is about.
    virtual Address line(ProcessorId port) const = 0;
    // Whether one of these ports has locked a line that begins in these bytes.
    virtual bool locked_by(const ProcessorSet& ports, Address first, std::uint32_t bytes) const = 0;
    // What the port's transaction waits for is ready at `ready`: the reply can go to the port. Its
    // line stays as it is until the node's finish() for it. `hops`: links of rings that led to it.
    // `supplier`: who had the line, if the reply brings it.
    virtual void reply(ProcessorId port, bool with_line, unsigned hops, Supplier supplier,
                       Time ready) = 0;
};

}  // namespace symsim
