// SPDX-License-Identifier: MIT
//
// Short sleeps on a slow processor: its timer is due again before the interrupt has ended.

#include <stdio.h>
#include <time.h>

int main(void) {
    int ended = 0;
    for (int i = 0; i < 20; i++) {
        const struct timespec time = {0, 100000 + i * 20000};
        ended += nanosleep(&time, NULL) == 0;
    }
    printf("ended %d\n", ended);
    return 0;
}
