// SPDX-License-Identifier: MIT
// The SystemC module hierarchy of the machine. Each module owns the object that has the rules of
// its part; time comes to them from the engine.
#pragma once

#include <memory>
#include <systemc>
#include <utility>

#include "sim/bus/bus.h"
#include "sim/cache/controller.h"
#include "sim/cpu/core/processor.h"
#include "sim/devices/slic.h"
#include "sim/interconnect/memory.h"

namespace symsim {

// A module around one object of rules, built from whatever that object needs.
template <class Rules>
class ModelModule final : public sc_core::sc_module {
  public:
    template <class... Args>
    explicit ModelModule(const sc_core::sc_module_name& name, Args&&... args)
        : sc_module(name), model(std::forward<Args>(args)...) {}
    Rules model;
};

using MemoryModule = ModelModule<Memory>;
using BusModule = ModelModule<Bus>;
using CacheModule = ModelModule<CacheController>;
using SlicModule = ModelModule<Slic>;
using ProcessorModule = ModelModule<Processor>;

}  // namespace symsim
