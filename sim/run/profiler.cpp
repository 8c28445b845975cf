// SPDX-License-Identifier: MIT
#include "sim/run/profiler.h"

#include "sim/debug/call_stack.h"
#include "sim/observe/numbers.h"

namespace symsim {

Profiler::Profiler(Machine& machine, const Image& image, Time period, Time begin)
    : machine_(machine), image_(image) {
    machine.call_back_at(Clock(period).edge_after(begin), [this, period](Time now) {
        for (ProcessorId p = 0; p < machine_.processors(); ++p) sample(p);
        return now + period;
    });
}

void Profiler::sample(ProcessorId id) {
    const Processor& processor = machine_.processor(id);
    std::string stack = function_at(linear_eip(processor));
    // A return address may be after the last instruction of its function; the call before it is
    // inside.
    for (const Address back : calls_of(processor, machine_.cache(id), image_))
        stack = function_at(back - 1) + ";" + stack;
    ++samples_[std::string(name(processor.context().activity)) + ";" + stack];
}

std::string Profiler::function_at(Address linear) const {
    const Symbol* const symbol = image_.symbols.around(linear);
    return symbol ? symbol->name : hex_text(linear);
}

std::optional<WrittenFile> Profiler::write(const std::filesystem::path& path) const {
    std::string text;
    for (const auto& [stack, count] : samples_) text += fmt::format("{} {}\n", stack, count);
    return write_file(path, text);
}

}  // namespace symsim
