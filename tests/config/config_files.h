// SPDX-License-Identifier: MIT
// Fixture for tests of configs: writes config files to a folder that is removed after the test,
// loads them, and returns error messages.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sim/base/failure.h"
#include "sim/config/config.h"

namespace symsim::test {

class ConfigFiles : public testing::Test {
  protected:
    ConfigFiles() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::path(testing::TempDir()) /
                  (std::string("symsim_") + test->test_suite_name() + "_" + test->name());
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    ~ConfigFiles() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path write(const std::string& name, const std::string& text) const {
        const std::filesystem::path path = folder_ / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
        return path;
    }

    Config load(const std::string& text, const std::vector<std::string>& overrides = {}) const {
        return load_config(write("a.toml", text), overrides);
    }

    // The error message if this text is refused, without the folder's name; else "(accepted)".
    std::string refusal(const std::string& text,
                        const std::vector<std::string>& overrides = {}) const {
        return refusal_of(write("a.toml", text), overrides);
    }
    std::string refusal_of(const std::filesystem::path& file,
                           const std::vector<std::string>& overrides = {}) const {
        try {
            load_config(file, overrides);
        } catch (const UserError& error) {
            std::string what = error.what();
            const std::string folder = folder_.string() + "/";
            for (auto at = what.find(folder); at != std::string::npos; at = what.find(folder))
                what.erase(at, folder.size());
            return what;
        }
        return "(accepted)";
    }

    std::filesystem::path folder_;
};

inline bool begins_with(const std::string& text, const std::string& prefix) {
    return text.compare(0, prefix.size(), prefix) == 0;
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace symsim::test
