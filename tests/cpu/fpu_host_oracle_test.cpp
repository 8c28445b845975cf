// SPDX-License-Identifier: MIT
// The host as oracle for whole 80387 instructions. The host and the simulated processor execute the
// same bytes: frstor loads a random coprocessor state, one instruction is executed, and fnsave
// saves the state. Stack faults, pops, tags, condition codes and memory are compared.
//
// Not compared:
// - operands for which hosts differ (fpu_hosts_agree.h);
// - pointers and opcode in the environment: later processors keep them differently. Other tests
//   cover them;
// - the last bits of transcendental functions, whether they are inexact, and C1: hosts compute
//   differently. fpu_vectors_test.cpp compares these;
// - fbld of digits above 9, which the manual leaves undefined.
#include "tests/cpu/fpu_host.h"

#ifdef SYMSIM_HOST_X87

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <iomanip>
#include <sstream>

#include "sim/cpu/fpu/fpu.h"
#include "tests/cpu/fpu_hosts_agree.h"
#include "tests/cpu/fpu_operands.h"

namespace symsim::test {
namespace {

using FpuHostOracle = HostX87Test;

// As SimulatedFpu, on the host. The memory operand is at [esi], so that the bytes are the same in
// 32-bit and 64-bit code.
class HostRunner {
  public:
    HostRunner() {
        page_ = static_cast<std::uint8_t*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    }
    ~HostRunner() { munmap(page_, 4096); }
    HostRunner(const HostRunner&) = delete;
    HostRunner& operator=(const HostRunner&) = delete;
    bool available() const { return page_ != MAP_FAILED; }

    void run(FpuOpcode code, FpuImage& s) {
        constexpr std::uint8_t kRet = 0xc3;
        const auto bytes = bytes_of(code);
        std::memcpy(page_, bytes.data(), bytes.size());
        page_[bytes.size()] = kRet;
        std::uint64_t ax = s.ax, flags = s.flags;
        asm volatile("call *%[code]"
                     : "+a"(ax), "+b"(flags)
                     : [code] "r"(page_), "D"(s.image.data()), "S"(s.memory.data())
                     : SYMSIM_X87_CLOBBERS, "cc");
        s.ax = static_cast<std::uint32_t>(ax);
        s.flags = static_cast<std::uint32_t>(flags) & Flags::kArithmetic;
    }

  private:
    std::uint8_t* page_;
};

// A random state without a pending unmasked exception.
FpuImage random_state(FloatOperands& operands) {
    FpuImage s;
    const std::uint16_t control = operands.control();
    s.set_word(0, control);
    const unsigned flags = operands.below(0x80) & (control | kStackFault);
    s.set_word(4,
               flags | operands.below(16) << 8 | operands.below(8) << 11 | operands.below(2) << 14);
    s.set_word(2, 0xffff);
    s.set_word(6, 0xffff);
    s.set_word(10, 0xffff);
    unsigned tags = 0;
    for (unsigned n = 0; n < 8; ++n) tags |= (operands.below(3) ? operands.below(3) : 3) << 2 * n;
    s.set_word(8, tags);
    const Float80 a = operands.any();
    for (unsigned n = 0; n < 8; ++n) s.set_st(n, n == 0 ? a : operands.partner(a));
    return s;
}

// Writes a memory operand in the format that opcode `first` (d8 to df) with /digit takes.
void random_memory(FloatOperands& operands, unsigned first, unsigned digit,
                   std::array<std::uint8_t, 16>& memory) {
    std::uint64_t bits = operands.bits();
    const bool single = first == 0xd8 || (first == 0xd9 && digit < 5);
    const bool twice = first == 0xdc || (first == 0xdd && digit < 4);
    if (operands.below(2) && (single || twice)) {  // denormals, infinities, NaNs
        const unsigned shift = single ? 23 : 52;
        const std::uint64_t field = single ? 0xff : 0x7ff;
        bits &= ~(field << shift);
        if (operands.below(2)) bits |= field << shift;
        if (operands.below(3) == 0) bits &= ~((std::uint64_t{1} << shift) - 1);
    }
    std::memcpy(memory.data(), &bits, 8);
    if (first == 0xdb && digit == 5) put_float(memory.data(), operands.any());
    if (first == 0xdf && digit == 4) {
        for (unsigned n = 0; n < 9; ++n)
            memory[n] = static_cast<std::uint8_t>(operands.below(10) << 4 | operands.below(10));
        memory[9] = operands.below(2) ? 0x80 : 0;
    }
}

// All opcodes of a 387, and those that the 686 adds, except those that load or store environments
// and transcendental functions.
std::vector<FpuOpcode> exact_codes() {
    std::vector<FpuOpcode> all;
    const auto add = [&](unsigned first, unsigned from, unsigned to) {
        for (unsigned second = from; second <= to; ++second)
            all.push_back({static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(second)});
    };
    // For d8 to df: the digits that take a memory operand, as bit masks. The operand is [esi].
    constexpr unsigned kDigits[] = {0xff, 0xad, 0xff, 0xad, 0xff, 0x8d, 0xff, 0xfd};
    for (unsigned n = 0; n < 8; ++n) {
        for (unsigned digit = 0; digit < 8; ++digit)
            if (kDigits[n] >> digit & 1) add(0xd8 + n, digit << 3 | 6, digit << 3 | 6);
    }
    add(0xd8, 0xc0, 0xff);
    add(0xd9, 0xc0, 0xd0);
    for (const unsigned second :
         {0xe0, 0xe1, 0xe4, 0xe5, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xfa, 0xfc, 0xfd})
        add(0xd9, second, second);
    add(0xd9, 0xe8, 0xee);
    add(0xda, 0xc0, 0xdf);
    add(0xda, 0xe9, 0xe9);
    add(0xdb, 0xc0, 0xdf);
    add(0xdb, 0xe0, 0xe4);
    add(0xdb, 0xe8, 0xf7);
    add(0xdc, 0xc0, 0xff);
    add(0xdd, 0xc0, 0xef);
    add(0xde, 0xc0, 0xd7);
    add(0xde, 0xd9, 0xd9);
    add(0xde, 0xe0, 0xff);
    add(0xdf, 0xc0, 0xe0);
    add(0xdf, 0xe8, 0xf7);
    return all;
}

std::string show(const FpuImage& s) {
    std::ostringstream text;
    text << std::hex << std::setfill('0') << "cw " << s.control() << " sw " << s.status() << " tw "
         << s.tags() << " ax " << s.ax << " flags " << s.flags << " mem ";
    for (unsigned n = 0; n < 10; ++n) text << std::setw(2) << unsigned{s.memory[n]};
    for (unsigned n = 0; n < 8; ++n)
        text << "\n    " << std::setw(4) << s.st(n).sign_exponent << ':' << std::setw(16)
             << s.st(n).significand;
    return text.str();
}

bool same(const FpuImage& a, const FpuImage& b) {
    return a.control() == b.control() && a.status() == b.status() && a.tags() == b.tags() &&
           a.ax == b.ax && a.flags == b.flags && a.memory == b.memory &&
           std::equal(a.image.begin() + 28, a.image.end(), b.image.begin() + 28);
}

// fcomi and its kind: Intel's manual clears C1, and AMD's processors keep it.
bool same_but_c1(const FpuImage& host, const FpuImage& simulated) {
    FpuImage other = host;
    other.set_word(4, (host.status() & ~unsigned{kC1}) | (simulated.status() & kC1));
    return same(other, simulated);
}
bool compares_to_flags(FpuOpcode code) {
    return (code.first == 0xdb || code.first == 0xdf) && code.second >= 0xe8;
}

class Oracle {
  public:
    template <class Same>
    void expect(FpuOpcode code, const FpuImage& before, Same same_as) {
        FpuImage host = before, simulated = before;
        host_.run(code, host);
        simulated_.run(code, simulated);
        ASSERT_EQ(simulated_.complaint(), "") << std::hex << +code.first << ' ' << +code.second;
        ++total_;
        if (same_as(host, simulated)) return;
        if (++wrong_ > 12 || reported_[code.first & 7][code.second]++) return;
        ADD_FAILURE() << std::hex << +code.first << ' ' << +code.second << "\n  before    "
                      << show(before) << "\n  host      " << show(host) << "\n  simulated "
                      << show(simulated);
    }
    bool available() const { return host_.available(); }
    ~Oracle() { EXPECT_EQ(wrong_, 0u) << "of " << total_ << " instructions, seed " << kFpuSeed; }

  private:
    HostRunner host_;
    SimulatedFpu simulated_;
    unsigned total_ = 0;
    unsigned wrong_ = 0;
    unsigned reported_[8][256] = {};
};

bool hosts_agree_on_exact(FpuOpcode code, const FpuImage& s) {
    constexpr std::uint8_t kFprem1 = 0xf5, kFprem = 0xf8, kFscale = 0xfd;
    if (code.first != 0xd9 || s.empty(0) || s.empty(1)) return true;
    if (code.second == kFscale) return hosts_agree_on_scale(s.control(), s.st(0));
    if (code.second == kFprem || code.second == kFprem1)
        return hosts_agree_on_remainder(s.control(), s.st(0), s.st(1));
    return true;
}

TEST_F(FpuHostOracle, ExactInstructionsHaveTheSameResultsAsOnTheHost) {
    Oracle oracle;
    ASSERT_TRUE(oracle.available());
    FloatOperands operands(kFpuSeed);
    const std::vector<FpuOpcode> codes = exact_codes();
    constexpr unsigned kTurns = 900;
    for (unsigned turn = 0; turn < kTurns; ++turn) {
        for (const FpuOpcode& code : codes) {
            FpuImage s = random_state(operands);
            random_memory(operands, code.first, code.second >> 3 & 7, s.memory);
            s.ax = static_cast<std::uint32_t>(operands.bits());
            s.flags = static_cast<std::uint32_t>(operands.bits()) & Flags::kArithmetic;
            if (!hosts_agree_on_exact(code, s)) continue;
            ASSERT_NO_FATAL_FAILURE(
                oracle.expect(code, s, compares_to_flags(code) ? same_but_c1 : same));
        }
    }
}

__int128 place(Float80 f) {
    const __int128 magnitude =
        static_cast<__int128>(f.exponent()) << 63 | (f.significand & ~Float80::kIntegerBit);
    return f.sign() ? -magnitude : magnitude;
}

// Intel promises an error below 1.35 units if rounding is to nearest, and 1.5 in the other modes
// (Intel Architecture Software Developer's Manual 243190-002, volume 1, 7.5.10); AMD promises 1.
// The simulated result is correctly rounded, so that whole units between the two are 1 and 2 at
// most.
bool nearly_same(const FpuImage& host, const FpuImage& simulated) {
    constexpr unsigned kLoose = kPrecision | kC1 | kErrorSummary | kFpuBusy;
    const int units = host.control() >> 10 & 3 ? 2 : 1;
    bool fine = host.control() == simulated.control() && host.tags() == simulated.tags() &&
                (host.status() & ~kLoose) == (simulated.status() & ~kLoose);
    for (unsigned n = 0; n < 8; ++n) {
        const Float80 a = host.st(n), b = simulated.st(n);
        const __int128 apart = place(a) - place(b);
        fine = fine && (a == b || (!a.is_nan() && apart >= -units && apart <= units));
    }
    return fine;
}

// Operands whose result tables in the manual give.
Float80 special(FloatOperands& operands) {
    static constexpr int kMost = Float80::kMaxExponent, kBias = Float80::kBias;
    static constexpr std::uint64_t kOne = Float80::kIntegerBit, kQuiet = Float80::kQuietBit;
    static const Float80 kAll[] = {
        Float80::zero(),
        Float80::one(),
        Float80::infinity(false),
        Float80::make(false, kMost, kOne | kQuiet | 5),  // a NaN
        Float80::make(false, kMost, kOne | 9),           // a signalling NaN
        Float80::make(false, kMost, kQuiet),             // a pseudo-NaN
        Float80::make(false, kMost, 0),                  // a pseudo-infinity
        Float80::make(false, kBias, kQuiet),             // an unnormal
        Float80::make(false, kBias - 1, kOne),           // 1/2
        Float80::make(false, kBias + 63, kOne),          // 2^63: as an angle, too large
    };
    return kAll[operands.below(std::size(kAll))].with_sign(operands.below(2));
}

TEST_F(FpuHostOracle, TranscendentalInstructionsTreatTheStackAsTheHostDoes) {
    Oracle oracle;
    ASSERT_TRUE(oracle.available());
    FloatOperands operands(kFpuSeed);
    unsigned compared = 0;
    for (unsigned turn = 0; turn < 8000; ++turn) {
        for (const std::uint8_t second : {0xf0, 0xf1, 0xf2, 0xf3, 0xf9, 0xfb, 0xfe, 0xff}) {
            FpuImage s = random_state(operands);
            for (const unsigned n : {0u, 1u})
                if (operands.below(3) == 0) s.set_st(n, special(operands));
            if (!hosts_agree_on_transcendental(second, s.st(0), s.st(1))) continue;
            ASSERT_NO_FATAL_FAILURE(oracle.expect({0xd9, second}, s, nearly_same));
            ++compared;
        }
    }
    EXPECT_GT(compared, 8000u * 8 / 3);
}

}  // namespace
}  // namespace symsim::test

#endif
