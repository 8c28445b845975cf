// SPDX-License-Identifier: MIT
// Generates the random instructions of a port.
#include "tests/coherence/instruction.h"

#include <algorithm>

namespace symsim::test {

namespace {
// Often the same value, so that stores write what is in memory already.
std::uint32_t stored(Random& random) {
    return random.one_in(3) ? 0 : random.word();
}
}  // namespace

Instructions::Operand Instructions::operand(Random& random) const {
    const std::uint32_t page = random.below(round_.pages + 1);
    return operand(random, page < round_.pages ? page : kTables);
}

Instructions::Operand Instructions::operand(Random& random, std::uint32_t page) const {
    const std::uint32_t size = random.pick(std::array{1u, 2u, 4u});
    const std::uint32_t span = round_.lines * round_.cache.geometry.line_bytes;
    const bool at_end = random.one_in(2);
    Address address = page * kPageBytes + random.below(span);
    if (at_end) address += kPageBytes - span;
    const std::uint32_t in_page = kPageBytes - address % kPageBytes;
    const std::uint32_t first = std::min(size, 4 - address % 4);

    Operand operand;
    operand.parts = first < size ? 2 : 1;
    operand.part[0] = {address, first};
    Address second = address + first;
    if (first == in_page)
        second = page == kTables ? kTables * kPageBytes : random.below(round_.pages) * kPageBytes;
    operand.part[1] = {second, size - first};
    return operand;
}

void Instructions::next(Random& random, Instruction& instruction) const {
    instruction.clear();
    const auto add = [&](Step::What what, const Part& part, bool branched = false) {
        // A bus cycle of the 386 takes two clocks. No clocks between accesses is a case that no
        // processor has.
        const std::uint32_t pause = instruction.empty()
                                        ? random.below(round_.longest_pause_clocks + 1)
                                        : random.pick(std::array{0u, 1u, 2u, 2u, 5u});
        instruction.push_back({what, part.address, part.size, stored(random), branched, pause});
    };
    const auto add_all = [&](Step::What what, const Operand& operand) {
        for (std::uint32_t i = 0; i < operand.parts; ++i) add(what, operand.part[i]);
    };
    const Operand a = operand(random);
    const std::uint32_t choice = random.below(16);
    if (choice < 2) {
        add(Step::What::fetch, {a.part[0].address, 1}, random.one_in(2));
    } else if (choice < 7) {
        add_all(Step::What::load, a);
    } else if (choice < 11) {
        add_all(Step::What::store, a);
    } else if (choice < 13) {  // read, modify, write without a lock
        add_all(Step::What::load, a);
        add_all(Step::What::store, a);
    } else if (choice == 14 && round_.exchanges && a.parts == 1) {
        add(Step::What::exchange, a.part[0]);
    } else {
        add_all(Step::What::locked_load, a);
        if (choice == 15 && a.part[0].address < kTables * kPageBytes) {
            const Part entry = operand(random, kTables).part[0];
            add(Step::What::load, entry);
            add(Step::What::locked_load, entry);
            add(Step::What::locked_store, entry);
            instruction.push_back({Step::What::unlock_line, entry.address, entry.size});
        }
        add_all(Step::What::locked_store, a);
        instruction.push_back({Step::What::unlock});
    }
}

Step Instructions::ahead(Random& random) const {
    const Operand a = operand(random);
    const Step::What what = random.pick(
        std::array{Step::What::fetch, Step::What::load, Step::What::load, Step::What::store});
    const bool branched = random.one_in(2);
    return {what, a.part[0].address, a.part[0].size, stored(random), branched, 1 + random.below(6)};
}

std::vector<Address> Instructions::lines() const {
    const std::uint32_t bytes = round_.cache.geometry.line_bytes;
    std::vector<Address> all;
    const auto add_page = [&](std::uint32_t page) {
        for (std::uint32_t i = 0; i < round_.lines; ++i)
            all.push_back((page + 1) * kPageBytes - (i + 1) * bytes);
        // An operand that begins in the last line at the page's beginning may end in the next line.
        for (std::uint32_t i = 0; i <= round_.lines; ++i)
            all.push_back(page * kPageBytes + i * bytes);
    };
    for (std::uint32_t page = 0; page < round_.pages; ++page) add_page(page);
    add_page(kTables);
    return all;
}

}  // namespace symsim::test
