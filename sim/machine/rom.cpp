// SPDX-License-Identifier: MIT
#include "sim/machine/rom.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <system_error>
#include <utility>

#include "sim/base/failure.h"
#include "sim/base/sha256.h"
#include "sim/bus/device_space.h"

namespace symsim {
namespace {

namespace fs = std::filesystem;

// After reset cs is F000h with base FFFF0000h, and eip FFF0h: 16 bytes below 4 GB (80386
// Programmer's Reference Manual, 10.1).
constexpr Rom::Start kReset = {0xF000, 0xFFFF'0000, 0xFFF0};
constexpr std::uint32_t kResetCode = 16;

// Where a PC's BIOS loads the first sector of a disk and jumps to, if it ends in 55 AA.
constexpr Rom::Start kBootSector = {0, 0, 0x7C00};
constexpr std::size_t kSectorBytes = 512;

// Between the ports and 4 GB there is room for almost 32 MB; no board of the time had more than
// one.
constexpr std::uint64_t kMostBytes = 16 << 20;
static_assert(kMostBytes <= (std::uint64_t{1} << 32) - kPortSpace - kPorts);

[[noreturn]] void fail(const fs::path& path, const std::string& text) {
    throw UserError(fmt::format("guest ROM {}: {}", path.string(), text));
}

std::vector<std::uint8_t> read(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) fail(path, "there is no such file; correct guest.rom");
    if (!fs::is_regular_file(status))
        fail(path, "is not a file; name the ROM's bytes in guest.rom");
    const std::uint64_t size = fs::file_size(path, error);
    if (!error && size > kMostBytes)
        fail(path, fmt::format("has {} bytes, and there is room for {} below 4 GB; is it a disk, "
                               "and no ROM?",
                               size, kMostBytes));
    std::ifstream in(path, std::ios::binary);
    std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(in), {}};
    if (!in.is_open() || in.bad()) fail(path, "cannot be read; check its permissions");
    return bytes;
}

}  // namespace

RomAlias Rom::alias() const {
    if (boot_sector) return {};
    return {static_cast<Address>(0 - bytes.size()), static_cast<Address>(0 - end())};
}

Rom::Start Rom::start() const {
    return boot_sector ? kBootSector : kReset;
}

void Rom::copy_to(Memory& memory) const {
    if (end() > memory.size())
        impossible("ROM {:#010x} to {:#010x} in a memory of {} bytes", address, end(),
                   memory.size());
    std::copy(bytes.begin(), bytes.end(), memory.data() + address);
}

Rom load_rom(const fs::path& path, Address address, std::uint64_t memory_bytes) {
    Rom rom;
    rom.path = path;
    rom.bytes = read(path);
    const std::size_t size = rom.bytes.size();
    rom.boot_sector = size == kSectorBytes && rom.bytes[510] == 0x55 && rom.bytes[511] == 0xAA;
    rom.address = rom.boot_sector ? kBootSector.eip : address;
    if (size >= 4 && std::equal(rom.bytes.begin(), rom.bytes.begin() + 4,
                                "\x7f"
                                "ELF"))
        fail(path,
             "is an ELF file, and a ROM is bytes as they lie in memory; name it in "
             "guest.image, or take its bytes out with objcopy -O binary");
    // Addresses below 4 GB are taken to memory dword by dword, and lines of the cache with them.
    if (size < kResetCode || size % kResetCode != 0)
        fail(path, fmt::format("has {} bytes; a ROM has a multiple of 16, of which the last 16 are "
                               "where the 386 starts: put fill bytes in front of it",
                               size));
    if (rom.end() > memory_bytes)
        fail(path, fmt::format("at guest.rom_address = {:#x} it reaches to {:#x}, and memory ends "
                               "at {:#x}; lower guest.rom_address or raise memory.size_mb",
                               rom.address, rom.end(), memory_bytes));
    rom.sha256 = sha256(rom.bytes);
    return rom;
}

}  // namespace symsim
