// SPDX-License-Identifier: MIT
#include "sim/observe/run_files.h"

#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/activity.h"
#include "sim/base/failure.h"
#include "sim/observe/result_tables.h"
#include "tests/observe/report_for_test.h"
#include "tests/support/user_error.h"

namespace symsim {
namespace {

using nlohmann::json;
using testing::contents;
using testing::kUs;
using testing::report_for_test;
using testing::write_run_file;
using RunFilesTest = testing::InFolder;

json summary_of(const RunReport& report) {
    return json::parse(summary_json(report));
}

TEST(SummaryJson, ContainsTheRun) {
    const json s = summary_of(report_for_test());
    EXPECT_EQ(s["schema_version"], 2);
    EXPECT_EQ(s["status"], "finished");
    EXPECT_EQ(s["partial"], false);
    EXPECT_EQ(s["simulated_us"], 25.0);
    EXPECT_EQ(s["instructions"], 123);
    EXPECT_EQ(s["failure"], nullptr);
    EXPECT_EQ(s["trace"], nullptr);
}

TEST(SummaryJson, ContainsEachProcessor) {
    const json p = summary_of(report_for_test())["processors"];
    ASSERT_EQ(p.size(), 2u);
    EXPECT_EQ(p[0]["processor"], 0);
    EXPECT_EQ(p[1]["instructions"], 23);
    EXPECT_EQ(p[0]["states_us"],
              json({{"executing", 13.0}, {"waiting", 2.0}, {"served", 5.0}, {"halted", 5.0}}));
    EXPECT_EQ(p[1]["activities_us"]["spin"], 22.0);
    EXPECT_EQ(p[1]["activities_us"].size(), kActivities);
    EXPECT_EQ(p[0]["states_us_by_activity"]["critical"]["served"], 5.0);
    EXPECT_EQ(p[0]["bus_busy_us"], 3.0);
    EXPECT_EQ(p[0]["bus_busy_us_by_activity"]["critical"], 2.0);
    EXPECT_EQ(p[1]["bus_transactions"], 1);
    EXPECT_EQ(p[0]["bus_wait_us"], 2.0);
    EXPECT_EQ(p[0]["bus_mean_wait_us"], 2.0);
}

TEST(SummaryJson, ContainsTheBus) {
    const json bus = summary_of(report_for_test())["bus"];
    EXPECT_EQ(bus["busy_us"], 3.5);
    EXPECT_EQ(bus["utilisation"], 0.14);
    EXPECT_EQ(bus["all_transactions"], 2);
    EXPECT_EQ(bus["transactions"]["locked_read"], 1);
    EXPECT_EQ(bus["transactions"]["store"], 0);
    EXPECT_EQ(bus["transactions_by_activity"]["spin"]["locked_read"], 1);
    EXPECT_EQ(bus["transactions_by_activity"]["user"]["locked_read"], 0);
    EXPECT_EQ(bus["transactions_by_activity"]["critical"]["read"], 1);
    EXPECT_EQ(bus["busy_us_by_activity"]["spin"]["locked_read"], 0.5);
    EXPECT_EQ(bus["busy_us_by_activity"]["user"]["read"], 1.0);
    EXPECT_EQ(bus["mean_occupancy_us"], 1.75);
    EXPECT_EQ(bus["wait_us"], 3.0);
    EXPECT_EQ(bus["mean_wait_us"], 1.5);
    EXPECT_EQ(bus["max_wait_us"], 2.0);
    EXPECT_EQ(bus["mean_wait_us_by_kind"]["read"], 2.0);
    EXPECT_EQ(bus["mean_queue_length"], 0.12);
    EXPECT_EQ(bus["replies"], 1);
    EXPECT_EQ(bus["mean_reply_wait_us"], 1.0);
    EXPECT_EQ(bus["interval_us"], 10.0);
}

TEST(SummaryJson, ContainsTheLocks) {
    const json lock = summary_of(report_for_test())["locks"][0];
    EXPECT_EQ(lock["name"], "counter_lock");
    EXPECT_EQ(lock["address"], "0x00001040");
    EXPECT_EQ(lock["processors"], 2);
    EXPECT_EQ(lock["attempts"], 2);
    EXPECT_EQ(lock["acquisitions"], 1);
    EXPECT_EQ(lock["mean_wait_us"], 1.0);
    EXPECT_EQ(lock["max_hold_us"], 14.0);
    EXPECT_EQ(lock["open_wait_us"], 22.0);
}

TEST(SummaryJson, ContainsTheRegions) {
    RunReport report = report_for_test();
    report.regions.push_back({1, 2, 3, 3, 2 * kUs, 12 * kUs, {3, 9 * kUs, 6 * kUs}, 0});
    RegionReport open;
    open.number = 4;
    open.begins = 1;
    open.first_begin = 5 * kUs;
    open.open = 7 * kUs;
    report.regions.push_back(open);
    const json regions = summary_of(report)["regions"];
    EXPECT_EQ(regions[0]["number"], 1);
    EXPECT_EQ(regions[0]["processors"], 2);
    EXPECT_EQ(regions[0]["begins"], 3);
    EXPECT_EQ(regions[0]["first_begin_us"], 2.0);
    EXPECT_EQ(regions[0]["last_end_us"], 12.0);
    EXPECT_EQ(regions[0]["mean_inside_us"], 3.0);
    EXPECT_EQ(regions[0]["max_inside_us"], 6.0);
    EXPECT_EQ(regions[1]["first_begin_us"], 5.0);
    EXPECT_EQ(regions[1]["last_end_us"], nullptr);
    EXPECT_EQ(regions[1]["open_us"], 7.0);
}

TEST(SummaryJson, WritesNumbersAsNumbersAndTextAsText) {
    const json s = summary_of(report_for_test());
    EXPECT_EQ(s["guest"]["exit_status"], 0);
    EXPECT_EQ(s["guest"]["results"], json({{"elapsed_us", 24}, {"rate", 1.5}, {"order", "b a"}}));
    EXPECT_EQ(s["config"]["machine.name"], "Symmetry A");
    EXPECT_TRUE(s["config"]["machine.processors"].is_number_integer());
    EXPECT_TRUE(s["config"]["processor.clock_mhz"].is_number_float());
    EXPECT_EQ(s["config"]["observe.vcd"], false);
    EXPECT_EQ(s["config"]["guest.args.lock"], "8");
}

TEST(SummaryJson, GuestResultsCannotBreakTheJson) {
    RunReport report = report_for_test();
    report.guest.exit_status.reset();
    report.guest.results = {{"bytes", "\xff\xfe"}, {"list", "[1, 2]"}, {"none", "null"},
                            {"empty", ""},         {"huge", "1e999"},  {"quote", "a\"b"}};
    const json guest = summary_of(report)["guest"];
    EXPECT_EQ(guest["exit_status"], nullptr);
    EXPECT_EQ(guest["results"]["bytes"], "\xef\xbf\xbd\xef\xbf\xbd");
    EXPECT_EQ(guest["results"]["list"], "[1, 2]");
    EXPECT_EQ(guest["results"]["none"], "null");
    EXPECT_EQ(guest["results"]["empty"], "");
    EXPECT_EQ(guest["results"]["huge"], "1e999");
    EXPECT_EQ(guest["results"]["quote"], "a\"b");
}

TEST(SummaryJson, ContainsAFailure) {
    RunReport report = report_for_test();
    report.status = RunStatus::guest_failure;
    FailureReport failure;
    failure.failure = {"jump into the void", "look at the return address", 1, 62'500, 0xdead};
    failure.symbol = "work+0x4";
    failure.registers = "eax 00000000";
    failure.backtrace = {"work", "main"};
    report.failure = failure;
    const json s = summary_of(report);
    EXPECT_EQ(s["status"], "guest-failure");
    EXPECT_EQ(s["failure"]["what"], "jump into the void");
    EXPECT_EQ(s["failure"]["processor"], 1);
    EXPECT_EQ(s["failure"]["time_us"], 0.0625);
    EXPECT_EQ(s["failure"]["eip"], "0x0000dead");
    EXPECT_EQ(s["failure"]["backtrace"], json({"work", "main"}));
    EXPECT_EQ(s["failure"]["exception"], nullptr);
    EXPECT_EQ(s["failure"]["branches"], json::array());
}

TEST(SummaryJson, ContainsAnExceptionAndTheLastBranches) {
    RunReport report = report_for_test();
    FailureReport failure;
    failure.failure = {"page fault", "look at cr2", 1, 62'500, 0xdead};
    failure.failure.vector = 14;
    failure.failure.error_code = 6;
    failure.failure.cr2 = 0x1000;
    failure.source = "work.c:7";
    failure.branches = {{"0x00001000 a", "0x00002000 b"}, {"0x00002004 b+0x4", "0x00003000 c"}};
    report.failure = failure;
    json s = summary_of(report)["failure"];
    EXPECT_EQ(s["source"], "work.c:7");
    EXPECT_EQ(s["exception"]["vector"], 14);
    EXPECT_EQ(s["exception"]["mnemonic"], "#PF");
    EXPECT_EQ(s["exception"]["error_code"], "0x00000006");
    EXPECT_EQ(s["exception"]["cr2"], "0x00001000");
    EXPECT_EQ(s["branches"][1], json({{"from", "0x00002004 b+0x4"}, {"to", "0x00003000 c"}}));
    report.failure->failure.vector = 6;
    report.failure->failure.error_code.reset();
    report.failure->failure.cr2.reset();
    s = summary_of(report)["failure"]["exception"];
    EXPECT_EQ(s["error_code"], nullptr);
    EXPECT_EQ(s["cr2"], nullptr);
}

TEST(SummaryJson, ContainsPostCodesUpToTheLimit) {
    PostCodes log;
    for (std::size_t n = 0; n < PostCodes::kMost + 3; ++n)
        log.add(static_cast<Time>(n) * kUs, static_cast<std::uint8_t>(n));
    RunReport report = report_for_test();
    EXPECT_EQ(summary_of(report)["guest"]["post_codes"], json::array());
    report.guest.post_codes = log;
    const json guest = summary_of(report)["guest"];
    EXPECT_EQ(guest["post_codes"].size(), 10'000u);
    EXPECT_EQ(guest["post_codes"][300], json({{"time_us", 300.0}, {"code", 300 % 256}}));
    EXPECT_EQ(guest["post_codes_left_out"], 3);
}

TEST(SummaryJson, TimesOfLongRunsAreExact) {
    RunReport report = report_for_test();
    report.end = 30'000'000'000'062'500;  // 30,000 s (8 h 20 min) and one clock of 62.5 ns
    EXPECT_NE(summary_json(report).find("\"simulated_us\": 30000000000.0625"), std::string::npos);
    report.end = 1'234'567'890'123;
    EXPECT_NE(summary_json(report).find("\"simulated_us\": 1234567.890123"), std::string::npos);
}

TEST(SummaryJson, DoesNotDependOnTheHost) {
    RunReport report = report_for_test();
    const std::string here = summary_json(report);
    report.host = {1, 2, 3, "elsewhere", "another compiler", "debug", "fast"};
    EXPECT_EQ(summary_json(report), here);
}

TEST_F(RunFilesTest, BusCsvHasARowPerIntervalAndTheLastMayBeShorter) {
    write_run_file(report_for_test(), folder_ / "bus.csv");
    EXPECT_EQ(contents(folder_ / "bus.csv"),
              "start_us,end_us,busy_us,utilisation,mean_queue_length,transactions,mean_wait_us,"
              "share_activity_user,share_activity_threads,share_activity_critical,"
              "share_activity_spin,share_activity_idle,share_activity_kernel,share_activity_boot,"
              "share_kind_fetch,share_kind_read,share_kind_read_exclusive,share_kind_upgrade,"
              "share_kind_store,share_kind_locked_read,share_kind_locked_store,share_kind_unlock,"
              "share_kind_write_back,share_kind_io_read,share_kind_io_write\n"
              "0,10,1.5,0.150000,0.300000,2,1.5,"
              "0.000000,0.000000,0.100000,0.050000,0.000000,0.000000,0.000000,"
              "0.000000,0.100000,0.000000,0.000000,"
              "0.000000,0.050000,0.000000,0.000000,0.000000,0.000000,0.000000\n"
              "10,20,2,0.200000,0.000000,0,0,"
              "0.100000,0.000000,0.100000,0.000000,0.000000,0.000000,0.000000,"
              "0.000000,0.200000,0.000000,0.000000,"
              "0.000000,0.000000,0.000000,0.000000,0.000000,0.000000,0.000000\n"
              "20,25,0,0.000000,0.000000,0,0,"
              "0.000000,0.000000,0.000000,0.000000,0.000000,0.000000,0.000000,"
              "0.000000,0.000000,0.000000,0.000000,"
              "0.000000,0.000000,0.000000,0.000000,0.000000,0.000000,0.000000\n");
}

TEST_F(RunFilesTest, LocksCsvHasARowPerLockAndProcessor) {
    write_run_file(report_for_test(), folder_ / "locks.csv");
    EXPECT_EQ(contents(folder_ / "locks.csv"),
              "lock,address,processor,attempts,acquisitions,releases,wait_us,max_wait_us,hold_us,"
              "max_hold_us,open_wait_us,open_hold_us\n"
              "counter_lock,0x00001040,0,1,1,1,1,1,14,14,0,0\n"
              "counter_lock,0x00001040,1,1,0,0,0,0,0,0,22,0\n");
}

TEST_F(RunFilesTest, LockNameWithACommaIsQuoted) {
    RunReport report = report_for_test();
    report.locks[0].name = "table<int, \"x\">";
    write_run_file(report, folder_ / "locks.csv");
    EXPECT_NE(contents(folder_ / "locks.csv").find("\n\"table<int, \"\"x\"\">\",0x00001040,0,"),
              std::string::npos);
}

TEST_F(RunFilesTest, MipsAndSlowdownUseProcessorTime) {
    write_run_file(report_for_test(), folder_ / "host.json");
    const json host = json::parse(contents(folder_ / "host.json"));
    EXPECT_EQ(host["cpu_s"], 0.5);
    EXPECT_EQ(host["wall_s"], 0.75);
    EXPECT_DOUBLE_EQ(host["mips"], 123 / 1e6 / 0.5);
    EXPECT_DOUBLE_EQ(host["slowdown"], 0.5 / 25e-6);
}

std::set<std::string> names_in(const std::filesystem::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.insert(entry.path().filename().string());
    return names;
}

TEST_F(RunFilesTest, FilesOfAnEarlierRunGoAndThoseOfTheUserStay) {
    const auto folder = folder_ / "a" / "b";
    make_run_folder(folder);
    for (const RunFile& file : run_files()) {
        std::string name = file.name;
        if (const auto at = name.find("TIME"); at != std::string::npos) name.replace(at, 4, "12.5");
        std::ofstream(folder / name) << "old";
        std::ofstream(folder / (name + ".part")) << "old";
    }
    for (const char* derived :
         {"report.html", "compared-with-other.html", "trace.fst", "trace.fst.part", "bus.parquet",
          "marks.parquet", "states.parquet", "states.parquet.part", "transactions.csv", "marks.csv",
          "states.csv", "point.json"})
        std::ofstream(folder / derived) << "old";
    const std::set<std::string> own = {"notes.txt", "mine.part", "my-report.html",
                                       "compared-with-.html", "bus.csv.orig"};
    for (const std::string& name : own) std::ofstream(folder / name) << "mine";
    remove_old_results(folder);
    EXPECT_EQ(names_in(folder), own);
    remove_old_results(folder);  // without old results it does nothing
    EXPECT_EQ(names_in(folder), own);
}

TEST_F(RunFilesTest, FilesOfAnEarlierGuestGoIfTheManifestListsThem) {
    std::filesystem::create_directories(folder_ / "files" / "tmp" / "deep");
    for (const char* name : {"mine", "files/own", "files/tmp/deep/made", "files/made"})
        std::ofstream(folder_ / name) << "x";
    std::ofstream(folder_ / "manifest.json")
        << R"({"files": [{"name": "files/tmp/deep/made"}, {"name": "files/made"}, {"name": 3}, {},
               {"name": "files/../mine"}, {"name": "../mine"}, {"name": "files/none"}]})";
    EXPECT_SAYS(test::user_error([&] {
                    check_inputs(folder_, {{"guest.files", folder_ / "files/made"}});
                }),
                "this is an input of the run (guest.files");
    remove_old_results(folder_);
    EXPECT_EQ(names_in(folder_), (std::set<std::string>{"files", "mine"}));
    EXPECT_EQ(names_in(folder_ / "files"), std::set<std::string>{"own"});
}

TEST_F(RunFilesTest, TheManifestHasTheFoldersOfAFile) {
    std::filesystem::create_directories(folder_ / "files" / "tmp");
    ResultFiles files(folder_);
    files.save("files/tmp/out",
               [](const std::filesystem::path& path) { return write_file(path, "text"); });
    files.finish({});
    EXPECT_SAYS(contents(folder_ / "manifest.json"), "\"files/tmp/out\"");
}

// OutputFile would follow a link named NAME.part and empty the file it leads to.
TEST_F(RunFilesTest, LinksInPlaceOfPartialFilesGoAndDevicesInPlaceOfResultsStay) {
    std::ofstream(folder_ / "mine") << "mine";
    std::filesystem::create_symlink(folder_ / "mine", folder_ / "bus.csv.part");
    std::filesystem::create_symlink(folder_ / "none", folder_ / "locks.csv");
    std::filesystem::create_symlink("/dev/null", folder_ / "trace.vcd");
    remove_old_results(folder_);
    EXPECT_EQ(names_in(folder_), (std::set<std::string>{"mine", "trace.vcd"}));
    EXPECT_EQ(contents(folder_ / "mine"), "mine");
}

TEST_F(RunFilesTest, FileInPlaceOfTheFolderIsReported) {
    std::ofstream(folder_ / "results") << "a file";
    for (const auto& folder : {folder_ / "results", folder_ / "results" / "mine"}) {
        try {
            make_run_folder(folder);
            ADD_FAILURE() << folder;
        } catch (const OutputError& error) {
            EXPECT_NE(std::string(error.what()).find("--out"), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace symsim
