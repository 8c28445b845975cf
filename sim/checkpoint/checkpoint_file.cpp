// SPDX-License-Identifier: MIT
// Writes and reads checkpoint files, and compares a checkpoint's config with that of the run.
#include "sim/checkpoint/checkpoint_file.h"

#include <fmt/format.h>
#include <zstd.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "sim/base/failure.h"
#include "sim/base/input_file.h"
#include "sim/base/sha256.h"
#include "sim/observe/numbers.h"

namespace symsim {

void refuse_checkpoint(const std::filesystem::path& path, const std::string& why,
                       const std::string& fix) {
    throw UserError(fmt::format("--restore {}: {}; {}", path.string(), why, fix));
}

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMagic = "symsim checkpoint";
// The largest state, and the largest file: all processors' caches and 4 GiB of memory need less.
constexpr std::uint64_t kMostStateBytes = std::uint64_t{5} << 30;
// The latest time that --checkpoint-at takes.
constexpr Time kLatest = 1'000'000'000'000'000'000;

std::string checksum(std::string_view bytes) {
    return sha256({bytes.begin(), bytes.end()});
}

std::string compressed(const std::string& state) {
    std::string out(ZSTD_compressBound(state.size()), '\0');
    const std::size_t size =
        ZSTD_compress(out.data(), out.size(), state.data(), state.size(), /*level=*/3);
    if (ZSTD_isError(size)) impossible("zstd: {}", ZSTD_getErrorName(size));
    out.resize(size);
    return out;
}

[[noreturn]] void refuse_damaged(const std::filesystem::path& path) {
    refuse_checkpoint(path, "it is damaged: its checksum is not that of its contents",
                      "take it again");
}

// The two sizes must agree before any memory is allocated.
std::string decompressed(std::string_view packed, std::uint64_t size,
                         const std::filesystem::path& path) {
    if (size > kMostStateBytes || ZSTD_getFrameContentSize(packed.data(), packed.size()) != size)
        refuse_checkpoint(
            path, fmt::format("its state has {} bytes, and at most {} fit", size, kMostStateBytes),
            "take it again");
    std::string state(size, '\0');
    const std::size_t got =
        ZSTD_decompress(state.data(), state.size(), packed.data(), packed.size());
    if (ZSTD_isError(got) || got != size) refuse_damaged(path);
    return state;
}

// Throws Json::exception if the header lacks a field.
Checkpoint parsed(const Json& header, std::string_view packed, const std::filesystem::path& path) {
    Checkpoint checkpoint;
    checkpoint.path = path;
    checkpoint.time = header.at("time_ps").get<Time>();
    if (checkpoint.time < 1 || checkpoint.time > kLatest)
        refuse_checkpoint(path, fmt::format("it is of {} ps", checkpoint.time), "take it again");
    checkpoint.image_sha256 = header.at("image_sha256").get<std::string>();
    checkpoint.stdin_sha256 = header.value("stdin_sha256", "");
    for (const auto& [key, value] : header.at("config").items())
        checkpoint.config.emplace_back(key, value.get<std::string>());
    checkpoint.state = decompressed(packed, header.at("state_bytes").get<std::uint64_t>(), path);
    return checkpoint;
}

// False for keys that do not change the state: two runs that differ only in such keys reach the
// same state.
bool matters(const std::string& key) {
    if (key.rfind("observe.", 0) == 0) return key == "observe.interval_us";
    return key != "run.limit_ms" && key != "guest.image" && key != "guest.rom" &&
           key != "guest.stdin" && key != "figure.name";
}

}  // namespace

std::optional<WrittenFile> write_checkpoint(const Checkpoint& checkpoint,
                                            const std::filesystem::path& path) {
    Json header;
    header["time_us"] = us_text(checkpoint.time);
    header["time_ps"] = checkpoint.time;
    header["image_sha256"] = checkpoint.image_sha256;
    if (!checkpoint.stdin_sha256.empty()) header["stdin_sha256"] = checkpoint.stdin_sha256;
    header["state_bytes"] = checkpoint.state.size();
    header["config"] = Json::object();
    for (const auto& [key, value] : checkpoint.config) header["config"][key] = value;
    const std::string body = header.dump() + '\n' + compressed(checkpoint.state);
    OutputFile file(path);
    file.write(fmt::format("{} {} {}\n", kMagic, kCheckpointVersion, checksum(body)));
    file.write(body);
    return file.commit();
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
    constexpr const char* kFix = "name a file that --checkpoint-at has written";
    const InputFile file(path, "--restore", kFix);
    if (file.start(kMagic.size()) != kMagic) refuse_checkpoint(path, "it is no checkpoint", kFix);
    const std::string text = file.text(kMostStateBytes);
    const std::string_view all = text;
    const std::size_t first = std::min(all.find('\n'), all.size());
    std::istringstream line(std::string(all.substr(0, first)));
    std::string program, what, sum;
    int version = 0;
    if (!(line >> program >> what >> version >> sum) || program + ' ' + what != kMagic)
        refuse_checkpoint(path, "it is no checkpoint", kFix);
    if (version != kCheckpointVersion)
        refuse_checkpoint(path,
                          fmt::format("it is of format {}, and this symsim reads {}", version,
                                      kCheckpointVersion),
                          "take it again with this one");
    const std::string_view body = all.substr(std::min(first + 1, all.size()));
    if (checksum(body) != sum) refuse_damaged(path);
    const std::size_t header = std::min(body.find('\n'), body.size());
    const std::string_view packed = body.substr(std::min(header + 1, body.size()));
    try {
        return parsed(Json::parse(body.substr(0, header)), packed, path);
    } catch (const Json::exception&) {
        refuse_damaged(path);
    }
}

void check_fits(const Checkpoint& checkpoint, const Checkpoint& run) {
    std::map<std::string, std::string> then(checkpoint.config.begin(), checkpoint.config.end());
    std::string differences;
    const auto differs = [&](const std::string& key, const std::string& now,
                             const std::string& before) {
        differences += fmt::format("\n  {} is {} here and {} there", key, now, before);
    };
    for (const auto& [key, value] : run.config) {
        const auto before = then.find(key);
        if (matters(key) && (before == then.end() || before->second != value))
            differs(key, value, before == then.end() ? "absent" : before->second);
        if (before != then.end()) then.erase(before);
    }
    for (const auto& [key, value] : then)
        if (matters(key)) differs(key, "absent", value);
    if (run.image_sha256 != checkpoint.image_sha256)
        differs("the guest (SHA-256)", run.image_sha256, checkpoint.image_sha256);
    const auto or_none = [](const std::string& sha) { return sha.empty() ? "no file" : sha; };
    if (run.stdin_sha256 != checkpoint.stdin_sha256)
        differs("guest.stdin (SHA-256)", or_none(run.stdin_sha256),
                or_none(checkpoint.stdin_sha256));
    if (!differences.empty())
        refuse_checkpoint(
            checkpoint.path, "it is of another run:" + differences,
            "run the config it was taken with; only run.limit_ms, run.engine and what is traced "
            "(observe.*, but for interval_us) may be others");
}

}  // namespace symsim
