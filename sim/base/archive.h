// SPDX-License-Identifier: MIT
// The archives of checkpoints: cereal's portable binary format, which is the same on every host. A
// class with state has a member template serialize(), which names the members that change while the
// guest runs. Members that follow from the config are not saved.
//
// LoadArchive reads what cereal's PortableBinaryOutputArchive writes. It replaces cereal's own
// PortableBinaryInputArchive, which believes the file: a number of elements is allocated before the
// elements are read, and any byte is taken for a bool.
#pragma once

#include <boost/endian/conversion.hpp>
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
#include <cstring>
#include <string_view>
#include <type_traits>

#include "sim/base/saved_state.h"

namespace symsim {

using SaveArchive = cereal::PortableBinaryOutputArchive;

class LoadArchive final : public cereal::InputArchive<LoadArchive, cereal::AllowEmptyClassElision> {
  public:
    // Throws StateError, here and while it loads, if the bytes are not what a SaveArchive writes.
    explicit LoadArchive(std::string_view bytes)
        : cereal::InputArchive<LoadArchive, cereal::AllowEmptyClassElision>(this), left_(bytes) {
        bool little_endian = false;
        (*this)(little_endian);
        require(little_endian, "its numbers are not little-endian");
    }

    void get(void* data, std::size_t size) {
        require(size <= left_.size(), "it ends {} bytes too early", size - left_.size());
        std::memcpy(data, left_.data(), size);
        left_.remove_prefix(size);
    }
    // The number of elements that follow. Each has at least one byte in the file.
    std::uint64_t count() {
        std::uint64_t number = 0;
        (*this)(number);
        require(number <= left_.size(), "it announces {} elements in {} bytes", number,
                left_.size());
        return number;
    }
    void finish() const { require(left_.empty(), "{} bytes follow its end", left_.size()); }

  private:
    std::string_view left_;
};

template <class T>
std::enable_if_t<std::is_integral_v<T>> CEREAL_LOAD_FUNCTION_NAME(LoadArchive& archive, T& value) {
    if constexpr (std::is_same_v<T, bool>) {
        std::uint8_t byte = 0;
        archive(byte);
        require(byte <= 1, "a flag is {}", byte);
        value = byte == 1;
    } else {
        archive.get(&value, sizeof value);
        boost::endian::little_to_native_inplace(value);
    }
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(LoadArchive& archive, cereal::NameValuePair<T>& pair) {
    archive(pair.value);
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(LoadArchive& archive, cereal::SizeTag<T>& tag) {
    tag.size = static_cast<std::decay_t<T>>(archive.count());
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(LoadArchive& archive, cereal::BinaryData<T>& data) {
    using Element = std::remove_pointer_t<std::decay_t<T>>;
    archive.get(data.data, static_cast<std::size_t>(data.size));
    auto* const elements = static_cast<Element*>(data.data);
    for (std::size_t n = 0; n < data.size / sizeof(Element); ++n)
        boost::endian::little_to_native_inplace(elements[n]);
}

}  // namespace symsim

template <>
struct cereal::traits::detail::get_output_from_input<symsim::LoadArchive> {
    using type = symsim::SaveArchive;
};
