// SPDX-License-Identifier: MIT
// Random guests in random machines that stop at a random time for a debugger (--gdb-at), which goes
// away at once. Until then the fast engine executes them, and from then on the reference engine.
// The files must be the same bytes as without a debugger.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "tests/engine/random_run.h"

namespace symsim::test {
namespace {

// Detaches from the run that waits at the port.
void attach_and_detach(std::uint16_t port) {
    const int line = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ASSERT_EQ(connect(line, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    constexpr char kDetach[] = "$D#44";
    ASSERT_EQ(write(line, kDetach, sizeof kDetach - 1), static_cast<ssize_t>(sizeof kDetach - 1));
    std::array<char, 64> bytes{};
    while (read(line, bytes.data(), bytes.size()) > 0) continue;
    close(line);
}

// Returns the exit code. `stopped`: the run has come to its time.
int run_to(std::vector<std::string> arguments, const std::string& time, bool& stopped) {
    arguments.insert(arguments.end(), {"--gdb", "0", "--gdb-at", time});
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        become_symsim(arguments);
    }
    close(ends[1]);
    std::FILE* const said = fdopen(ends[0], "r");
    std::array<char, 1024> line{};
    stopped = false;
    while (std::fgets(line.data(), line.size(), said)) {
        const std::string text = line.data();
        const std::size_t at = text.find("target remote :");
        if (at == std::string::npos) continue;
        stopped = true;
        attach_and_detach(static_cast<std::uint16_t>(std::stoul(text.substr(at + 15))));
    }
    std::fclose(said);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Whether the guest ended before the time limit.
bool continues(unsigned seed, const MakeGuest& make, const std::vector<std::string>& machine = {}) {
    const ScratchFolder scratch;
    const std::string config = write_random_run(scratch, seed, make);
    const auto arguments = [&](const char* out) {
        std::vector<std::string> all = {config, "--quiet", "--out",
                                        (scratch.path() / out).string()};
        all.insert(all.end(), machine.begin(), machine.end());
        return all;
    };
    const Outcome free = run_symsim(arguments("free"));
    EXPECT_TRUE(free.exit == 0 || free.exit == 1 || free.exit == 5) << free.err;
    const auto expected = result_files(scratch.path() / "free");
    const double end =
        nlohmann::json::parse(expected.at("summary.json")).at("simulated_us").get<double>();
    std::mt19937 random(seed);
    const double at = std::uniform_real_distribution<>(0, end)(random);
    const std::string time = fmt::format("{:.4f}us", std::max(at, 0.001));
    bool stopped = false;
    EXPECT_EQ(run_to(arguments("stopped"), time, stopped), free.exit) << time;
    EXPECT_TRUE(stopped) << time;
    const auto files = result_files(scratch.path() / "stopped");
    EXPECT_EQ(files.size(), expected.size());
    for (const auto& [name, bytes] : expected)
        EXPECT_TRUE(files.count(name) == 1 && bytes == files.at(name)) << name << ", " << time;
    return free.exit != 5;
}

TEST(GdbAt, RandomGuestsGoOnAsWithoutIt) {
    for_many_seeds(20, [](unsigned seed) { return continues(seed, random_guest); });
}

TEST(GdbAt, RandomSystemsGoOnAsWithoutIt) {
    for_many_seeds(12, [](unsigned seed) { return continues(seed, random_system); });
}

// In a cache so small that lines are written back all the time.
TEST(GdbAt, GuestsWithFrequentWriteBacksGoOnAsWithoutIt) {
    for_many_seeds(12, [](unsigned seed) { return continues(seed, random_guest, kCopiesBack); });
}

}  // namespace
}  // namespace symsim::test
