// SPDX-License-Identifier: MIT
// The host's processor as oracle for integer instructions. The simulated processor and the host, in
// 32-bit mode, execute random instructions with random operands. Both must leave the same
// registers, flags and memory, or both must raise an exception. Flags and results that Intel leaves
// undefined are not compared.
#include "tests/cpu/host_cpu.h"

#if defined(__x86_64__) && defined(__linux__)

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <random>
#include <sstream>

#include "tests/cpu/bench.h"

namespace symsim::test {
namespace {

constexpr std::uint32_t kO = Flags::kOverflow, kS = Flags::kSign, kZ = Flags::kZero,
                        kA = Flags::kAuxiliary, kP = Flags::kParity, kC = Flags::kCarry;
constexpr std::uint32_t kCompared = Flags::kArithmetic | Flags::kDirection;

// What follows the opcode bytes.
enum class Tail {
    nothing,
    reg,     // modrm whose reg field is any register
    digit,   // modrm whose reg field is part of the opcode
    memory,  // as reg, but the operand is always in memory
    memory_digit,
};
enum class Size { byte, word, fixed };  // fixed: no operand size prefix
enum class Constant { none, byte, full, word_and_byte };

struct Pattern {
    const char* name;
    Bytes opcode;
    Size size;
    Tail tail;
    unsigned digit;
    Constant constant;
    std::uint32_t undefined;  // flags that Intel leaves undefined
    bool shift = false;       // which flags are undefined depends on the count
    bool bit_string = false;  // the register selects a bit beyond the addressed memory operand
    bool lockable = false;
};

std::vector<Pattern> patterns() {
    std::vector<Pattern> all;
    // add or adc sbb and sub xor cmp
    const char* const alu[] = {"add", "or", "adc", "sbb", "and", "sub", "xor", "cmp"};
    for (unsigned n = 0; n < 8; ++n) {
        const std::uint32_t undefined = n == 1 || n == 4 || n == 6 ? kA : 0;
        const auto op = static_cast<std::uint8_t>(8 * n);
        const auto at = [op](int k) { return Bytes{static_cast<std::uint8_t>(op + k)}; };
        all.push_back({alu[n], at(0), Size::byte, Tail::reg, 0, Constant::none, undefined});
        all.push_back({alu[n], at(1), Size::word, Tail::reg, 0, Constant::none, undefined});
        all.push_back({alu[n], at(2), Size::byte, Tail::reg, 0, Constant::none, undefined});
        all.push_back({alu[n], at(3), Size::word, Tail::reg, 0, Constant::none, undefined});
        all.push_back({alu[n], at(4), Size::byte, Tail::nothing, 0, Constant::byte, undefined});
        all.push_back({alu[n], at(5), Size::word, Tail::nothing, 0, Constant::full, undefined});
        all.push_back({alu[n], {0x80}, Size::byte, Tail::digit, n, Constant::byte, undefined});
        all.push_back({alu[n], {0x81}, Size::word, Tail::digit, n, Constant::full, undefined});
        all.push_back({alu[n], {0x83}, Size::word, Tail::digit, n, Constant::byte, undefined});
    }
    const auto add = [&](const char* name, Bytes opcode, Size size, Tail tail, unsigned digit = 0,
                         Constant constant = Constant::none, std::uint32_t undefined = 0) {
        all.push_back({name, std::move(opcode), size, tail, digit, constant, undefined});
        return &all.back();
    };
    const auto both = [&](const char* name, std::uint8_t opcode, unsigned digit,
                          Constant byte_constant = Constant::none,
                          Constant word_constant = Constant::none, std::uint32_t undefined = 0) {
        add(name, {opcode}, Size::byte, Tail::digit, digit, byte_constant, undefined);
        add(name, {static_cast<std::uint8_t>(opcode + 1)}, Size::word, Tail::digit, digit,
            word_constant, undefined);
    };
    add("test", {0x84}, Size::byte, Tail::reg, 0, Constant::none, kA);
    add("test", {0x85}, Size::word, Tail::reg, 0, Constant::none, kA);
    add("test", {0xa8}, Size::byte, Tail::nothing, 0, Constant::byte, kA);
    add("test", {0xa9}, Size::word, Tail::nothing, 0, Constant::full, kA);
    both("test", 0xf6, 0, Constant::byte, Constant::full, kA);
    both("not", 0xf6, 2);
    both("neg", 0xf6, 3);
    both("mul", 0xf6, 4, Constant::none, Constant::none, kS | kZ | kA | kP);
    both("imul", 0xf6, 5, Constant::none, Constant::none, kS | kZ | kA | kP);
    both("div", 0xf6, 6, Constant::none, Constant::none, Flags::kArithmetic);
    both("idiv", 0xf6, 7, Constant::none, Constant::none, Flags::kArithmetic);
    both("inc", 0xfe, 0);
    both("dec", 0xfe, 1);
    add("imul", {0x0f, 0xaf}, Size::word, Tail::reg, 0, Constant::none, kS | kZ | kA | kP);
    add("imul", {0x69}, Size::word, Tail::reg, 0, Constant::full, kS | kZ | kA | kP);
    add("imul", {0x6b}, Size::word, Tail::reg, 0, Constant::byte, kS | kZ | kA | kP);
    const char* const shifts[] = {"rol", "ror", "rcl", "rcr", "shl", "shr", "shl", "sar"};
    for (const unsigned digit : {0u, 1u, 2u, 3u, 4u, 5u, 7u}) {
        both(shifts[digit], 0xd0, digit);
        both(shifts[digit], 0xd2, digit);
        both(shifts[digit], 0xc0, digit, Constant::byte, Constant::byte);
        for (std::size_t n = all.size() - 6; n < all.size(); ++n) all[n].shift = true;
    }
    for (const int opcode : {0xa4, 0xac}) {
        const auto o = static_cast<std::uint8_t>(opcode);
        const char* const name = opcode == 0xa4 ? "shld" : "shrd";
        add(name, {0x0f, o}, Size::word, Tail::reg, 0, Constant::byte)->shift = true;
        add(name, {0x0f, static_cast<std::uint8_t>(o + 1)}, Size::word, Tail::reg)->shift = true;
    }
    const std::uint8_t bit_tests[] = {0xa3, 0xab, 0xb3, 0xbb};
    const char* const bit_names[] = {"bt", "bts", "btr", "btc"};
    for (unsigned n = 0; n < 4; ++n) {
        add(bit_names[n], {0x0f, bit_tests[n]}, Size::word, Tail::reg, 0, Constant::none,
            kO | kS | kA | kP)
            ->bit_string = true;
        add(bit_names[n], {0x0f, 0xba}, Size::word, Tail::digit, 4 + n, Constant::byte,
            kO | kS | kA | kP);
    }
    add("bsf", {0x0f, 0xbc}, Size::word, Tail::reg, 0, Constant::none, kO | kS | kA | kP | kC);
    add("bsr", {0x0f, 0xbd}, Size::word, Tail::reg, 0, Constant::none, kO | kS | kA | kP | kC);
    add("mov", {0x88}, Size::byte, Tail::reg);
    add("mov", {0x89}, Size::word, Tail::reg);
    add("mov", {0x8a}, Size::byte, Tail::reg);
    add("mov", {0x8b}, Size::word, Tail::reg);
    both("mov", 0xc6, 0, Constant::byte, Constant::full);
    add("xchg", {0x86}, Size::byte, Tail::reg);
    add("xchg", {0x87}, Size::word, Tail::reg);
    add("movzx", {0x0f, 0xb6}, Size::word, Tail::reg);
    add("movzx", {0x0f, 0xb7}, Size::word, Tail::reg);
    add("movsx", {0x0f, 0xbe}, Size::word, Tail::reg);
    add("movsx", {0x0f, 0xbf}, Size::word, Tail::reg);
    add("lea", {0x8d}, Size::word, Tail::memory);
    add("bound", {0x62}, Size::word, Tail::memory);
    add("push", {0xff}, Size::word, Tail::digit, 6);
    add("pop", {0x8f}, Size::word, Tail::digit, 0);
    add("push", {0x68}, Size::word, Tail::nothing, 0, Constant::full);
    add("push", {0x6a}, Size::word, Tail::nothing, 0, Constant::byte);
    add("enter", {0xc8}, Size::word, Tail::nothing, 0, Constant::word_and_byte);
    for (const auto& [name, opcode] : {std::pair{"pusha", 0x60},
                                       {"popa", 0x61},
                                       {"pushf", 0x9c},
                                       {"leave", 0xc9},
                                       {"cbw", 0x98},
                                       {"cwd", 0x99}})
        add(name, {static_cast<std::uint8_t>(opcode)}, Size::word, Tail::nothing);
    for (int reg = 0; reg < 8; ++reg) {
        for (const auto& [name, opcode] :
             {std::pair{"inc", 0x40}, {"dec", 0x48}, {"push", 0x50}, {"pop", 0x58}, {"xchg", 0x90}})
            add(name, {static_cast<std::uint8_t>(opcode + reg)}, Size::word, Tail::nothing);
        add("mov", {static_cast<std::uint8_t>(0xb8 + reg)}, Size::word, Tail::nothing, 0,
            Constant::full);
        add("mov", {static_cast<std::uint8_t>(0xb0 + reg)}, Size::byte, Tail::nothing, 0,
            Constant::byte);
    }
    for (int condition = 0; condition < 16; ++condition)
        add("setcc", {0x0f, static_cast<std::uint8_t>(0x90 + condition)}, Size::byte, Tail::digit);
    for (const auto& [name, opcode, undefined] : {std::tuple{"aaa", 0x37, kO | kS | kZ | kP},
                                                  {"aas", 0x3f, kO | kS | kZ | kP},
                                                  {"daa", 0x27, kO},
                                                  {"das", 0x2f, kO},
                                                  {"clc", 0xf8, 0u},
                                                  {"stc", 0xf9, 0u},
                                                  {"cmc", 0xf5, 0u},
                                                  {"cld", 0xfc, 0u},
                                                  {"std", 0xfd, 0u},
                                                  {"lahf", 0x9f, 0u},
                                                  {"sahf", 0x9e, 0u},
                                                  {"xlat", 0xd7, 0u}})
        add(name, {static_cast<std::uint8_t>(opcode)}, Size::byte, Tail::nothing, 0, Constant::none,
            undefined);
    add("aam", {0xd4}, Size::byte, Tail::nothing, 0, Constant::byte, kO | kA | kC);
    add("aad", {0xd5}, Size::byte, Tail::nothing, 0, Constant::byte, kO | kA | kC);
    for (const std::uint8_t opcode : {0xa4, 0xa6, 0xaa, 0xac, 0xae}) {
        const auto wide = static_cast<std::uint8_t>(opcode + 1);
        add("string", {opcode}, Size::byte, Tail::nothing);
        add("string", {wide}, Size::word, Tail::nothing);
        for (const std::uint8_t prefix : {0xf2, 0xf3}) {
            if (prefix == 0xf2 && opcode != 0xa6 && opcode != 0xae) continue;
            add("repeated string", {prefix, opcode}, Size::byte, Tail::nothing);
            add("repeated string", {prefix, wide}, Size::word, Tail::nothing);
        }
    }
    return all;
}

// One random instruction of a pattern, with register values that keep its accesses within the data.
struct Instruction {
    Bytes bytes;
    HostCpu::State before;
    std::uint32_t undefined = 0;
    bool undefined_result = false;
};

class Generator {
  public:
    explicit Generator(std::uint32_t seed) : random_(seed) {}

    Instruction make(const Pattern& p) {
        Instruction i;
        for (auto& reg : i.before.regs.r) reg = operand();
        i.before.flags = random_() & kCompared;
        const bool is_string = std::string(p.name).find("string") != std::string::npos;
        if (is_string || std::string(p.name) == "xlat") {
            for (const Reg reg : {ebx, esi, edi}) i.before.regs[reg] = Bench::kData + below(1024);
            i.before.regs[ecx] = below(20);
        }
        i.before.regs[esp] = Bench::kData + 1024 + below(64);
        i.before.regs[ebp] = Bench::kData + 1024 + below(64);
        const bool word = p.size == Size::word && below(3) == 0;
        if (word) i.bytes.push_back(0x66);
        i.bytes.insert(i.bytes.end(), p.opcode.begin(), p.opcode.end());
        add_tail(p, i);
        const unsigned bits = p.size == Size::byte ? 8 : word ? 16 : 32;
        add_constant(p, word, i);
        i.undefined = p.undefined;
        if (p.shift) find_undefined(p, bits, i);
        return i;
    }

    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
    // A quarter of the values are at the ends of ranges.
    std::uint32_t operand() {
        static constexpr std::uint32_t kEdges[] = {0,          1,          0x7f,       0x80,
                                                   0xff,       0x100,      0x7fff,     0x8000,
                                                   0xffff,     0x10000,    0x7fffffff, 0x80000000,
                                                   0xffffffff, 0xfffffffe, 0xffffff80, 0xffff8000};
        const auto any = static_cast<std::uint32_t>(random_());
        switch (below(4)) {
            case 0:
                return kEdges[below(16)];
            case 1:
                return any >> below(32);
            default:
                return any;
        }
    }

  private:
    void add_tail(const Pattern& p, Instruction& i) {
        if (p.tail == Tail::nothing) return;
        const bool digit = p.tail == Tail::digit || p.tail == Tail::memory_digit;
        const std::uint32_t middle = digit ? p.digit : below(8);
        const bool memory = p.tail == Tail::memory || p.tail == Tail::memory_digit || below(2);
        const auto put = [&](std::uint32_t byte) {
            i.bytes.push_back(static_cast<std::uint8_t>(byte));
        };
        if (!memory) return put(0xc0 | middle << 3 | below(8));
        // Operands are never relative to esp or ebp: pop m would address one relative to esp with
        // the incremented esp. Another test covers that case.
        const std::uint32_t place = Bench::kData + 512 + below(512);
        std::uint32_t base;
        do base = below(8);
        while (base == esp || base == ebp || (p.bit_string && base == middle));
        i.before.regs[base] = place;
        switch (below(4)) {
            case 0:  // [disp32]
                put(0x05 | middle << 3);
                for (unsigned n = 0; n < 4; ++n) put(place >> 8 * n);
                break;
            case 1:  // [base]
                put(middle << 3 | base);
                break;
            case 2:  // [base + disp8]
                put(0x40 | middle << 3 | base);
                put(random_());
                break;
            default: {  // [base + index * scale + disp32]
                std::uint32_t index;
                do index = below(8);
                while (index == esp || index == base || (p.bit_string && index == middle));
                i.before.regs[index] = below(16);
                put(0x84 | middle << 3);
                put(below(4) << 6 | index << 3 | base);
                const std::uint32_t disp = below(256) - 128;
                for (unsigned n = 0; n < 4; ++n) put(disp >> 8 * n);
            }
        }
        // Bit -1024 to 1023 from the operand on; 16-bit forms use the low half of the register.
        if (p.bit_string) i.before.regs[middle] = below(2048) - 1024;
    }

    void add_constant(const Pattern& p, bool word, Instruction& i) {
        const std::uint32_t value = operand();
        unsigned bytes = 0;
        switch (p.constant) {
            case Constant::none:
                return;
            case Constant::byte:
                bytes = 1;
                break;
            case Constant::full:
                bytes = word ? 2 : 4;
                break;
            case Constant::word_and_byte: {
                const std::uint32_t room = below(64);
                i.bytes.push_back(static_cast<std::uint8_t>(room));
                i.bytes.push_back(0);
                i.bytes.push_back(static_cast<std::uint8_t>(random_()));
                return;
            }
        }
        for (unsigned n = 0; n < bytes; ++n)
            i.bytes.push_back(static_cast<std::uint8_t>(value >> 8 * n));
    }

    static void find_undefined(const Pattern& p, unsigned bits, Instruction& i) {
        const std::uint8_t opcode = p.opcode.back();
        const bool by_one = opcode == 0xd0 || opcode == 0xd1;
        const bool by_constant = p.constant == Constant::byte;
        const unsigned count = (by_one        ? 1u
                                : by_constant ? i.bytes.back()
                                              : i.before.regs[ecx]) &
                               31;
        const bool is_double = p.opcode[0] == 0x0f;
        const bool rotates = !is_double && p.digit < 4;
        if (count > 1) i.undefined |= kO;
        if (count > 0 && !rotates) i.undefined |= kA;
        if (count >= bits && !rotates && !is_double) i.undefined |= kC;
        i.undefined_result = is_double && count > bits;
    }

    std::mt19937 random_;
};

std::string hex(const Bytes& bytes) {
    std::ostringstream text;
    for (const auto b : bytes) text << std::hex << (b < 16 ? "0" : "") << int{b} << " ";
    return text.str();
}

class HostOracle : public testing::Test {
  protected:
    static constexpr std::size_t kDataSize = 4096;

    void SetUp() override {
        if (!host_.available()) GTEST_SKIP() << "this host has no 32-bit code segment";
    }

    void compare(const Pattern& pattern, const Instruction& i, Generator& generator) {
        if (i.undefined_result) return;
        std::uint8_t* const simulated = bench_.memory.data() + Bench::kData - 1024;
        std::uint8_t* const real = host_.at(Bench::kData - 1024);
        for (std::size_t n = 0; n < kDataSize; n += 4) {
            const std::uint32_t value = generator.operand();
            std::memcpy(simulated + n, &value, 4);
            std::memcpy(real + n, &value, 4);
        }
        bench_.regs() = i.before.regs;
        bench_.flags().set(i.before.flags);
        const bool failed = bench_.run(i.bytes) == StopReason::failed;
        const HostCpu::State after = host_.execute(Bench::kCode, i.bytes, i.before);
        const std::string what = std::string(pattern.name) + " " + hex(i.bytes);
        ASSERT_EQ(failed, after.faulted) << what << bench_.complaint();
        if (failed) return;
        for (unsigned reg = 0; reg < 8; ++reg)
            ASSERT_EQ(bench_.regs()[reg], after.regs[reg])
                << what << "register " << reg << " was " << i.before.regs[reg];
        const std::uint32_t mask = kCompared & ~i.undefined;
        ASSERT_EQ(bench_.flags().value() & mask, after.flags & mask)
            << what << " flags were " << i.before.flags;
        if (std::string(pattern.name) == "pushf") return;  // the host pushes flags a 386 lacks
        ASSERT_EQ(std::memcmp(simulated, real, kDataSize), 0) << what << "left other memory";
    }

    HostCpu host_;
    Bench bench_;
};

TEST_F(HostOracle, AgreesOnRandomInstructionsOfEveryGroup) {
    const std::uint32_t seed = 386;
    const char* const rounds_given = std::getenv("SYMSIM_ORACLE_ROUNDS");
    const int rounds = rounds_given ? std::atoi(rounds_given) : 100;
    Generator generator(seed);
    const std::vector<Pattern> all = patterns();
    for (int round = 0; round < rounds; ++round) {
        for (const Pattern& pattern : all) {
            compare(pattern, generator.make(pattern), generator);
            if (HasFatalFailure()) {
                std::printf("seed %u, round %d\n", seed, round);
                return;
            }
        }
    }
}

}  // namespace
}  // namespace symsim::test

#endif
