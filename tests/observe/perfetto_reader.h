// SPDX-License-Identifier: MIT
// Reads as much of a trace.pftrace as the tests of PerfettoWriter need. It has its own list of
// field numbers; they come from Perfetto's protos/perfetto/trace/*.proto. tests/lab/ reads whole
// traces with Perfetto's classes.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

#include "sim/base/time.h"

namespace symsim::testing {

struct PerfettoSlice {
    std::string track;  // path from the root: "machine/bus"
    std::string name;
    std::string category;
    Time start = 0;
    Time end = 0;
    std::map<std::string, std::string> notes;
    std::vector<std::uint64_t> flows, end_flows;
};

struct PerfettoTrace {
    std::vector<PerfettoSlice> slices, instants;
    std::map<std::string, std::vector<std::pair<Time, double>>> counters;

    // The slices, then the instants, on the track with this path; below "machine" if it is there.
    std::vector<PerfettoSlice> on(const std::string& track) const {
        std::vector<PerfettoSlice> found;
        for (const auto& list : {slices, instants})
            for (const PerfettoSlice& slice : list)
                if (slice.track == "machine/" + track || slice.track == track)
                    found.push_back(slice);
        return found;
    }
};

class PerfettoReader {
  public:
    static PerfettoTrace read(const std::string& bytes) {
        PerfettoReader reader;
        protozero::pbf_reader trace(bytes);
        while (trace.next(1)) reader.packet(trace.get_message());
        for (const auto& [track, open] : reader.open_)
            EXPECT_TRUE(open.empty()) << "a slice without an end on " << reader.tracks_[track];
        return reader.trace_;
    }

  private:
    using Names = std::map<std::uint64_t, std::string>;

    void packet(protozero::pbf_reader fields) {
        Time at = 0;
        while (fields.next()) {
            if (fields.tag() == 8)
                at = static_cast<Time>(fields.get_uint64()) * 1'000;
            else if (fields.tag() == 11)
                event(at, fields.get_message());
            else if (fields.tag() == 12)
                interned(fields.get_message());
            else if (fields.tag() == 60)
                track(fields.get_message());
            else
                fields.skip();
        }
    }
    void interned(protozero::pbf_reader data) {
        while (data.next()) {
            const auto table = data.tag();
            protozero::pbf_reader entry = data.get_message();
            std::uint64_t number = 0;
            while (entry.next()) {
                if (entry.tag() == 1)
                    number = entry.get_uint64();
                else
                    names_[table][number] = entry.get_string();
            }
        }
    }
    void track(protozero::pbf_reader fields) {
        std::uint64_t uuid = 0;
        std::string parent, name;
        while (fields.next()) {
            if (fields.tag() == 1)
                uuid = fields.get_uint64();
            else if (fields.tag() == 5)
                parent = tracks_.at(fields.get_uint64()) + "/";
            else if (fields.tag() == 2)
                name = fields.get_string();
            else
                fields.skip();
        }
        EXPECT_TRUE(tracks_.emplace(uuid, parent + name).second);
    }
    void note(PerfettoSlice& slice, protozero::pbf_reader fields) {
        std::string name;
        while (fields.next()) {
            const std::uint64_t value = fields.get_uint64();
            if (fields.tag() == 1)
                name = names_[3].at(value);
            else
                slice.notes[name] =
                    fields.tag() == 17 ? names_[29].at(value) : std::to_string(value);
        }
    }
    void event(Time at, protozero::pbf_reader fields) {
        PerfettoSlice slice;
        std::uint64_t type = 0, track = 0;
        double counter = 0;
        while (fields.next()) {
            switch (fields.tag()) {
                case 3:
                    slice.category = names_[1].at(fields.get_uint64());
                    break;
                case 4:
                    note(slice, fields.get_message());
                    break;
                case 9:
                    type = fields.get_uint64();
                    break;
                case 10:
                    slice.name = names_[2].at(fields.get_uint64());
                    break;
                case 11:
                    track = fields.get_uint64();
                    break;
                case 30:
                    counter = static_cast<double>(fields.get_uint64());
                    break;
                case 44:
                    counter = fields.get_double();
                    break;
                case 47:
                    slice.flows.push_back(fields.get_fixed64());
                    break;
                case 48:
                    slice.end_flows.push_back(fields.get_fixed64());
                    break;
                default:
                    ADD_FAILURE() << "field " << fields.tag();
                    fields.skip();
            }
        }
        slice.track = tracks_.at(track);
        slice.start = at + rest(slice, "start_rest_ps");
        if (type == 1) open_[track].push_back(slice);
        if (type == 3) trace_.instants.push_back(slice);
        if (type == 4) trace_.counters[slice.track].emplace_back(at, counter);
        if (type != 2) return;
        ASSERT_FALSE(open_[track].empty()) << "an end without a beginning on " << slice.track;
        PerfettoSlice done = open_[track].back();
        open_[track].pop_back();
        done.end = at + rest(slice, "end_rest_ps");
        trace_.slices.push_back(done);
    }
    // The remainder of a time below a nanosecond, which it removes from the notes.
    static Time rest(PerfettoSlice& slice, const char* name) {
        const auto found = slice.notes.find(name);
        if (found == slice.notes.end()) return 0;
        const Time value = std::stoll(found->second);
        EXPECT_TRUE(value > 0 && value < 1'000) << value;
        slice.notes.erase(found);
        return value;
    }

    PerfettoTrace trace_;
    std::map<std::uint64_t, std::string> tracks_;
    std::map<std::uint32_t, Names> names_;
    std::map<std::uint64_t, std::vector<PerfettoSlice>> open_;
};

}  // namespace symsim::testing
