// SPDX-License-Identifier: MIT
// A machine of nodes: processors whose memory is near or far. Each node has some processors, memory
// with a network cache, and a controller; rings connect the nodes; a directory keeps lines
// coherent.
//
//     processor -- way -- controller -- memory banks       a node: node.h, memory_banks.h
//                             |
//                           ring -- ring -- ...            ring.h
//                             |
//                     home of the block: directory         home.h
//
// This class is the side of the ports, and the order of events. The life of a miss:
//     start()        the port's oldest request is eligible, and asks for the way to its node
//     path_taken()   the request is on its way
//     Node::request  the controller has it, and serves it or asks the home
//     reply()        data are at the controller; at data_ready() they go back to the port
//     replied()      the transaction takes effect at its port
//
// A port has one transaction under way at a time, and its request stays in its queue until then.
// That a transaction does all that it does at one event holds for each line by itself: the node and
// the home keep other transactions away from the first copy they take until the reply
// (node_protocol.h, home_protocol.h).
//
// Resources (resources.h) are asked for in the order of events. Requests of one time are started in
// rotation.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/processor_set.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/device_space.h"
#include "sim/interconnect/interconnect.h"
#include "sim/interconnect/transaction_times.h"
#include "sim/nodes/home.h"
#include "sim/nodes/memory_banks.h"
#include "sim/nodes/node.h"
#include "sim/nodes/nodes_config.h"
#include "sim/nodes/placement.h"
#include "sim/nodes/resources.h"
#include "sim/nodes/ring.h"
#include "sim/nodes/step_queue.h"

namespace symsim {

class Nodes final : public Interconnect, private NodePorts {
  public:
    Nodes(const NodeMachineConfig& config, Memory& memory, CodePageWatch& code,
          DeviceSpace& devices, Observer& observer,
          const NodeProtocol& node_protocol = kNodeProtocol,
          const HomeProtocol& home_protocol = kHomeProtocol);

    void attach(Port& port) override;
    void lock_in_cache(ProcessorId port, Address line, Time at) override;
    void release(ProcessorId port, Address line, bool on_bus, Time at) override;
    void advance(Time at) override;
    void close(Time end) override { resources_.report(end - 1); }

    // kNoNode: no processor has used the address's page yet.
    unsigned node_of_address(Address address) const override { return placement_.home(address); }
    unsigned node_of(ProcessorId port) const override { return port / config_.node_processors; }

    // For the random test (tests/coherence): what the parts say of blocks and requests, which must
    // fit together; and the request of a port that is under way.
    struct Parts {
        const StepQueue& steps;
        const PagePlacement& placement;
        const Ring& ring;
        const Directory& directory;
        const std::vector<std::unique_ptr<Node>>& nodes;
        const AddressLocks& locks;
        const ProcessorSet& under_way;
    };
    Parts parts() const {
        return {steps_, placement_, ring_, directory_, nodes_, candidates_.locks, under_way_};
    }
    Message message(ProcessorId port) const;

  private:
    // The request of a port that is under way.
    struct Transaction {
        TransactionKind kind = TransactionKind::read;  // of a store, what it needed at the start
        bool with_line = false;                        // the reply brings it
        bool answered = false;                         // by a device
        std::uint8_t hops = 0;
        Supplier supplier = Supplier::own_memory;  // of the line
        std::uint32_t io_value = 0;
    };

    void on_head_dropped(ProcessorId port) override { note_head(port); }
    void on_write_back_posted(ProcessorId port) override;

    // --- for the nodes ---
    Snooped snoop(ProcessorId port, TransactionKind kind, Address line, Time now) override;
    bool needs_line(ProcessorId port, Time now) override;
    Address line(ProcessorId port) const override { return line_of(head(port).address); }
    bool locked_by(const ProcessorSet& ports, Address first, std::uint32_t bytes) const override {
        return candidates_.locks.any_holds(ports, first, bytes);
    }
    void reply(ProcessorId port, bool with_line, unsigned hops, Supplier supplier,
               Time ready) override;

    void start_requests(Time at);
    bool start(ProcessorId port, Time at);
    void happen(const NodeStep& step);
    void path_taken(ProcessorId port, Time at);
    void access_device(ProcessorId port, Time at);
    void data_ready(ProcessorId port, Time at);
    void replied(ProcessorId port, Time at);
    Time store(ProcessorId port, Request request, Time at);
    void write(const Request& request, Time at);
    void pop(ProcessorId port);
    void count(ProcessorId port, const Request& request, Time at);
    void report_miss(ProcessorId port, const Request& request, Time at);
    Time find_next_event(Time at) const;

    Address block_of(Address address) const { return address & ~(config_.block_bytes - 1); }

    NodeMachineConfig config_;
    TransactionTimes times_;
    DeviceSpace& devices_;
    Observer& observer_;
    StepQueue steps_;
    Resources resources_;
    PagePlacement placement_;
    MemoryBanks banks_;
    Ring ring_;
    Directory directory_;
    std::vector<std::unique_ptr<Node>> nodes_;
    ProcessorSet under_way_;  // ports whose oldest request has been started
    std::vector<Transaction> transactions_;
    Time last_event_ = -1;
    ProcessorId turn_ = 0;  // at one time ports are started in rotation, from this one on
};

}  // namespace symsim
