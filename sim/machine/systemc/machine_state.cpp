// SPDX-License-Identifier: MIT
// Saves and restores the machine's state for checkpoints: everything that changes while the guest
// runs.
#include <algorithm>
#include <cstring>

#include "sim/base/archive.h"
#include "sim/cpu/core/processor_archive.h"
#include "sim/machine/systemc/machine.h"

namespace symsim {

namespace {

constexpr std::size_t kPage = 4096;

bool is_zero(const std::uint8_t* bytes, std::size_t count) {
    return std::all_of(bytes, bytes + count, [](std::uint8_t byte) { return byte == 0; });
}

// Saves only pages that are not zero: most are zero.
void save_memory(const Memory& memory, SaveArchive& archive) {
    for (std::uint64_t at = 0; at < memory.size(); at += kPage) {
        const std::size_t count = std::min<std::uint64_t>(kPage, memory.size() - at);
        if (is_zero(memory.data() + at, count)) continue;
        archive(at, std::string(memory.data() + at, memory.data() + at + count));
    }
    archive(memory.size(), std::string());
}

void load_memory(Memory& memory, LoadArchive& archive) {
    std::memset(memory.data(), 0, memory.size());
    std::uint64_t at = 0;
    std::string bytes;
    for (;;) {
        archive(at, bytes);
        if (at == memory.size()) return;
        if (at > memory.size() || bytes.size() > memory.size() - at)
            throw cereal::Exception("it has bytes beyond the memory");
        std::copy(bytes.begin(), bytes.end(), memory.data() + at);
    }
}

}  // namespace

bool Machine::can_be_saved() const {
    return std::all_of(processors_.begin(), processors_.end(),
                       [](const auto& processor) { return processor->model.can_be_saved(); });
}

void Machine::save(SaveArchive& archive) {
    save_memory(memory_.model, archive);
    archive(bus_.model, slic_.model, console_);
    for (const auto& cache : caches_) archive(cache->model);
    for (const auto& processor : processors_) archive(processor->model);
    archive(engine_->wake_states());
}

void Machine::load(LoadArchive& archive, Time at) {
    load_memory(memory_.model, archive);
    archive(bus_.model, slic_.model, console_);
    for (const auto& cache : caches_) archive(cache->model);
    for (const auto& processor : processors_) archive(processor->model);
    std::vector<WakeState> wake_states;
    archive(wake_states);
    engine_->resume_from(at, wake_states);
    begin_ = at;
}

}  // namespace symsim
