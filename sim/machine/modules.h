// SPDX-License-Identifier: MIT
// The SystemC module hierarchy of the machine. Each module owns the object that has the rules of
// its part; time comes to them from the engine.
#pragma once

#include <memory>
#include <systemc>
#include <utility>

#include "sim/bus/bus.h"
#include "sim/bus/memory.h"
#include "sim/cache/controller.h"
#include "sim/cpu/processor.h"
#include "sim/devices/slic.h"

namespace symsim {

// A module around one object of rules, built from whatever that object needs.
template <class Rules>
class RulesModule final : public sc_core::sc_module {
  public:
    template <class... Args>
    explicit RulesModule(const sc_core::sc_module_name& name, Args&&... args)
        : sc_module(name), rules(std::forward<Args>(args)...) {}
    Rules rules;
};

using MemoryModule = RulesModule<Memory>;
using BusModule = RulesModule<Bus>;
using CacheModule = RulesModule<CacheController>;
using SlicModule = RulesModule<Slic>;
using ProcessorModule = RulesModule<Processor>;

}  // namespace symsim
