// SPDX-License-Identifier: MIT
#pragma once

// Messages through the kernel, with threads on both sides, as SRC RPC (URPC section 4.3). For
// programs with kernel threads (kernel_threads.h).

#define MESSAGE_WORDS 12
#define MESSAGE_FAILED (-1)

// Sends `words` words of the buffer, which has MESSAGE_WORDS, and waits for the answer, which
// replaces them. Returns its length, or MESSAGE_FAILED.
int message_call(int server, unsigned* buffer, unsigned words);
// Waits for a call. Returns its length, or MESSAGE_FAILED if its client has ended meanwhile.
int message_receive(unsigned* buffer);
// Answers the call that this thread has received last. MESSAGE_FAILED if its client has ended.
int message_reply(const unsigned* buffer, unsigned words);
