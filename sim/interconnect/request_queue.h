// SPDX-License-Identifier: MIT
// The requests of one port, oldest first; write-backs come before all others. Usually
// there is one request. The first is a member of the queue itself, which saves the host an access
// to a vector's memory.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/transaction_kind.h"
#include "sim/interconnect/request.h"

namespace symsim {

class RequestQueue {
  public:
    RequestQueue() { clear(); }

    bool empty() const { return first_.posted == kNever; }
    std::size_t size() const { return empty() ? 0 : 1 + rest_.size(); }
    const Request& operator[](std::size_t n) const { return n == 0 ? first_ : rest_[n - 1]; }
    const Request& front() const { return first_; }

    // The request is passed by value, here and in Bus::post(), so that the compiler builds it in
    // its place in the queue.
    void push_back(Request request) {
        if (empty())
            first_ = request;
        else
            rest_.push_back(request);
    }
    void push_front(const Request& request) {
        if (!empty()) rest_.insert(rest_.begin(), first_);
        first_ = request;
    }
    void pop_front() {
        if (rest_.empty())
            clear();
        else
            move_up();
    }
    void erase(std::size_t n) {
        if (n == 0)
            pop_front();
        else
            rest_.erase(rest_.begin() + static_cast<std::ptrdiff_t>(n) - 1);
    }

    static constexpr std::size_t kNone = ~std::size_t{0};
    // The position of the request for this address among the requests of this kind at the front of
    // the queue, or kNone.
    std::size_t find_first(TransactionKind kind, Address address) const {
        if (empty() || first_.kind != kind) return kNone;
        if (first_.address == address) return 0;
        for (std::size_t n = 0; n < rest_.size() && rest_[n].kind == kind; ++n)
            if (rest_[n].address == address) return n + 1;
        return kNone;
    }

  private:
    void clear() { first_.posted = kNever; }
    void move_up() {
        first_ = rest_.front();
        rest_.erase(rest_.begin());
    }

    Request first_;  // the queue is empty if this was posted at kNever
    std::vector<Request> rest_;
};

}  // namespace symsim
