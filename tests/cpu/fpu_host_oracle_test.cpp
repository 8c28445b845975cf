// SPDX-License-Identifier: MIT
// The host as oracle for whole 80387 instructions. The host and the simulated processor execute the
// same bytes: frstor loads a random coprocessor state, one instruction is executed, and fnsave
// saves the state. Stack faults, pops, tags, condition codes and memory are compared.
//
// Not compared:
// - pointers and opcode in the environment: later processors keep them differently. Other tests
//   cover them.
// - the last bit of the result of transcendental functions, whether it is inexact, and C1: the
//   manual promises one unit, and later processors compute differently;
// - f2xm1 and fyl2xp1 outside the range for which the manual defines them;
// - exact denormal logarithms of powers of 2, which the host reports as inexact;
// - fbld of digits above 9, which the manual leaves undefined;
// - C1 of an inexact result of fxtract, fptan and fsincos, for the reason given above.
#include "tests/cpu/fpu_host.h"

#ifdef SYMSIM_HOST_X87

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <iomanip>
#include <sstream>

#include "sim/cpu/fpu/fpu.h"
#include "tests/cpu/bench.h"
#include "tests/cpu/fpu_operands.h"

namespace symsim::test {
namespace {

using Image = std::array<std::uint8_t, 108>;
using Memory16 = std::array<std::uint8_t, 16>;

struct State {
    Image image{};
    Memory16 memory{};
    std::uint32_t ax = 0;

    std::uint16_t word(unsigned at) const {
        return static_cast<std::uint16_t>(image[at] | image[at + 1] << 8);
    }
    void set_word(unsigned at, unsigned value) {
        image[at] = static_cast<std::uint8_t>(value);
        image[at + 1] = static_cast<std::uint8_t>(value >> 8);
    }
    std::uint16_t control() const { return word(0); }
    std::uint16_t status() const { return word(4); }
    std::uint16_t tags() const { return word(8); }
    Float80 st(unsigned n) const { return HostX87::get(image.data() + 28 + 10 * n); }
    void set_st(unsigned n, Float80 f) { HostX87::put(image.data() + 28 + 10 * n, f); }
};

constexpr std::uint8_t kLoad[] = {0xdd, 0x27};  // frstor [edi]
constexpr std::uint8_t kSave[] = {0xdd, 0x37};  // fnsave [edi]

// Executes kLoad, one instruction and kSave on the host. The memory operand is at [esi], so that
// the bytes are the same in 32-bit and 64-bit code.
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

    void run(std::uint8_t first, std::uint8_t second, State& s) {
        const std::uint8_t code[] = {kLoad[0], kLoad[1], first, second, kSave[0], kSave[1], 0xc3};
        std::memcpy(page_, code, sizeof code);
        std::uint64_t ax = s.ax;
        asm volatile("call *%[code]"
                     : "+a"(ax)
                     : [code] "r"(page_), "D"(s.image.data()), "S"(s.memory.data())
                     : SYMSIM_X87_CLOBBERS, "cc");
        s.ax = static_cast<std::uint32_t>(ax);
    }

  private:
    std::uint8_t* page_;
};

class BenchRunner {
  public:
    void run(std::uint8_t first, std::uint8_t second, State& s) {
        constexpr Address kOperand = Bench::kData + 128;
        std::copy(s.image.begin(), s.image.end(), bench_.memory.data() + Bench::kData);
        std::copy(s.memory.begin(), s.memory.end(), bench_.memory.data() + kOperand);
        bench_.regs()[edi] = Bench::kData;
        bench_.regs()[esi] = kOperand;
        bench_.regs()[eax] = s.ax;
        bench_.processor.fpu().initialise();
        bench_.run({kLoad[0], kLoad[1], first, second, kSave[0], kSave[1]});
        std::copy_n(bench_.memory.data() + Bench::kData, s.image.size(), s.image.begin());
        std::copy_n(bench_.memory.data() + kOperand, s.memory.size(), s.memory.begin());
        s.ax = bench_.regs()[eax];
    }
    const std::string& complaint() const { return bench_.complaint(); }

  private:
    Bench bench_;
};

// A random state without a pending unmasked exception.
State random_state(FloatOperands& operands) {
    State s;
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
void random_memory(FloatOperands& operands, unsigned first, unsigned digit, Memory16& memory) {
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
    if (first == 0xdb && digit == 5) HostX87::put(memory.data(), operands.any());
    if (first == 0xdf && digit == 4) {
        for (unsigned n = 0; n < 9; ++n)
            memory[n] = static_cast<std::uint8_t>(operands.below(10) << 4 | operands.below(10));
        memory[9] = operands.below(2) ? 0x80 : 0;
    }
}

struct Opcode {
    std::uint8_t first;
    std::uint8_t second;
};

// All opcodes of a 387 except those that load or store environments and transcendental functions.
std::vector<Opcode> exact_codes() {
    std::vector<Opcode> all;
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
    add(0xda, 0xe9, 0xe9);
    add(0xdb, 0xe0, 0xe4);
    add(0xdc, 0xc0, 0xff);
    add(0xdd, 0xc0, 0xef);
    add(0xde, 0xc0, 0xd7);
    add(0xde, 0xd9, 0xd9);
    add(0xde, 0xe0, 0xff);
    add(0xdf, 0xc0, 0xe0);
    return all;
}

std::string show(const State& s) {
    std::ostringstream text;
    text << std::hex << std::setfill('0') << "cw " << s.control() << " sw " << s.status() << " tw "
         << s.tags() << " ax " << s.ax << " mem ";
    for (unsigned n = 0; n < 10; ++n) text << std::setw(2) << unsigned{s.memory[n]};
    for (unsigned n = 0; n < 8; ++n)
        text << "\n    " << std::setw(4) << s.st(n).sign_exponent << ':' << std::setw(16)
             << s.st(n).significand;
    return text.str();
}

bool same(const State& a, const State& b) {
    return a.control() == b.control() && a.status() == b.status() && a.tags() == b.tags() &&
           a.ax == b.ax && a.memory == b.memory &&
           std::equal(a.image.begin() + 28, a.image.end(), b.image.begin() + 28);
}

class Oracle {
  public:
    template <class Same>
    void expect(Opcode code, const State& before, Same same_as) {
        State host = before, simulated = before;
        host_.run(code.first, code.second, host);
        bench_.run(code.first, code.second, simulated);
        ASSERT_EQ(bench_.complaint(), "") << std::hex << +code.first << ' ' << +code.second;
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
    BenchRunner bench_;
    unsigned total_ = 0;
    unsigned wrong_ = 0;
    unsigned reported_[8][256] = {};
};

TEST(FpuHostOracle, exact_instructions_have_the_same_results_as_on_the_host) {
    Oracle oracle;
    ASSERT_TRUE(oracle.available());
    FloatOperands operands(kFpuSeed);
    const std::vector<Opcode> codes = exact_codes();
    constexpr unsigned kTurns = 900;
    for (unsigned turn = 0; turn < kTurns; ++turn) {
        for (const Opcode& code : codes) {
            State s = random_state(operands);
            random_memory(operands, code.first, code.second >> 3 & 7, s.memory);
            s.ax = static_cast<std::uint32_t>(operands.bits());
            ASSERT_NO_FATAL_FAILURE(oracle.expect(code, s, same));
        }
    }
}

__int128 place(Float80 f) {
    const __int128 magnitude =
        static_cast<__int128>(f.exponent()) << 63 | (f.significand & ~Float80::kIntegerBit);
    return f.sign() ? -magnitude : magnitude;
}

bool nearly_same(const State& host, const State& simulated) {
    constexpr unsigned kLoose = kPrecision | kUnderflow | kC1 | kErrorSummary | kFpuBusy;
    bool fine = host.control() == simulated.control() && host.tags() == simulated.tags() &&
                (host.status() & ~kLoose) == (simulated.status() & ~kLoose);
    for (unsigned n = 0; n < 8; ++n) {
        const Float80 a = host.st(n), b = simulated.st(n);
        const __int128 apart = place(a) - place(b);
        fine = fine && (a == b || (!a.is_nan() && apart >= -1 && apart <= 1));
    }
    return fine;
}

TEST(FpuHostOracle, transcendental_instructions_treat_the_stack_as_the_host_does) {
    Oracle oracle;
    ASSERT_TRUE(oracle.available());
    FloatOperands operands(kFpuSeed);
    for (unsigned turn = 0; turn < 4000; ++turn) {
        for (const std::uint8_t second : {0xf0, 0xf1, 0xf2, 0xf3, 0xf9, 0xfb, 0xfe, 0xff}) {
            const State s = random_state(operands);
            const int power = s.st(0).exponent() - Float80::kBias;
            const bool number =
                s.st(0).exponent() != Float80::kMaxExponent && !s.st(0).is_unsupported();
            // The ranges the manual gives for f2xm1 and (from below) fyl2xp1.
            if (number && ((second == 0xf0 && power >= 0) || (second == 0xf9 && power >= -2)))
                continue;
            ASSERT_NO_FATAL_FAILURE(oracle.expect({0xd9, second}, s, nearly_same));
        }
    }
}

}  // namespace
}  // namespace symsim::test

#endif
