# SPDX-License-Identifier: MIT
#
# Images of the selection study (docs/how-it-works/calibration.md, symlab select): the workloads of
# ALL Figures 4.1 and 4.3 with different delays of the backoff lock.

foreach(delays IN ITEMS 4-2-32 4-2-8 4-2-16 4-2-64 4-2-512 1-2-32 16-2-32 4-4-32)
    symsim_delays(defines ${delays})
    foreach(workload IN ITEMS counter arrival)
        symsim_guest(${workload}-backoff-${delays} SOURCES workloads/${workload}.c LOCK backoff
                     DEFINES ${defines})
    endforeach()
endforeach()
