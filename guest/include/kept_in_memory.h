// SPDX-License-Identifier: MIT
#pragma once

// The compiler that ALL used kept variables in memory, as Table 3.1 shows (see calibration.md). So
// loops whose time ALL measures do it as well: those around a lock in the workloads, and the search
// of the local ready queues. Locks and context switch are assembler in ALL, and use registers here.
#define KEPT_IN_MEMORY volatile
