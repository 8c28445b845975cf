# SPDX-License-Identifier: MIT
#
# Images for the claims of Steckermeier & Bellosa (1995), "MTH": their workloads with queues that
# follow the machine and with central ones.

foreach(strategy IN ITEMS memory-conscious central-pools)
    foreach(workload IN ITEMS null_threads mutex_pairs jacobi_threads)
        symsim_guest(${workload}-${strategy} SOURCES workloads/${workload}.c STRATEGY ${strategy})
    endforeach()
    symsim_guest(mutex_pairs_spin-${strategy} SOURCES workloads/mutex_pairs.c STRATEGY ${strategy}
                 DEFINES MUTEX_SPINS)
endforeach()

symsim_guest(creates-memory-conscious SOURCES workloads/creates.c STRATEGY memory-conscious
             DEFINES COUNT_LISTS)
foreach(limit IN ITEMS 4 8 16 32)  # claim MTH-27
    symsim_guest(creates-memory-conscious-pools-${limit} SOURCES workloads/creates.c
                 STRATEGY memory-conscious DEFINES COUNT_LISTS POOL_LIMIT=${limit})
endforeach()

# Figure 16, and what its models cost.
foreach(affinity IN ITEMS none vtime cmisses cmsum reload hyperbolic exponential)
    foreach(workload IN ITEMS mutex_pairs jacobi_threads)
        symsim_guest(${workload}-memory-conscious-${affinity} SOURCES workloads/${workload}.c
                     STRATEGY memory-conscious AFFINITY ${affinity})
    endforeach()
    symsim_guest(residency-${affinity} SOURCES workloads/residency.c STRATEGY memory-conscious
                 AFFINITY ${affinity} DEFINES LOG_AFFINITY)
endforeach()

# The models' equations.
symsim_guest(footprints SOURCES workloads/footprints.c)
symsim_guest(reload_misses SOURCES workloads/reload_misses.c)
foreach(affinity IN ITEMS hyperbolic exponential)
    symsim_guest(ageing-${affinity} SOURCES workloads/ageing.c
                 DEFINES "SYMSIM_AFFINITY_FILE=\"threads/affinity/${affinity}.h\"")
endforeach()

symsim_guest(jacobi_threads-sequential SOURCES workloads/jacobi_threads.c DEFINES SEQUENTIAL)

# Claim MTH-11: couples without a queue that all processors share.
symsim_guest(mutex_pairs-local-readyq-random SOURCES workloads/mutex_pairs.c
             STRATEGY local-readyq-random)

# Section 6.2 with delays of backoff that are 32 times as long, about as a miss is in clocks.
symsim_delays(defines 32-512)
symsim_guest(turns-backoff-32-512 SOURCES workloads/turns.c LOCK backoff DEFINES ${defines})
