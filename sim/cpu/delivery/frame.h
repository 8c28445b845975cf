// SPDX-License-Identifier: MIT
// Frame: pushes and pops of far transfers, interrupts, returns and task switches. The segment and
// the pointer of a Frame may be those of another privilege level or task, before the processor
// loads them.
//
// A transfer calls reserve() before its first push: a frame is pushed whole, or the stack fault
// leaves memory unchanged (PRM, CALL and INT: "stack must have room").
#pragma once

#include "sim/cpu/mmu/segmentation_unit.h"

namespace symsim {

class Frame {
  public:
    // `cpl` is the privilege level of the accesses, `size` the bytes of each element, 2 or 4. An
    // access that the segment does not allow raises a stack fault with `error_code`.
    Frame(SegmentationUnit& cpu, const Segment& segment, std::uint32_t pointer, unsigned cpl,
          unsigned size, std::uint32_t error_code = 0)
        : cpu_(cpu),
          segment_(segment),
          pointer_(pointer),
          user_(cpl == 3),
          size_(size),
          error_code_(error_code) {}

    // The current stack.
    Frame(SegmentationUnit& cpu, unsigned size, std::uint32_t error_code = 0)
        : Frame(cpu, cpu.system().segments[ss], cpu.regs()[esp], cpu.system().cpl, size,
                error_code) {}

    // Whether the segment allows `count` more pushes.
    bool has_room(unsigned count) const {
        for (unsigned n = 1; n <= count; ++n)
            if (!allows(pointer_ - n * size_, true)) return false;
        return true;
    }
    // Raises a stack fault unless the segment allows `count` more pushes.
    bool reserve(unsigned count) { return has_room(count) || fault(); }
    // Raises a stack fault unless the segment allows `count` more pops.
    bool expect(unsigned count) {
        for (unsigned n = 0; n < count; ++n)
            if (!allows(pointer_ + n * size_, false)) return fault();
        return true;
    }

    bool push(std::uint32_t value) {
        const std::uint32_t at = (pointer_ - size_) & mask();
        if (size_ == 2) value &= 0xffff;
        if (!reserve(1) || !cpu_.write_system(segment_.base + at, size_, value, user_))
            return false;
        move(at);
        return true;
    }
    bool pop(std::uint32_t& value) {
        const std::uint32_t at = pointer_ & mask();
        if (!expect(1) || !cpu_.read_system(segment_.base + at, size_, value, user_)) return false;
        move(at + size_);
        return true;
    }
    void drop(std::uint32_t bytes) { move(pointer_ + bytes); }

    std::uint32_t pointer() const { return pointer_; }

  private:
    std::uint32_t mask() const { return segment_.big ? 0xffff'ffff : 0xffff; }
    void move(std::uint32_t to) { pointer_ = (pointer_ & ~mask()) | (to & mask()); }
    bool allows(std::uint32_t pointer, bool write) const {
        return segment_.allows(pointer & mask(), size_, write, cpu_.system().real_segments());
    }
    bool fault() { return cpu_.raise(Fault::stack, error_code_); }

    SegmentationUnit& cpu_;
    Segment segment_;
    std::uint32_t pointer_;
    bool user_;
    unsigned size_;
    std::uint32_t error_code_;
};

}  // namespace symsim
