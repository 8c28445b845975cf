// SPDX-License-Identifier: MIT
// A parameter that is a function, for as long as the call lasts: no copy of it is made, as
// std::function would make one.
#pragma once

#include <type_traits>

namespace symsim {

template <class Signature>
class FunctionRef;

template <class Result, class... Args>
class FunctionRef<Result(Args...)> {
  public:
    // Not of a temporary, which could be gone before the call.
    template <class Function,
              class = std::enable_if_t<!std::is_same_v<std::remove_cv_t<Function>, FunctionRef> &&
                                       std::is_invocable_r_v<Result, Function&, Args...>>>
    FunctionRef(Function& function)
        : function_(&function), call_([](const void* f, Args... args) -> Result {
              return (*static_cast<Function*>(const_cast<void*>(f)))(args...);
          }) {}

    Result operator()(Args... args) const { return call_(function_, args...); }

  private:
    const void* function_;
    Result (*call_)(const void*, Args...);
};

}  // namespace symsim
