# SPDX-License-Identifier: MIT
#
# Images of the selection study (docs/calibration.md, symlab select): the workloads of ALL Figures
# 4.1 and 4.3 compiled as Table 3.1's and as all others are, with backoff by several delays. A lock
# backoff-LEAST-GROWTH-MOST has these three of locks/delay.h.

set(selection_delays 4-2-32 4-2-8 4-2-16 4-2-64 4-2-512 1-2-32 16-2-32 4-4-32)

foreach(compiled IN ITEMS O0 O1)
    foreach(lock IN ITEMS xchgb read)
        symsim_guest(arrival-${lock}-${compiled} SOURCES workloads/arrival.c LOCK ${lock}
                     OPTIONS -${compiled})
    endforeach()
    foreach(delays IN LISTS selection_delays)
        string(REGEX MATCHALL "[0-9]+" values ${delays})
        list(POP_FRONT values least growth most)
        foreach(workload IN ITEMS counter arrival)
            symsim_guest(${workload}-backoff-${delays}-${compiled}
                         SOURCES workloads/${workload}.c LOCK backoff OPTIONS -${compiled}
                         DEFINES "LOCK_NAME=\"backoff-${delays}\"" DELAY_LEAST=${least}
                                 DELAY_GROWTH=${growth} DELAY_MOST=${most})
        endforeach()
    endforeach()
endforeach()
