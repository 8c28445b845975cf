// SPDX-License-Identifier: MIT
// What a device reports of a run: an object of summary.json with the device's name. It is a struct
// with a list of fields beside it, as its keys are (sim/base/fields.h):
//
//     visit("failed", "count", bus.failed, "test-and-sets that found the lock set");
//
// That is: name, unit ("": none), value, meaning. A Time has the unit "us". A vector of such
// structs is a list of objects; its name ends with "[]".
#pragma once

#include <string>
#include <vector>

#include "sim/base/json.h"

namespace symsim {

struct Result;
using Results = std::vector<Result>;

struct Result {
    std::string name, unit, meaning;
    Json value;  // a Time in picoseconds
    // Of a list: what each item has, and the items.
    Results item = {};
    std::vector<Results> items = {};
};

struct DeviceReport {
    std::string device;  // its name
    Results results;     // empty: it reports nothing
};

template <class Report>
Results results_of(const Report& report);

struct ResultMaker {
    Results& results;

    template <class Value>
    void operator()(const char* name, const char* unit, const Value& value, const char* meaning) {
        results.push_back({name, unit, meaning, value});
    }
    template <class Item>
    void operator()(const char* name, const char* unit, const std::vector<Item>& items,
                    const char* meaning) {
        results.push_back({name, unit, meaning, {}, results_of(Item{})});
        for (const Item& item : items) results.back().items.push_back(results_of(item));
    }
};

template <class Report>
Results results_of(const Report& report) {
    Results results;
    for_each_field(report, ResultMaker{results});
    return results;
}

}  // namespace symsim
