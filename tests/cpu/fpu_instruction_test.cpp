// SPDX-License-Identifier: MIT
// The 80387 as the processor's coprocessor: overlap in time, waiting, exceptions, and the
// environment in memory. Other tests compare the results of instructions with the host's.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/cpu/bench.h"

namespace symsim::test {
namespace {

constexpr Address kData = Bench::kData;

Bytes operator+(Bytes a, const Bytes& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}
Bytes nops(unsigned count) {
    return Bytes(count, 0x90);
}

const Bytes kWait = {0x9b};
const Bytes kInit = {0xdb, 0xe3};
const Bytes kFld1 = {0xd9, 0xe8};
const Bytes kFldz = {0xd9, 0xee};
const Bytes kFsqrt = {0xd9, 0xfa};
const Bytes kFdivp = {0xde, 0xf9};
const Bytes kFnop = {0xd9, 0xd0};
const Bytes kStatusToAx = {0xdf, 0xe0};

// The clocks of the bytes, with ebx pointing to the data.
unsigned clocks(const Bytes& bytes) {
    Bench bench;
    bench.regs()[ebx] = kData;
    const unsigned n = bench.clocks(bytes);
    EXPECT_EQ(bench.complaint(), "");
    return n;
}

// The clocks of the bytes starting with an idle coprocessor: fninit, 33 clocks, and wait, 6 clocks,
// are executed first and subtracted.
unsigned clocks_from_idle(const Bytes& bytes) {
    return clocks(kInit + kWait + bytes) - (33 + 6);
}

template <class T>
T at(const Bench& bench, Address address) {
    T value;
    std::memcpy(&value, bench.memory.data() + address, sizeof value);
    return value;
}

TEST(FpuClocks, AnInstructionOccupiesTheProcessorOnlyWhileItIsIssued) {
    EXPECT_EQ(clocks_from_idle(kFld1), 8u);
    EXPECT_EQ(clocks_from_idle(kFld1 + nops(4)), 8u + 4 * 3);
}

TEST(FpuClocks, EachDwordOfAMemoryOperandTakesFourClocksMore) {
    EXPECT_EQ(clocks_from_idle({0xd9, 0x03}), 8u + 4);      // fld dword [ebx]
    EXPECT_EQ(clocks_from_idle({0xdd, 0x03}), 8u + 2 * 4);  // fld qword [ebx]
    EXPECT_EQ(clocks_from_idle({0xdb, 0x2b}), 8u + 3 * 4);  // fld tword [ebx]
    EXPECT_EQ(clocks_from_idle({0xdf, 0x03}), 8u + 4);      // fild word [ebx]
}

TEST(FpuClocks, WaitAndTheNextInstructionWaitForTheResult) {
    EXPECT_EQ(clocks_from_idle(kFld1 + kWait), 24u + 6);
    EXPECT_EQ(clocks_from_idle(kFld1 + kFsqrt + kWait), 24u + 126 + 6);
    EXPECT_EQ(clocks_from_idle(kFld1 + kFsqrt + kStatusToAx), 24u + 126 + 13);
}

TEST(FpuClocks, IntegerInstructionsOverlapWithIt) {
    // 8 clocks of issue and 39 nops of 3 clocks are 125: fsqrt is busy for one clock more.
    EXPECT_EQ(clocks_from_idle(kFld1 + kWait + kFsqrt + nops(39) + kWait), 24u + 6 + 126 + 6);
    // One nop more ends 2 clocks after the result.
    EXPECT_EQ(clocks_from_idle(kFld1 + kWait + kFsqrt + nops(40) + kWait), 24u + 6 + 128 + 6);
}

TEST(FpuClocks, AStoreOccupiesTheProcessorUntilItIsDone) {
    EXPECT_EQ(clocks_from_idle(kFld1 + Bytes{0xd9, 0x13}), 24u + 44);   // fst dword [ebx]
    EXPECT_EQ(clocks_from_idle(kFld1 + Bytes{0xdd, 0x1b}), 24u + 45);   // fstp qword [ebx]
    EXPECT_EQ(clocks_from_idle(kFld1 + Bytes{0xdb, 0x3b}), 24u + 53);   // fstp tword [ebx]
    EXPECT_EQ(clocks_from_idle(kFld1 + Bytes{0xdf, 0x33}), 24u + 523);  // fbstp [ebx]
    EXPECT_EQ(clocks_from_idle(kFld1 + Bytes{0xdd, 0x33} + kWait), 24u + 375 + 6);  // fnsave
}

TEST(FpuClocks, FninitAndFnclexDoNotWait) {
    EXPECT_EQ(clocks_from_idle(kFld1 + kFsqrt + Bytes{0xdb, 0xe2}), 24u + 8 + 8);
    EXPECT_EQ(clocks_from_idle(kFld1 + kFsqrt + kInit + kWait), 24u + 8 + 33 + 6);
}

// --- exceptions ---------------------------------------------------------------------------------

// fldcw [ebx], which unmasks division by zero; then 1 / 0.
Bytes failing_division() {
    return kInit + Bytes{0xd9, 0x2b} + kFld1 + kFldz + kFdivp;
}

void run_until(Bench& bench, const Bytes& bytes) {
    const std::uint16_t control = 0x37b;
    std::memcpy(bench.memory.data() + kData, &control, 2);
    bench.regs()[ebx] = kData;
    bench.run(bytes);
}
bool raised(const Bench& bench, const char* name) {
    return bench.complaint().find(name) != std::string::npos;
}

TEST(FpuExceptions, AnUnmaskedExceptionTrapsAtTheNextWaitingInstruction) {
    for (const Bytes& next : {kWait, kFnop, kFld1, Bytes{0xd9, 0x2b}, Bytes{0xdd, 0x03}}) {
        Bench bench;
        run_until(bench, failing_division() + nops(20) + next + nops(1));
        EXPECT_TRUE(raised(bench, "#MF")) << bench.complaint();
        EXPECT_EQ(bench.eip(), Bench::kCode + failing_division().size() + 20);
    }
}

TEST(FpuExceptions, InstructionsThatDoNotWaitDoNotTrap) {
    Bench bench;
    run_until(bench, failing_division() + kStatusToAx + Bytes{0xdd, 0x7b, 8} +  // fnstsw [ebx+8]
                         Bytes{0xd9, 0x7b, 10} + Bytes{0xdb, 0xe2} + kWait);    // fnstcw; fnclex
    EXPECT_EQ(bench.complaint(), "");
    // Status: zero divide, error summary, busy. Two registers are in use: the operands are kept.
    EXPECT_EQ(bench.regs()[eax] & 0xffff, 0x8080u | 4u | 6u << 11);
    EXPECT_EQ(at<std::uint16_t>(bench, kData + 8), bench.regs()[eax] & 0xffff);
    EXPECT_EQ(at<std::uint16_t>(bench, kData + 10), 0x37bu);
}

TEST(FpuExceptions, AMaskedExceptionDoesNotTrap) {
    Bench bench;
    run_until(bench, kInit + kFld1 + kFldz + kFdivp + kWait + kStatusToAx);
    EXPECT_EQ(bench.complaint(), "");
    EXPECT_EQ(bench.regs()[eax] & 0xffff, 4u | 7u << 11);
}

TEST(FpuExceptions, EmulationOrATaskSwitchRaisesDeviceNotAvailable) {
    for (const std::uint32_t bit : {cr0::kEmulate, cr0::kTaskSwitched}) {
        Bench bench;
        bench.processor.system().cr0 |= bit;
        bench.run(kInit);
        EXPECT_TRUE(raised(bench, "#NM")) << bench.complaint();
        EXPECT_EQ(bench.eip(), Bench::kCode);
    }
}

TEST(FpuExceptions, WaitTrapsAfterATaskSwitchOnlyIfMpIsSet) {
    const auto complaint = [](std::uint32_t bits) {
        Bench bench;
        bench.processor.system().cr0 |= bits;
        bench.run(kWait);
        return bench.complaint();
    };
    EXPECT_EQ(complaint(cr0::kEmulate), "");
    EXPECT_EQ(complaint(cr0::kTaskSwitched), "");
    EXPECT_EQ(complaint(cr0::kMonitor), "");
    EXPECT_NE(complaint(cr0::kMonitor | cr0::kTaskSwitched).find("#NM"), std::string::npos);
}

TEST(FpuExceptions, InstructionsAddedAfterThe387AreUndefined) {
    for (const Bytes& bytes : {Bytes{0xda, 0xc1},                      // fcmovb
                               Bytes{0xdb, 0xf1},                      // fcomi
                               Bytes{0xdf, 0xe9},                      // fucomip
                               Bytes{0xdd, 0x0b}, Bytes{0xd9, 0xd1}})  // fisttp; reserved
        EXPECT_NE(after(bytes)->complaint(), "");
}

// --- environments -------------------------------------------------------------------------------

struct Environment32 {
    std::uint32_t field[7];
};
struct Environment16 {
    std::uint16_t field[7];
};

// Executes fninit; fld dword [ebx + 0x40]; and `store`, which writes the environment to ebx.
// kLoad is the address of the fld.
constexpr Address kLoad = Bench::kCode + 2;
Bench& with_environment(Bench& bench, const Bytes& store) {
    bench.regs()[ebx] = kData;
    const float one = 1;
    std::memcpy(bench.memory.data() + kData + 0x40, &one, 4);
    bench.run(kInit + Bytes{0xd9, 0x43, 0x40} + store);
    EXPECT_EQ(bench.complaint(), "");
    return bench;
}
constexpr std::uint32_t kOpcode = 0x143;  // of d9 43

TEST(FpuEnvironment, In32BitProtectedModeHasSelectorsAndOffsets) {
    Bench bench;
    const System& system = bench.processor.system();
    const auto e = at<Environment32>(with_environment(bench, {0xd9, 0x33}), kData);
    const std::uint32_t code = system.segments[cs].selector, data = system.segments[ds].selector;
    EXPECT_EQ(e.field[0], 0xffff037f);
    EXPECT_EQ(e.field[1], 0xffff3800);  // top is 7
    EXPECT_EQ(e.field[2], 0xffff3fff);  // only register 7 is in use
    EXPECT_EQ(e.field[3], kLoad);
    EXPECT_EQ(e.field[4], code | kOpcode << 16);
    EXPECT_EQ(e.field[5], kData + 0x40);
    EXPECT_EQ(e.field[6], data | 0xffff0000);
}

TEST(FpuEnvironment, In16BitProtectedModeIsWords) {
    Bench bench;
    const System& system = bench.processor.system();
    const auto e = at<Environment16>(with_environment(bench, {0x66, 0xd9, 0x33}), kData);
    EXPECT_EQ(e.field[0], 0x37f);
    EXPECT_EQ(e.field[1], 0x3800);
    EXPECT_EQ(e.field[2], 0x3fff);
    EXPECT_EQ(e.field[3], kLoad & 0xffff);
    EXPECT_EQ(e.field[4], system.segments[cs].selector);
    EXPECT_EQ(e.field[5], (kData + 0x40) & 0xffff);
    EXPECT_EQ(e.field[6], system.segments[ds].selector);
}

// Real mode, entered without loading segment registers. The linear addresses in the environment are
// computed from the selectors as paragraph numbers.
TEST(FpuEnvironment, InRealModeHasLinearAddresses) {
    for (const bool wide : {true, false}) {
        Bench bench;
        System& system = bench.processor.system();
        system.cr0 &= ~cr0::kProtection;
        const std::uint32_t code = kLoad + system.segments[cs].selector * 16u;
        const std::uint32_t data = kData + 0x40 + system.segments[ds].selector * 16u;
        with_environment(bench, wide ? Bytes{0xd9, 0x33} : Bytes{0x66, 0xd9, 0x33});
        if (wide) {
            const auto e = at<Environment32>(bench, kData);
            EXPECT_EQ(e.field[3], 0xffff0000 | (code & 0xffff));
            EXPECT_EQ(e.field[4], code >> 16 << 12 | kOpcode);
            EXPECT_EQ(e.field[5], 0xffff0000 | (data & 0xffff));
            EXPECT_EQ(e.field[6], data >> 16 << 12);
        } else {
            const auto e = at<Environment16>(bench, kData);
            EXPECT_EQ(e.field[3], code & 0xffff);
            EXPECT_EQ(e.field[4], static_cast<std::uint16_t>(code >> 16 << 12 | kOpcode));
            EXPECT_EQ(e.field[5], data & 0xffff);
            EXPECT_EQ(e.field[6], static_cast<std::uint16_t>(data >> 16 << 12));
        }
    }
}

TEST(FpuEnvironment, StoringItMasksAllExceptions) {
    Bench bench;
    run_until(bench, kInit + Bytes{0xd9, 0x2b, 0xd9, 0x73, 0x10} +  // fldcw; fnstenv [ebx+16]
                         Bytes{0xd9, 0x7b, 0x40});                  // fnstcw [ebx+64]
    EXPECT_EQ(at<std::uint16_t>(bench, kData + 16), 0x37b);
    EXPECT_EQ(at<std::uint16_t>(bench, kData + 64), 0x37f);
}

// fnsave and frstor restore the state, in the 32-bit and in the 16-bit layout.
TEST(FpuEnvironment, IsRestoredAsItWasSaved) {
    for (const Bytes& prefix : {Bytes{}, Bytes{0x66}}) {
        Bench bench;
        run_until(bench, kInit + Bytes{0xd9, 0x2b} + kFld1 + kFldz + Bytes{0xd9, 0xeb} +  // fldpi
                             prefix + Bytes{0xdd, 0x73, 0x10} +          // fnsave [ebx+16]
                             kFld1 + prefix + Bytes{0xdd, 0x63, 0x10});  // frstor [ebx+16]
        EXPECT_EQ(bench.complaint(), "");
        const Fpu& fpu = bench.processor.fpu();
        EXPECT_EQ(fpu.control, 0x37b);
        EXPECT_EQ(fpu.top, 5);
        EXPECT_EQ(fpu.empty, 0x1f);
        EXPECT_EQ(fpu.st(0).significand, 0xc90fdaa22168c235);
        EXPECT_TRUE(fpu.st(1).is_zero());
        EXPECT_EQ(fpu.st(2), Float80::one());
    }
}

// --- instructions that wait and are executed again ----------------------------------------------

TEST(FpuRestart, AWaitingInstructionHasChangedNothing) {
    Bench bench;
    bench.regs()[ebx] = kData + 10;  // a tword on two lines, not in the cache
    std::memcpy(bench.memory.data() + kData + 10, "0123456789", 10);
    unsigned pauses = 0;
    bench.at_pause = [&] {
        const Fpu& fpu = bench.processor.fpu();
        if (bench.processor.context().instructions == 0) {
            ++pauses;
            EXPECT_EQ(fpu.top, 0);
            EXPECT_EQ(fpu.empty, 0xff);
        }
    };
    bench.run({0xdb, 0x2b, 0xdb, 0x7b, 0x36});  // fld tword [ebx]; fstp tword [ebx+54]
    EXPECT_GT(pauses, 1u);
    EXPECT_EQ(bench.complaint(), "");
    EXPECT_EQ(bench.processor.fpu().empty, 0xff);
    EXPECT_EQ(std::memcmp(bench.memory.data() + kData + 64, "0123456789", 10), 0);
}

}  // namespace
}  // namespace symsim::test
