// SPDX-License-Identifier: MIT
// A guest program as read from its ELF file: the bytes to load into memory, its symbols, code
// sections and probe records. A ROM becomes an Image too (rom.cpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/named_range.h"
#include "sim/base/types.h"
#include "sim/image/symbols.h"
#include "sim/interconnect/device_space.h"
#include "sim/interconnect/memory.h"

namespace symsim {

struct LoadSegment {
    Address address = 0;
    std::uint32_t memory_size = 0;  // the memory after `bytes` is zero
    bool executable = false;
    std::vector<std::uint8_t> bytes;

    std::uint64_t end() const { return std::uint64_t{address} + memory_size; }
};

// An executable output section. Regions derives an activity from its name.
struct CodeSection {
    std::string name;
    Address address = 0;
    std::uint32_t size = 0;
};

// One record of the section .symsim.probes, as the guest's compiler wrote it. probe_points()
// parses the operand.
struct ProbeRecord {
    Address address = 0;
    std::uint32_t kind = 0;
    std::string operand;
};

// Executable bytes of a Linux program, in Image::file.
struct ProgramCode {
    Address address = 0;
    std::uint64_t offset = 0, bytes = 0;
};

// The first instruction of a guest that starts in real mode: selector and base of its code
// segment, and instruction pointer.
struct RealModeStart {
    std::uint16_t selector = 0;
    Address base = 0;
    std::uint32_t eip = 0;
};

struct Image {
    std::filesystem::path path;
    Address entry = 0;  // ELF file: all processors start here
    // What its symbols are above their places in memory: a kernel may be linked for the addresses
    // where it maps memory itself. All other addresses here are places in memory.
    Address linked_above = 0;
    // ROM: processor 0 starts here, the other processors stay halted.
    std::optional<RealModeStart> real_mode;
    // Where its kernel, linux.elf, finds it (linux_program.h); 0: it is not a Linux program.
    Address linux_program = 0;
    RomAlias alias;                     // ROM: its second address, right below 4 GB
    std::vector<LoadSegment> segments;  // sorted by address, disjoint, all in memory
    std::vector<CodeSection> code;
    Symbols symbols;
    std::vector<ProgramCode> program_code;
    std::vector<ProbeRecord> probes;
    std::string compiler;  // section .comment
    std::string flags;     // section .symsim.flags
    std::string sha256;    // of the whole file
    std::vector<std::uint8_t> file;

    // The segment that has a byte at this address, or null.
    const LoadSegment* segment_at(Address address) const;
    // Symbols by the places in memory that they name.
    std::vector<NamedRange> names_in_memory() const;
    void copy_to(Memory& memory) const;
};

// Reads and checks the ELF file `path`. Throws UserError, which names the file and the cure, if
// this machine cannot run it.
Image load_image(const std::filesystem::path& path, std::uint64_t memory_bytes);

// The bytes of such a file.
std::vector<std::uint8_t> read_image(const std::filesystem::path& path);

// Does the same as load_image() for a file already in memory; `path` is for messages only.
Image parse_image(std::vector<std::uint8_t> file, const std::filesystem::path& path,
                  std::uint64_t memory_bytes);

// The file's bytes, which go to memory from `address` on, as an image without symbols. For the
// guest they are ordinary memory that it may write to, like the shadow RAM that boards of the time
// copied their ROM into. Throws UserError naming the file and the cure.
Image load_rom(const std::filesystem::path& path, Address address, std::uint64_t memory_bytes);

class ElfFile;
Symbols read_symbols(const ElfFile& elf);
// A section of text, one string per linked object file; equal strings are kept once.
std::string read_text(const ElfFile& elf, std::string_view section);

}  // namespace symsim
