// SPDX-License-Identifier: MIT
// The CSV files of a run: a function for each, in a file of its own, and how a table makes one.
#pragma once

#include <functional>
#include <utility>

#include "sim/observe/output_file.h"
#include "sim/observe/run_files.h"
#include "sim/observe/table.h"

namespace symsim {

RunFile bus_csv();        // BusMeter's numbers
RunFile locks_csv();      // LockMeter's
RunFile misses_csv();     // MissMeter's
RunFile pages_csv();      // MissMeter's
RunFile links_csv();      // DistanceMeter's
RunFile processes_csv();  // ProcessMeter's
RunFile calls_csv();      // CallMeter's
RunFile spaces_csv();     // SpaceMeter's

// Passes the rows of a file, in their order, to a function that writes a row.
template <class Row>
using Rows = std::function<void(const RunReport&, const std::function<void(const Row&)>&)>;

// `file` with the columns of the table, and with those rows. Conditions on columns are about the
// whole run: a column is in the header and in all rows, or in none.
template <class Row>
RunFile csv_file(RunFile file, Table<Row> table, Rows<Row> rows) {
    file.columns = columns(table);
    file.write = [table = std::move(table), rows = std::move(rows)](
                     const RunReport& report, const std::filesystem::path& path) {
        Table<Row> present;
        for (const Field<Row>& field : table)
            if (!field.only_if || field.only_if(report)) present.push_back(field);
        OutputFile out(path);
        out.write(
            csv_header(columns(present), report.distance ? report.distance->topology.nodes : 0));
        std::string line;
        rows(report, [&](const Row& row) {
            line.clear();
            for (const Field<Row>& field : present) add_fields(line, field.unit, field.value(row));
            line.back() = '\n';
            out.write(line);
        });
        return out.commit();
    };
    return file;
}

}  // namespace symsim
