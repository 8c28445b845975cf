// SPDX-License-Identifier: MIT
// A guest whose symbols and messages have any bytes: what symsim writes about it is UTF-8, and each
// file keeps its form.
#include "tests/run/failure_case.h"
#include "tests/support/assembler.h"
#include "tests/support/user_error.h"

namespace symsim::test {
namespace {

// A byte that is none of UTF-8, the characters that part names in a file, and the beginning of a
// character at the end.
const std::string kFunction = "f\xff;\n g\xe2\x82";
const std::string kLock = "l\xe4\",\n'";

bool is_utf8(const std::string& text) {
    try {
        return !nlohmann::json(text).dump().empty();
    } catch (const nlohmann::json::exception&) {
        return false;
    }
}

class AnyBytes : public FailureTest {
  protected:
    // A processor takes the lock, prints a byte that is none of UTF-8, and divides by zero.
    Outcome crash(const std::vector<std::string>& options) {
        const char* const source =
            ".intel_syntax noprefix\n.globl start\nstart: mov esp, 0x300000\n call work\n hlt\n"
            "work: nop\n nop\n nop\n mov ecx, 2000\n again: lock inc dword ptr [0x200000]\n"
            "dec ecx\n jnz again\n mov byte ptr [0xd0000000], 0xff\n xor eax, eax\n div eax\n";
        constexpr Address kWork = kCode + 11;
        ElfWriter()
            .entry(kCode)
            .code(".text", kCode, assemble_program(source, kCode))
            .data(".data", 0x200000, {0, 0, 0, 0})
            .symbol("start", kCode, kWork - kCode)
            .symbol(kFunction, kWork, 100)
            .symbol(kLock, 0x200000, 4, ElfWriter::Symbol::object)
            .probe(kWork, 1, "$2097152")
            .probe(kWork + 1, 2, "$2097152")
            .probe(kWork + 2, 3, "$2097152")
            .write(scratch.path() / "guest.elf");
        return run(config_of(scratch.path() / "guest.elf",
                             "[observe]\nprofile_us = 10.0\nvcd = true\nperfetto = true\n"
                             "transactions = true\n"),
                   options);
    }
};

TEST_F(AnyBytes, BecomeTextInEachFileAndMessage) {
    const Outcome shown = crash({});
    EXPECT_EQ(shown.exit, 3);
    const Outcome quiet = crash({"--quiet"});
    EXPECT_SAYS(quiet.err, "f\xef\xbf\xbd;\n g\xef\xbf\xbd");
    for (const std::string& text : {quiet.out, quiet.err, shown.err})
        EXPECT_TRUE(is_utf8(text)) << text;
    // The guest's own output is passed on as it is.
    const std::string printed = files().at("console.txt");
    EXPECT_EQ(printed, "\xff");
    ASSERT_EQ(shown.out.substr(0, printed.size()), printed);
    EXPECT_TRUE(is_utf8(shown.out.substr(printed.size()))) << shown.out;
    std::size_t texts = 0;
    for (const auto& [name, contents] : files()) {
        if (name == "console.txt" || name == "trace.pftrace" || name == "bus.log.zst") continue;
        EXPECT_TRUE(is_utf8(contents)) << name;
        ++texts;
    }
    EXPECT_EQ(texts, 7u) << "config, summary, bus, locks, manifest, profile, VCD";
    EXPECT_NE(files().at("trace.pftrace").find("l?\",?'"), std::string::npos);
}

TEST_F(AnyBytes, LeaveTheLinesOfTheProfileWhole) {
    crash({"--quiet"});
    std::istringstream lines(files().at("profile.folded"));
    std::size_t inside = 0;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t space = line.rfind(' ');
        ASSERT_NE(space, std::string::npos) << line;
        EXPECT_EQ(line.find_first_not_of("0123456789", space + 1), std::string::npos) << line;
        EXPECT_EQ(std::count(line.begin(), line.end(), ';'), 2) << line;
        if (line.find(";start;f\xef\xbf\xbd?? g\xef\xbf\xbd ") != std::string::npos) ++inside;
    }
    EXPECT_GT(inside, 0u);
}

TEST_F(AnyBytes, LeaveTheRowsOfTheLocksWhole) {
    crash({"--quiet"});
    EXPECT_SAYS(files().at("locks.csv"), "\"l\xef\xbf\xbd\"\",\n'\",0x00200000,0,1,1,1,");
}

// A path on the host may have any bytes too, but no TOML file can name it. So the copy of the
// config shows it as well as it can.
TEST_F(AnyBytes, OfAFoldersNameBecomeText) {
    const fs::path folder = scratch.path() / "d\xff";
    fs::create_directory(folder);
    ElfWriter().entry(kCode).code(".text", kCode, kWork).write(folder / "guest.elf");
    scratch.write("d\xff/config.toml", "guest.image = \"guest.elf\"\nmachine.processors = 2\n");
    const std::string file = (folder / "config.toml").string();
    const Outcome outcome = run(file, {"--quiet"});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_TRUE(is_utf8(files().at("config.toml")));
    EXPECT_SAYS(files().at("config.toml"), "d\xef\xbf\xbd/guest.elf");
    EXPECT_SAYS(files().at("summary.json"), "d\xef\xbf\xbd/guest.elf");
}

}  // namespace
}  // namespace symsim::test
