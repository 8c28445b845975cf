// SPDX-License-Identifier: MIT
// A TLM-2.0 target of the test's own on the machine's bus, attached by one line. The target knows
// nothing of symsim. A small guest accesses it, under both engines.
//
// A process has one SystemC kernel, and a kernel runs only once. So each machine runs in a child
// process.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <tlm_utils/simple_target_socket.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <systemc>

#include "sim/machine/systemc/machine.h"
#include "tests/support/elf_writer.h"
#include "tests/support/recording_observer.h"
#include "tests/support/symsim_program.h"

namespace symsim::test {
namespace {

constexpr Address kCode = 0x0010'0000;
constexpr Address kResults = 0x0020'0000;
constexpr Address kDevice = 0xD200'0000;
constexpr Time kNanosecond = 1000;

// Offset 0: a read returns twice the value that was written, after a delay. Offset 4: a write
// starts a timer, with its time in nanoseconds; reads return 1 once it has fired. Offset 8: there
// is not a register.
class TestDevice final : public sc_core::sc_module {
  public:
    SC_HAS_PROCESS(TestDevice);
    TestDevice(const sc_core::sc_module_name& name, Time read_delay)
        : sc_module(name),
          socket("socket"),
          read_delay_(sc_core::sc_time(static_cast<double>(read_delay), sc_core::SC_PS)) {
        socket.register_b_transport(this, &TestDevice::b_transport);
        SC_METHOD(expire);
        sensitive << timer_;
        dont_initialize();
    }

    tlm_utils::simple_target_socket<TestDevice> socket;
    Time started = -1, fired = -1;

  private:
    static Time now() { return static_cast<Time>(sc_core::sc_time_stamp().value()); }
    void expire() { fired = now(); }

    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
        std::uint32_t word = 0;
        std::memcpy(&word, payload.get_data_ptr(), payload.get_data_length());
        const bool write = payload.is_write();
        if (payload.get_address() == 0 && write) {
            doubled_ = 2 * word;
        } else if (payload.get_address() == 0) {
            word = doubled_;
            delay += read_delay_;
        } else if (payload.get_address() == 4 && write) {
            started = now();
            timer_.notify(sc_core::sc_time(word, sc_core::SC_NS));
        } else if (payload.get_address() == 4) {
            word = fired >= 0 ? 1 : 0;
        } else {
            payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        if (!write) std::memcpy(payload.get_data_ptr(), &word, payload.get_data_length());
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }

    sc_core::sc_time read_delay_;
    sc_core::sc_event timer_;
    std::uint32_t doubled_ = 0;
};

struct DeviceRun {
    std::string error;  // of a UserError
    int why = -1;
    Time end = 0;
    std::string failure;
    std::vector<std::uint32_t> results;  // the first dwords at kResults
    std::vector<Time> grants, replies;   // of accesses to the device
    Time started = -1, fired = -1;
    std::uint64_t instructions = 0;

    bool operator==(const DeviceRun& b) const {
        return error == b.error && why == b.why && end == b.end && failure == b.failure &&
               results == b.results && grants == b.grants && replies == b.replies &&
               started == b.started && fired == b.fired && instructions == b.instructions;
    }
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DeviceRun, error, why, end, failure, results, grants, replies,
                                   started, fired, instructions)

DeviceRun run_here(EngineKind engine, const std::filesystem::path& guest, Time read_delay,
                   const std::function<void(Machine&, TestDevice&)>& attach) {
    Config config;
    config.machine.processors = 2;
    config.run.engine = engine;
    config.run.limit_ms = 50;
    const Image image = load_image(guest, std::uint64_t{config.memory.size_mb} << 20);
    RecordingObserver observer;
    Machine machine("machine", config, image, observer, {[](char) {}, [](char) {}},
                    [](Time) { return false; });
    TestDevice device("device", read_delay);
    attach(machine, device);
    const RunOutcome& outcome = machine.run();
    DeviceRun run;
    run.why = static_cast<int>(outcome.reason());
    run.end = outcome.time();
    run.failure = outcome.failure().what;
    for (Address a = 0; a < 16; a += 4)
        run.results.push_back(machine.memory().read(kResults + a, 4));
    for (const BusUse& use : observer.uses)
        if (use.address - kDevice < 0x1000)
            (use.reply ? run.replies : run.grants).push_back(use.start);
    run.started = device.started;
    run.fired = device.fired;
    run.instructions = machine.instructions();
    return run;
}

void attach_it(Machine& machine, TestDevice& device) {
    machine.attach(kDevice, 0x1000, device.socket);
}

DeviceRun run(EngineKind engine, const Bytes& code, Time read_delay = 0,
              const std::function<void(Machine&, TestDevice&)>& attach = attach_it) {
    const ScratchFolder scratch;
    const auto guest = scratch.path() / "guest.elf";
    ElfWriter().entry(kCode).code(".text", kCode, code).write(guest);
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    const pid_t child = fork();
    if (child == 0) {
        DeviceRun result;
        try {
            result = run_here(engine, guest, read_delay, attach);
        } catch (const std::exception& error) {
            result.error = error.what();
        }
        const std::string text = nlohmann::json(result).dump();
        const auto written = write(ends[1], text.data(), text.size());
        _exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
    }
    close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << "the child ended badly";
    if (text.empty()) return {};
    return nlohmann::json::parse(text).get<DeviceRun>();
}

// --- guests: they run on processor 0, the others halt --------------------------------------------

Bytes guest(std::initializer_list<Bytes> parts) {
    // mov eax, [processor number]; test eax, eax; jz over; hlt
    Bytes all = {0xa1, 0, 0, 0, 0xc8, 0x85, 0xc0, 0x74, 0x01, 0xf4};
    for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
    // xor eax, eax; mov [power], eax; hlt
    for (const int b : {0x31, 0xc0, 0xa3, 0, 0x10, 0, 0xd0, 0xf4})
        all.push_back(static_cast<std::uint8_t>(b));
    return all;
}
Bytes with_address(Bytes code, Address a) {
    for (int shift = 0; shift < 32; shift += 8)
        code.push_back(static_cast<std::uint8_t>(a >> shift));
    return code;
}
Bytes set(Address to, std::uint32_t value) {  // mov dword [to], value
    return with_address(with_address({0xc7, 0x05}, to), value);
}
Bytes copy(Address to, Address from) {  // mov eax, [from]; mov [to], eax
    Bytes code = with_address({0xa1}, from);
    code.push_back(0xa3);
    return with_address(code, to);
}

constexpr EngineKind kBoth[] = {EngineKind::fast, EngineKind::reference};

TEST(Device, GuestReadsAndWritesAnyTlmTarget) {
    const Bytes code = guest({set(kDevice, 21), copy(kResults, kDevice)});
    const DeviceRun fast = run(EngineKind::fast, code);
    EXPECT_EQ(fast.error, "");
    EXPECT_EQ(fast.results[0], 42u);
    EXPECT_EQ(fast.grants.size(), 2u);
    EXPECT_TRUE(run(EngineKind::reference, code) == fast);
}

// The request takes 1 cycle. Then comes the device's delay, or memory's 3 cycles if they are
// longer, rounded up to the next bus edge.
TEST(Device, DelayOfTheTargetLengthensTheAccess) {
    const Bytes code = guest({set(kDevice, 1), copy(kResults, kDevice)});
    const std::vector<std::pair<Time, Time>> delay_and_reply_ns = {
        {0, 400}, {300, 400}, {301, 500}, {1000, 1100}, {7333, 7500}};
    for (const EngineKind engine : kBoth) {
        const Time end = run(engine, code).end;
        for (const auto& [delay, reply] : delay_and_reply_ns) {
            const DeviceRun r = run(engine, code, delay * kNanosecond);
            ASSERT_EQ(r.replies.size(), 1u) << r.error;
            EXPECT_EQ(r.replies[0] - r.grants[1], reply * kNanosecond) << delay;
            // The run ends at a bus edge after some processor clocks, so allow about two cycles.
            EXPECT_NEAR(static_cast<double>(r.end - end), (reply - 400) * kNanosecond, 200'000);
        }
    }
}

// The guest polls the timer until it has fired: the last poll sees it, and no earlier one does. At
// multiples of the bus cycle the timer fires exactly at a bus edge, so the order of the two
// matters.
TEST(Device, ProcessesOfTheTargetRunBetweenTheGuestsAccesses) {
    // again: inc ecx; mov eax, [timer]; test eax, eax; jz again; mov [results], ecx
    Bytes poll = with_address({0x41, 0xa1}, kDevice + 4);
    for (const int b : {0x85, 0xc0, 0x74, 0xf6, 0x89, 0x0d})
        poll.push_back(static_cast<std::uint8_t>(b));
    poll = with_address(poll, kResults);
    for (const std::uint32_t nanoseconds : {50u, 3333u, 20'000u, 20'100u, 20'250u, 1'234'500u}) {
        SCOPED_TRACE(nanoseconds);
        const Bytes code = guest({set(kDevice + 4, nanoseconds), poll});
        const DeviceRun fast = run(EngineKind::fast, code);
        ASSERT_EQ(fast.error, "");
        EXPECT_EQ(fast.fired, fast.started + nanoseconds * kNanosecond);
        const std::size_t polls = fast.results[0];
        ASSERT_EQ(fast.grants.size(), polls + 1);
        EXPECT_GE(fast.grants[polls], fast.fired);
        if (polls > 1) {
            EXPECT_LE(fast.grants[polls - 1], fast.fired);
        }
        const DeviceRun reference = run(EngineKind::reference, code);
        EXPECT_TRUE(reference == fast) << nlohmann::json(reference).dump().substr(0, 300) << "\n"
                                       << nlohmann::json(fast).dump().substr(0, 300);
    }
}

TEST(Device, AccessThatTheTargetRefusesEndsTheRunAsGuestFailure) {
    for (const EngineKind engine : kBoth) {
        const DeviceRun r = run(engine, guest({copy(kResults, kDevice + 8)}));
        EXPECT_EQ(r.why, static_cast<int>(RunOutcome::Reason::guest_failure));
        EXPECT_NE(r.failure.find("0xd2000008"), std::string::npos) << r.failure;
    }
}

TEST(Device, AttachRefusesRangesThatOverlapOrAreInMemory) {
    const auto said = [](Address base, Address size) {
        return run(EngineKind::fast, {0xf4}, 0,
                   [=](Machine& machine, TestDevice& device) {
                       machine.attach(base, size, device.socket);
                   })
            .error;
    };
    EXPECT_NE(said(0x0100'0000, 16).find("0x1000000"), std::string::npos);
    EXPECT_NE(said(0xD000'0FFC, 16).find("overlaps"), std::string::npos);
    EXPECT_NE(said(0xCFFF'FFF8, 16).find("overlaps"), std::string::npos);
    EXPECT_EQ(said(0xD000'4000, 16), "");
}

}  // namespace
}  // namespace symsim::test
