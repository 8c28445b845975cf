// SPDX-License-Identifier: MIT
#include "sim/base/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace symsim {

namespace {

using Library = nlohmann::ordered_json;

Library to_library(const Json& json);

struct ToLibrary {
    Library operator()(const Json::Array& array) const {
        Library result = Library::array();
        for (const Json& value : array) result.push_back(to_library(value));
        return result;
    }
    // emplace() of the library's object would compare each name with all before it.
    Library operator()(const Json::Object& object) const {
        Library::object_t result;
        for (const auto& [name, value] : object) result.emplace_back(name, to_library(value));
        return result;
    }
    template <class Scalar>
    Library operator()(const Scalar& scalar) const {
        return scalar;
    }
};

Library to_library(const Json& json) {
    return std::visit(ToLibrary(), json.value());
}

Json from_library(const Library& library) {
    if (library.is_boolean()) return library.get<bool>();
    if (library.is_number_unsigned()) return library.get<std::uint64_t>();
    if (library.is_number_integer()) return library.get<std::int64_t>();
    if (library.is_number()) return library.get<double>();
    if (library.is_string()) return library.get<std::string>();
    if (library.is_array()) {
        Json::Array array;
        for (const Library& value : library) array.push_back(from_library(value));
        return array;
    }
    if (!library.is_object()) return nullptr;
    Json::Object object;
    for (const auto& [name, value] : library.items())
        object.emplace_back(name, from_library(value));
    return object;
}

}  // namespace

Json& Json::operator[](std::string_view path) {
    const std::string_view name = path.substr(0, path.find('.'));
    if (!object()) value_ = Object();
    Object& members = std::get<Object>(value_);
    auto member = std::find_if(members.begin(), members.end(),
                               [&](const auto& one) { return one.first == name; });
    if (member == members.end()) member = members.emplace(member, std::string(name), Json());
    return name == path ? member->second : member->second[path.substr(name.size() + 1)];
}

std::string Json::text(int indent) const {
    return to_library(*this).dump(indent, ' ', false, Library::error_handler_t::replace);
}

std::optional<Json> parse_json(std::string_view text) {
    const Library library = Library::parse(text, nullptr, /*allow_exceptions=*/false);
    if (library.is_discarded()) return std::nullopt;
    return from_library(library);
}

}  // namespace symsim
