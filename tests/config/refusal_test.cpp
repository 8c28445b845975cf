// SPDX-License-Identifier: MIT
// Error messages for wrong configs: file, line, column, key, and what is allowed.
#include <fmt/format.h>

#include "sim/base/types.h"
#include "tests/config/config_files.h"
#include "tests/support/elf_writer.h"

namespace symsim::test {
namespace {

class ARefusal : public ConfigFiles {};

TEST_F(ARefusal, OfAnUnknownKeyNamesThePlaceAndTheNearestKey) {
    const std::string why = refusal("[machine]\nname = \"m\"\n  procesors = 4\n");
    EXPECT_TRUE(begins_with(why, "a.toml:3:3: machine.procesors: ")) << why;
    EXPECT_TRUE(contains(why, "did you mean machine.processors?")) << why;
}

TEST_F(ARefusal, OfAnUnknownTableNamesThePlaceAndTheNearestKey) {
    const std::string why = refusal("[cashe]\nways = 2\n");
    EXPECT_TRUE(begins_with(why, "a.toml:2:1: cashe.ways: ")) << why;
    EXPECT_TRUE(contains(why, "did you mean cache.ways?")) << why;
}

TEST_F(ARefusal, OfAnEmptyUnknownTable) {
    EXPECT_TRUE(begins_with(refusal("[machine]\nprocessors = 2\n[cashe]\n"), "a.toml:3:2: cashe: "))
        << refusal("[cashe]\n");
}

TEST_F(ARefusal, OfATableInPlaceOfAValue) {
    const std::string why = refusal("[cache]\nways = {}\n");
    EXPECT_TRUE(begins_with(why, "a.toml:2:8: cache.ways: ")) << why;
}

TEST_F(ARefusal, OfAValueInPlaceOfATable) {
    const std::string why = refusal("cache = 3\n");
    EXPECT_TRUE(begins_with(why, "a.toml:1:9: cache: ")) << why;
}

TEST_F(ARefusal, OfAWrongTypePointsAtTheValueAndSaysWhatFits) {
    const std::string why = refusal("[machine]\nprocessors = \"four\"\n");
    EXPECT_TRUE(begins_with(why, "a.toml:2:14: machine.processors: \"four\" ")) << why;
    EXPECT_TRUE(contains(why, fmt::format("an integer from 1 to {}", kMaxProcessors))) << why;
}

TEST_F(ARefusal, OfEachWrongType) {
    const char* const wrong[] = {
        "machine.processors = 4.0", "machine.processors = true", "machine.processors = [4]",
        "machine.name = 4",         "observe.vcd = 1",           "observe.vcd = \"true\"",
        "bus.clock_mhz = \"10\"",   "bus.clock_mhz = nan",       "bus.clock_mhz = inf",
        "run.engine = 1",           "run.seed = 1979-05-27",
    };
    for (const char* text : wrong) EXPECT_TRUE(begins_with(refusal(text), "a.toml:1:")) << text;
}

TEST_F(ARefusal, OfAValueJustOutOfRange) {
    const unsigned more = kMaxProcessors + 1;
    const std::string why = refusal(fmt::format("[machine]\nprocessors = {}\n", more));
    EXPECT_TRUE(begins_with(why, fmt::format("a.toml:2:14: machine.processors: {} ", more))) << why;
    EXPECT_TRUE(contains(why, fmt::format("from 1 to {}", kMaxProcessors))) << why;
    EXPECT_NE(refusal("machine.processors = 0\n"), "(accepted)");
    EXPECT_NE(refusal("machine.processors = -1\n"), "(accepted)");
    EXPECT_NE(refusal("run.seed = 4294967296\n"), "(accepted)");
    EXPECT_EQ(load(fmt::format("machine.processors = {}\n", kMaxProcessors)).machine.processors,
              kMaxProcessors);
    const std::string all = fmt::format("machine.processors = {}\n", kMaxProcessors);
    const std::string last = "preempt.on_processor = ";
    EXPECT_EQ(load(all + last + std::to_string(kMaxProcessors - 1)).preempt.on_processor,
              kMaxProcessors - 1);
    const std::string none = refusal(all + last + std::to_string(kMaxProcessors));
    EXPECT_TRUE(contains(none, fmt::format("from 0 to {}", kMaxProcessors - 1))) << none;
    EXPECT_EQ(load("machine.processors = 1\n").machine.processors, 1u);
    EXPECT_EQ(load("run.seed = 4294967295\n").run.seed, 4294967295u);
}

TEST_F(ARefusal, OfANumberThatMustBeAPowerOfTwo) {
    const std::string why = refusal("[cache]\nline_bytes = 24\n");
    EXPECT_TRUE(begins_with(why, "a.toml:2:14: cache.line_bytes: 24 ")) << why;
    EXPECT_TRUE(contains(why, "a power of two from 4 to 32")) << why;
    EXPECT_NE(refusal("cache.size_bytes = 65535\n"), "(accepted)");
    EXPECT_NE(refusal("cache.ways = 3\n"), "(accepted)");
    EXPECT_NE(refusal("bus.width_bytes = 6\n"), "(accepted)");
}

TEST_F(ARefusal, OfAnUnknownChoiceNamesAllChoices) {
    const std::string why = refusal("[cache]\nstore_policy = \"bufferd\"\n");
    EXPECT_TRUE(begins_with(why, "a.toml:2:16: cache.store_policy: \"bufferd\" ")) << why;
    EXPECT_TRUE(contains(why, "\"buffered\", \"block-port\" or \"stall\"")) << why;
    EXPECT_TRUE(contains(refusal("processor.isa = \"i860\"\n"),
                         "\"i386\", \"i486\", \"i586\" or \"i686\""));
}

TEST_F(ARefusal, OfTextThatIsNoTomlNamesThePlace) {
    EXPECT_TRUE(begins_with(refusal("[machine]\nprocessors = = 4\n"), "a.toml:2:14: not TOML: "));
    EXPECT_TRUE(begins_with(refusal("[machine]\nname = \"a\"\nname = \"b\"\n"), "a.toml:3:"));
}

TEST_F(ARefusal, OfAFileThatIsNotThereNamesIt) {
    const std::string why = refusal_of(folder_ / "none.toml");
    EXPECT_TRUE(contains(why, "none.toml: there is no such file")) << why;
}

TEST_F(ARefusal, OfAnImageInPlaceOfAConfigSaysWhereItBelongs) {
    const auto image = test::ElfWriter().entry(0x100000).code(".text", 0x100000, {0x90}).bytes();
    const std::string why = refusal({image.begin(), image.end()});
    EXPECT_TRUE(contains(why, "a.toml: is a guest image and no config")) << why;
    EXPECT_TRUE(contains(why, "--set guest.image=")) << why;
    EXPECT_TRUE(contains(refusal("\177ELF\1\1\1"), "ELF header is not whole"));
    EXPECT_TRUE(contains(refusal("#!/bin/sh\n"), "a.toml: is a script; give the path"));
}

TEST_F(ARefusal, IsNotOfANumberForATextOfTheCommandLine) {
    EXPECT_EQ(load("", {"guest.argv=8"}).guest.argv, "8");
    EXPECT_EQ(load("", {"guest.argv=1e3"}).guest.argv, "1e3");
    EXPECT_EQ(load("", {"guest.argv=\"a b\""}).guest.argv, "a b");
}

TEST_F(ARefusal, OfAFolderInPlaceOfAFile) {
    EXPECT_NE(refusal_of(folder_), "(accepted)");
}

std::string repeated(const std::string& text, unsigned times) {
    std::string all;
    for (unsigned n = 0; n < times; ++n) all += text;
    return all;
}

// Each of these overflowed the stack of the parser, or of what follows it.
TEST_F(ARefusal, OfTooManyLevelsNamesTheBoundAndWhatWasFound) {
    for (const unsigned levels : {33u, 20'000u}) {
        const std::string found = fmt::format(" {} levels", levels);
        const std::string dotted = "x = 1\n" + repeated("a.", levels) + "a = 1\n";
        for (const std::string& text :
             {dotted, "x = 1\n[" + repeated("a.", levels - 1) + "a]\n",
              "x = 1\na = " + repeated("[", levels) + repeated("]", levels) + "\n",
              "x = 1\na = " + repeated("{a=", levels) + "1" + repeated("}", levels) + "\n",
              "x = \"\"\"a\"\"\"\"\n" + repeated("\"a\" . ", levels) + "a = 1\n"}) {
            const std::string why = refusal(text);
            EXPECT_TRUE(begins_with(why, "a.toml:2: has" + found)) << why;
            EXPECT_TRUE(contains(why, "at most 32 are read")) << why;
        }
        const std::string why = refusal("", {"guest.args.a=" + repeated("[", levels)});
        EXPECT_TRUE(begins_with(why, "--set guest.args.a:1: has" + found)) << why;
        write("deep.toml", dotted);
        EXPECT_TRUE(begins_with(refusal("base = \"deep.toml\"\n"), "deep.toml:2: has" + found));
    }
}

TEST_F(ARefusal, IsNotCausedByDotsAndBracketsInStringsAndComments) {
    const std::string many = repeated("[a.", 100);
    const std::string rest = "\n[machine]\nname = ";
    for (const std::string& text :
         {"#" + many + rest + "\"\"", rest + "\"" + many + "\"", rest + "'" + many + "'",
          rest + "\"\"\"" + many + "\n" + many + "\"\"\"\"\"", rest + "'''\n" + many + "'''",
          rest + "\"\\\"" + many + "\\\"\""})
        EXPECT_EQ(refusal(text + "\n"), "(accepted)") << text;
}

TEST_F(ARefusal, OfATextThatIsTooLargeNamesTheBound) {
    const std::string why = refusal(std::string(1 << 21, '\n'));
    EXPECT_TRUE(contains(why, "a.toml: has 2097152 bytes, and at most 1048576 are read")) << why;
}

TEST_F(ARefusal, OfALongRowOfBasesNamesTheBound) {
    for (unsigned n = 0; n < 100; ++n)
        write(fmt::format("{}.toml", n), fmt::format("base = \"{}.toml\"\n", n + 1));
    write("100.toml", "");
    EXPECT_EQ(refusal("base = \"71.toml\"\n"), "(accepted)");
    const std::string why = refusal("base = \"0.toml\"\n");
    EXPECT_TRUE(begins_with(why, "30.toml:1:8: base: 31.toml is the base of 32 files")) << why;
}

TEST_F(ARefusal, OfAPathTooLongForTheHost) {
    EXPECT_NE(refusal_of(folder_ / std::string(5000, 'x')), "(accepted)");
}

TEST_F(ARefusal, OfACacheSmallerThanASetPointsAtItsSize) {
    const std::string why = refusal("[cache]\nways = 8\nsize_bytes = 64\n");
    EXPECT_TRUE(begins_with(why, "a.toml:3:14: cache.size_bytes: ")) << why;
    EXPECT_TRUE(contains(why, "128")) << why;
    EXPECT_EQ(refusal("[cache]\nways = 8\nsize_bytes = 128\n"), "(accepted)");
}

TEST_F(ARefusal, OfAClockThatIsNoWholeNumberOfPicosecondsNamesOneThatIs) {
    const std::string why = refusal("[processor]\nclock_mhz = 33\n");
    EXPECT_TRUE(begins_with(why, "a.toml:2:13: processor.clock_mhz: ")) << why;
    EXPECT_TRUE(contains(why, "30303.030 ps")) << why;
    EXPECT_TRUE(begins_with(refusal("bus.clock_mhz = 3\n"), "a.toml:1:"));
}

TEST_F(ARefusal, OfAClockSuggestsOneThatIsAccepted) {
    for (const char* mhz : {"1.0000006", "3", "7", "33", "66.6", "999"}) {
        const std::string why = refusal(std::string("bus.clock_mhz = ") + mhz + "\n");
        const auto at = why.find("take ");
        ASSERT_NE(at, std::string::npos) << why;
        const std::string better = why.substr(at + 5, why.find(" MHz", at) - at - 5);
        EXPECT_EQ(refusal("bus.clock_mhz = " + better + "\n"), "(accepted)") << better;
    }
}

TEST_F(ARefusal, OfAnArgumentThatTheGuestCouldNotRead) {
    EXPECT_TRUE(begins_with(refusal("[guest.args]\nx = 1.5\n"), "a.toml:2:5: guest.args.x: "));
    EXPECT_TRUE(begins_with(refusal("[guest.args]\nx = [1]\n"), "a.toml:2:5: guest.args.x: "));
    EXPECT_TRUE(begins_with(refusal("[guest.args]\nx-y = 1\n"), "a.toml:2:"));
    EXPECT_TRUE(begins_with(refusal("[guest.args]\n1x = 1\n"), "a.toml:2:"));
    EXPECT_TRUE(begins_with(refusal("[guest.args]\n\"\" = 1\n"), "a.toml:2:"));
    EXPECT_TRUE(
        begins_with(refusal("[guest.args]\nx = \"a\\nb\"\n"), "a.toml:2:5: guest.args.x: "));
}

TEST_F(ARefusal, OfAnArgumentThatEveryGuestGetsAnyway) {
    const std::string why = refusal("[guest.args]\nprocessors = 4\n");
    EXPECT_TRUE(begins_with(why, "a.toml:2:1: guest.args.processors: ")) << why;
    EXPECT_TRUE(contains(why, "machine.processors")) << why;
    EXPECT_TRUE(contains(refusal("[guest.args]\nseed = 4\n"), "run.seed"));
}

TEST_F(ARefusal, OfTwoGuestsPointsAtTheRomAndNamesThePlaceOfTheImage) {
    const std::string why = refusal("[guest]\nimage = \"counter-read\"\nrom = \"bios.bin\"\n");
    EXPECT_TRUE(begins_with(why, "a.toml:3:7: guest.rom: ")) << why;
    EXPECT_TRUE(contains(why, "a.toml:2:9")) << why;
    EXPECT_TRUE(contains(why, "guest.image = \"\"")) << why;
    EXPECT_EQ(
        refusal("guest.image = \"counter-read\"\nguest.rom = \"bios.bin\"\n", {"guest.image="}),
        "(accepted)");
}

TEST_F(ARefusal, OfAnUnalignedRomAddressSuggestsAnAlignedOne) {
    const std::string why = refusal("[guest]\nrom_address = 0xF0008\n");
    EXPECT_TRUE(begins_with(why, "a.toml:2:15: guest.rom_address: 0xf0008 ")) << why;
    EXPECT_TRUE(contains(why, "take 0xf0000")) << why;
    EXPECT_EQ(load("[guest]\nrom_address = 0xE0010\n").guest.rom_address, 0xE0010u);
    EXPECT_NE(refusal("[guest]\nrom_address = 0xFFFF0000\n"), "(accepted)");
}

TEST_F(ARefusal, OfTwoKeysWithOnePortPointsAtTheKeyThatWasSet) {
    std::string why = refusal("[guest]\noutput_port = 0x80\n");
    EXPECT_TRUE(begins_with(why, "a.toml:2:15: guest.output_port: port 0x80 ")) << why;
    why = refusal("[guest]\npost_port = 0xE9\n");
    EXPECT_TRUE(begins_with(why, "a.toml:2:13: guest.output_port: port 0xe9 ")) << why;
    EXPECT_EQ(load("[guest]\npost_port = 0xE9\noutput_port = 0x80\n").guest.post_port, 0xE9u);
    EXPECT_NE(refusal("guest.post_port = 65536\n"), "(accepted)");
    EXPECT_NE(refusal("guest.output_port = -1\n"), "(accepted)");
}

TEST_F(ARefusal, OfAWindowThatEndsBeforeItBeginsNamesBothPlaces) {
    const std::string why = refusal("[observe.window]\nfrom_us = 20\nto_us = 20.0\n");
    EXPECT_TRUE(begins_with(why, "a.toml:3:9: observe.window.to_us: ")) << why;
    EXPECT_TRUE(contains(why, "a.toml:2:11")) << why;
    EXPECT_TRUE(contains(why, "make it end later")) << why;
    EXPECT_EQ(load("[observe.window]\nfrom_us = 20\nto_us = 20.5\n").observe.window.to_us, 20.5);
    EXPECT_EQ(load("observe.window.from_us = 20\n").observe.window.to_us, 0);
    EXPECT_NE(refusal("observe.window.from_us = -1\n"), "(accepted)");
    EXPECT_NE(refusal("observe.window.to_us = -1\n"), "(accepted)");
}

TEST_F(ARefusal, OfTwoWindowsNamesBothPlaces) {
    const std::string around = "[observe.window]\naround = \"message\"\n";
    std::string why = refusal(around + "from_us = 1\n");
    EXPECT_TRUE(begins_with(why, "a.toml:2:10: observe.window.around: ")) << why;
    EXPECT_TRUE(contains(why, "observe.window.from_us asks for another (a.toml:3:11)")) << why;
    EXPECT_TRUE(contains(refusal(around + "to_us = 1\n"), "observe.window.to_us asks"));
    why = refusal(around + "last_ms = 1\n");
    EXPECT_TRUE(begins_with(why, "a.toml:3:11: observe.window.last_ms: ")) << why;
    EXPECT_TRUE(contains(refusal("[observe.window]\nlast_ms = 1\nfrom_us = 1\n"), "another"));
    EXPECT_TRUE(contains(refusal("[observe.window]\nlast_ms = 1\nto_us = 1\n"), "another"));
    EXPECT_EQ(refusal(around + "around_value = \"x\"\naround_us = 5\n"), "(accepted)");
    EXPECT_EQ(refusal(around + "[observe]\ntransactions = true\n"), "(accepted)");
    why = refusal("[observe.window]\naround_value = \"x\"\n");
    EXPECT_TRUE(begins_with(why, "a.toml:2:16: observe.window.around_value: ")) << why;
}

TEST_F(ARefusal, OfAPreemptionOfAProcessorThatIsNotThere) {
    const std::string why =
        refusal("[machine]\nprocessors = 2\n[preempt]\ninstructions = 5\non_processor = 2\n");
    EXPECT_TRUE(begins_with(why, "a.toml:5:16: preempt.on_processor: there is no processor 2"))
        << why;
    EXPECT_TRUE(contains(why, "take one of 0 to 1")) << why;
    EXPECT_EQ(refusal("[machine]\nprocessors = 2\n[preempt]\non_processor = 2\n"), "(accepted)")
        << "no preemption is asked for";
}

TEST_F(ARefusal, OfAnOverrideNamesSet) {
    std::string why = refusal("", {"machine.procesors=4"});
    EXPECT_TRUE(begins_with(why, "--set")) << why;
    EXPECT_TRUE(contains(why, "did you mean machine.processors?")) << why;
    why = refusal("", {"machine.processors=many"});
    EXPECT_TRUE(begins_with(why, "--set")) << why;
    EXPECT_TRUE(contains(why, "machine.processors: \"many\" ")) << why;
    EXPECT_TRUE(begins_with(refusal("", {"machine.processors"}), "--set machine.processors: "));
    EXPECT_TRUE(begins_with(refusal("", {"=4"}), "--set =4: "));
    EXPECT_TRUE(begins_with(refusal("", {"guest.args.=4"}), "--set"));
    EXPECT_TRUE(begins_with(refusal("", {"cache.size_bytes=64", "cache.ways=8"}), "--set"));
}

// Found by the fuzzer: such an override made the run's own config.toml unreadable.
TEST_F(ARefusal, OfAnOverrideThatIsNotUtf8) {
    EXPECT_EQ(refusal("", {"guest.args.name=J\xfcrgen"}),
              "--set guest.args.name: the value is not UTF-8");
    EXPECT_EQ(refusal("", {"guest.args.name=J\xc3\xbcrgen"}), "(accepted)");
}

TEST_F(ARefusal, OfAStandardInputThatIsNotThere) {
    const std::string why = refusal("[guest]\nstdin = \"none.txt\"\n");
    EXPECT_TRUE(begins_with(why, "a.toml:2:9: guest.stdin: there is no file none.txt")) << why;
    EXPECT_TRUE(contains(why, "give the path of a file")) << why;
    EXPECT_TRUE(begins_with(refusal("", {"guest.stdin=none.txt"}), "--set: guest.stdin: "));
    std::filesystem::create_directory(folder_ / "folder");
    EXPECT_TRUE(begins_with(refusal("[guest]\nstdin = \"folder\"\n"), "a.toml:2:9: guest.stdin"));
}

TEST_F(ARefusal, OfAFileForTheGuestThatIsNotThere) {
    const std::string why = refusal("[guest]\nfiles = \"in=none.txt\"\n");
    EXPECT_TRUE(begins_with(why, "a.toml:2:9: guest.files: there is no file none.txt")) << why;
    EXPECT_TRUE(contains(why, "write INSIDE=PATH")) << why;
    EXPECT_TRUE(begins_with(refusal("", {"guest.files=none.txt"}), "--set: guest.files: "));
    for (const char* text : {"in=", "=none.txt", "'in"})
        EXPECT_TRUE(begins_with(refusal(std::string("[guest]\nfiles = \"") + text + "\"\n"),
                                "a.toml:2:9: guest.files: "))
            << text;
}

}  // namespace
}  // namespace symsim::test
