// SPDX-License-Identifier: MIT
// A guest that starts in real mode. A ROM starts as the 386 does at reset, right below 4 GB. A boot
// sector, which has no reset vector, starts where a BIOS would jump to.
#include "sim/image/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sim/base/failure.h"
#include "sim/base/input_file.h"
#include "sim/base/sha256.h"
#include "sim/interconnect/device_space.h"

namespace symsim {
namespace {

namespace fs = std::filesystem;

// After reset cs is F000h with base FFFF0000h, and eip is FFF0h: 16 bytes below 4 GB (Intel, 80386
// Programmer's Reference Manual, section 10.1).
constexpr RealModeStart kReset = {0xF000, 0xFFFF'0000, 0xFFF0};
constexpr std::uint32_t kResetCode = 16;

// A PC's BIOS loads the first sector of a disk to this address, and jumps there if the sector ends
// in 55 AA.
constexpr RealModeStart kBootSector = {0, 0, 0x7C00};
constexpr std::size_t kSectorBytes = 512;

// Largest ROM. Between the I/O ports and 4 GB there is room for almost 32 MB. No board of the time
// had more than 1 MB.
constexpr std::uint64_t kMostBytes = 16 << 20;
static_assert(kMostBytes <= (std::uint64_t{1} << 32) - kPortSpace - kPorts);

[[noreturn]] void fail(const fs::path& path, const std::string& text) {
    throw UserError(fmt::format("guest ROM {}: {}", path.string(), text));
}

}  // namespace

Image load_rom(const fs::path& path, Address address, std::uint64_t memory_bytes) {
    const InputFile file(path, "guest ROM",
                         "name a file of the ROM's bytes in guest.rom; a disk is none");
    const std::vector<std::uint8_t> bytes = file.bytes(kMostBytes);
    const std::size_t size = bytes.size();
    const bool boot_sector = size == kSectorBytes && bytes[510] == 0x55 && bytes[511] == 0xAA;
    const RealModeStart start = boot_sector ? kBootSector : kReset;
    if (boot_sector) address = start.eip;
    if (size >= 4 && std::equal(bytes.begin(), bytes.begin() + 4,
                                "\x7f"
                                "ELF"))
        fail(path,
             "is an ELF file, and a ROM is bytes as they lie in memory; name it in "
             "guest.image, or take its bytes out with objcopy -O binary");
    // Addresses right below 4 GB are translated to memory one dword at a time, so the ROM must have
    // the same alignment at both places.
    if (size < kResetCode || size % kResetCode != 0)
        fail(path, fmt::format("has {} bytes; a ROM has a multiple of 16, of which the last 16 are "
                               "where the 386 starts: put fill bytes in front of it",
                               size));
    const std::uint64_t end = std::uint64_t{address} + size;
    if (end > memory_bytes)
        fail(path, fmt::format("at guest.rom_address = {:#x} it reaches to {:#x}, and memory ends "
                               "at {:#x}; lower guest.rom_address or raise memory.size_mb",
                               address, end, memory_bytes));
    Image image;
    image.path = path;
    image.real_mode = start;
    if (!boot_sector) {
        image.alias.begin = static_cast<Address>(0 - std::uint64_t{size});
        image.alias.offset = static_cast<Address>(0 - end);
    }
    image.sha256 = sha256(bytes);
    image.segments.push_back({address, static_cast<std::uint32_t>(size), true, bytes});
    return image;
}

}  // namespace symsim
