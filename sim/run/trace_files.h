// SPDX-License-Identifier: MIT
// The traces that a config asks for, as files in the folder of the run.
#pragma once

#include <filesystem>

#include "sim/config/config.h"
#include "sim/image/image.h"
#include "sim/observe/trace_sink.h"

namespace symsim {

// Each writes a partial file until it is committed. Throws OutputError if one cannot be created.
TraceSinks make_trace_sinks(const Config& config, const Image& image,
                            const std::filesystem::path& folder);

}  // namespace symsim
