/* pubsub/loop_buttons.h: buttons, pedals and the keyboard as a process: makes claims of presses, or
 * only shows them. Program layer.
 *
 * It runs beside a referee, on its machine or another: what goes wrong with a device or its driver
 * holds up no ruling. */
#ifndef PUBSUB_LOOP_BUTTONS_H
#define PUBSUB_LOOP_BUTTONS_H

#include "pubsub/loop_claims.h"

#define BUTTONS_MOST 8

/* Which key of which device is whose. */
struct button_map {
    const char *path;
    int seat;
    int code; /* 0: any */
};

struct buttons_service {
    struct claims_options claims;
    const struct button_map *map;
    int maps;
    const char *claim_keys; /* the characters for the first player, the second ..; NULL: none */
    bool only_try;          /* print presses, and claim nothing */
};

/* Runs until *stop becomes true. An exit status; what goes wrong with a device is said on stderr.
 */
int loop_buttons_run(const struct buttons_service *asked, const volatile bool *stop);

/* How far the time of a key that this process's terminal gives may be off. */
int64_t loop_buttons_key_error_ns(void);

#endif
