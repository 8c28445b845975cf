// SPDX-License-Identifier: MIT
// A guest that is started as the 386 starts at reset: in real mode, from a ROM below 4 GB. Or as a
// BIOS starts a boot sector, which has no reset vector.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/bus/memory.h"
#include "sim/bus/rom_alias.h"

namespace symsim {

struct Rom {
    std::filesystem::path path;
    Address address = 0;  // of its first byte in memory
    std::vector<std::uint8_t> bytes;
    bool boot_sector = false;
    std::string sha256;

    std::uint64_t end() const { return std::uint64_t{address} + bytes.size(); }
    // None for a boot sector.
    RomAlias alias() const;
    // The first instruction: code segment's selector and base, and instruction pointer.
    struct Start {
        std::uint16_t selector;
        Address base;
        std::uint32_t eip;
    };
    Start start() const;
    // As ordinary memory: a guest may write there, as in the shadow RAM that boards of the time
    // copied their ROM into.
    void copy_to(Memory& memory) const;
};

// Throws UserError naming the file and the cure.
Rom load_rom(const std::filesystem::path& path, Address address, std::uint64_t memory_bytes);

}  // namespace symsim
