// SPDX-License-Identifier: MIT
// Frame: pushes and pops of far transfers, interrupts, returns and task switches. The segment and
// the pointer of a Frame may be those of another privilege level or task, before the processor
// loads them.
#pragma once

#include "sim/cpu/mmu/segmentation_unit.h"

namespace symsim {

class Frame {
  public:
    // `cpl` is the privilege level of the accesses, `size` the bytes of each element, 2 or 4. An
    // access outside the segment raises a stack fault with `error_code`.
    Frame(SegmentationUnit& cpu, const Segment& segment, std::uint32_t pointer, unsigned cpl,
          unsigned size, std::uint32_t error_code = 0)
        : cpu_(cpu),
          segment_(segment),
          pointer_(pointer),
          user_(cpl == 3),
          size_(size),
          error_code_(error_code) {}

    // The current stack.
    Frame(SegmentationUnit& cpu, unsigned size)
        : Frame(cpu, cpu.system().segments[ss], cpu.regs()[esp], cpu.system().cpl, size) {}

    bool push(std::uint32_t value) {
        const std::uint32_t at = (pointer_ - size_) & mask();
        if (size_ == 2) value &= 0xffff;
        if (!fits(at) || !cpu_.write_system(segment_.base + at, size_, value, user_)) return false;
        move(at);
        return true;
    }
    bool pop(std::uint32_t& value) {
        const std::uint32_t at = pointer_ & mask();
        if (!fits(at) || !cpu_.read_system(segment_.base + at, size_, value, user_)) return false;
        move(at + size_);
        return true;
    }
    void drop(std::uint32_t bytes) { move(pointer_ + bytes); }

    std::uint32_t pointer() const { return pointer_; }
    const Segment& segment() const { return segment_; }

  private:
    std::uint32_t mask() const { return segment_.big ? 0xffff'ffff : 0xffff; }
    void move(std::uint32_t to) { pointer_ = (pointer_ & ~mask()) | (to & mask()); }
    bool fits(std::uint32_t at) {
        const std::uint64_t last = std::uint64_t{at} + size_ - 1;
        const bool fine = segment_.expands_down() ? at > segment_.limit && last <= mask()
                                                  : last <= segment_.limit;
        return fine || cpu_.raise(Fault::stack, error_code_);
    }

    SegmentationUnit& cpu_;
    Segment segment_;
    std::uint32_t pointer_;
    bool user_;
    unsigned size_;
    std::uint32_t error_code_;
};

}  // namespace symsim
