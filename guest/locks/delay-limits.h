// SPDX-License-Identifier: MIT
#pragma once

// The first and the longest mean delay of a wait with backoff, in iterations of 10 clocks, 0.625
// us: powers of two. The paper gives no numbers; these are selected
// (docs/how-it-works/calibration.md). slots.h has those published for Model B.

#ifndef DELAY_LEAST
#define DELAY_LEAST 1
#endif
#ifndef DELAY_MOST
#define DELAY_MOST 16
#endif
