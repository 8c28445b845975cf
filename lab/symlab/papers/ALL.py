# SPDX-License-Identifier: MIT
"""ALL: T. E. Anderson, E. D. Lazowska, H. M. Levy, "The Performance Implications of Thread
Management Alternatives for Shared-Memory Multiprocessors", 1989.

This file lists every claim of the paper that a simulation can check. The function that judges a
claim is in symlab/figures/, with the claim's place in the paper and the check. Each claim that
fails must have a cause here, and no other claim may have one; docs/ explain the causes.
The first paragraph of this docstring is the citation in the results.
"""

from symlab.paper import Paper, Row

MANAGEMENT, LATENCY = "thread-management.md", "thread-latency.md"
SPINNING, QUEUEING = "spinning.md", "queueing-model.md"

ROWS = (
    Row("ALL-01", "a free lock is acquired and released in 5.6 us", "5.6 us"),
    Row("ALL-02", "a procedure call without arguments takes 3.6 us", "3.6 us"),
    Row("ALL-03", "each argument of 4 bytes adds 1 us to a call", "1 us"),
    Row("ALL-04", "a turn of an empty loop takes 2.5 us", "2.5 us"),
    Row("ALL-05", "a null thread costs about ten procedure calls", "about 10 calls"),
    Row(
        "ALL-06",
        "a null thread is 500 times cheaper than a process of DYNIX, which takes more than 25 ms",
        "about 50 us (derived)",
    ),
    Row("ALL-07", "a thread of PRESTO, 600 us on the same machine, is ten times dearer", "10"),
    Row("ALL-08", "create, start and finish are of the order of 100 instructions", "about 100"),
    Row("ALL-09", "on one processor a single lock is the fastest strategy"),
    Row(
        "ALL-10",
        "on one processor a lock for each structure is much dearer than one for all",
        "3 to 4 lock pairs (derived)",
    ),
    Row(
        "ALL-11",
        "local free lists take fewer locks than central ones with a lock each, so a thread is "
        "cheaper",
        "4 lock pairs (derived)",
    ),
    Row("ALL-12", "looking at the idle queue costs visibly, even if it is always empty"),
    Row("ALL-13", "one more lock in the path raises the latency noticeably", "5.6 us"),
    Row("ALL-14", "with one processor the latency is free of contention"),
    Row("ALL-15", "a single lock saturates first, since most of its path is serial"),
    Row("ALL-16", "the ceiling with a lock for each structure is above that of a single lock"),
    Row("ALL-17", "local free lists have a higher throughput than central lists"),
    Row(
        "ALL-18",
        "with local free lists the ready queue's lock allows a few concurrent operations",
        "a few",
        "The lock's hand-over with backoff, 10 us of the 13 between two acquisitions, limits the "
        "speedup to 1.8; with queue locks in the same package it is 2.2 to 2.5.",
        MANAGEMENT,
    ),
    Row("ALL-19", "the idle queue leaves the ceiling where it was: two queue operations a life"),
    Row("ALL-20", "only local ready queues go on to high rates"),
    Row(
        "ALL-21",
        "local ready queues level off although their locks are nearly idle: the bus is the limit",
        "",
        "Threads placed at random leave queues empty, and all who search meet at the same new "
        "thread; backoff then waits too long. If each processor keeps its threads, it is as "
        "claimed.",
        MANAGEMENT,
    ),
    Row(
        "ALL-22",
        "the curves look like optimistic asymptotic bounds, with a sharp knee",
        "",
        "Past the knee they fall: more spinners with backoff use more of the bus, which lengthens "
        "the section.",
        MANAGEMENT,
    ),
    Row("ALL-23", "with 300 us of work the strategies separate only as processors are added"),
    Row("ALL-24", "with work, the order at many processors is that without"),
    Row("ALL-25", "random work rounds the knee"),
    Row("ALL-26", "with a backlog a thread costs what it does on one processor"),
    Row(
        "ALL-27",
        "central ready queue: the cost jumps at n = P, where its definition changes, and only by "
        "that",
        "",
        "The jump is there. By one definition the two sides differ by 15 %: while a processor "
        "idles in between, its dispatcher looks twice, and misses on what the creator wrote.",
        LATENCY,
    ),
    Row(
        "ALL-28",
        "the idle queue is cheaper while processors idle",
        "",
        "It is up to n = 14. With two processors idle nobody rushes for the lock, which is what it "
        "saves, and its own cost of 1.5 us is left.",
        LATENCY,
    ),
    Row("ALL-29", "the idle queue is dearer with a backlog"),
    Row(
        "ALL-30",
        "a central queue costs more the fewer threads are runnable: more processors idle and spin",
    ),
    Row(
        "ALL-31",
        "local ready queues: the cost has a spike near n = P and fades to both sides",
        "",
        "It peaks at n = 17, 1.40 times the cost with 9 threads but 1.26 times that with 36: to "
        "search a queue takes 1.8 us, and would have to take 2.2.",
        LATENCY,
    ),
    Row("ALL-32", "one ready thread: half of the queues are searched on average", "9.5 of 18"),
    Row(
        "ALL-33",
        "Equation 3.1: mean number of queues searched",
        "E(1..10, 18) = 9.500 to 2.182",
    ),
    Row(
        "ALL-34",
        "the mean number searched falls on both sides of n = P, by idle processors and by threads",
        "17, 19: 9.500; 9, 27: 2.342; 36: 1.530",
    ),
    Row("ALL-35", "the spike of the cost follows the number of queues searched"),
    Row("ALL-36", "a thread arrives during a scan: the cost is between those of the two cases"),
    Row("ALL-37", "a second processor idles during a scan: their costs add", "a sum"),
    Row("ALL-38", "the spike's height grows linearly with the number of queues"),
    Row(
        "ALL-39",
        "local free lists use the pool once in at least T/2 of their own accesses, and hold at "
        "most order P T blocks",
        "2/T",
    ),
    Row("ALL-40", "queues nobody else may take from: one imbalance doubles the time", "2"),
    Row("ALL-41", "all processors finish at about the same time"),
    Row(
        "ALL-42",
        "xchgb writes memory and invalidates other copies even if it changes nothing",
    ),
    Row("ALL-43", "waiting by xchgb and by read disturb the one that has the lock"),
    Row("ALL-44", "both degrade badly at moderate numbers of processors already"),
    Row("ALL-45", "backoff degrades slightly with fewer than ten spinners", "slightly"),
    Row("ALL-46", "backoff still degrades with many spinners, by two read misses each"),
    Row(
        "ALL-47",
        "the curve of backoff looks like an optimistic bound: flat, then straight",
        "",
        "It bends where it should but rises before too: the holder makes six bus transactions an "
        "increment, and each waits a little longer for every further processor.",
        SPINNING,
    ),
    Row("ALL-48", "backoff is the best of the three once several spin"),
    Row("ALL-49", "waiting by read: speed rises with the size of the section"),
    Row("ALL-50", "waiting by xchgb slows the section down evenly over its length"),
    Row("ALL-51", "perfect waiting would be as fast as one processor", "1"),
    Row("ALL-52", "a barrier of few processors is fastest with xchgb: no delay at the hand-over"),
    Row("ALL-53", "with more processors xchgb loses its lead"),
    Row(
        "ALL-54",
        "at the barrier backoff and read have similar curves",
        "",
        "With few processors backoff is up to 1.8 times dearer by what it does before its first "
        "delay: it saves registers and writes two words, 14 us.",
        SPINNING,
    ),
    Row(
        "ALL-55",
        "backoff's cost there comes from delays grown too long, not from bus load",
        "",
        "It does up to 17 processors; with 18 short delays bring the exchanges back, and the "
        "capped backoff is 1.6 % slower.",
        SPINNING,
    ),
    Row(
        "ALL-56",
        "read: each failing xchgb sends all who loop back to miss, so the cascade of each is "
        "longer the more there are",
        "",
        "The exchange locks the address, so that others who miss are held off and read once "
        "behind it: 5 transactions each whatever their number. Under write-back it rises.",
        SPINNING,
    ),
    Row(
        "ALL-57",
        "after a release each who waits with backoff misses twice: release and acquisition seen",
        "2",
    ),
    Row(
        "ALL-58",
        "looking only after each delay saves those misses but hands the lock over later",
        "",
        "Misses are saved. The hand-over is later with up to 8 spinners; with 15 one of them looks "
        "soon, and does not wait for the others' misses.",
        SPINNING,
    ),
    Row(
        "ALL-59",
        "backoff is unfair to those who have waited long; xchgb and read serve at random",
        "1/2",
        "Backoff is. But the arbiter, which lets a request for a locked address keep its turn, "
        "makes a queue in rotation of the waiting exchanges.",
        SPINNING,
    ),
    Row("ALL-60", "an idle queue with own flags: a create disturbs one idle processor only", "1"),
    Row(
        "ALL-61",
        "nearly half of thread management's bus demand lies in the critical section",
        "nearly 1/2",
        "It is 0.346 with one processor, where nothing misses, and 0.378 to 0.386 with 2 to 20; "
        "where a section is said to begin matters more than anything in the machine.",
        MANAGEMENT,
    ),
    Row("ALL-62", "a locked enqueue or dequeue takes under 10 us, about as the counter", "10 us"),
    Row("ALL-63", "write-back with invalidation has the same effects as write-through"),
    Row("ALL-64", "read still cascades under write-back"),
    Row(
        "ALL-65",
        "invalidating only on change is better for read, yet takes order P bus requests a time",
    ),
    Row(
        "ALL-66",
        "distributed write: the lock is not missed, and quiet sooner, but xchgb can saturate the "
        "bus",
        "",
        "The exchanges of one lock cannot overlap, since its address is locked meanwhile: each "
        "takes 21.7 cycles and holds the bus for 6, 28 % of it under any protocol.",
        SPINNING,
    ),
    Row("ALL-67", "distributed write: backoff lowers the bus load further than read"),
    Row("ALL-68", "array queue: order one bus transactions a section"),
    Row("ALL-69", "array queue: first come first served, and no atomic operation at the release"),
    Row(
        "ALL-70",
        "spinners' bus demand is linear in their number for backoff and xchgb, faster for read",
    ),
    Row("ALL-71", "the closed model overstates contention at moderate load"),
    Row("ALL-72", "sharing lowers the hit ratio; one processor keeps what it writes in its cache"),
    Row(
        "ALL-73",
        "the model is within 5 % of Figure 3.3, but for free lists at 18, where it is optimistic",
        "5 %",
        "It is within 3.2 % for local ready queues, and up to 7.9 % too high for local free lists "
        "from 12 processors on: the hand-over of the lock, which the paper's model leaves out, is "
        "charged too low when waits begin.",
        QUEUEING,
    ),
    Row(
        "ALL-74",
        "the model keeps the difference between the two",
        "",
        "From 9 processors on it does. At 7 the two are 0.1 % apart in the simulation and 1.1 % "
        "in the model, the other way round.",
        QUEUEING,
    ),
    Row("ALL-75", "finer work makes the central queue the bottleneck; coarse work closes the gap"),
    Row("ALL-76", "more bus use of a thread lowers both curves and shrinks the gap"),
    Row(
        "ALL-77",
        "2 ms of work: the central queue rises, then drops sharply; local ready queues do not",
        "",
        "Simulated it does: from 40 to 64 processors the central queue loses 35 %. By the model "
        "local queues fall too, by 1.4 % where 1 % is allowed: their search is charged by the "
        "number of queues.",
        QUEUEING,
    ),
    Row("ALL-78", "instability: spinners lengthen the section, which makes more spinners"),
    Row("ALL-79", "who idles looks before it locks, and so makes no lock traffic", "0"),
)

PAPER = Paper("ALL", (__doc__ or "").partition("\n\n")[0].replace("\n", " "), ROWS)
