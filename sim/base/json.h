// SPDX-License-Identifier: MIT
// A JSON value. Members of an object keep their order. Only json.cpp includes nlohmann::json, which
// takes seconds to compile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace symsim {

class Json {
  public:
    using Array = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;  // no name twice
    using Value = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double,
                               std::string, Array, Object>;

    Json(std::nullptr_t = nullptr) {}
    template <class Number, std::enable_if_t<std::is_arithmetic_v<Number>, int> = 0>
    Json(Number number) : value_(as_value(number)) {}
    Json(const char* text) : value_(std::string(text)) {}
    Json(std::string_view text) : value_(std::string(text)) {}
    Json(std::string text) : value_(std::move(text)) {}
    Json(Array array) : value_(std::move(array)) {}
    Json(Object object) : value_(std::move(object)) {}
    template <class T>
    Json(const std::vector<T>& values) : value_(Array(values.begin(), values.end())) {}
    template <class T, std::size_t n>
    Json(const std::array<T, n>& values) : value_(Array(values.begin(), values.end())) {}
    // Null if it is empty.
    template <class T>
    Json(const std::optional<T>& value) : Json(value ? Json(*value) : Json()) {}

    const Value& value() const { return value_; }
    // Null unless it is one.
    const std::string* string() const { return std::get_if<std::string>(&value_); }
    const Array* array() const { return std::get_if<Array>(&value_); }
    const Object* object() const { return std::get_if<Object>(&value_); }

    // The member of this object at the end of the path, such as "a.b". Adds what is missing, as the
    // last one.
    Json& operator[](std::string_view path);

    // The text, without a newline at its end. `indent`: by so many spaces, on a line for each
    // value; -1: all on one line. Bytes that are not UTF-8 become U+FFFD.
    std::string text(int indent = -1) const;

  private:
    template <class Number>
    static Value as_value(Number number) {
        if constexpr (std::is_same_v<Number, bool>)
            return number;
        else if constexpr (std::is_floating_point_v<Number>)
            return static_cast<double>(number);
        else if constexpr (std::is_signed_v<Number>)
            return static_cast<std::int64_t>(number);
        else
            return static_cast<std::uint64_t>(number);
    }

    Value value_;
};

// Empty: the text is not JSON.
std::optional<Json> parse_json(std::string_view text);

}  // namespace symsim
