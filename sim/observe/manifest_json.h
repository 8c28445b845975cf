// SPDX-License-Identifier: MIT
// manifest.json: size and SHA-256 of each result file of a run. It is written last, so where it is,
// all other files are complete. It is the same byte for byte on every host: host.json is not in it.
#pragma once

#include <string>
#include <vector>

#include "sim/observe/column.h"
#include "sim/observe/output_file.h"
#include "sim/observe/report.h"

namespace symsim {

Columns manifest_json_keys();
// Lists the files in the order of their names.
std::string manifest_json(RunStatus status, std::vector<WrittenFile> files);

}  // namespace symsim
