// SPDX-License-Identifier: MIT
// Collects the values of TOML files and --set options by their full names ("machine.processors"),
// each with its place. A file's own values replace inherited ones, and --set replaces both.
#include <elf.h>
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <set>

#include "sim/base/failure.h"
#include "sim/base/input_file.h"
#include "sim/config/given.h"
#include "sim/config/keys.h"
#include "sim/config/toml_text.h"
#include "sim/image/linux_program.h"

namespace symsim {

namespace {

namespace fs = std::filesystem;

// symlab reads them, and checks them.
constexpr std::array<std::string_view, 2> kTablesOfTheLab = {"sweep", "figure"};

// Collects the values of a table. Nested tables become names with dots. An array is a value, and so
// is a table where a value is expected.
void gather(const std::shared_ptr<const toml::table>& document, const toml::table& table,
            const std::string& prefix, const fs::path& file, Values& values) {
    struct Entry {
        const toml::key* key;
        const toml::node* node;
    };
    std::vector<Entry> entries;
    for (const auto& [key, node] : table) entries.push_back({&key, &node});
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return a.key->source().begin < b.key->source().begin;
    });
    for (const Entry& entry : entries) {
        const std::string own(entry.key->str());
        const std::string name = prefix.empty() ? own : prefix + "." + own;
        Given given{file, entry.key->source(), {document, entry.node}};
        const toml::table* inner = entry.node->as_table();
        if (!inner || find_key(all_keys(), name) || begins_with(name, kArguments))
            values.put(name, std::move(given));
        else if (inner->empty() && !is_table(name))
            refuse_name(given, name, "there is no such table; symsim --list-keys prints all");
        else
            gather(document, *inner, name, file, values);
    }
}

// Reads the values of the file's base first, then the file's own, which replace them.
void read_file(const fs::path& file, const std::string& wanted_by, std::set<fs::path>& open,
               Values& values) {
    const InputFile input(file, wanted_by + "config file",
                          "give the path of a TOML file, such as configs/quickstart.toml, or of a "
                          "Linux program");
    const std::string text = input.text(kMostConfigBytes);
    if (text.compare(0, 2, "#!") == 0)
        throw UserError(
            fmt::format("{}{}: is a script; give the path of a TOML file, or of the Linux program "
                        "that it starts",
                        wanted_by, file.string()));
    if (text.compare(0, 4, "\177ELF") == 0)
        throw UserError(fmt::format(
            "{}{}: is a guest image and no config; give the config of a machine, and the image by "
            "--set guest.image={}",
            wanted_by, file.string(), file.string()));
    if (!open.insert(fs::weakly_canonical(file)).second)
        throw UserError(fmt::format("{}{} inherits from itself", wanted_by, file.string()));
    if (open.size() > kMostBases)
        throw UserError(
            fmt::format("{}{} is the base of {} files in a row, and at most {} are "
                        "read; write its values into one of them",
                        wanted_by, file.string(), open.size() - 1, kMostBases - 1));
    check_levels(text, file.string());
    values.files.push_back(file);
    const auto document = std::make_shared<toml::table>();
    try {
        *document = toml::parse(text, file.string());
    } catch (const toml::parse_error& error) {
        throw UserError(
            fmt::format("{}: not TOML: {}", place(file, error.source()), error.description()));
    }
    if (const toml::node* base = document->get("base")) {
        const std::string where = place(file, base->source());
        const auto name = base->value_exact<std::string>();
        if (!name) throw UserError(fmt::format("{}: base: must be the path of a TOML file", where));
        read_file((file.parent_path() / *name).lexically_normal(), where + ": base: ", open,
                  values);
        document->erase("base");
    }
    for (const std::string_view table : kTablesOfTheLab) document->erase(table);
    gather(document, *document, "", file, values);
}

void read_override(const std::string& text, Values& values) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw UserError(fmt::format("--set {}: must be KEY=VALUE", text));
    const std::string name = text.substr(0, text.find_last_not_of(' ', equals - 1) + 1);
    for (const std::string_view table : kTablesOfTheLab)
        if (begins_with(name, fmt::format("{}.", table))) return;
    const std::string value = text.substr(equals + 1);
    if (value.size() > kMostConfigBytes)
        throw UserError(fmt::format("--set {}: the value has {} bytes, and at most {} are read",
                                    name, value.size(), kMostConfigBytes));
    check_levels(value, fmt::format("--set {}", name));
    const auto document = std::make_shared<toml::table>();
    try {
        *document = toml::parse("value = " + value);
    } catch (const toml::parse_error&) {
    }
    // Text that is not one TOML value is taken as a string: a bare word, or several values. So is a
    // number for a key whose values are texts.
    const Key* const key = find_key(all_keys(), name);
    const bool is_text = key != nullptr && std::holds_alternative<TextKey>(key->type);
    const toml::node* const node = document->get("value");
    const bool is_number = node != nullptr && node->is_value() && !node->is_string();
    if (document->size() != 1 || (is_text && is_number)) {
        try {
            *document = toml::parse("value = " + toml_string(value));
        } catch (const toml::parse_error&) {
            throw UserError(fmt::format("--set {}: the value is not UTF-8", name));
        }
    }
    values.put(name, {{}, {}, {document, document->get("value")}});
}

// A value as if it were given by --set.
void put(Values& values, const std::string& name, const std::string& toml) {
    const auto document = std::make_shared<toml::table>(toml::parse("value = " + toml));
    values.put(name, {{}, {}, {document, document->get("value")}});
}

// Only then is it read as a program. A config has limits of its own.
bool begins_as_elf(const fs::path& file) {
    if (!is_file(file)) return false;
    std::array<char, SELFMAG> magic{};
    std::ifstream in(file, std::ios::binary);
    return in.read(magic.data(), SELFMAG) && std::equal(magic.begin(), magic.end(), ELFMAG);
}

}  // namespace

// A Linux program in place of a config runs on the machine of all defaults.
Values read_values(const fs::path& file, const std::vector<std::string>& overrides) {
    Values values;
    std::set<fs::path> open;
    const std::vector<std::uint8_t> bytes =
        begins_as_elf(file) ? read_image(file) : std::vector<std::uint8_t>();
    if (!bytes.empty()) refuse_no_program(bytes, file);
    if (is_linux_program(bytes)) {
        put(values, "guest.image", toml_string(file.string()));
        put(values, "processor.isa", toml_string("i686"));  // for which compilers make programs
    } else {
        read_file(file, "", open, values);
    }
    for (const std::string& text : overrides) read_override(text, values);
    return values;
}

}  // namespace symsim
