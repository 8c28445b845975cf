// SPDX-License-Identifier: MIT

// Keys of pthread.h. A thread that sets a value gets a table with a place for each key. When a key
// is deleted and its number is given to a new one, old values must not appear under the new key. So
// each key has a number `made`, never used twice, and a value counts only with that.

#include "errno.h"
#include "posix.h"
#include "sections.h"
#include "stdlib.h"

struct key_value {
    unsigned made;
    void* value;
};

static struct {
    unsigned made;  // 0: no such key
    void (*destructor)(void*);
} keys[PTHREAD_KEYS_MAX];

static struct lock keys_lock = LOCK_INIT;  // guards changes of the keys
static unsigned keys_made;

static bool is_key(pthread_key_t key) {
    return key < PTHREAD_KEYS_MAX && keys[key].made != 0;
}

THREADS_FUNCTION int pthread_key_create(pthread_key_t* key, void (*destructor)(void* value)) {
    struct lock_slot* slot = thread_lock_slot();
    lock_acquire(&keys_lock, slot);
    unsigned number = 0;
    while (number < PTHREAD_KEYS_MAX && keys[number].made != 0) number++;
    if (number < PTHREAD_KEYS_MAX) {
        keys[number].destructor = destructor;
        keys[number].made = ++keys_made;
    }
    lock_release(&keys_lock, slot);
    if (number == PTHREAD_KEYS_MAX) return EAGAIN;
    *key = number;
    return 0;
}

THREADS_FUNCTION int pthread_key_delete(pthread_key_t key) {
    struct lock_slot* slot = thread_lock_slot();
    lock_acquire(&keys_lock, slot);
    bool found = is_key(key);
    if (found) keys[key].made = 0;
    lock_release(&keys_lock, slot);
    return found ? 0 : EINVAL;
}

THREADS_FUNCTION void* pthread_getspecific(pthread_key_t key) {
    const struct key_value* values = pthread_self()->values;
    if (values == NULL || !is_key(key) || values[key].made != keys[key].made) return NULL;
    return values[key].value;
}

THREADS_FUNCTION int pthread_setspecific(pthread_key_t key, const void* value) {
    struct pthread* self = pthread_self();
    if (!is_key(key)) return EINVAL;
    if (self->values == NULL) {
        self->values = calloc(PTHREAD_KEYS_MAX, sizeof *self->values);
        if (self->values == NULL) return ENOMEM;
    }
    self->values[key] = (struct key_value){keys[key].made, (void*)value};
    return 0;
}

// Calls the destructor of a value that has one, with the value set to NULL before.
static bool destroy(struct key_value* value, pthread_key_t key) {
    void* old = value->value;
    if (old == NULL || !is_key(key) || value->made != keys[key].made) return false;
    value->value = NULL;
    if (keys[key].destructor == NULL) return false;
    keys[key].destructor(old);
    return true;
}

// A destructor may set values again, so destructors run until none is left to run, or as often as
// pthread.h says.
void values_destroy(struct pthread* self) {
    if (self->values == NULL) return;
    bool again = true;
    for (unsigned turn = 0; again && turn < PTHREAD_DESTRUCTOR_ITERATIONS; turn++) {
        again = false;
        for (pthread_key_t key = 0; key < PTHREAD_KEYS_MAX; key++)
            if (destroy(&self->values[key], key)) again = true;
    }
    free(self->values);
}
