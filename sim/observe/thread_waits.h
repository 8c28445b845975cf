// SPDX-License-Identifier: MIT
// What the threads of pthread.h wait for, and who holds each mutex, by the probe points of
// guest/threads/posix: for the report of a deadlock.
//
// Events of different processors need not come in order of time, and a thread moves between them.
// So the latest event of each thread, and of each mutex, counts.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/base/observer.h"

namespace symsim {

class ThreadWaits {
  public:
    enum class What : std::uint8_t { runs, mutex, join, condition, barrier };
    // A thread that waits.
    struct Wait {
        Address handle;  // of thread_handle
        What what;
        Address object;
        Address holder = 0;  // handle of the thread that holds the mutex; 0: nobody does
    };

    explicit ThreadWaits(unsigned processors) : running_(processors, 0) {}

    void passed(ProcessorId processor, const Mark& mark);
    // In order of their handles.
    std::vector<Wait> waits() const;

  private:
    struct Thread {
        Address handle = 0;
        What what = What::runs;
        Address object = 0;
        Time since = -1;
    };
    struct Mutex {
        Address owner = 0;  // key of a thread, or 0
        Time since = -1;
    };

    void set(Address thread, What what, Address object, Time at);
    void own(Address mutex, Address thread, Time at);

    std::vector<Address> running_;       // by processor: address of the thread that it runs
    std::map<Address, Thread> threads_;  // by address, as the thread package has it
    std::map<Address, Mutex> mutexes_;   // by address
};

}  // namespace symsim
