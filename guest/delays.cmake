# SPDX-License-Identifier: MIT
#
# symsim_delays(RESULT LEAST-GROWTH-MOST): definitions for an image whose backoff lock has these
# three values of locks/delay.h and the name backoff-LEAST-GROWTH-MOST.

function(symsim_delays result delays)
    string(REGEX MATCHALL "[0-9]+" values ${delays})
    list(POP_FRONT values least growth most)
    set(${result} "LOCK_NAME=\"backoff-${delays}\"" DELAY_LEAST=${least} DELAY_GROWTH=${growth}
                  DELAY_MOST=${most} PARENT_SCOPE)
endfunction()
