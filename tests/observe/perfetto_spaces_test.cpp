// SPDX-License-Identifier: MIT
// Address spaces in a Perfetto trace: their tracks, and messages and processors as flows.
#include "sim/observe/perfetto_tracks.h"

#include "sim/base/activity.h"
#include "sim/base/probe_point.h"
#include "tests/observe/perfetto_fixture.h"

namespace symsim {
namespace {

using testing::change;
using testing::PerfettoSlice;
using testing::PerfettoTrace;
using testing::PerfettoWriterTest;
using testing::probe;
using testing::Span;

class PerfettoSpacesTest : public PerfettoWriterTest {};

std::string names(const std::vector<PerfettoSlice>& slices) {
    std::string all;
    for (const PerfettoSlice& slice : slices) all += slice.name + " ";
    return all;
}

// Processor 0 calls from the client, then goes to the server, which receives the call there.
TEST_F(PerfettoSpacesTest, AMessageAndAProcessorFlowFromSpaceToSpace) {
    processes_ = true;
    spaces_ = {"client", "server"};
    constexpr Address kMessage = 0x7000;
    const PerfettoTrace seen = trace(
        [](TraceFeed& feed) {
            feed.passed(
                0, {probe(1'000, ProbeKind::process_run, 0),
                    probe(1'000, ProbeKind::process_upcall, 0), change(1'500, Activity::user),
                    probe(2'000, ProbeKind::call_begin, 5),
                    probe(3'000, ProbeKind::call_sent, kMessage),
                    probe(4'000, ProbeKind::call_poll, 0), probe(5'000, ProbeKind::call_poll, 0)});
            feed.reached(5'500);
            feed.passed(
                0,
                {probe(6'000, ProbeKind::call_poll, 0), change(7'000, Activity::kernel),
                 probe(8'000, ProbeKind::process_yield, 0), probe(9'000, ProbeKind::process_run, 1),
                 probe(9'000, ProbeKind::process_upcall, 1), change(10'000, Activity::threads),
                 probe(11'000, ProbeKind::call_poll, 0),
                 probe(12'000, ProbeKind::call_received, kMessage),
                 probe(13'000, ProbeKind::call_dispatch, 0)});
        },
        15'000);
    const auto client = seen.on("space client/processor 0");
    const auto server = seen.on("space server/processor 0");
    EXPECT_EQ(names(client), "boot user client_send client_dispatch idle kernel ");
    EXPECT_EQ(names(server), "kernel threads server_poll server_receive server_dispatch ");
    EXPECT_EQ(spans(client), (std::vector<Span>{{1'000, 1'500},
                                                {1'500, 2'000},
                                                {2'000, 3'000},
                                                {3'000, 4'000},
                                                {4'000, 7'000},
                                                {7'000, 9'000}}));
    EXPECT_EQ(spans(server), (std::vector<Span>{{9'000, 10'000},
                                                {10'000, 11'000},
                                                {11'000, 12'000},
                                                {12'000, 13'000},
                                                {13'000, 15'000}}));
    ASSERT_EQ(client[2].flows.size(), 1u);
    EXPECT_EQ(client[2].flows, server[3].end_flows);
    EXPECT_EQ(client[2].notes.at("message"), std::to_string(kMessage));
    EXPECT_EQ(server[3].notes.at("message"), std::to_string(kMessage));
    ASSERT_EQ(client[5].flows.size(), 1u);
    EXPECT_EQ(client[5].flows, server[0].end_flows);
    EXPECT_NE(client[2].flows, client[5].flows);
    EXPECT_EQ(client[0].notes.at("reason"), "start");
    EXPECT_EQ(server[0].notes.at("reason"), "donated");
    EXPECT_TRUE(seen.on("process 0").empty());
}

// The server has the message before the client passes its probe point. A second message in the same
// place has a flow of its own.
TEST_F(PerfettoSpacesTest, AMessageMayBeReceivedBeforeItsSenderSaysSo) {
    processes_ = true;
    spaces_ = {"client", "server"};
    constexpr Address kMessage = 0x7000;
    const PerfettoTrace seen = trace(
        [](TraceFeed& feed) {
            feed.passed(
                0, {probe(0, ProbeKind::process_run, 0), probe(2'000, ProbeKind::call_begin, 5),
                    probe(4'000, ProbeKind::call_sent, kMessage),
                    probe(6'000, ProbeKind::call_begin, 5),
                    probe(7'000, ProbeKind::call_sent, kMessage)});
            feed.passed(1, {probe(0, ProbeKind::process_run, 3),
                            probe(3'000, ProbeKind::call_received, kMessage),
                            probe(5'000, ProbeKind::call_served, 0),
                            probe(8'000, ProbeKind::call_received, kMessage)});
        },
        9'000);
    const auto client = seen.on("space client/processor 0");
    const auto server = seen.on("space server/processor 1");
    EXPECT_EQ(names(client), "boot client_send client_dispatch client_send client_dispatch ");
    EXPECT_EQ(names(server), "boot server_receive boot server_receive ");
    ASSERT_EQ(client[1].flows.size(), 1u);
    EXPECT_EQ(client[1].flows, server[1].end_flows);
    ASSERT_EQ(client[3].flows.size(), 1u);
    EXPECT_EQ(client[3].flows, server[3].end_flows);
    EXPECT_NE(client[1].flows, client[3].flows);
}

// A guest decides how many messages a slice receives: here all come before its processor has a
// space. The slice ends as many flows as an event has room for.
TEST_F(PerfettoSpacesTest, ASliceMayReceiveAnyNumberOfMessages) {
    processes_ = true;
    spaces_ = {"client", "server"};
    const PerfettoTrace seen = trace(
        [](TraceFeed& feed) {
            std::vector<Mark> marks;
            for (Address message = 0; message < 5'000; ++message)
                marks.push_back(probe(1'000, ProbeKind::call_received, message));
            marks.push_back(probe(2'000, ProbeKind::process_run, 1));
            marks.push_back(probe(3'000, ProbeKind::call_poll, 0));
            feed.passed(0, marks);
        },
        4'000);
    const auto server = seen.on("space server/processor 0");
    ASSERT_FALSE(server.empty());
    EXPECT_EQ(server[0].end_flows.size(), perfetto::Event::kMostFlows);
    EXPECT_EQ(server[0].notes.at("message"), "4999");
}

}  // namespace
}  // namespace symsim
