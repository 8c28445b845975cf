// SPDX-License-Identifier: MIT
// A checkpoint as a file: a line with the format's number and a checksum, a line of JSON that says
// what it is a checkpoint of, and the state, compressed (zstd).
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/time.h"

namespace symsim {

// Counts up when any class saves other members, or in another order.
constexpr int kCheckpointVersion = 3;

struct Checkpoint {
    Time time = 0;             // everything before has been executed, and nothing else
    std::string image_sha256;  // of the guest
    std::vector<std::pair<std::string, std::string>> config;  // flat key, value as TOML text
    std::string state;
};

// Throws OutputError.
void write_checkpoint(const Checkpoint& checkpoint, const std::filesystem::path& path);
// Throws UserError if there is none, it is damaged, or of another version of symsim.
Checkpoint read_checkpoint(const std::filesystem::path& path);

// Throws UserError unless a run of this config and guest can go on from it. The limit of the run
// and what is traced may be others; the interval of bus.csv may not, since it has begun.
void check_fits(const Checkpoint& checkpoint, const std::filesystem::path& path,
                const std::vector<std::pair<std::string, std::string>>& config,
                const std::string& image_sha256);

}  // namespace symsim
