# SPDX-License-Identifier: MIT
#
# Images of the selection study (docs/calibration.md, symlab select): the workloads of ALL Figures
# 4.1 and 4.3 with backoff by several delays. A lock backoff-LEAST-GROWTH-MOST has these three of
# locks/delay.h.

foreach(delays IN ITEMS 4-2-32 4-2-8 4-2-16 4-2-64 4-2-512 1-2-32 16-2-32 4-4-32)
    string(REGEX MATCHALL "[0-9]+" values ${delays})
    list(POP_FRONT values least growth most)
    foreach(workload IN ITEMS counter arrival)
        symsim_guest(${workload}-backoff-${delays} SOURCES workloads/${workload}.c LOCK backoff
                     DEFINES "LOCK_NAME=\"backoff-${delays}\"" DELAY_LEAST=${least}
                             DELAY_GROWTH=${growth} DELAY_MOST=${most})
    endforeach()
endforeach()
