# SPDX-License-Identifier: MIT
#
# Images with other backoff delays for `symlab paper ALL sensitivity`
# (papers/ALL/sensitivity.toml), in addition to those of selection.cmake: more workloads of ALL
# section 4, and threads whose package uses locks with these delays.

foreach(delays IN ITEMS 2-32 1-64 1-256 4-16)
    symsim_delays(defines ${delays})
    symsim_guest(section-backoff-${delays} SOURCES workloads/counter.c LOCK backoff
                 DEFINES ${defines} SECTION_WORK=1)
    symsim_guest(fairness-backoff-${delays} SOURCES workloads/fairness.c LOCK backoff
                 DEFINES ${defines})
    foreach(strategy IN ITEMS single-lock multiple-locks local-freelist idle-queue
            local-readyq-random)
        symsim_guest(null_threads-${strategy}-backoff-${delays} SOURCES workloads/null_threads.c
                     STRATEGY ${strategy} DEFINES ${defines})
    endforeach()
    foreach(strategy IN ITEMS local-freelist local-readyq-random)
        symsim_guest(work_threads-${strategy}-backoff-${delays} SOURCES workloads/null_threads.c
                     STRATEGY ${strategy} DEFINES ${defines} WORK)
        symsim_guest(loaded_threads-${strategy}-backoff-${delays} SOURCES workloads/null_threads.c
                     STRATEGY ${strategy} DEFINES ${defines} WORK WORK_STORES)
    endforeach()
endforeach()
