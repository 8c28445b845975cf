// SPDX-License-Identifier: MIT
// The fast engine's one SystemC process. It lets the engine run up to the kernel's next pending
// activity, and the kernel go there.
#pragma once

#include <systemc>

#include "sim/engine/engine.h"
#include "sim/engine/fast_engine.h"

namespace symsim {

class FastDriver final : public sc_core::sc_module, public Engine {
  public:
    FastDriver(const sc_core::sc_module_name& name, Ending& ending);
    FastEngine& engine() { return engine_; }

    void settle(Time at) override { engine_.settle(at); }
    bool stuck(Time at) override { return engine_.stuck(at); }
    void device_accessed() override;

  private:
    void process();

    Ending& ending_;
    FastEngine engine_;
};

}  // namespace symsim
