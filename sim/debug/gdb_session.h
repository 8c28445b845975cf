// SPDX-License-Identifier: MIT
// A debug session: GDB controls a running machine over GDB's remote protocol ("Debugging with
// GDB", appendix E). Each processor is a thread for GDB; thread 1 is processor 0. When one
// processor stops, all stop, and simulated time stands still until GDB resumes the machine. Then
// all processors continue, whichever threads GDB names, since they share a bus.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/exit_code.h"
#include "sim/cpu/state/debug_hook.h"
#include "sim/debug/debug_target.h"
#include "sim/debug/gdb_port.h"
#include "sim/debug/stop_points.h"

namespace symsim {

class GdbSession final : public DebugHook {
  public:
    GdbSession(GdbPort& port, DebugTarget target);

    bool begins(ProcessorId processor) override;
    void accessed(ProcessorId processor, const OperandAccess& access) override;
    void failed(ProcessorId processor) override;
    // The run is over, and symsim will exit with this code: reports the code to GDB.
    void ended(Exit exit);

    // Whether GDB has asked to end the run.
    bool killed() const { return killed_; }
    // Checks whether GDB has sent a Ctrl-C. If so, the machine stops before the next instruction.
    void look_for_interrupt() { interrupt_ = interrupt_ || port_.interrupted(); }

  private:
    // Answers GDB's commands until GDB resumes the machine.
    void serve_until_resumed(const Stop& stop);
    // The reply to a command. Empty: no reply now, the machine resumes.
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
    // The processor of a thread number; "-1" and "0" mean the current one. Null: there is none.
    Processor* processor_of(std::string_view thread) const;
    Processor& current() const { return *target_.processors[current_]; }
    void detach();

    GdbPort& port_;
    DebugTarget target_;
    StopPoints stops_;
    Stop stop_;
    ProcessorId current_ = 0;  // the current processor: GDB's commands act on it
    bool attached_ = true;
    // The first stop is over or under way. GDB asks for the first stop itself; later ones are sent.
    bool first_stop_reported_ = false;
    bool interrupt_ = false;      // stop before the next instruction
    bool killed_ = false;         // GDB has asked to end the run
    bool changed_ = false;        // GDB has changed registers or memory at this stop
    bool sends_swbreak_ = false;  // GDB accepts the stop reason "swbreak"
    unsigned begun_ = 0;          // instructions begun since the last check for a Ctrl-C
};

}  // namespace symsim
