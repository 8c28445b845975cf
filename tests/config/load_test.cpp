// SPDX-License-Identifier: MIT
// Loading a config: values, inheritance, overrides. A printed config must load to the same config.
#include "sim/config/keys.h"
#include "sim/config/toml_text.h"
#include "tests/config/config_files.h"

namespace symsim::test {
namespace {

class AConfig : public ConfigFiles {
  protected:
    void comes_back(const std::string& text, const std::vector<std::string>& overrides = {}) {
        const std::string printed = print_config(load(text, overrides));
        EXPECT_EQ(print_config(load_config(write("printed.toml", printed), {})), printed);
    }
};

TEST_F(AConfig, EmptyIsTheDefault) {
    EXPECT_EQ(print_config(load("")), print_config(Config{}));
}

TEST_F(AConfig, TakesEachTypeOfValue) {
    const Config config = load(
        "[machine]\nname = \"mine\"\nprocessors = 3\n[bus]\nclock_mhz = 12.5\n"
        "locked_request = \"hold-bus\"\n[observe]\nvcd = true\n");
    EXPECT_EQ(config.machine.name, "mine");
    EXPECT_EQ(config.machine.processors, 3u);
    EXPECT_EQ(config.bus.clock_mhz, 12.5);
    EXPECT_EQ(config.bus.locked_request, LockedRequest::hold_bus);
    EXPECT_TRUE(config.observe.vcd);
    EXPECT_EQ(config.cache.geometry.ways, Config{}.cache.geometry.ways);
}

TEST_F(AConfig, TakesAnIntegerForARealNumber) {
    EXPECT_EQ(load("bus.clock_mhz = 20\n").bus.clock_mhz, 20.0);
}

TEST_F(AConfig, HasItsPeriodsInPicoseconds) {
    const Config config = load("");
    EXPECT_EQ(config.processor.period(), 62'500);
    EXPECT_EQ(config.bus.period(), 100'000);
    EXPECT_EQ(config.run.limit(), 0);
    EXPECT_EQ(config.observe.interval(), 100 * kMicrosecond);
    const Config other = load("processor.clock_mhz = 12.5\nrun.limit_ms = 0.5\n");
    EXPECT_EQ(other.processor.period(), 80'000);
    EXPECT_EQ(other.run.limit(), 500 * kMicrosecond);
}

TEST_F(AConfig, OwnKeysReplaceInheritedOnes) {
    write("machines/big.toml", "[machine]\nprocessors = 30\nname = \"big\"\n[cache]\nways = 4\n");
    write("middle.toml", "base = \"machines/big.toml\"\n[machine]\nprocessors = 20\n");
    const Config config = load("base = \"middle.toml\"\n[machine]\nname = \"own\"\n");
    EXPECT_EQ(config.machine.name, "own");
    EXPECT_EQ(config.machine.processors, 20u);
    EXPECT_EQ(config.cache.geometry.ways, 4u);
}

TEST_F(AConfig, InheritsArgumentsOneByOne) {
    write("b.toml", "[guest.args]\na = 1\nb = 2\n");
    const Config config = load("base = \"b.toml\"\n[guest.args]\nb = 3\nc = 4\n");
    ASSERT_EQ(config.guest_args.size(), 3u);
    EXPECT_EQ(config.guest_args[0].second.text, "1");
    EXPECT_EQ(config.guest_args[1].second.text, "3");
    EXPECT_EQ(config.guest_args[2].second.text, "4");
}

// symlab reads them.
TEST_F(AConfig, SkipsTheTablesSweepAndFigure) {
    write("b.toml", "[sweep]\n\"no key\" = {}\n[[sweep.joint]]\nx = 1\n");
    const Config config =
        load("base = \"b.toml\"\n[figure]\nnone = [1]\n", {"sweep.repeats=x", "figure.y=a"});
    EXPECT_EQ(print_config(config), print_config(Config{}));
    EXPECT_EQ(refusal("[sweeps]\na = 1\n").find("a.toml:2:1: sweeps.a: there is no such key"), 0u);
    EXPECT_EQ(refusal("", {"figures.y=1"}).find("--set: figures.y: there is no such key"), 0u);
}

TEST_F(AConfig, ReportsTheFileOfAnInheritedMistake) {
    write("machines/big.toml", "[machine]\nprocessors = 999\n");
    EXPECT_TRUE(begins_with(refusal("base = \"machines/big.toml\"\n"),
                            "machines/big.toml:2:14: machine.processors: 999 "));
}

TEST_F(AConfig, ReportsAMissingBaseAtTheLineThatNamesIt) {
    const std::string why = refusal("\nbase = \"gone.toml\"\n");
    EXPECT_TRUE(begins_with(why, "a.toml:2:8: base: ")) << why;
    EXPECT_TRUE(contains(why, "gone.toml")) << why;
    EXPECT_TRUE(begins_with(refusal("base = 4\n"), "a.toml:1:8: base: "));
}

TEST_F(AConfig, RefusesToInheritFromItself) {
    EXPECT_TRUE(begins_with(refusal("base = \"a.toml\"\n"), "a.toml:1:8: base"));
    write("b.toml", "base = \"x/../a.toml\"\n");
    const std::string why = refusal("base = \"b.toml\"\n");
    EXPECT_TRUE(begins_with(why, "b.toml:1:8: base")) << why;
    EXPECT_TRUE(contains(why, "itself")) << why;
}

TEST_F(AConfig, IsOverriddenByTheLastOverride) {
    const Config config = load("machine.processors = 2\n",
                               {"machine.processors=4", "machine.processors=8", "bus.clock_mhz=20",
                                "observe.vcd=true", "cache.store_policy=stall"});
    EXPECT_EQ(config.machine.processors, 8u);
    EXPECT_EQ(config.bus.clock_mhz, 20.0);
    EXPECT_TRUE(config.observe.vcd);
    EXPECT_EQ(config.cache.store_policy, StorePolicy::stall);
}

TEST_F(AConfig, TakesOverridesAsTomlAndElseAsBareText) {
    const Config config = load("", {"guest.args.a=backoff", "guest.args.b=4", "guest.args.c=\"4\"",
                                    "guest.args.d=true", "guest.args.e=", "guest.args.f=x=y"});
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"\"backoff\"", "backoff"}, {"4", "4"},   {"\"4\"", "4"},
        {"true", "true"},           {"\"\"", ""}, {"\"x=y\"", "x=y"}};
    ASSERT_EQ(config.guest_args.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(config.guest_args[i].second.toml, expected[i].first);
        EXPECT_EQ(config.guest_args[i].second.text, expected[i].second);
    }
}

TEST_F(AConfig, TakesQuotedAndBareOverridesForTextKeys) {
    EXPECT_EQ(load("", {"machine.name=\"two words\""}).machine.name, "two words");
    EXPECT_EQ(load("", {"machine.name=two words"}).machine.name, "two words");
}

TEST_F(AConfig, PrintedLoadsToTheSameConfig) {
    comes_back("");
    comes_back(
        "[machine]\nname = \"a \\\"quoted\\\" one \\\\ \\u00fc\"\nprocessors = 64\n[bus]\n"
        "clock_mhz = 12.5\n[guest]\nimage = \"none-{x}\"\n[guest.args]\nx = \"1\"\ny = 1\n"
        "z = false\n[observe]\ninterval_us = 0.1\n");
    comes_back("", {"guest.args.a=\"4\"", "run.limit_ms=0.3", "run.seed=4294967295"});
}

TEST_F(AConfig, PrintedHasTheValueOfEachKey) {
    // Each key gets a value other than its default, so that a key missing from the print is found.
    for (const Key& key : all_keys()) {
        std::string other;
        if (const auto* k = std::get_if<IntegerKey>(&key.type)) {
            const std::uint32_t standard = *k->member >> k->shift;
            other = std::to_string(key.name == "guest.rom_address" ? 0xE0000
                                   : standard == k->highest        ? standard / 2
                                   : k->power_of_two               ? standard * 2
                                                                   : standard + 1);
        } else if (const auto* k = std::get_if<RealKey>(&key.type)) {
            other = *k->member == 0 ? "2.5" : toml_real(*k->member * 2);
        } else if (const auto* k = std::get_if<FlagKey>(&key.type)) {
            other = *k->member ? "false" : "true";
        } else if (const auto* k = std::get_if<ChoiceKey>(&key.type)) {
            other = "\"" + k->names[(k->get() + 1) % k->names.size()] + "\"";
        } else {
            other = "\"other\"";
        }
        if (key.name == "guest.stdin") other = toml_string(write("input", "x").string());
        if (key.name == "guest.files") other = toml_string("/x=" + write("input", "x").string());
        if (key.name == "schedule.holds") other = "\"0 access 3 hold 50\"";
        const bool of_a_probe = key.name == "observe.window.around_value";
        const std::string with = of_a_probe ? "observe.window.around = \"message\"\n" : "";
        Config config = load(with + key.name + " = " + other + "\n");
        const std::vector<Key> keys = keys_of(config);
        EXPECT_EQ(value_text(*find_key(keys, key.name)), other) << key.name;
        const std::string line = "\n" + key.name.substr(key.name.rfind('.') + 1) + " = " + other;
        EXPECT_TRUE(contains(print_config(config), line)) << key.name;
    }
}

TEST_F(AConfig, InResultFilesHasAllKeysButTheEngine) {
    const Config fast = load("[guest.args]\nx = \"1\"\n", {"run.engine=fast"});
    const Config reference = load("[guest.args]\nx = \"1\"\n", {"run.engine=reference"});
    EXPECT_EQ(print_config(flat_results_config(fast)),
              print_config(flat_results_config(reference)));
    EXPECT_EQ(flat_results_config(fast), flat_results_config(reference));
    EXPECT_FALSE(contains(print_config(flat_results_config(fast)), "engine"));
    const auto flat = flat_results_config(fast);
    // Without the engine, the interconnect, which is the bus, six keys that are not set, four of a
    // preemption, three of a schedule, four of a bus, two of a monitor, 15 of nodes and one of
    // sub-pages that the machine does not have; with the argument.
    EXPECT_EQ(flat.size() + 36, all_keys().size());
    EXPECT_EQ(flat.back(), std::make_pair(std::string("guest.args.x"), std::string("\"1\"")));
}

// So results of other machines equal those of a symsim without nodes.
TEST_F(AConfig, OfARunHasTheKeysOfNodesOnlyOnNodes) {
    const std::string bus = print_config(flat_results_config(load("[nodes]\ncount = 2\n")));
    EXPECT_FALSE(contains(bus, "[nodes]"));
    EXPECT_FALSE(contains(bus, "[sub_page]"));
    const std::string nodes = print_config(flat_results_config(
        load("[machine]\ninterconnect = \"nodes\"\n[cache]\nprotocol = \"illinois\"\n"
             "[nodes]\nblock_bytes = 16\n[sub_page]\npresent = true\n")));
    EXPECT_TRUE(contains(nodes, "\n[nodes]\ncount = 4\n"));
    EXPECT_TRUE(contains(nodes, "\n[sub_page]\npresent = true\n"));
}

TEST_F(AConfig, FindsAGuestBesideTheFileThatNamesIt) {
    write("guests/mine.elf", "");
    EXPECT_EQ(load("[guest]\nimage = \"guests/mine\"\n").guest.image,
              (folder_ / "guests/mine").string());
    EXPECT_EQ(
        load("[guest]\nimage = \"guests/{which}\"\n[guest.args]\nwhich = \"mine\"\n").guest.image,
        (folder_ / "guests/{which}").string());
    EXPECT_EQ(load("[guest]\nimage = \"elsewhere\"\n").guest.image, "elsewhere");
}

// LOCK_ALIAS of guest/locks/xchgb.h and read.h.
TEST_F(AConfig, HasTheNameOfALockThatIsGivenByAnAlias) {
    EXPECT_EQ(load("guest.image = \"counter-tas\"\n").guest.image, "counter-xchgb");
    EXPECT_EQ(load("", {"guest.image=acquire-empty-ttas"}).guest.image, "acquire-empty-read");
    EXPECT_EQ(load("guest.image = \"counter-mytas\"\n").guest.image, "counter-mytas");
    const Config swept = load("guest.image = \"counter-{lock}\"\nguest.args.lock = \"ttas\"\n");
    ASSERT_EQ(swept.guest_args.size(), 1u);
    EXPECT_EQ(swept.guest_args[0].second.text, "read");
    EXPECT_EQ(swept.guest_args[0].second.toml, "\"read\"");
    EXPECT_EQ(load("guest.args.lock = \"tas\"\n").guest_args[0].second.text, "tas")
        << "an argument of a program that is not chosen by its lock";
}

TEST_F(AConfig, LeavesAnAliasAloneThatAFileOfTheUserHas) {
    write("counter-tas.elf", "");
    const Config config = load("guest.image = \"counter-{lock}\"\nguest.args.lock = \"tas\"\n");
    EXPECT_EQ(config.guest.image, (folder_ / "counter-{lock}").string());
    EXPECT_EQ(config.guest_args[0].second.text, "tas");
}

TEST_F(AConfig, FindsARomBesideTheFileThatNamesIt) {
    write("roms/bios.bin", "x");
    EXPECT_EQ(load("[guest]\nrom = \"roms/bios.bin\"\n").guest.rom,
              (folder_ / "roms/bios.bin").string());
    EXPECT_EQ(load("[guest]\nrom = \"none.bin\"\n").guest.rom, "none.bin");
    EXPECT_EQ(load("").guest.rom, "");
}

TEST_F(AConfig, FindsTheStandardInputBesideTheFileThatNamesIt) {
    const std::string inner = write("inner/in.txt", "x").string(), outer = write("in.txt", "y");
    write("inner/base.toml", "[guest]\nstdin = \"in.txt\"\n");
    EXPECT_EQ(load("base = \"inner/base.toml\"\n").guest.stdin_file, inner);
    EXPECT_EQ(load("[guest]\nstdin = \"in.txt\"\n").guest.stdin_file, outer);
    EXPECT_EQ(load("", {"guest.stdin=in.txt"}).guest.stdin_file, outer);
    EXPECT_EQ(load("[guest]\nstdin = \"none\"\n", {"guest.stdin=\"\""}).guest.stdin_file, "");
}

TEST_F(AConfig, FindsFilesOfTheGuestBesideTheFileThatNamesThem) {
    const std::string inner = write("inner/in.txt", "x").string();
    write("inner/base.toml", "[guest]\nfiles = \"in.txt a/b=in.txt\"\n");
    EXPECT_EQ(load("base = \"inner/base.toml\"\n").guest.files,
              "/in.txt=" + inner + " /a/b=" + inner);
    const std::string folder = std::filesystem::path(inner).parent_path().string();
    EXPECT_EQ(load("", {"guest.files=data/=inner"}).guest.files, "/data=" + folder);
    EXPECT_EQ(load("").guest.files, "");
}

TEST_F(AConfig, OfARunNamesItsStandardInputOnlyIfItHasOne) {
    EXPECT_FALSE(contains(print_config(flat_results_config(load(""))), "stdin"));
    EXPECT_TRUE(contains(print_config(load("")), "\nstdin = \"\"\n"));
    write("in.txt", "x");
    const Config config = load("[guest]\nstdin = \"in.txt\"\n");
    const std::string path = toml_string((folder_ / "in.txt").string());
    EXPECT_TRUE(contains(print_config(flat_results_config(config)), "\nstdin = " + path + "\n"));
    EXPECT_EQ(flat_results_config(config).size(), flat_results_config(load("")).size() + 1);
}

TEST_F(AConfig, IsLoadedEvenIfAnArgumentNamesItself) {
    load("[guest]\nimage = \"x-{a}\"\n[guest.args]\na = \"{a}\"\n");
}

TEST(SymmetryA, IsTheDefaultConfig) {
    const std::string file = SOURCE_FOLDER "/configs/machines/symmetry-a.toml";
    EXPECT_EQ(print_config(load_config(file, {})), print_config(Config{}));
}

// Only the SGI has a synchronisation bus, and only the SPP 1000 and the KSR1 nodes and performance
// monitors. Of a table for which a machine has no part, its file has no key.
TEST(Machines, HaveEachKeyOfTheMachineWithASource) {
    for (const std::string machine : {"symmetry-a", "sgi-4d480", "firefly", "spp1000", "ksr1"}) {
        SCOPED_TRACE(machine);
        const std::string path = SOURCE_FOLDER "/configs/machines/" + machine + ".toml";
        std::ifstream file(path);
        const std::string text((std::istreambuf_iterator<char>(file)), {});
        Config config = load_config(path, {});
        const bool nodes = machine == "spp1000" || machine == "ksr1";
        EXPECT_EQ(config.machine.interconnect == InterconnectKind::nodes, nodes);
        EXPECT_EQ(config.devices.of<Monitor>().present, nodes);
        EXPECT_EQ(config.devices.of<SyncBus>().present, machine == "sgi-4d480");
        EXPECT_EQ(config.sub_page.present, machine == "ksr1");
        for (const Key& key : keys_of(config)) {
            const std::string table = key.name.substr(0, key.name.find('.'));
            if (table == "guest" || table == "run" || table == "observe" || table == "preempt" ||
                table == "schedule" || key.in_results == InResults::never ||
                key.name == "machine.interconnect")
                continue;
            const auto open = text.find("\n[" + table + "]\n");
            ASSERT_NE(open, std::string::npos) << table;
            const auto at = text.find("\n" + key.name.substr(table.size() + 1) + " = ", open);
            ASSERT_NE(at, std::string::npos) << key.name;
            EXPECT_LT(at, text.find("\n[", open + 1)) << key.name;
            if (key.name == "machine.name") continue;
            const std::string line = text.substr(at + 1, text.find('\n', at + 1) - at);
            EXPECT_TRUE(contains(line, "# ")) << key.name;
        }
    }
}

TEST(ConfigsOfTheProject, AreAccepted) {
    for (const std::string folder : {"/configs", "/configs/machines", "/papers/ALL/figures"})
        for (const auto& entry : std::filesystem::directory_iterator(SOURCE_FOLDER + folder))
            if (entry.path().extension() == ".toml") {
                EXPECT_NO_THROW(load_config(entry.path(), {})) << entry.path();
            }
}

}  // namespace
}  // namespace symsim::test
