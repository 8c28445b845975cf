// SPDX-License-Identifier: MIT
// A conversation with GDB ("Debugging with GDB", appendix E) about a running machine. Processors
// are threads, 1 is processor 0. Whenever one stops, all do, and simulated time stands still until
// GDB lets them go on: then all go on, whatever it asks of which, since they share a bus.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/exit_code.h"
#include "sim/cpu/core/debug_hook.h"
#include "sim/debug/debug_target.h"
#include "sim/debug/gdb_port.h"
#include "sim/debug/stop_points.h"

namespace symsim {

class GdbSession final : public DebugHook {
  public:
    GdbSession(GdbPort& port, DebugTarget target);

    bool begins(ProcessorId processor) override;
    void accessed(ProcessorId processor, Address address, unsigned size, bool write) override;
    void failed(ProcessorId processor) override;
    // The run is over, symsim will end with this.
    void ended(Exit exit);

    // Whether GDB has asked for the end of the run.
    bool killed() const { return killed_; }
    // Looks whether GDB wants the machine to stop, which it will before the next instruction.
    void look_for_interrupt() { interrupt_ = interrupt_ || port_.interrupted(); }

  private:
    // Answers GDB until it lets the machine go on.
    void stand_still(const Stop& stop);
    // Empty: nothing is to be answered now, the machine goes on.
    std::optional<std::string> answer(std::string_view command);
    std::optional<std::string> resume(std::string_view actions);
    std::optional<std::string> go_on(const Processor* stepping);
    std::string query(std::string_view what);
    std::string read_registers() const;
    std::string write_registers(std::string_view digits);
    std::string read_memory(std::string_view range) const;
    std::string write_memory(std::string_view range, std::optional<std::string> bytes);
    std::string set_stop_point(std::string_view what, bool insert);
    std::string monitor(std::string_view command) const;
    std::string stop_reply() const;
    std::string thread_list() const;
    std::string threads_xml() const;
    std::string state_of(ProcessorId processor) const;
    // The processor of a thread number, with "-1" and "0" for the present one. Null: no such.
    Processor* processor_of(std::string_view thread) const;
    Processor& present() const { return *target_.processors[present_]; }
    void detach();

    GdbPort& port_;
    DebugTarget target_;
    StopPoints stops_;
    Stop stop_;
    ProcessorId present_ = 0;  // the one that GDB's commands are about
    bool attached_ = true;
    bool told_ = false;  // of the first stop, GDB asks
    bool interrupt_ = false;
    bool killed_ = false;
    bool changed_ = false;     // registers or memory, at this stop
    bool tells_kind_ = false;  // GDB knows what kind of breakpoint it was that stopped
    unsigned begun_ = 0;       // instructions since it was last looked for a Ctrl-C
};

}  // namespace symsim
