// SPDX-License-Identifier: MIT
// Loads images with random damage. Each one must be loaded or refused with a UserError, without any
// other failure of the simulator.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>

#include "sim/image/arguments.h"
#include "sim/image/foreign_code.h"
#include "sim/image/image.h"
#include "sim/image/linux_program.h"
#include "sim/image/loaded_code.h"
#include "sim/image/probe_records.h"
#include "tests/support/elf_writer.h"

namespace symsim {
namespace {

using test::Bytes;
using test::ElfWriter;

constexpr std::uint64_t kMemory = 2 << 20;

Bytes guest_with_everything() {
    ElfWriter elf;
    elf.entry(0x100000)
        .code(".text", 0x100000, Bytes(32, 0x90))
        .code(".text.spin", 0x100020, Bytes(16, 0x90))
        .data(".data", 0x101000, Bytes(256, 0), 16)
        .text(".comment", "GCC: (GNU)")
        .text(".symsim.flags", "-O2")
        .symbol("main", 0x100000, 32)
        .symbol("lock", 0x101004, 4, ElfWriter::Symbol::object)
        .symbol("symsim_boot_args", 0x101008, 200, ElfWriter::Symbol::object)
        .symbol("here", 0x100008, 0, ElfWriter::Symbol::label, false)
        .probe(0x100004, 1, "$lock+4")
        .probe(0x100008, 2, "8(%esp,%eax,4)");
    return elf.bytes();
}

// Does everything that the machine does with an image before its first instruction.
void use(Bytes file) {
    const Image image = parse_image(std::move(file), "guest.elf", kMemory);
    Memory memory(kMemory);
    image.copy_to(memory);
    write_arguments(image, argument_text(2, 1, {{"lock", "read"}}), memory);
    const Regions regions(image.code);
    const ProbePoints probes = probe_points(image);
    for (const LoadSegment& s : image.segments) {
        image.symbols.describe(s.address);
        regions.activity_at(s.address);
    }
    const auto peek = [](Address, unsigned) { return 0u; };
    const auto reg = [](unsigned) { return 0u; };
    for (const ProbeRecord& r : image.probes)
        for (const Probe& probe : probes.at(r.address)) evaluate(probe.operand, reg, peek);
}

// Calls `use` with copies of `whole`, each damaged at random places.
template <class Use>
void try_damaged(const Bytes& whole, int files, const Use& use) {
    ASSERT_NO_THROW(use(whole));
    int refused = 0;
    for (int n = 0; n < files; ++n) {
        std::mt19937 random(static_cast<std::mt19937::result_type>(n));
        Bytes file = whole;
        if (n % 8 == 0) file.resize(random() % file.size());
        for (unsigned changes = 1 + random() % 8; changes > 0 && !file.empty(); --changes) {
            // Mostly values at the limits of a byte.
            const std::uint8_t values[] = {0,    1,    0x7f,
                                           0x80, 0xff, static_cast<std::uint8_t>(random())};
            file[random() % file.size()] = values[random() % 6];
        }
        try {
            use(std::move(file));
        } catch (const UserError& e) {
            ++refused;
        } catch (const std::exception& e) {
            FAIL() << "seed " << n << ": " << e.what();
        }
    }
    EXPECT_GT(refused, files / 4) << "the damage does not reach what is checked";
    EXPECT_LT(refused, files) << "every file is refused before it is used";
}

TEST(ImageFuzz, ADamagedFileIsLoadedOrRefused) {
    try_damaged(guest_with_everything(), 20'000, use);
}

TEST(ImageFuzz, ADamagedLinuxProgramIsPlacedOrRefused) {
    // At 0x74 and 0x94 of the file, so that nothing fills pages up.
    const Bytes program = ElfWriter()
                              .in_pages()
                              .entry(0x0804'8074)
                              .code(".text", 0x0804'8074, Bytes(32, 0x90))
                              .data(".data", 0x0804'a094, Bytes(64), 4096)
                              .symbol("main", 0x0804'8074, 32)
                              .symbol("_Z4workv", 0x0804'807c, 8)
                              .bytes();
    const Image kernel =
        parse_image(ElfWriter()
                        .entry(0x100000)
                        .code(".text", 0x100000, {0x90})
                        .data(".data", 0x101000, Bytes(8))
                        .symbol("symsim_program", 0x101000, 4, ElfWriter::Symbol::object)
                        .bytes(),
                    "linux.elf", kMemory);
    try_damaged(program, 5'000, [&](const Bytes& file) {
        refuse_no_program(file, "a.out");
        is_linux_program(file);
        foreign_code(with_program(kernel, {"a.out", file, {}, {}, {}}, kMemory), Isa::i686);
    });
}

}  // namespace
}  // namespace symsim
