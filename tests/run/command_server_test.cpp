// SPDX-License-Identifier: MIT
// symsim --serve: each command line gives what it gives a program of its own.
#include <fcntl.h>

#include <array>
#include <cstdio>
#include <sstream>

#include "tests/run/failure_case.h"
#include "tests/support/user_error.h"

namespace symsim::test {
namespace {

using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

// A server, with which a test talks through pipes.
class Server {
  public:
    explicit Server(const fs::path& errors)
        : child_({"--serve"}, errors, [this] {
              setpgid(0, 0);  // so that a signal to the group reaches its run and not this test
              dup2(to_[0], STDIN_FILENO);
              dup2(from_[1], STDOUT_FILENO);
          }) {
        close(to_[0]);
        close(from_[1]);
        answers_ = fdopen(from_[0], "r");
    }
    ~Server() {
        end_input();
        std::fclose(answers_);
    }
    void ask(const Arguments& arguments) const {
        const std::string line = Json(arguments).dump() + "\n";
        ASSERT_EQ(write(to_[1], line.data(), line.size()), static_cast<ssize_t>(line.size()));
    }
    Json answer() const {
        std::string line;
        for (int c; (c = std::fgetc(answers_)) != EOF && c != '\n';) line += static_cast<char>(c);
        return Json::parse(line, nullptr, false);
    }
    Json execute(const Arguments& arguments) const {
        ask(arguments);
        return answer();
    }
    // The process that executes a command line now.
    pid_t run() const {
        const std::string all = read_text(fmt::format("/proc/{0}/task/{0}/children", child_.id()));
        return all.empty() ? 0 : static_cast<pid_t>(std::stol(all));
    }
    void signal_group(int signal) const { kill(-child_.id(), signal); }
    void end_input() {
        if (to_[1] >= 0) close(to_[1]);
        to_[1] = -1;
    }
    int wait() { return child_.wait(); }

  private:
    static std::array<int, 2> pipe_ends() {
        std::array<int, 2> ends = {};
        EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
        return ends;
    }
    std::array<int, 2> to_ = pipe_ends(), from_ = pipe_ends();
    Child child_;
    std::FILE* answers_ = nullptr;
};

class CommandServerTest : public FailureTest {
  protected:
    Arguments of(const std::string& file, const std::string& folder, Arguments more = {}) const {
        more.insert(more.begin(), {file, "--out", (scratch.path() / folder).string()});
        return more;
    }
};

TEST_F(CommandServerTest, AnswersWhatAProgramOfItsOwnSays) {
    const std::string good = config(kWork);
    const std::vector<Arguments> lines = {
        {"--version"},
        {good, "--print-config"},
        {good, "--print-config", "--set", "machine.processors=65"},
        {"none.toml"},
        {"--nonsense"},
        {},
        of(good, "out", {"--quiet"}),
        of(good, "out", {"--json"}),
        of(good, "out", {"--json", "--set", "run.limit_ms=0.001"}),
    };
    Server server(errors());
    for (const Arguments& line : lines) {
        const Outcome own = run_symsim(line);
        const Json answer = server.execute(line);
        EXPECT_EQ(answer["exit_code"], own.exit) << Json(line);
        EXPECT_EQ(answer["stdout"], own.out) << Json(line);
        EXPECT_EQ(answer["stderr"], own.err) << Json(line);
    }
    server.end_input();
    EXPECT_EQ(server.wait(), 0);
}

TEST_F(CommandServerTest, WritesTheFilesOfARunOfItsOwn) {
    const std::string file = config(kWork, "[observe]\ntransactions = true\nperfetto = true\n");
    Server server(errors());
    for (const char* const processors : {"machine.processors=3", "machine.processors=1"}) {
        run(file, {"--set", processors}, "own");
        server.execute(of(file, "served", {"--set", processors}));
        EXPECT_EQ(files("served"), files("own")) << processors;
    }
}

TEST_F(CommandServerTest, ASignalToItsGroupEndsTheRunInGoodOrderAndNotTheServer) {
    Server server(errors());
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        server.ask(of(config(kLockForEver), "out"));
        ASSERT_TRUE(appears(out() / "console.txt.part"));
        server.signal_group(signal);
        EXPECT_EQ(server.answer()["exit_code"], 130);
        EXPECT_EQ(summary()["status"], "interrupted");
        fs::remove_all(out());
    }
    EXPECT_EQ(server.execute({"--version"})["exit_code"], 0);
}

TEST_F(CommandServerTest, SaysWhichSignalHasKilledARun) {
    Server server(errors());
    server.ask(of(config(kLockForEver), "out"));
    ASSERT_TRUE(appears(out() / "console.txt.part"));
    kill(server.run(), SIGKILL);
    EXPECT_EQ(server.answer()["exit_code"], -SIGKILL);
    EXPECT_EQ(server.execute({"--version"})["exit_code"], 0);
}

TEST_F(CommandServerTest, ItsRunDiesWithIt) {
    pid_t run = 0;
    {
        Server server(errors());
        server.ask(of(config(kLockForEver), "out"));
        ASSERT_TRUE(appears(out() / "console.txt.part"));
        run = server.run();
        ASSERT_NE(run, 0);
    }  // kills the server
    // It may stay a zombie: not every container's first process waits for the orphans it gets.
    EXPECT_TRUE(comes_true([&] {
        const std::string state = read_text(fmt::format("/proc/{}/stat", run));
        return state.empty() || state.find(") Z ") != std::string::npos;
    }));
}

TEST_F(CommandServerTest, ALineThatIsNoCommandLineIsTheUsersMistake) {
    for (const char* const line : {"--version", "[\"--version\"", "[1]", "{}", "\"--version\""}) {
        const Outcome ended = run_symsim({"--serve"}, std::string(line) + "\n");
        EXPECT_EQ(ended.exit, 2) << line;
        EXPECT_SAYS(ended.err, std::string("standard input: ") + line);
        EXPECT_SAYS(ended.err, "JSON arrays of strings");
    }
}

TEST_F(CommandServerTest, TakesNothingElse) {
    for (const Arguments& more : {Arguments{"some.toml"}, Arguments{"--quiet"}}) {
        Arguments line = {"--serve"};
        line.insert(line.end(), more.begin(), more.end());
        const Outcome ended = run_symsim(line, "");
        EXPECT_EQ(ended.exit, 2);
        EXPECT_SAYS(ended.err, "--serve takes nothing else");
    }
}

TEST_F(CommandServerTest, ACommandLineOfItsOwnHasNoInput) {
    Server server(errors());
    EXPECT_EQ(server.execute({"--serve"})["exit_code"], 0);
    EXPECT_EQ(server.execute({"--version"})["exit_code"], 0);
}

// Not even what the server has read ahead, in one piece with the line itself.
TEST_F(CommandServerTest, ACommandLineLeavesTheNextOnesToTheServer) {
    const std::string program =
        config_of(BUILD_FOLDER "/guest-tests/preempt.elf",
                  "[schedule]\nfrom = \"region\"\nregion = 5\n[run]\nlimit_ms = 20.0\n");
    for (const Arguments& first : {Arguments{"--serve"}, Arguments{program, "--schedules"}}) {
        const Outcome ended =
            run_symsim({"--serve"}, Json(first).dump() + "\n[\"--version\"]\n[\"--nonsense\"]\n");
        EXPECT_EQ(ended.exit, 0) << ended.err;
        std::vector<Json> answers;
        std::istringstream lines(ended.out);
        for (std::string line; std::getline(lines, line);) answers.push_back(Json::parse(line));
        ASSERT_EQ(answers.size(), 3u) << ended.out;
        EXPECT_EQ(answers[0], (Json{{"exit_code", 0}, {"stdout", ""}, {"stderr", ""}}));
        EXPECT_EQ(answers[1]["stdout"], run_symsim({"--version"}).out);
        EXPECT_EQ(answers[2]["exit_code"], 2);
    }
}

}  // namespace
}  // namespace symsim::test
