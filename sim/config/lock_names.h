// SPDX-License-Identifier: MIT
// Further names of the guests' locks, which users search for: "tas" is the lock "xchgb". A lock's
// file declares them as LOCK_ALIAS (guest/include/lock.h); CMake passes them to this module.
#pragma once

#include <string>

namespace symsim {

// The name of the lock whose alias this is; `name` itself if it is none.
std::string lock_name(const std::string& name);

// The same for the name of an image that ends with an alias: counter-tas becomes counter-xchgb.
std::string image_of_lock(const std::string& image);

}  // namespace symsim
