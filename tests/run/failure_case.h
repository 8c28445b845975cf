// SPDX-License-Identifier: MIT
// Small guests, and a fixture that runs symsim on them. Child runs symsim in a process that a test
// can signal or kill.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/support/elf_writer.h"
#include "tests/support/symsim_program.h"

namespace symsim::test {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr Address kCode = 0x0010'0000;

// inc eax; jmp: endless, hits in its cache only
inline const Bytes kCount = {0x40, 0xeb, 0xfd};
// mov byte [console], 'x'; jmp: endless, prints
inline const Bytes kPrint = {0xc6, 0x05, 0, 0, 0, 0xd0, 'x', 0xeb, 0xf7};
// lock inc dword [data]; jmp: endless, uses the bus
inline const Bytes kLockForEver = {0xf0, 0xff, 0x05, 0, 0, 0x20, 0, 0xeb, 0xf7};
// mov ecx, 40; again: lock inc dword [data]; dec ecx; jnz; mov byte [console], '.'; xor eax, eax;
// mov [power], eax; hlt
inline const Bytes kWork = {0xb9, 40,  0,    0,    0,    0xf0, 0xff, 0x05, 0,    0,
                            0x20, 0,   0x49, 0x75, 0xf6, 0xc6, 0x05, 0,    0,    0,
                            0xd0, '.', 0x31, 0xc0, 0xa3, 0,    0x10, 0,    0xd0, 0xf4};

// Whether the condition comes true. The host may be busy, so that this may take long.
template <class Condition>
bool comes_true(Condition condition) {
    constexpr auto kPatience = 120s;
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(10ms);
    }
    return true;
}

inline bool appears(const fs::path& file) {
    return comes_true([&] { return fs::exists(file); });
}

// A child process that runs symsim. The destructor kills it if wait() has not been called.
class Child {
  public:
    Child(const std::vector<std::string>& arguments, const fs::path& errors,
          const std::function<void()>& prepare = {}) {
        id_ = fork();
        if (id_ != 0) return;
        const int file = open(errors.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
        dup2(file, STDERR_FILENO);
        dup2(file, STDOUT_FILENO);
        if (prepare) prepare();
        become_symsim(arguments);
    }
    ~Child() {
        if (waited_) return;
        send(SIGKILL);
        wait();
    }
    pid_t id() const { return id_; }
    void send(int signal) const { kill(id_, signal); }
    // Waits until the child has used so much time of a processor, however busy the host is.
    bool computes_for(std::chrono::milliseconds time) const {
        const auto start = used();
        return comes_true([&] { return used() - start >= time; });
    }
    // Waits for the child's end and returns its exit code. A child that does not end is killed,
    // which gives 137.
    int wait() {
        int status = 0;
        if (!comes_true([&] { return waitpid(id_, &status, WNOHANG) != 0; })) {
            send(SIGKILL);
            waitpid(id_, &status, 0);
        }
        waited_ = true;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

  private:
    std::chrono::nanoseconds used() const {
        clockid_t clock{};
        timespec now{};
        if (clock_getcpuclockid(id_, &clock) == 0) clock_gettime(clock, &now);
        return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
    }

    pid_t id_ = 0;
    bool waited_ = false;
};

class FailureTest : public ::testing::Test {
  protected:
    // Writes a guest with this code, and a config that names it. Returns the config's path.
    std::string config(const Bytes& code, const std::string& more = "") const {
        ElfWriter().entry(kCode).code(".text", kCode, code).write(scratch.path() / "guest.elf");
        return config_of(scratch.path() / "guest.elf", more);
    }
    std::string config_of(const fs::path& image, const std::string& more = "") const {
        return scratch
            .write("config.toml", fmt::format("[machine]\nprocessors = 2\n[guest]\nimage = "
                                              "\"{}\"\n{}",
                                              image.string(), more))
            .string();
    }
    Outcome run(const std::string& config, std::vector<std::string> options = {"--quiet"},
                const std::string& folder = "out") const {
        std::vector<std::string> arguments = {config, "--out", (scratch.path() / folder).string()};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return run_symsim(arguments);
    }
    std::map<std::string, std::string> files(const std::string& folder = "out") const {
        return result_files(scratch.path() / folder);
    }
    nlohmann::json summary(const std::string& folder = "out") const {
        return nlohmann::json::parse(read_text(scratch.path() / folder / "summary.json"), nullptr,
                                     false);
    }
    fs::path out() const { return scratch.path() / "out"; }
    fs::path errors() const { return scratch.path() / "errors"; }

    ScratchFolder scratch;
};

}  // namespace symsim::test
