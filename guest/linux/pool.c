// SPDX-License-Identifier: MIT

// Objects of one size, cut from frames. Given back, they are kept for the next taker.

#include "memory.h"
#include "string.h"

void* pool_take(struct pool* pool, unsigned bytes) {
    spinlock_acquire(&pool->lock);
    if (pool->free == NULL) {
        char* frame = (char*)frame_take_any();
        for (unsigned at = 0; frame != NULL && at + bytes <= PAGE_BYTES; at += bytes) {
            *(void**)(frame + at) = pool->free;
            pool->free = frame + at;
        }
    }
    void* object = pool->free;
    if (object != NULL) pool->free = *(void**)object;
    spinlock_release(&pool->lock);
    return object != NULL ? memset(object, 0, bytes) : NULL;
}

void pool_give(struct pool* pool, void* object) {
    spinlock_acquire(&pool->lock);
    *(void**)object = pool->free;
    pool->free = object;
    spinlock_release(&pool->lock);
}
