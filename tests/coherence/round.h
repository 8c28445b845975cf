// SPDX-License-Identifier: MIT
// One round of the random test: ports with random instructions on real cache controllers, bus and
// memory, observed by the oracle. The order is that of the engines: at one time the bus acts first,
// then the ports by number. Sometimes a port runs ahead as a processor of the fast engine does.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/speculation/rollback_points.h"
#include "sim/nodes/nodes.h"
#include "tests/coherence/instruction.h"
#include "tests/coherence/oracle.h"
#include "tests/coherence/protocol_case.h"
#include "tests/coherence/reached.h"
#include "tests/support/empty_machine.h"

namespace symsim::test {

class Round final {
  public:
    Round(const RoundConfig& config, const ProtocolCase& protocol, Reached& reached);

    // Throws Incoherent.
    void run();

    std::uint64_t accesses() const { return accesses_; }
    std::uint64_t hits_ahead() const { return hits_ahead_; }
    std::uint64_t stores_ahead() const { return stores_ahead_; }
    std::uint64_t rollbacks() const { return rollbacks_; }
    std::uint64_t stores_rolled_back() const { return stores_rolled_back_; }
    // The longest wait of an access, in bus cycles.
    Time longest_wait() const { return longest_wait_ / config_.bus.period(); }
    // The current state of machine and oracle as text.
    std::string dump() const;

  private:
    // A speculative hit. It is valid unless its line changes before `at`.
    struct Ahead {
        Step step;
        Time at;
        std::uint32_t value;
    };
    struct Port final : Waiter {
        Port(Round& r, ProcessorId i) : round(r), id(i) {}
        void about_to_change(Address address, const Line* line, Time at) override;
        void roll_back(Time) override {}  // no page is closed here
        bool executes_code(Address) const override { return false; }
        void waiting(Time) override {}
        void served(Time) override {}
        void wake(Time at) override;
        void waits_at(Time) override {}
        void port_granted(Time, Time free) override { wake(free); }

        Round& round;
        ProcessorId id;
        std::unique_ptr<CacheController> cache;
        std::optional<UndoLog> undo_log;
        Instruction instruction;
        std::size_t step = 0;
        std::uint32_t left = 0;
        bool asked = false;
        Time asked_at = 0;
        Time next = 0;  // when it acts
        std::vector<Ahead> ahead;
        std::size_t confirmed = 0;  // number of them that commit time has passed
        Time window = 0;            // its beginning
    };
    // Reports writes at the bus's edges to the oracle. It also declares a page as code, to which no
    // port may store speculatively.
    class Watch final : public CodePageWatch {
      public:
        explicit Watch(Round& round) : round_(round) {
            set_memory_size(round.memory_.size());
            for (Address page = 0; page < round.memory_.size(); page += kPageMask + 1)
                watch_page_of(page);
        }

      private:
        bool covers_bytes(Address address, unsigned) const override {
            return round_.config_.last_page_is_code && address / kPageBytes + 1 == kTables;
        }
        void bytes_written(Address address, unsigned size) override {
            if (round_.on_bus_) round_.oracle_->written(address, size);
        }

        Round& round_;
    };

    void act(Port& port);
    static Access exchange(CacheController& cache, const Step& step, const AccessTime& when,
                           std::uint32_t& value);
    Access ask(Port& port, const Step& step, const AccessTime& when, std::uint32_t& value);
    void proceed(Port& port, Time at);
    void run_ahead(Port& port, Time now);
    void confirm(Port& port, Time before);
    void confirm_all(Time now, ProcessorId up_to);
    bool next_event();
    void build(const ProtocolCase& protocol, Reached& reached);
    void check_progress() const;
    void check_state() const;
    Time clocks(std::uint32_t n) const { return n * config_.cache.processor_period; }

    RoundConfig config_;
    Random random_;
    Random random_edges_;  // at which the state is checked
    Instructions instructions_;
    Memory memory_;
    Watch code_{*this};
    NoDevices devices_;
    std::unique_ptr<Oracle> oracle_;
    std::unique_ptr<Interconnect> bus_;
    const Nodes* nodes_ = nullptr;  // bus_, if it is nodes
    std::vector<std::unique_ptr<Port>> ports_;
    bool on_bus_ = false;  // writes are by the bus's edge, not by a port
    Time now_ = 0;
    Time progress_at_ = 0;
    Time longest_wait_ = 0;
    std::uint64_t accesses_ = 0;
    std::uint64_t hits_ahead_ = 0;
    std::uint64_t stores_ahead_ = 0;
    std::uint64_t rollbacks_ = 0;
    std::uint64_t stores_rolled_back_ = 0;
};

}  // namespace symsim::test
