/* tests/unit/display_scene.h: a display that hears of a match, made of events as they are written
 * by hand, and what it shows as text. */
#ifndef TESTS_DISPLAY_SCENE_H
#define TESTS_DISPLAY_SCENE_H

#include "pubsub/display.h"
#include "referee/cmd_words.h"
#include "referee/decision_json.h"
#include "referee/event_json.h"
#include "referee/history.h"
#include "referee/state_json.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCENE_NS_PER_MS 1000000
/* The machine's time at 0 of the match's. */
#define SCENE_BEGIN_NS 5000000000

struct scene {
    struct display *display;
    struct history *history;
    struct blockset *set;
    struct ramp *ramp;
    struct referee_cards *cards[4];
    int card_count;
    struct message_head head;
    int64_t now_ns;
    char *text;
};

static inline struct scene *scene_open(void)
{
    struct scene *scene = calloc(1, sizeof *scene);

    assert_non_null(scene);
    assert_int_equal(calib_blockset_load("match-madness", NULL, &scene->set, NULL), 0);
    assert_int_equal(calib_ramp_load("make5", NULL, &scene->ramp, NULL), 0);
    const struct display_kit kit = {.set = scene->set,
                                    .ramp = scene->ramp,
                                    .words = {.reason = cmd_word_reason, .why = cmd_word_why}};
    scene->display = pubsub_display_create(&kit);
    scene->history = referee_history_create();
    assert_non_null(scene->display);
    assert_non_null(scene->history);
    scene->head = (struct message_head){.table = "4", .match = "final", .epoch = 1};
    scene->now_ns = SCENE_BEGIN_NS;
    return scene;
}

static inline void scene_close(struct scene *scene)
{
    pubsub_display_destroy(&scene->display);
    referee_history_destroy(&scene->history);
    for (int i = 0; i < scene->card_count; i++)
        referee_cards_destroy(&scene->cards[i]);
    calib_blockset_destroy(&scene->set);
    calib_ramp_destroy(&scene->ramp);
    free(scene->text);
    free(scene);
}

/* A message of that kind, with the text of its members. */
static inline void scene_tell(struct scene *scene, enum message_kind kind, const char *members,
                              bool late)
{
    size_t size = strlen(members) + 3;
    char *text = malloc(size);

    assert_non_null(text);
    snprintf(text, size, "{%s}", members);
    json_t *body = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(body);
    scene->head.kind = kind;
    pubsub_display_message(scene->display, &scene->head, body, late, scene->now_ns);
    json_decref(body);
    free(text);
}

/* The state as it is published, with what else an object of it has. */
static inline void scene_state_with(struct scene *scene, int64_t t_ns, const char *more)
{
    const struct match_state *state = referee_history_state(scene->history);
    bool counts = state->phase == PHASE_COUNTDOWN;
    bool runs = state->phase == PHASE_PLAY && state->stopped_since_t_ns < 0;
    int64_t passed_ns = runs ? t_ns - state->t_ns : 0;
    struct json_text json;

    vision_json_init(&json);
    vision_json_raw(&json, "\"state\":");
    referee_state_json(state, &json);
    json.comma = true;
    vision_json_open(&json, "clocks", '{');
    vision_json_int(&json, "t_ns", t_ns);
    vision_json_int(&json, "clock_ns", referee_state_clock_ns(state) + passed_ns);
    vision_json_bool(&json, "clock_runs", runs);
    if (counts)
        vision_json_int(&json, "start_t_ns", state->started_t_ns);
    else
        vision_json_null(&json, "start_t_ns");
    vision_json_close(&json, '}');
    vision_json_raw(&json, more);
    assert_false(json.failed);
    scene_tell(scene, MESSAGE_STATE, json.bytes, false);
    vision_json_free(&json);
    pubsub_display_link(scene->display, DISPLAY_LINK_WELL, NULL, scene->now_ns);
}

static inline void scene_state(struct scene *scene, int64_t t_ns)
{
    scene_state_with(scene, t_ns, "");
}

static inline void scene_decision(struct scene *scene, const struct decision *decision, bool late)
{
    struct json_text json, members;

    vision_json_init(&json);
    referee_decision_json(decision, referee_history_state(scene->history), &json);
    vision_json_init(&members);
    vision_json_raw(&members, "\"decision\":");
    vision_json_raw(&members, json.bytes);
    assert_false(json.failed || members.failed);
    scene_tell(scene, MESSAGE_VERDICT, members.bytes, late);
    vision_json_free(&json);
    vision_json_free(&members);
}

/* One event; what it brings out is told, then the state. */
static inline void scene_event(struct scene *scene, const char *line, bool late)
{
    static struct decisions decisions;
    struct referee_cards *cards = NULL;
    struct calib_fault fault = {.line = 0};
    struct event event;

    int error = referee_event_parse(line, strlen(line), referee_history_last(scene->history) + 1,
                                    &event, &cards, &fault);
    if (error != 0)
        fail_msg("%s: %s", line, fault.text);
    if (cards)
        scene->cards[scene->card_count++] = cards;
    assert_int_equal(referee_history_step(scene->history, &event, &decisions), 0);
    scene->now_ns = SCENE_BEGIN_NS + event.t_ns;
    for (int i = 0; i < decisions.count; i++)
        scene_decision(scene, &decisions.item[i], late);
    scene_state(scene, event.t_ns);
}

/* Lines divided by newlines. */
static inline void scene_events(struct scene *scene, const char *lines)
{
    char line[8192];

    for (; *lines; lines += strspn(lines, "\n")) {
        size_t length = strcspn(lines, "\n");
        assert_true(length < sizeof line);
        memcpy(line, lines, length);
        line[length] = 0;
        scene_event(scene, line, false);
        lines += length;
    }
}

/* What the display shows so many milliseconds after the newest event. Owned by the scene. */
static inline const char *scene_show(struct scene *scene, int rows, int cols, bool ascii,
                                     int later_ms)
{
    const struct display_foot foot = {.text = "q: quit", .paint = PAINT_QUIET};
    struct screen *screen = pubsub_screen_create(rows, cols, ascii);
    size_t size = (size_t)rows * ((size_t)cols * 4 * SCREEN_CELL_MAX + 1) + 1, at = 0;

    assert_non_null(screen);
    free(scene->text);
    scene->text = malloc(size);
    assert_non_null(scene->text);
    pubsub_display_draw(scene->display, &foot, scene->now_ns + later_ms * (int64_t)SCENE_NS_PER_MS,
                        screen);
    for (int row = 0; row < rows; row++) {
        pubsub_screen_line(screen, row, scene->text + at, size - at);
        at += strlen(scene->text + at);
        scene->text[at++] = '\n';
    }
    scene->text[at] = 0;
    pubsub_screen_destroy(&screen);
    return scene->text;
}

#endif
