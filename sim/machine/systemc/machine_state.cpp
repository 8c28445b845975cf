// SPDX-License-Identifier: MIT
// Saves and restores the machine's state for checkpoints: everything that changes while the guest
// runs.
#include <algorithm>
#include <cstring>

#include "sim/base/archive.h"
#include "sim/base/saved_state.h"
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

// The pages of memory that are closed.
void save_closed_pages(const Memory& memory, SaveArchive& archive) {
    for (std::uint64_t at = 0; at < memory.size(); at += kPage)
        if (const PageUse use = memory.page(static_cast<Address>(at)); use != PageUse::open)
            archive(at, use);
    archive(memory.size(), PageUse::absent);
}

void load_closed_pages(Memory& memory, LoadArchive& archive) {
    for (std::uint64_t at = 0; at < memory.size(); at += kPage)
        memory.set_page(static_cast<Address>(at), PageUse::open);
    std::uint64_t at = 0;
    PageUse use{};
    for (std::uint64_t from = 0;; from = at + kPage) {
        archive(at, use);
        require(at <= memory.size() && at >= from && at % kPage == 0, "a closed page is at {:#x}",
                at);
        if (at == memory.size()) return;
        require(use == PageUse::null_page || use == PageUse::stack_guard,
                "the page at {:#x} is closed for reason {}", at, static_cast<int>(use));
        memory.set_page(static_cast<Address>(at), use);
    }
}

void load_memory(Memory& memory, LoadArchive& archive) {
    std::memset(memory.data(), 0, memory.size());
    std::uint64_t at = 0;
    std::string bytes;
    for (std::uint64_t from = 0;; from = at + kPage) {
        archive(at, bytes);
        require(at <= memory.size() && at >= from && at % kPage == 0,
                "a page of its memory is at {:#x}", at);
        require(bytes.size() == std::min<std::uint64_t>(kPage, memory.size() - at),
                "a page of its memory has {} bytes", bytes.size());
        if (at == memory.size()) return;
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
    save_closed_pages(memory_.model, archive);
    interconnect_.model->save_state(archive);
    archive(slic_.model, console_, processes_);
    if (sync_bus_) archive(sync_bus_->model);
    if (monitor_) archive(monitor_->model);
    for (const auto& cache : caches_) archive(cache->model);
    for (const auto& processor : processors_) archive(processor->model);
    archive(engine_->wake_states());
}

std::vector<WakeState> Machine::load(LoadArchive& archive, Time at) {
    load_memory(memory_.model, archive);
    load_closed_pages(memory_.model, archive);
    interconnect_.model->load_state(archive);
    archive(slic_.model, console_, processes_);
    if (sync_bus_) archive(sync_bus_->model);
    if (monitor_) archive(monitor_->model);
    for (const auto& cache : caches_) archive(cache->model);
    for (const auto& processor : processors_) archive(processor->model);
    std::vector<WakeState> wake_states;
    archive(wake_states);
    check_loaded(wake_states, at);
    engine_->resume_from(at, wake_states);
    begin_ = at;
    return wake_states;
}

// Each part checks itself, and the machine what its parts know of each other.
void Machine::check_loaded(const std::vector<WakeState>& wake_states, Time at) const {
    require(wake_states.size() == processors_.size(), "it has {} processors", wake_states.size());
    interconnect_.model->check_loaded(at);
    slic_.model.check_loaded(at);
    processes_.check_loaded(static_cast<unsigned>(processors_.size()));
    if (sync_bus_) sync_bus_->model.check_loaded(at);
    for (ProcessorId p = 0; p < processors_.size(); ++p) {
        const WakeState& wake = wake_states[p];
        const Processor& processor = processors_[p]->model;
        processor.check_loaded(at, wake.stop_reason, wake.next);
        caches_[p]->model.check_loaded(
            at, wake.stop_reason == StopReason::waiting && wake.next == kNever);
        require(processor.interrupt_line() == slic_.model.line(p),
                "the interrupt line of processor {} is not that of its SLIC", p);
        const Address line = processor.context().fetch_line;
        require(line == kNoLine || !memory_.model.contains(line, 1) ||
                    interconnect_.model->may_hold(p, line),
                "processor {} has {:#x} in its prefetch queue and does not snoop it", p, line);
    }
}

}  // namespace symsim
