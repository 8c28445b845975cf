// SPDX-License-Identifier: MIT
#include "sim/image/guest_build.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <utility>
#include <vector>

#include "sim/base/failure.h"

namespace symsim {
namespace {

namespace fs = std::filesystem;

// lab/symlab/guest/build.py takes the same lock: two builds in one folder would disturb each other.
constexpr const char* kLock = "guest-build.lock";

class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor() {
        if (number_ >= 0) close(number_);
    }
    int number() const { return number_; }

  private:
    int number_;
};

struct Ended {
    bool succeeded = false;
    std::string output;  // standard output and standard error
};

std::string read_all(int descriptor) {
    std::string text;
    std::array<char, 4096> buffer;
    for (ssize_t bytes; (bytes = read(descriptor, buffer.data(), buffer.size())) > 0;)
        text.append(buffer.data(), static_cast<std::size_t>(bytes));
    return text;
}

Ended ninja(const fs::path& build, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"ninja", "-C", build.string()});
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);

    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
    const Descriptor from(ends[0]);
    pid_t child = 0;
    int error = 0;
    {
        const Descriptor to(ends[1]);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, to.number(), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, to.number(), STDERR_FILENO);
        error = posix_spawnp(&child, "ninja", &actions, nullptr, argv.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    if (error != 0) return {};  // ninja is not installed
    Ended ended;
    ended.output = read_all(from.number());
    int status = 0;
    ended.succeeded =
        waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return ended;
}

}  // namespace

bool build_guest(const fs::path& build, const std::string& name) {
    std::error_code error;
    if (name.empty() || name.find('/') != std::string::npos ||
        !fs::is_regular_file(build / "build.ninja", error))
        return false;
    const std::string target = "guest-" + name;
    const fs::path image = build / "guest" / (name + ".elf");
    const Descriptor lock(open((build / kLock).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    if (lock.number() >= 0) flock(lock.number(), LOCK_EX);
    if (fs::is_regular_file(image, error)) return true;  // another process has built it meanwhile
    ninja(build, {"build.ninja"});  // it may not know a source file that is new
    if (!ninja(build, {"-t", "query", target}).succeeded) return false;
    fmt::print(stderr, "symsim: building the guest {}\n", name);
    const Ended made = ninja(build, {target});
    if (!made.succeeded || !fs::is_regular_file(image, error))
        throw UserError(fmt::format("guest {} cannot be built: ninja -C {} {} says:\n{}", name,
                                    build.string(), target, made.output));
    return true;
}

}  // namespace symsim
