// SPDX-License-Identifier: MIT
// How state becomes bytes: cereal's portable archives, which are the same on every host. A class
// with state has a member template serialize() that names what of it changes while the guest runs;
// what follows from the config is not saved.
#pragma once

#include <cereal/archives/portable_binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/deque.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/queue.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/vector.hpp>

namespace symsim {

using SaveArchive = cereal::PortableBinaryOutputArchive;
using LoadArchive = cereal::PortableBinaryInputArchive;

}  // namespace symsim
