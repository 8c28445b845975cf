// SPDX-License-Identifier: MIT
// The SystemC modules of the machine. Each module owns a plain C++ object, the model of its part.
// Models know no SystemC; the engine calls them with the time.
#pragma once

#include <memory>
#include <systemc>
#include <utility>

#include "sim/cache/controller.h"
#include "sim/cpu/core/processor.h"
#include "sim/devices/monitor.h"
#include "sim/devices/slic.h"
#include "sim/devices/sync_bus.h"
#include "sim/interconnect/interconnect.h"
#include "sim/interconnect/memory.h"

namespace symsim {

// A module around one model, constructed from the arguments of the model's constructor.
template <class Rules>
class ModelModule final : public sc_core::sc_module {
  public:
    template <class... Args>
    explicit ModelModule(const sc_core::sc_module_name& name, Args&&... args)
        : sc_module(name), model(std::forward<Args>(args)...) {}
    Rules model;
};

using MemoryModule = ModelModule<Memory>;
using InterconnectModule = ModelModule<std::unique_ptr<Interconnect>>;  // the config chooses one
using CacheModule = ModelModule<CacheController>;
using SlicModule = ModelModule<Slic>;
using SyncBusModule = ModelModule<SyncBus>;
using MonitorModule = ModelModule<Monitor>;
using ProcessorModule = ModelModule<Processor>;

}  // namespace symsim
