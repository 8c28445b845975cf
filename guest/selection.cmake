# SPDX-License-Identifier: MIT
#
# Images of the selection study (docs/how-it-works/calibration.md, symlab select): the workloads of
# ALL Figures 4.1 and 4.3 with different delays of the backoff lock.

foreach(least IN ITEMS 1 2 4)
    foreach(most IN ITEMS 16 32 64 128 256 512)
        symsim_delays(defines ${least}-${most})
        foreach(workload IN ITEMS counter arrival)
            symsim_guest(${workload}-backoff-${least}-${most} SOURCES workloads/${workload}.c
                         LOCK backoff DEFINES ${defines})
        endforeach()
    endforeach()
endforeach()
