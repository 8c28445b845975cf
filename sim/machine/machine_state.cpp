// SPDX-License-Identifier: MIT
// The machine's state, to go on from elsewhere: everything that changes while the guest runs.
#include <algorithm>
#include <cstring>

#include "sim/checkpoint/archive.h"
#include "sim/cpu/processor_state.h"
#include "sim/machine/machine.h"

namespace symsim {

namespace {

constexpr std::size_t kPage = 4096;

bool is_zero(const std::uint8_t* bytes, std::size_t count) {
    return std::all_of(bytes, bytes + count, [](std::uint8_t byte) { return byte == 0; });
}

// Most of it is zero.
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
                       [](const auto& processor) { return processor->rules.can_be_saved(); });
}

void Machine::save(SaveArchive& archive) {
    save_memory(memory_.rules, archive);
    archive(bus_.rules, slic_.rules);
    for (const auto& cache : caches_) archive(cache->rules);
    for (const auto& processor : processors_) archive(processor->rules);
    archive(engine_->standing());
}

void Machine::load(LoadArchive& archive, Time at) {
    load_memory(memory_.rules, archive);
    archive(bus_.rules, slic_.rules);
    for (const auto& cache : caches_) archive(cache->rules);
    for (const auto& processor : processors_) archive(processor->rules);
    std::vector<Standing> standing;
    archive(standing);
    engine_->go_on_from(at, standing);
    begin_ = at;
}

}  // namespace symsim
