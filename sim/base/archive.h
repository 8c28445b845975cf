// SPDX-License-Identifier: MIT
// The archives of checkpoints: cereal's portable binary format, which is the same on every host. A
// class with state has a member template serialize(), which names the members that change while the
// guest runs. Members that follow from the config are not saved.
#pragma once

#include <cereal/archives/portable_binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/deque.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/queue.hpp>
#include <cereal/types/set.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/vector.hpp>

namespace symsim {

using SaveArchive = cereal::PortableBinaryOutputArchive;
using LoadArchive = cereal::PortableBinaryInputArchive;

}  // namespace symsim
