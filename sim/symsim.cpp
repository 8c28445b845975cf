// SPDX-License-Identifier: MIT
// The main program, symsim CONFIG: reads the command line and the config, runs the guest, and turns
// errors into exit codes.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <systemc>
#include <vector>

#include "sim/base/exit_code.h"
#include "sim/base/failure.h"
#include "sim/base/standard_streams.h"
#include "sim/config/config.h"
#include "sim/run/command_line.h"
#include "sim/run/command_server.h"
#include "sim/run/run.h"
#include "sim/run/schedule_batch.h"

namespace {

using namespace symsim;

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

// Until this is called, a signal ends the program at once: it has touched no file by then.
void end_in_good_order_on_signals() {
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
    // The terminal is closed. nohup makes programs ignore that.
    if (std::signal(SIGHUP, on_interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

Exit run_program(const std::vector<std::string>& arguments) {
    const std::optional<CommandLine> line = parse_command_line(arguments);
    if (!line) return Exit::ok;
    if (line->serve) {
        const auto served = serve_command_lines();
        return served ? run_program(*served) : Exit::ok;
    }
    const Config config = load_config(line->config, line->overrides);
    if (line->print_config) {
        print_out(print_config(config));
        return Exit::ok;
    }
    if (line->schedules) ScheduleBatch(*line, config).execute();
    Run run(*line, config, [] { return interrupted != 0; });
    if (line->check) {
        run.check();
        print_out(fmt::format("{}: config and image {} are sound\n", line->config.string(),
                              run.image().path.string()));
        return Exit::ok;
    }
    end_in_good_order_on_signals();
    return run.execute();
}

// Calls `work` and turns its errors into a message and an exit code.
template <class Work>
Exit explained(const Work& work) {
    const auto said = [](Exit exit, const std::exception& error) {
        print_error(fmt::format("symsim: {}\n", error.what()));
        return exit;
    };
    try {
        return work();
    } catch (const UserError& error) {
        return said(Exit::user, error);
    } catch (const OutputError& error) {
        return said(Exit::output, error);
    } catch (const std::exception& error) {
        impossible("an exception: {}", error.what());
    } catch (...) {
        impossible("an exception of unknown type");
    }
}

Exit close_streams() {
    close_standard_output();
    return standard_error_failed() ? Exit::output : Exit::ok;
}

}  // namespace

// No exception may reach SystemC: it would end the program with exit code 1, the guest's.
int sc_main(int argc, char** argv) {
    const Exit exit = explained([&] { return run_program({argv + 1, argv + argc}); });
    const Exit closed = explained(close_streams);
    // A text that is lost matters less than a mistake of the user, which the exit code reports.
    return static_cast<int>(closed == Exit::ok || exit == Exit::user ? exit : closed);
}

int main(int argc, char** argv) {
    std::set_new_handler(out_of_memory);
    open_standard_streams();
    // A write beyond the limit on file sizes then fails with an error, which is reported.
    std::signal(SIGXFSZ, SIG_IGN);
    // SystemC prints a banner unless this is set before it starts.
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}
