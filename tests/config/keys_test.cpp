// SPDX-License-Identifier: MIT
#include "sim/config/keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sim/config/toml_text.h"

namespace symsim::test {
namespace {

TEST(Keys, EachNameIsUniqueAndHasATable) {
    std::set<std::string> names;
    for (const Key& key : all_keys()) {
        EXPECT_TRUE(names.insert(key.name).second) << key.name << " is declared twice";
        const std::string table = key.name.substr(0, key.name.rfind('.'));
        EXPECT_EQ(std::count(table.begin(), table.end(), '.'), table == "observe.window" ? 1 : 0)
            << key.name;
        EXPECT_NE(key.name.find('.'), std::string::npos) << key.name;
    }
}

TEST(Keys, EachMeaningIsASentence) {
    for (const Key& key : all_keys()) {
        ASSERT_GT(key.meaning.size(), 15u) << key.name;
        EXPECT_EQ(key.meaning.back(), '.') << key.name;
    }
}

TEST(Keys, KeysOfATableFollowEachOther) {
    // Otherwise the printed config would open a table twice, which is not valid TOML.
    std::set<std::string> closed;
    std::string open;
    for (const Key& key : all_keys()) {
        const std::string table = key.name.substr(0, key.name.rfind('.'));
        if (table == open) continue;
        EXPECT_TRUE(closed.insert(table).second) << key.name;
        open = table;
    }
}

TEST(Keys, EachDefaultIsInItsRange) {
    for (const Key& key : all_keys()) {
        if (const auto* k = std::get_if<IntegerKey>(&key.type)) {
            const std::uint32_t standard = *k->member >> k->shift;
            EXPECT_LE(k->lowest, standard) << key.name;
            EXPECT_LE(standard, k->highest) << key.name;
            const bool one_bit = (standard & (standard - 1)) == 0;
            EXPECT_TRUE(one_bit || !k->power_of_two) << key.name;
        } else if (const auto* k = std::get_if<RealKey>(&key.type)) {
            EXPECT_LE(k->lowest, *k->member) << key.name;
            EXPECT_LE(*k->member, k->highest) << key.name;
        } else if (const auto* k = std::get_if<ChoiceKey>(&key.type)) {
            EXPECT_LT(k->get(), k->names.size()) << key.name;
        }
    }
}

TEST(Keys, NoTwoKeysShareAMember) {
    std::set<const void*> members;
    for (const Key& key : all_keys()) {
        const void* member = nullptr;
        if (const auto* k = std::get_if<IntegerKey>(&key.type)) member = k->member;
        if (const auto* k = std::get_if<RealKey>(&key.type)) member = k->member;
        if (const auto* k = std::get_if<TextKey>(&key.type)) member = k->member;
        if (const auto* k = std::get_if<FlagKey>(&key.type)) member = k->member;
        if (member) {
            EXPECT_TRUE(members.insert(member).second) << key.name;
        }
    }
}

TEST(Keys, EachChoiceIsSetAndReadBackUnderItsName) {
    Config config;
    for (const Key& key : keys_of(config))
        if (const auto* k = std::get_if<ChoiceKey>(&key.type))
            for (std::size_t i = 0; i < k->names.size(); ++i) {
                k->set(i);
                EXPECT_EQ(k->get(), i) << key.name;
                EXPECT_EQ(value_text(key), toml_string(k->names[i]));
            }
}

TEST(Keys, ChoicesMeanWhatTheyAreCalled) {
    const auto chosen = [](const char* name, const std::string& value) {
        Config config;
        const std::vector<Key> keys = keys_of(config);
        const auto& choice = std::get<ChoiceKey>(find_key(keys, name)->type);
        const auto found = std::find(choice.names.begin(), choice.names.end(), value);
        choice.set(static_cast<std::size_t>(found - choice.names.begin()));
        return config;
    };
    const char* const store = "cache.store_policy";
    EXPECT_EQ(chosen(store, "buffered").cache.store_policy, StorePolicy::buffered);
    EXPECT_EQ(chosen(store, "block-port").cache.store_policy, StorePolicy::block_port);
    EXPECT_EQ(chosen(store, "stall").cache.store_policy, StorePolicy::stall);
    const char* const locked = "bus.locked_request";
    EXPECT_EQ(chosen(locked, "skip").bus.locked_request, LockedRequest::skip);
    EXPECT_EQ(chosen(locked, "keep-turn").bus.locked_request, LockedRequest::keep_turn);
    EXPECT_EQ(chosen(locked, "hold-bus").bus.locked_request, LockedRequest::hold_bus);
    EXPECT_EQ(chosen(locked, "bypass").bus.locked_request, LockedRequest::bypass);
    EXPECT_EQ(chosen("bus.locked_class", "low").bus.locked_class, LockedClass::low);
    EXPECT_EQ(chosen("bus.unlock", "cycle").bus.unlock, UnlockPolicy::cycle);
    EXPECT_EQ(chosen("bus.unlock", "with-store").bus.unlock, UnlockPolicy::with_store);
    const char* const turns = "bus.arbitration";
    EXPECT_EQ(chosen(turns, "oldest").bus.arbitration, Arbitration::oldest);
    EXPECT_EQ(chosen(turns, "round-robin").bus.arbitration, Arbitration::round_robin);
    EXPECT_EQ(chosen(turns, "fixed").bus.arbitration, Arbitration::fixed);
    EXPECT_EQ(chosen("run.engine", "fast").run.engine, EngineKind::fast);
    EXPECT_EQ(chosen("run.engine", "reference").run.engine, EngineKind::reference);
    EXPECT_EQ(chosen("cache.protocol", "illinois").cache.protocol, &protocols::illinois);
    EXPECT_EQ(chosen("observe.window.around", "message").observe.window.around, ProbeKind::message);
}

TEST(Keys, TheListHasEachKeyWithUnitRangeDefaultAndMeaning) {
    const std::string list = list_keys();
    for (const Key& key : all_keys()) {
        const auto at = list.find("\n" + key.name);
        const bool first = list.compare(0, key.name.size(), key.name) == 0;
        ASSERT_TRUE(first || at != std::string::npos) << key.name;
        const std::size_t begin = first ? 0 : at + 1;
        const std::string entry =
            list.substr(begin, list.find(key.meaning, begin) - begin + key.meaning.size());
        EXPECT_NE(entry.find(key.meaning), std::string::npos) << key.name;
        EXPECT_NE(entry.find(key.unit), std::string::npos) << key.name;
        EXPECT_NE(entry.find(what_fits(key)), std::string::npos) << key.name;
        EXPECT_NE(entry.find(value_text(key)), std::string::npos) << key.name;
    }
    for (const char* free : {"guest.args.NAME", "base"})
        EXPECT_NE(list.find(free), std::string::npos) << free;
}

TEST(Keys, ATypingErrorLeadsToTheKeyMeant) {
    EXPECT_EQ(nearest_key("machine.procesors"), "machine.processors");
    EXPECT_EQ(nearest_key("cache.wasy"), "cache.ways");
    EXPECT_EQ(nearest_key("cashe.ways"), "cache.ways");
    EXPECT_EQ(nearest_key("bus.lock_request"), "bus.locked_request");
    EXPECT_EQ(nearest_key("run.limit"), "run.limit_ms");
}

TEST(Keys, AKeyWithoutItsTableLeadsToTheKeyMeant) {
    EXPECT_EQ(nearest_key("processors"), "machine.processors");
    EXPECT_EQ(nearest_key("seed"), "run.seed");
    EXPECT_EQ(nearest_key("store_policy"), "cache.store_policy");
}

TEST(Keys, AKeyInTheWrongTableLeadsToTheKeyMeant) {
    EXPECT_EQ(nearest_key("bus.store_policy"), "cache.store_policy");
    EXPECT_EQ(nearest_key("machine.seed"), "run.seed");
    EXPECT_EQ(nearest_key("bus.latency_cycles"), "memory.latency_cycles");
}

TEST(Keys, AnAbbreviationLeadsToTheKeyMeant) {
    EXPECT_EQ(nearest_key("machine.procs"), "machine.processors");
    EXPECT_EQ(nearest_key("procs"), "machine.processors");
    EXPECT_EQ(nearest_key("memory.size"), "memory.size_mb");
    EXPECT_EQ(nearest_key("cache.size"), "cache.size_bytes");
    EXPECT_EQ(nearest_key("bus.clock"), "bus.clock_mhz");
}

TEST(Keys, ANameLikeNoKeyLeadsToNone) {
    for (const std::string& name : {std::string("machine.wibble"), std::string("guest.foo"),
                                    std::string("x"), std::string(), std::string(1 << 20, 'a')})
        EXPECT_EQ(nearest_key(name), std::nullopt) << name.substr(0, 20);
    EXPECT_EQ(did_you_mean("cashe.ways"), "did you mean cache.ways? ");
    EXPECT_EQ(did_you_mean("guest.foo"), "");
}

TEST(TomlText, RealsDoNotLookLikeIntegersAndLoseNoDigits) {
    EXPECT_EQ(toml_real(16.0), "16.0");
    EXPECT_EQ(toml_real(12.5), "12.5");
    EXPECT_EQ(toml_real(0.1), "0.1");
    EXPECT_EQ(std::stod(toml_real(1.0 / 3)), 1.0 / 3);
}

TEST(TomlText, StringsAreQuoted) {
    EXPECT_EQ(toml_string("plain"), "\"plain\"");
    EXPECT_EQ(toml_string("a\"b\\c\nd"), "\"a\\\"b\\\\c\\u000ad\"");
}

}  // namespace
}  // namespace symsim::test
