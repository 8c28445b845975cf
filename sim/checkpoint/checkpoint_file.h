// SPDX-License-Identifier: MIT
// The file format of a checkpoint. The first line has the format's number and a checksum. The
// second line is JSON and describes the run: time, guest, config. The rest is the state, compressed
// with zstd.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/observe/output_file.h"

namespace symsim {

// To be increased when any class saves other members or saves them in another order. Builds for
// more processors have another one, since their sets of processors are larger.
constexpr int kCheckpointVersion = 9 + 1000 * (kMaxProcessors / 64 - 1);

struct Checkpoint {
    Time time = 0;             // everything before this time has been executed, and nothing else
    std::string image_sha256;  // of the guest
    std::string stdin_sha256;  // of its standard input; empty if there is none
    std::vector<std::pair<std::string, std::string>> config;  // dotted key, value as TOML text
    std::string state;                                        // uncompressed
    std::filesystem::path path;                               // that it was read from
};

// Throws OutputError.
std::optional<WrittenFile> write_checkpoint(const Checkpoint& checkpoint,
                                            const std::filesystem::path& path);
// Throws UserError if the file cannot be read, is too large, is no checkpoint, is damaged, or has
// another format number.
Checkpoint read_checkpoint(const std::filesystem::path& path);

// Throws UserError: the checkpoint at `path` cannot be used.
[[noreturn]] void refuse_checkpoint(const std::filesystem::path& path, const std::string& why,
                                    const std::string& fix);

// Throws UserError unless a run whose own checkpoints are like `run` can continue from the
// checkpoint: config, guest and input are the same. The run's limit and the traces may differ. The
// interval of bus.csv must be equal, because the checkpoint is inside one.
void check_fits(const Checkpoint& checkpoint, const Checkpoint& run);

}  // namespace symsim
