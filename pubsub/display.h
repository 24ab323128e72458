/* pubsub/display.h: what a display knows of a table, from what it follows, and what it shows of
 * that on a screen of characters. Computes nothing of the game. No I/O and no clock: times are the
 * machine's CLOCK_MONOTONIC, given.
 *
 * Everything is told by characters; colours only repeat it. Drawing needs 40 columns and 12 rows;
 * what is larger gets larger cards, symbols in their own shapes, and more of each player. */
#ifndef PUBSUB_DISPLAY_H
#define PUBSUB_DISPLAY_H

#include "calib/blockset.h"
#include "calib/mat.h"
#include "calib/ramp.h"
#include "pubsub/message.h"
#include "pubsub/screen.h"

#define DISPLAY_ROWS_LEAST 12
#define DISPLAY_COLS_LEAST 40
/* Of decisions so many are looked back at: more than one claim of each player brings out. */
#define DISPLAY_DECISIONS 64
#define DISPLAY_SEATS 8

/* The display's language; texts are lent. NULL: they stay as they are. */
struct display_words {
    /* A message; for a number n of 0 or more the one of two that fits, and `many` is not NULL. */
    const char *(*say)(const char *one, const char *many, int64_t n);
    /* What a word of the formats means: of what was seen, and of why something was decided. */
    const char *(*reason)(const char *word);
    const char *(*why)(const char *word);
};

/* Lent for the display's life. Each may be NULL. */
struct display_kit {
    const struct blockset *set; /* NULL: symbols are shown by their letters */
    const struct mat *mat;      /* NULL: what lies on no grid yet is only named, not drawn */
    const struct ramp *ramp;
    struct display_words words;
};

/* How the link is, as the display's follower told. */
enum display_link {
    DISPLAY_LINK_NONE, /* nothing was heard yet */
    DISPLAY_LINK_WELL,
    DISPLAY_LINK_STALE,
    DISPLAY_LINK_KEY, /* one end refused the other's key */
    DISPLAY_LINK_TWO  /* well, but two processes publish for this table */
};

struct display;

/* NULL without memory. */
struct display *pubsub_display_create(const struct display_kit *kit);
void pubsub_display_destroy(struct display **display);

/* A message, as a follower tells it (pubsub/follow.h), heard now. */
void pubsub_display_message(struct display *display, const struct message_head *head,
                            const json_t *body, bool late, int64_t now_ns);

/* The link has changed; `text` says what about it, for people; it may be NULL and is copied. */
void pubsub_display_link(struct display *display, enum display_link link, const char *text,
                         int64_t now_ns);

/* Whether what is shown now changes by itself with time: a clock runs, or a count. */
bool pubsub_display_runs(const struct display *display);

/* The seat of the player of that place, from 0; 0: there is none. */
int pubsub_display_seat(const struct display *display, int place);

/* The match's epoch and the attempt in play, where there is exactly one; 0: none. For claims. */
int64_t pubsub_display_epoch(const struct display *display);

/* Sounds that are due: each is told once. What a snapshot brings is not heard. */
enum display_cue {
    DISPLAY_CUE_NONE,
    DISPLAY_CUE_COUNT,
    DISPLAY_CUE_START,
    DISPLAY_CUE_RULING,
    DISPLAY_CUE_ERROR
};
enum display_cue pubsub_display_cue(struct display *display, int64_t now_ns);

/* What stands at the screen's foot: the keys, or what became of the last one. */
struct display_foot {
    const char *text; /* NULL: no line */
    enum screen_paint paint;
};

/* Draws all of it anew. */
void pubsub_display_draw(const struct display *display, const struct display_foot *foot,
                         int64_t now_ns, struct screen *screen);

#endif
