// SPDX-License-Identifier: MIT
// Writes a transaction log as in a run, and reads it back with nothing but the description in its
// header.
#pragma once

#include <zstd.h>

#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/observe/trace_feed.h"
#include "sim/observe/transaction_log.h"
#include "tests/observe/support.h"

namespace symsim::testing {

using Record = std::map<std::string, std::uint64_t>;

// The contents of a log, decoded as its header describes.
struct Log {
    nlohmann::json header;
    std::map<std::string, std::vector<Record>> records;
    bool whole = false;  // the zstd frame is complete and its checksum right

    // The values of a field in all records of a type.
    std::vector<std::uint64_t> column(const std::string& type, const std::string& field) const {
        std::vector<std::uint64_t> values;
        const auto found = records.find(type);
        if (found == records.end()) return values;
        for (const Record& record : found->second) values.push_back(record.at(field));
        return values;
    }
};

inline std::string decompress(const std::string& bytes, bool& whole) {
    ZSTD_DCtx* const context = ZSTD_createDCtx();
    std::string text;
    std::string piece(1 << 16, 0);
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    std::size_t left = 1;
    while (in.pos < in.size) {
        ZSTD_outBuffer out{piece.data(), piece.size(), 0};
        left = ZSTD_decompressStream(context, &out, &in);
        if (ZSTD_isError(left) != 0) break;
        text.append(piece, 0, out.pos);
    }
    whole = left == 0;
    ZSTD_freeDCtx(context);
    return text;
}

// Reads a little-endian integer whose bytes are `apart` from each other. Advances `at` past the
// last one by `apart`.
inline std::uint64_t integer(const std::string& text, std::size_t& at, std::size_t bytes,
                             std::size_t apart = 1) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i, at += apart)
        value |= std::uint64_t{static_cast<unsigned char>(text.at(at))} << (8 * i);
    return value;
}

inline Log read_log(const std::filesystem::path& path) {
    Log log;
    const std::string text = decompress(contents(path), log.whole);
    std::size_t at = text.find('\n') + 1;
    log.header = nlohmann::json::parse(text.substr(0, at));
    EXPECT_EQ(log.header["layout"], "planes");
    while (at < text.size()) {
        const nlohmann::json& type = log.header["records"].at(integer(text, at, 4));
        const std::uint64_t count = integer(text, at, 4);
        const std::size_t planes = at;
        Record before;
        for (std::uint64_t n = 0; n < count; ++n) {
            Record record;
            at = planes + n;
            for (const nlohmann::json& field : type["fields"]) {
                const std::string integer_type = field["type"];
                EXPECT_EQ(integer_type.substr(0, 2), "<u");
                const std::size_t bytes = std::stoul(integer_type.substr(2));
                record[field["name"]] = integer(text, at, bytes, count);
                const bool difference = field["stored"] == "difference";
                EXPECT_EQ(difference, field["unit"] == "ps");
                if (difference) record[field["name"]] += before[field["name"]];
            }
            before = record;
            log.records[type["name"]].push_back(record);
        }
        at -= count - 1;  // from `count` bytes after the last byte to one byte after it
    }
    return log;
}

class TransactionLogTest : public InFolder {
  protected:
    TraceConfig config(unsigned processors = 2) const {
        TraceConfig config{};
        config.max_bytes = std::uint64_t{1} << 32;
        config.path = folder_ / "bus.log.zst";
        config.run.processors = processors;
        return config;
    }
    // A log that gets its events through a TraceFeed, as in a run.
    struct Writer {
        explicit Writer(const TraceConfig& config, const Window& window = {})
            : Writer(config, WindowConfig{window, {}, 0}) {}
        Writer(const TraceConfig& config, const WindowConfig& window)
            : log(config), feed(config.run.processors, window) {
            feed.add(log);
        }
        void close(Time end) {
            feed.close(end);
            log.close({end});
        }
        TransactionLog log;
        TraceFeed feed;
    };
    // Ends the log at `end` and reads it.
    Log ended(Writer& writer, Time end) const {
        writer.close(end);
        writer.log.commit();
        return read_log(folder_ / "bus.log.zst");
    }
};

using Values = std::vector<std::uint64_t>;

}  // namespace symsim::testing
