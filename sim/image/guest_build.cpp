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
#include <fstream>
#include <utility>
#include <vector>

#include "sim/base/failure.h"
#include "sim/base/sha256.h"

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

std::string digest_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return {};
    std::array<char, 4096> buffer;
    Sha256 digest;
    while (in.read(buffer.data(), buffer.size()), in.gcount() > 0)
        digest.add({buffer.data(), static_cast<std::size_t>(in.gcount())});
    return digest.digest();
}

}  // namespace

bool outdated(const fs::path& image) {
    constexpr std::size_t kDigits = 64;
    std::ifstream list(image.string() + ".sources");
    for (std::string line; std::getline(list, line);) {
        // The format of sha256sum: digest, two spaces, path.
        if (line.size() < kDigits + 2) return true;
        if (digest_of(line.substr(kDigits + 2)) != line.substr(0, kDigits)) return true;
    }
    return false;
}

bool build_guest(const fs::path& build, const std::string& name) {
    std::error_code error;
    if (name.empty() || name.find('/') != std::string::npos ||
        !fs::is_regular_file(build / "build.ninja", error))
        return false;
    const std::string target = "guest-" + name;
    const fs::path image = build / "guest" / (name + ".elf");
    const auto there = [&] { return fs::is_regular_file(image, error); };
    const auto current = [&] { return there() && !outdated(image); };
    if (current()) return true;
    const Descriptor lock(open((build / kLock).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    if (lock.number() >= 0) flock(lock.number(), LOCK_EX);
    if (current()) return true;  // another process has built it meanwhile
    // The rules may not know a source file that is new.
    const Ended rules = ninja(build, {"build.ninja"});
    if (!ninja(build, {"-t", "query", target}).succeeded) {
        if (!there()) return false;
        throw UserError(fmt::format(
            "guest {}: its sources have changed, and ninja -C {} {} cannot build it again; run "
            "another guest, or this image with --as-built:\n{}",
            name, build.string(), target, rules.output));
    }
    fmt::print(stderr, "symsim: building the guest {}\n", name);
    Ended made = ninja(build, {target});
    if (made.succeeded && there() && outdated(image)) {
        // A source has another content but an old time stamp, which is all that ninja looks at.
        ninja(build, {"-t", "clean", target});
        made = ninja(build, {target});
    }
    if (!made.succeeded || !there())
        throw UserError(fmt::format("guest {} cannot be built: ninja -C {} {} says:\n{}", name,
                                    build.string(), target, made.output));
    return true;
}

}  // namespace symsim
