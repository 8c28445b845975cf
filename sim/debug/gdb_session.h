// SPDX-License-Identifier: MIT
// A debug session: GDB controls a running machine over GDB's remote protocol ("Debugging with
// GDB", appendix E). Each processor is a thread for GDB; thread 1 is processor 0. When one
// processor stops, all stop, and simulated time stands still until GDB resumes the machine. Then
// those processors execute that GDB resumes. The others are held (ReferenceEngine::hold).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/exit_code.h"
#include "sim/base/processor_set.h"
#include "sim/base/time.h"
#include "sim/cache/controller.h"
#include "sim/cpu/core/processor.h"
#include "sim/cpu/state/hooks.h"
#include "sim/debug/gdb_port.h"
#include "sim/debug/stop_points.h"
#include "sim/interconnect/code_page_watch.h"
#include "sim/interconnect/memory.h"

namespace symsim {

// The parts of a machine that a GdbSession reads and changes.
struct DebugTarget {
    std::vector<Processor*> processors;
    std::vector<CacheController*> caches;
    Memory* memory = nullptr;
    CodePageWatch* code = nullptr;
    std::function<Time()> now;
    // The thread of a Linux program that the processor runs, as text; null or empty: none.
    std::function<std::string(ProcessorId)> thread_of;
    // These processors, and no others, stand still from now on (ReferenceEngine::hold).
    std::function<void(const ProcessorSet&)> hold;
};

// Constants of GDB's remote protocol that several files of GdbSession use.
constexpr const char* kNotPossible = "E01";
constexpr const char* kNoMemory = "E0e";  // EFAULT
constexpr std::size_t kLongestPacket = 4096;

class GdbSession final : public DebugHook {
  public:
    // Of a run that is in progress: the machine stops before the next instruction.
    GdbSession(GdbPort& port, DebugTarget target);

    bool begins(ProcessorId processor) override;
    void accessed(ProcessorId processor, const OperandAccess& access) override;
    void failed(ProcessorId processor) override;
    // The run is over, and symsim will exit with this code: reports the code to GDB.
    void ended(Exit exit);

    // Whether GDB has asked to end the run.
    bool killed() const { return killed_; }
    // To be called from time to time, when no processor is executing. Looks for a Ctrl-C, for the
    // end of the connection, and for a new one after that. The machine stops before the next
    // instruction if GDB wants it.
    void look_between_instructions();

  private:
    void attach();
    void detach();
    void detach_and_listen();
    void look();
    void lose_connection();
    Stop asked_for(ProcessorId processor) const;
    // Answers GDB's commands until GDB resumes the machine.
    void serve_until_resumed(const Stop& stop);
    // The reply to a command. Empty: no reply now, the machine resumes.
    std::optional<std::string> answer(std::string_view command);
    std::optional<std::string> resume_each(std::string_view actions);
    std::optional<std::string> resume_one(char letter, std::string_view rest);
    std::optional<std::string> resume(const std::vector<Resume>& how);
    std::string select(std::string_view what);
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
    std::string thread_on(ProcessorId processor) const;
    std::string state_of(ProcessorId processor) const;
    // The processor of a thread number; "0" means any, so it is the current one. Null: there is
    // none.
    Processor* processor_of(std::string_view thread) const;
    bool is_thread(std::string_view thread) const;
    Processor& current() const { return *target_.processors[current_]; }

    GdbPort& port_;
    DebugTarget target_;
    StopPoints stops_;
    Stop stop_;
    ProcessorId current_ = 0;  // the current processor: GDB's commands act on it
    // The processor that Hc has named: the packets c and s resume it alone.
    std::optional<ProcessorId> continues_alone_;
    ProcessorSet held_;  // not resumed
    bool attached_ = true;
    // The first stop is over or under way. GDB asks for the first stop itself; later ones are sent.
    bool first_stop_reported_ = false;
    bool interrupt_ = false;      // stop before the next instruction
    bool killed_ = false;         // GDB has asked to end the run
    bool changed_ = false;        // GDB has changed registers or memory at this stop
    bool sends_swbreak_ = false;  // GDB accepts the stop reason "swbreak"
    bool sends_hwbreak_ = false;  // and "hwbreak"
    unsigned begun_ = 0;          // instructions begun since the last check for a Ctrl-C
};

}  // namespace symsim
