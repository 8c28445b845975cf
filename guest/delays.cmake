# SPDX-License-Identifier: MIT
#
# symsim_delays(RESULT LEAST-MOST): definitions for an image whose backoff lock has these two values
# of locks/delay-limits.h and the name backoff-LEAST-MOST.

function(symsim_delays result delays)
    string(REGEX MATCHALL "[0-9]+" values ${delays})
    list(POP_FRONT values least most)
    set(${result} "LOCK_NAME=\"backoff-${delays}\"" DELAY_LEAST=${least} DELAY_MOST=${most}
                  PARENT_SCOPE)
endfunction()
