// SPDX-License-Identifier: MIT
// The tables of a run's results. Each file *_tables.cpp has those of some meters: their CSV files,
// and their parts of summary.json.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "sim/observe/output_file.h"
#include "sim/observe/run_files.h"
#include "sim/observe/table.h"

namespace symsim {

// summary.json: all numbers of a run. The file is the same byte for byte on every host and engine.
const Table<RunReport>& summary_table();
// An object: each text as a number or truth value if it is one, else as a string.
Json values_of(const std::vector<std::pair<std::string, std::string>>& texts);
std::string summary_json(const RunReport& report);
// The room on the disk that the file needs, unless the guest has more than some hundred locks,
// regions and results together.
std::size_t summary_room(unsigned processors);

RunFile bus_csv();
RunFile links_csv();
RunFile locks_csv();
RunFile misses_csv();
RunFile pages_csv();
RunFile processes_csv();
RunFile calls_csv();
RunFile spaces_csv();
RunFile system_calls_csv();
RunFile futexes_csv();

// Parts of summary.json.
void add_processors_and_bus(Table<RunReport>& table);
void add_misses(Table<RunReport>& table);
void add_locks(Table<RunReport>& table);
void add_processes(Table<RunReport>& table);  // and calls and address spaces
void add_linux(Table<RunReport>& table);
void add_regions(Table<RunReport>& table);
void add_guest(Table<RunReport>& table);  // and the end of the run

// Passes the rows of a file, in their order, to a function that writes a row.
template <class Row>
using CsvRows = std::function<void(const RunReport&, const std::function<void(const Row&)>&)>;

// `file` with the columns of the table, and with those rows. Conditions on columns are about the
// whole run: a column is in the header and in all rows, or in none.
template <class Row>
RunFile csv_file(RunFile file, Table<Row> table, CsvRows<Row> rows) {
    file.columns = columns(table);
    file.write = [table = std::move(table), rows = std::move(rows)](
                     const RunReport& report, const std::filesystem::path& path) {
        Columns names;
        std::vector<std::pair<Scale, const Field<Row>*>> present;
        for (const Field<Row>& field : table) {
            if (field.only_if && !field.only_if(report)) continue;
            names.push_back(field);
            present.emplace_back(scale_of(field.unit), &field);
        }
        OutputFile out(path);
        out.write(csv_header(names, report.distance ? report.distance->topology.nodes : 0));
        CsvLine line;
        rows(report, [&](const Row& row) {
            for (const auto& [scale, field] : present) {
                line.set(scale);
                field->put(row, line);
            }
            out.write(line.take());
        });
        return out.commit();
    };
    return file;
}

}  // namespace symsim
