// SPDX-License-Identifier: MIT
// The main program, symsim CONFIG: reads the command line and the config, runs the guest, and turns
// errors into exit codes.
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <systemc>

#include "sim/base/exit_code.h"
#include "sim/base/failure.h"
#include "sim/command_line/command_line.h"
#include "sim/config/config.h"
#include "sim/run/run.h"

namespace {

volatile std::sig_atomic_t interrupted = 0;

// The first Ctrl-C ends the run in good order. A second one kills the program.
extern "C" void on_interrupt(int signal) {
    interrupted = 1;
    std::signal(signal, SIG_DFL);
}

// Called when an allocation fails. An exception would tell the user less, and could be caught where
// a wrong file is expected.
[[noreturn]] void out_of_memory() {
    std::fputs(
        "symsim: the host gives no more memory; end other programs, or make the input files, "
        "memory.size_mb or the traces smaller\n",
        stderr);
    std::abort();
}

int run_program(int argc, char** argv) {
    using namespace symsim;
    const std::optional<CommandLine> line = parse_command_line(argc, argv);
    if (!line) return 0;
    const Config config = load_config(line->config, line->overrides);
    if (line->print_config) {
        fmt::print("{}", print_config(config));
        return 0;
    }
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
    return static_cast<int>(run_guest(*line, config, [] { return interrupted != 0; }));
}

}  // namespace

// No exception may reach SystemC: it would end the program with exit code 1, the guest's.
int sc_main(int argc, char** argv) {
    try {
        return run_program(argc, argv);
    } catch (const symsim::UserError& error) {
        fmt::print(stderr, "symsim: {}\n", error.what());
        return static_cast<int>(symsim::Exit::user);
    } catch (const symsim::OutputError& error) {
        fmt::print(stderr, "symsim: {}\n", error.what());
        return static_cast<int>(symsim::Exit::output);
    } catch (const std::exception& error) {
        symsim::impossible("an exception: {}", error.what());
    } catch (...) {
        symsim::impossible("an exception of unknown type");
    }
}

int main(int argc, char** argv) {
    std::set_new_handler(out_of_memory);
    // SystemC prints a banner unless this is set before it starts.
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}
