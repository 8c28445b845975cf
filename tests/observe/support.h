// SPDX-License-Identifier: MIT
// Helpers for the tests of sim/observe: short ways to make a bus use or a mark, and a fixture with
// a temporary folder.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/observer.h"
#include "sim/observe/run_files.h"

namespace symsim::testing {

constexpr Time kUs = kMicrosecond;

inline Mark change(Time time, Activity activity) {
    Mark mark;
    mark.time = time;
    mark.what = Mark::What::activity;
    mark.activity = activity;
    return mark;
}

inline Mark probe(Time time, ProbeKind kind, std::uint32_t value) {
    Mark mark;
    mark.time = time;
    mark.what = Mark::What::probe;
    mark.probe = kind;
    mark.value = value;
    return mark;
}

// Writes the file of a run that has this name.
inline void write_run_file(const RunReport& report, const std::filesystem::path& path) {
    for (const RunFile& file : run_files())
        if (file.name == path.filename()) file.write(report, path);
}

template <class Meter>
void tell(Meter& meter, ProcessorId processor, const std::vector<Mark>& marks) {
    for (const Mark& mark : marks) meter.passed(processor, mark);
}

inline BusUse use(Time posted, Time start, Time duration, ProcessorId processor = 0,
                  TransactionKind kind = TransactionKind::read,
                  Activity activity = Activity::user) {
    BusUse result;
    result.posted = posted;
    result.start = start;
    result.duration = duration;
    result.processor = processor;
    result.kind = kind;
    result.activity = activity;
    return result;
}

inline BusUse reply(Time posted, Time start, Time duration, ProcessorId processor = 0) {
    BusUse result = use(posted, start, duration, processor);
    result.reply = true;
    return result;
}

// The use as one of that resource.
inline BusUse on(unsigned resource, BusUse use) {
    use.resource = static_cast<std::uint8_t>(resource);
    return use;
}

inline std::string contents(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    EXPECT_TRUE(in) << path;
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

// Each test has a folder of its own, which is removed after it.
class InFolder : public ::testing::Test {
  protected:
    InFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "symsim-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "cannot create " << name;
        folder_ = name;
    }
    ~InFolder() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path folder_;
};

}  // namespace symsim::testing
