/* pubsub/guard.c: who is let in, and who was kept out. */
#include "pubsub/guard.h"

#include "calib/mark.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Whoever is refused comes again and again. */
#define SAID_MS ((int64_t)60000)
#define REFUSALS 16

/* Somebody whose key is not allowed. */
struct refusal {
    uint8_t key[Z85_KEY_BYTES];
    char from[64];
    int64_t at_ms;
    bool waits; /* to be told */
};

struct guard {
    struct keys_allowed *allowed;
    char path[PATH_MAX];
    pthread_mutex_t lock; /* of what follows */
    struct refusal refusal[REFUSALS];
};

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct guard *pubsub_guard_create(const struct wire_keys *keys)
{
    int64_t never_ms = now_ms() - SAID_MS;
    struct guard *guard = calloc(1, sizeof *guard);

    if (!guard)
        return NULL;
    pthread_mutex_init(&guard->lock, NULL);
    for (int i = 0; i < REFUSALS; i++)
        guard->refusal[i].at_ms = never_ms;
    snprintf(guard->path, sizeof guard->path, "%s", pubsub_keys_path(keys));
    guard->allowed = pubsub_keys_allowed_create(keys);
    if (!guard->allowed)
        pubsub_guard_destroy(&guard);
    return guard;
}

void pubsub_guard_destroy(struct guard **guard)
{
    if (!guard || !*guard)
        return;
    pubsub_keys_allowed_destroy(&(*guard)->allowed);
    pthread_mutex_destroy(&(*guard)->lock);
    free(*guard);
    *guard = NULL;
}

const char *pubsub_guard_path(const struct guard *guard)
{
    return guard->path;
}

static bool refusal_is(const struct refusal *refusal, const uint8_t *key, const char *from)
{
    return memcmp(refusal->key, key, sizeof refusal->key) == 0 && strcmp(refusal->from, from) == 0;
}

/* The place of that one, or the oldest. */
static struct refusal *refusal_place(struct guard *guard, const uint8_t *key, const char *from)
{
    struct refusal *oldest = &guard->refusal[0];

    for (int i = 0; i < REFUSALS; i++) {
        if (refusal_is(&guard->refusal[i], key, from))
            return &guard->refusal[i];
        if (guard->refusal[i].at_ms < oldest->at_ms)
            oldest = &guard->refusal[i];
    }
    return oldest;
}

static void refusal_note(struct guard *guard, const uint8_t *key, const char *from)
{
    int64_t now = now_ms();

    pthread_mutex_lock(&guard->lock);
    struct refusal *place = refusal_place(guard, key, from);
    if (!refusal_is(place, key, from) || now - place->at_ms >= SAID_MS) {
        memcpy(place->key, key, sizeof place->key);
        snprintf(place->from, sizeof place->from, "%s", from);
        place->at_ms = now;
        place->waits = true;
    }
    pthread_mutex_unlock(&guard->lock);
}

bool pubsub_guard_allows(struct guard *guard, const struct guard_question *question,
                         char name[KEYS_NAME_MAX])
{
    uint8_t key[Z85_KEY_BYTES];
    char from[sizeof guard->refusal[0].from];

    name[0] = 0;
    if (question->parts != GUARD_PARTS || strcmp(question->part[GUARD_VERSION], "1.0") != 0 ||
        strcmp(question->part[GUARD_OF], GUARD_DOMAIN) != 0 ||
        strcmp(question->part[GUARD_MECHANISM], "CURVE") != 0 ||
        question->length[GUARD_KEY] != Z85_KEY_BYTES)
        return false;
    memcpy(key, question->part[GUARD_KEY], sizeof key);
    if (pubsub_keys_allowed_find(guard->allowed, key, name))
        return true;
    snprintf(from, sizeof from, "%.63s", question->part[GUARD_FROM]);
    refusal_note(guard, key, from);
    return false;
}

bool pubsub_guard_refused(struct guard *guard, struct wire_fault *out)
{
    char key[Z85_KEY_TEXT];
    bool found = false;

    pthread_mutex_lock(&guard->lock);
    for (int i = 0; i < REFUSALS && !found; i++) {
        struct refusal *refusal = &guard->refusal[i];
        found = refusal->waits;
        if (!found)
            continue;
        refusal->waits = false;
        pubsub_z85_print(refusal->key, key);
        snprintf(out->text, sizeof out->text, N_("%s: the key %s is not allowed here"),
                 refusal->from, key);
    }
    pthread_mutex_unlock(&guard->lock);
    return found;
}
