// SPDX-License-Identifier: MIT
// The keys of the tables that are of no single part of the machine: [machine], [preempt],
// [schedule], [guest] and [run].
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/fields.h"
#include "sim/base/options.h"
#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

struct MachineConfig {
    std::string name = "Sequent Symmetry Model A";
    std::uint32_t processors = 20;
    InterconnectKind interconnect = InterconnectKind::bus;
};

template <class Visit>
void for_each_field(MachineConfig& machine, Visit&& visit) {
    visit("name", "", machine.name, fits::Text{}, "What the machine is called in results.");
    visit("processors", "", machine.processors, fits::Integers{1, kMaxProcessors},
          "Number of processors on the bus, each with its own cache.");
    visit(
        "interconnect", "", machine.interconnect, fits::Names{{"bus", "crossbar", "nodes"}},
        "What connects processors and memory. bus: one bus, used by one at a time. crossbar: "
        "every processor has its own path to memory, with the latencies of the bus, and memory is "
        "never busy; of no effect are bus.arbitration, bus.locked_request, bus.locked_class, and "
        "under [memory] controllers, interleave_bytes, read_busy_cycles, store_busy_cycles and "
        "read_pipe. nodes: groups of processors with memory of their own, connected by rings, as "
        "[nodes] says.",
        InResults::if_set);
}

struct PreemptConfig {
    std::uint32_t instructions = 0;
    std::uint32_t on_processor = 0;
    CountFrom from = CountFrom::start;
    std::uint32_t region = 0;
};

template <class Visit>
void for_each_field(PreemptConfig& preempt, Visit&& visit) {
    visit(
        "instructions", "instructions", preempt.instructions, fits::Integers{0, 4294967295u},
        "The timer's interrupt arrives at one processor once, after it has retired this number of "
        "instructions; 0: never.");
    visit("on_processor", "", preempt.on_processor, fits::Integers{0, kMaxProcessors - 1},
          "Processor at which that interrupt arrives.");
    visit("from", "", preempt.from, fits::Names{{"start", "region"}},
          "Where preempt.instructions begins to count: at the start of the run, or at that "
          "processor's first region_begin probe point with the number preempt.region.");
    visit("region", "", preempt.region, fits::Integers{0, 4294967295u},
          "Number of the region at whose beginning the count starts; only with preempt.from = "
          "region.");
}

struct ScheduleConfig {
    std::string holds;
    CountFrom from = CountFrom::start;
    std::uint32_t region = 0;
};

template <class Visit>
void for_each_field(ScheduleConfig& schedule, Visit&& visit) {
    visit("holds", "", schedule.holds, fits::Text{},
          "What holds processors up, and where: entries PROCESSOR (access|instruction) N (hold "
          "NS|stores NS|interrupt), separated by commas; empty: nothing.");
    visit("from", "", schedule.from, fits::Names{{"start", "region"}},
          "Where the entries of schedule.holds begin to count: at the start of the run, or at each "
          "processor's first region_begin probe point with the number schedule.region.");
    visit("region", "", schedule.region, fits::Integers{0, 4294967295u},
          "Number of the region at whose beginning the count starts; only with schedule.from = "
          "region.");
}

// guest/linux/placement.c
enum class Scheduler : std::uint8_t { spread, pinned, one_queue };
inline const std::vector<std::string> kSchedulers = {"spread", "pinned", "one-queue"};

struct GuestConfig {
    std::string image;
    std::string rom;
    std::uint32_t rom_address = 0xF0000;
    bool code_anywhere = false;
    std::uint32_t post_port = 0x80;
    std::uint32_t output_port = 0xE9;
    std::string stdin_file;
    std::string argv;
    std::string env;
    std::string files;
    Scheduler scheduler = Scheduler::spread;
};

template <class Visit>
void for_each_field(GuestConfig& guest, Visit&& visit) {
    visit("image", "", guest.image, fits::Text{},
          "The guest program: an i386 ELF file, or the name of a built guest; {name} stands for "
          "guest.args.name.");
    visit(
        "rom", "", guest.rom, fits::Text{},
        "Instead of guest.image: a ROM, which starts in real mode at its last 16 bytes, or a boot "
        "sector.");
    visit("rom_address", "", guest.rom_address, fits::Integers{0, 0x3FFF'FFF0},
          "Address of guest.rom in memory, a multiple of 16. The ROM also appears right below 4 "
          "GB.");
    visit("code_anywhere", "", guest.code_anywhere, fits::Flag{},
          "Whether the guest may execute memory outside the code of its image; a ROM always may. "
          "false: this is a failure of the guest.",
          InResults::if_set);
    visit("post_port", "", guest.post_port, fits::Integers{0, 0xFFFF},
          "I/O port of progress (POST) codes: the summary has each byte written there, with its "
          "time.");
    visit("output_port", "", guest.output_port, fits::Integers{0, 0xFFFF},
          "I/O port of text output: each byte written there goes to the console.");
    visit("stdin", "", guest.stdin_file, fits::Text{},
          "File that the guest reads as its standard input; empty: no input.", InResults::if_set);
    visit("argv", "", guest.argv, fits::Text{},
          "What main() gets as its arguments, as words of a shell; -- ARGUMENTS sets it.",
          InResults::if_set);
    visit("env", "", guest.env, fits::Text{}, "Environment of a Linux program: words NAME=VALUE.",
          InResults::if_set);
    visit("files", "", guest.files, fits::Text{},
          "Files and folders that a Linux program finds: words INSIDE=HOST, or HOST for the same "
          "path inside.",
          InResults::if_set);
    visit(
        "scheduler", "", guest.scheduler, fits::Names{kSchedulers},
        "Which thread of a Linux program runs where: an idle processor takes any thread, a thread "
        "stays on one processor, or all threads wait in one queue.",
        InResults::if_set);
}

struct RunConfig {
    EngineKind engine = EngineKind::fast;
    double limit_ms = 0.0;
    std::uint32_t seed = 1;

    Time limit() const { return nearest_tick(limit_ms * kMillisecond); }  // 0: none
};

template <class Visit>
void for_each_field(RunConfig& run, Visit&& visit) {
    visit("engine", "", run.engine, fits::Names{{"fast", "reference"}},
          "The engine that simulates time. Both write the same results; fast needs less host time.",
          InResults::never);
    visit("limit_ms", "ms", run.limit_ms, fits::Numbers{0.0, 9e6},
          "Simulated time at which symsim ends the run; 0: no limit.");
    visit("seed", "", run.seed, fits::Integers{0, 4294967295u},
          "Seed of the guest's random numbers.");
}

}  // namespace symsim
