/* tests/unit/history_scene.h: a match as events written by hand, and their history. */
#ifndef TESTS_HISTORY_SCENE_H
#define TESTS_HISTORY_SCENE_H

#include "referee/event_json.h"
#include "referee/history.h"

#include <string.h>

/* Quick-Play with claims: Bo errs on the first card, Ada wins it, the second is set aside. */
static const char *const quick_match[] = {
    "{\"t_ms\":0,\"event\":\"setup\",\"game\":\"quick-play\",\"players\":[{\"seat\":1,\"name\":"
    "\"Ada\"},{\"seat\":2,\"name\":\"Bo\"},{\"seat\":3,\"name\":\"=Cy\"}],\"options\":{\"rounds\":"
    "3,"
    "\"claims\":\"called\"},\"slots\":[3],\"seed\":7,\"cards\":[{\"id\":\"L4-01\",\"level\":4,"
    "\"grid\":\"x*#/x#*/o../++*\"},{\"id\":\"L1-02\",\"level\":1,\"grid\":\"xx/oo/++/##/**\"},{"
    "\"id\":\"L1-03\",\"level\":1,\"grid\":\"xx/oo/++/##/xx\"}]}",
    "{\"t_ms\":0,\"event\":\"start\",\"countdown_ms\":0}",
    "{\"t_ms\":8000,\"event\":\"layout\",\"seat\":2,\"state\":\"complete\",\"grid\":\"x*#/x#*/o../"
    "++*\"}",
    "{\"t_ms\":8200,\"event\":\"claim\",\"seat\":2,\"slot\":3}",
    "{\"t_ms\":12000,\"event\":\"tick\"}",
    "{\"t_ms\":13000,\"event\":\"layout\",\"seat\":1,\"state\":\"complete\",\"grid\":\"xx/oo/++/##/"
    "**\"}",
    "{\"t_ms\":13200,\"event\":\"claim\",\"seat\":1}",
    "{\"t_ms\":15000,\"event\":\"tick\"}",
    "{\"t_ms\":16000,\"event\":\"set_aside\",\"by\":\"desk\"}",
};
#define QUICK_EVENTS (sizeof quick_match / sizeof quick_match[0])
#define QUICK_START 2
#define QUICK_ERROR 4 /* Bo's claim */
#define QUICK_TICK 5
#define QUICK_WIN 7 /* Ada's claim */
#define QUICK_ASIDE 9

/* An event of its text; the caller gives *cards to referee_cards_destroy. */
static inline void scene_event(const char *text, uint64_t seq, struct event *out,
                               struct referee_cards **cards)
{
    struct calib_fault fault = {.line = 0};

    *cards = NULL;
    int error = referee_event_parse(text, strlen(text), seq, out, cards, &fault);
    assert_string_equal(fault.text, "");
    assert_int_equal(error, 0);
}

static inline void scene_step(struct history *history, const char *text)
{
    static struct decisions said;
    struct referee_cards *cards;
    struct event event;

    scene_event(text, referee_history_last(history) + 1, &event, &cards);
    assert_int_equal(referee_history_step(history, &event, &said), REFEREE_OK);
    referee_cards_destroy(&cards);
}

/* The quick match without one of its events (0: with all). */
static inline struct history *scene_history(uint64_t without)
{
    static struct decisions said;
    struct history *history = referee_history_create();
    struct referee_cards *cards;
    struct event event;

    assert_non_null(history);
    for (uint64_t seq = 1; seq <= QUICK_EVENTS; seq++) {
        if (seq == without)
            continue;
        scene_event(quick_match[seq - 1], seq, &event, &cards);
        assert_int_equal(referee_history_step(history, &event, &said), REFEREE_OK);
        referee_cards_destroy(&cards);
    }
    return history;
}

static inline bool scene_same(const struct match_state *a, const struct match_state *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

#endif
