// SPDX-License-Identifier: MIT
#include "sim/config/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/base/text.h"
#include "sim/config/toml_text.h"

namespace symsim {

namespace {

// Whether `text` has at least three letters of `word`, in their order, the first of them included.
bool abbreviates(const std::string& text, const std::string& word) {
    if (text.size() < 3 || text.size() >= word.size() || text[0] != word[0]) return false;
    std::size_t at = 0;
    for (const char c : word)
        if (at < text.size() && text[at] == c) ++at;
    return at == text.size();
}

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

// Visits the lists of fields, and makes a key of each field.
struct KeyMaker {
    std::vector<Key>& keys;
    std::string table;
    bool in_results;

    template <class Member, class Fits>
    void operator()(const char* name, const char* unit, Member& member, Fits&& fits,
                    std::string meaning, InResults results = InResults::always) {
        keys.push_back({table + "." + name, unit, type(member, fits), std::move(meaning),
                        in_results ? results : InResults::never});
    }

    static IntegerKey type(std::uint32_t& member, const fits::Integers& fits) {
        return {&member, fits.lowest, fits.highest};
    }
    static IntegerKey type(std::uint32_t& member, const fits::PowersOfTwo& fits) {
        return {&member, fits.lowest, fits.highest, true, fits.shift};
    }
    static RealKey type(double& member, const fits::Numbers& fits) {
        return {&member, fits.lowest, fits.highest};
    }
    static FlagKey type(bool& member, const fits::Flag&) { return {&member}; }
    static TextKey type(std::string& member, const fits::Text&) { return {&member}; }
    template <class Enum>
    static ChoiceKey type(Enum& member, const fits::Names& fits) {
        return {fits.names, [&member] { return static_cast<std::size_t>(member); },
                [&member](std::size_t n) { member = static_cast<Enum>(n); }};
    }
    template <class Value>
    static ChoiceKey type(Value& member, const fits::OneOf<Value>& fits) {
        std::vector<std::string> names;
        for (const auto& [name, value] : fits.values) names.push_back(name);
        const auto number = [&member, values = fits.values] {
            std::size_t n = 0;
            while (values[n].second != member) ++n;
            return n;
        };
        const auto set = [&member, values = fits.values](std::size_t n) {
            member = values[n].second;
        };
        return {names, number, set};
    }
};

}  // namespace

std::vector<Key> keys_of(Config& config) {
    std::vector<Key> keys;
    for_each_table(config, [&](const char* name, auto& table, bool in_results) {
        for_each_field(table, KeyMaker{keys, name, in_results});
    });
    return keys;
}

const std::vector<Key>& all_keys() {
    static Config standard;
    static const std::vector<Key> keys = keys_of(standard);
    return keys;
}

const std::vector<FreeKey>& free_keys() {
    static const std::vector<FreeKey> keys = {
        {"guest.args.NAME", "a string, an integer, true or false",
         "An argument of the guest, which reads it by its name."},
        {"base", "the path of another TOML file, relative to this one",
         "Inherits the keys of that file; keys of this file override them."},
    };
    return keys;
}

const Key* find_key(const std::vector<Key>& keys, const std::string& name) {
    const auto found =
        std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
    return found == keys.end() ? nullptr : &*found;
}

bool is_table(const std::string& name) {
    if (name == "guest.args") return true;
    const auto& keys = all_keys();
    return std::any_of(keys.begin(), keys.end(), [&](const Key& key) {
        return key.name.compare(0, name.size() + 1, name + ".") == 0;
    });
}

std::optional<std::string> nearest_key(const std::string& name) {
    constexpr std::size_t kLongest = 100;  // no key is so long, and the search would take long
    if (name.size() > kLongest) return std::nullopt;
    const auto last = [](const std::string& full) { return full.substr(full.rfind('.') + 1); };
    const auto table = [](const std::string& full) {
        const std::size_t dot = full.rfind('.');
        return dot == std::string::npos ? "" : full.substr(0, dot);
    };
    const std::string own = last(name);
    // An abbreviation in the right table, or without one, is not a slip. The right key in the wrong
    // table, or in none, is one.
    const auto unlike = [&](const Key& key) -> std::size_t {
        const bool same_table = name == own || table(name) == table(key.name);
        if (same_table && abbreviates(own, last(key.name))) return 0;
        return std::min(edit_distance(name, key.name), 1 + edit_distance(own, last(key.name)));
    };
    const Key* nearest = nullptr;
    auto least = std::make_pair(std::clamp<std::size_t>(own.size() / 2, 1, 3),
                                std::numeric_limits<std::size_t>::max());
    for (const Key& key : all_keys()) {
        const auto found = std::make_pair(unlike(key), edit_distance(name, key.name));
        if (found >= least) continue;
        least = found;
        nearest = &key;
    }
    if (nearest == nullptr) return std::nullopt;
    return nearest->name;
}

std::string did_you_mean(const std::string& name) {
    const auto key = nearest_key(name);
    return key ? fmt::format("did you mean {}? ", *key) : "";
}

std::string type_of(const Key& key) {
    if (const auto* integer = std::get_if<IntegerKey>(&key.type))
        return integer->power_of_two ? "power of two" : "integer";
    if (std::holds_alternative<RealKey>(key.type)) return "number";
    if (std::holds_alternative<FlagKey>(key.type)) return "flag";
    return std::holds_alternative<TextKey>(key.type) ? "text" : "choice";
}

std::optional<std::array<double, 2>> range_of(const Key& key) {
    using Range = std::array<double, 2>;
    if (const auto* integer = std::get_if<IntegerKey>(&key.type))
        return Range{double(integer->lowest), double(integer->highest)};
    if (const auto* real = std::get_if<RealKey>(&key.type))
        return Range{real->lowest, real->highest};
    return std::nullopt;
}

std::string what_fits(const Key& key) {
    if (const auto range = range_of(key)) {
        const std::string type = type_of(key);
        return fmt::format("{} {} from {} to {}", type == "integer" ? "an" : "a", type,
                           range->front(), range->back());
    }
    if (std::holds_alternative<TextKey>(key.type)) return "a string";
    const auto* choice = std::get_if<ChoiceKey>(&key.type);
    if (choice == nullptr) return "true or false";
    std::string names;
    for (std::size_t i = 0; i < choice->names.size(); ++i) {
        const bool last = i + 1 == choice->names.size();
        names += fmt::format("{}\"{}\"", i == 0 ? "" : last ? " or " : ", ", choice->names[i]);
    }
    return names;
}

std::vector<std::string> values_of(const Key& key) {
    if (const auto* choice = std::get_if<ChoiceKey>(&key.type)) return choice->names;
    if (std::holds_alternative<FlagKey>(key.type)) return {"true", "false"};
    return {};
}

std::string value_text(const Key& key) {
    return std::visit(
        Overloaded{
            [](const IntegerKey& k) { return fmt::format("{}", *k.member >> k.shift); },
            [](const RealKey& k) { return toml_real(*k.member); },
            [](const FlagKey& k) { return fmt::format("{}", *k.member); },
            // A path of the host may have any bytes; TOML is UTF-8.
            [](const TextKey& k) { return toml_string(utf8(*k.member)); },
            [](const ChoiceKey& k) { return toml_string(k.names[k.get()]); },
        },
        key.type);
}

}  // namespace symsim
