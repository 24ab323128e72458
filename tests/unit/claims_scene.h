/* tests/unit/claims_scene.h: a table of up to four seats, told what happens in milliseconds: what
 * the tests of claims and of sight play with. Frames are 20 ms apart, three must read alike, clocks
 * of claims differ by 50 ms at most; a claim's window is 3 s. Play begins at 1000 ms. */
#ifndef TESTS_CLAIMS_SCENE_H
#define TESTS_CLAIMS_SCENE_H

#include "referee/step.h"

#include <string.h>

#define MS 1000000LL
#define SCENE_FRAME_MS 20
#define SCENE_HOLD_MS 70 /* a frame and the clocks' error: how long a match by a claim is held */
#define SCENE_AUTO_MS 50 /* two frames and a half: the same for a layout that claims by itself */
#define SCENE_CARDS 20

struct scene {
    struct match_state state;
    struct event event;
    struct decisions out;
    struct card deck[SCENE_CARDS];
};

/* Ten cells, two by five, whose symbols count in a system of five: no two cards are alike in any
 * turn, since the marks at one end differ from those at the other. */
static inline void scene_deck(struct scene *scene)
{
    static const char symbols[] = "x+#o*";
    for (int i = 0; i < SCENE_CARDS; i++) {
        struct card *card = &scene->deck[i];
        card->level = 1 + i % CARD_LEVELS;
        card->id[0] = 'C';
        card->id[1] = (char)('A' + i);
        calib_grid_clear(&card->grid, 2, 5);
        memcpy(card->grid.cell[0], "xx+++", 5);
        memcpy(card->grid.cell[1], "ooo", 3);
        card->grid.cell[1][3] = symbols[i % 5];
        card->grid.cell[1][4] = symbols[i / 5];
    }
}

static inline const struct decisions *scene_step(struct scene *scene, int64_t t_ms)
{
    scene->event.seq = scene->state.seq + 1;
    scene->event.t_ns = t_ms * MS;
    referee_step(&scene->state, &scene->event, &scene->out);
    assert_null(referee_state_check(&scene->state));
    memset(&scene->event, 0, sizeof scene->event);
    return &scene->out;
}

/* An event is filled between these two. */
static inline struct event *scene_event(struct scene *scene, enum event_kind kind)
{
    memset(&scene->event, 0, sizeof scene->event);
    scene->event.kind = kind;
    return &scene->event;
}

/* A match set up with players at seats 1, 2, ... ; options are changed in the event before
 * scene_begin. */
static inline void scene_setup(struct scene *scene, enum game game, int players)
{
    memset(scene, 0, sizeof *scene);
    referee_state_clear(&scene->state);
    scene_deck(scene);
    struct event_setup *setup = &scene_event(scene, EVENT_SETUP)->setup;
    setup->game = game;
    setup->players = (int8_t)players;
    for (int i = 0; i < players; i++) {
        setup->seat[i] = (int8_t)(i + 1);
        setup->name[i][0] = (char)('A' + i);
    }
    referee_rules_default(&setup->rules);
    setup->rules.value[OPTION_CLAIMS] = CLAIMS_CALLED;
    setup->rules.value[OPTION_CLAIM_ERROR] = 50;
    setup->rules.value[OPTION_FRAME_INTERVAL] = SCENE_FRAME_MS * 1000;
    setup->rules.value[OPTION_COUNTDOWN] = 1000;
    for (int i = 0; i < PILES_MAX; i++)
        setup->slot[i] = (int8_t)(game == GAME_TOTAL_MADNESS ? i + 1 : i == 0 ? 3 : 0);
    setup->seed = 11;
    setup->cards = scene->deck;
    setup->card_count = SCENE_CARDS;
}

static inline int32_t *scene_option(struct scene *scene, enum option option)
{
    return &scene->event.setup.rules.value[option];
}

static inline const struct decisions *scene_tick(struct scene *scene, int64_t t_ms)
{
    scene_event(scene, EVENT_TICK)->seen_t_ns = t_ms * MS;
    return scene_step(scene, t_ms);
}

/* The count begins at 0, play at 1000 ms. */
static inline void scene_begin(struct scene *scene)
{
    scene_step(scene, 0);
    assert_int_equal(scene->state.phase, PHASE_READY);
    scene_event(scene, EVENT_START)->countdown_ms = -1;
    scene_step(scene, 0);
    scene_tick(scene, 1000);
    assert_int_equal(scene->state.phase, PHASE_PLAY);
}

static inline void scene_play(struct scene *scene, enum game game, int players)
{
    scene_setup(scene, game, players);
    scene_begin(scene);
}

static inline const struct card *scene_card(const struct scene *scene, int pile)
{
    assert_true(scene->state.pile[pile].top >= 0);
    return &scene->state.card[scene->state.pile[pile].top].card;
}

static inline struct layout_seat scene_seat(int seat, const struct grid *grid)
{
    struct layout_seat out;
    memset(&out, 0, sizeof out);
    out.seat = (int8_t)seat;
    out.state = SEAT_COMPLETE;
    out.grid = *grid;
    out.confidence = 990;
    for (int8_t r = 0; r < grid->rows; r++)
        for (int8_t c = 0; c < grid->cols; c++)
            if (grid->cell[r][c] != GRID_HOLE) {
                struct layout_cell *cell = &out.cell[out.cells++];
                cell->row = r;
                cell->col = c;
                cell->symbol = grid->cell[r][c];
                cell->second = '?';
                cell->confidence = 990;
            }
    return out;
}

/* A layout event that is put on record when it has settled; its blocks last moved 20 ms before it
 * was first seen. `wrong`: one cell of it differs from the grid. */
static inline struct event *scene_layout_event(struct scene *scene, int seat,
                                               const struct grid *grid, bool wrong,
                                               int64_t first_ms)
{
    struct grid built = *grid;
    if (wrong)
        built.cell[0][0] = built.cell[0][0] == '*' ? '#' : '*';
    struct event *event = scene_event(scene, EVENT_LAYOUT);
    event->layout.seat = scene_seat(seat, &built);
    event->layout.first_t_ns = first_ms * MS;
    event->layout.moved_t_ns = (first_ms - SCENE_FRAME_MS) * MS;
    event->layout.frame = (uint64_t)(first_ms / SCENE_FRAME_MS);
    return event;
}

#define SCENE_SETTLE_MS (2 * SCENE_FRAME_MS)

static inline const struct decisions *scene_layout(struct scene *scene, int seat,
                                                   const struct grid *grid, int64_t first_ms)
{
    scene_layout_event(scene, seat, grid, false, first_ms);
    return scene_step(scene, first_ms + SCENE_SETTLE_MS);
}

static inline const struct decisions *scene_wrong(struct scene *scene, int seat,
                                                  const struct grid *grid, int64_t first_ms)
{
    scene_layout_event(scene, seat, grid, true, first_ms);
    return scene_step(scene, first_ms + SCENE_SETTLE_MS);
}

/* A seat that cannot be read, for these reasons. */
static inline const struct decisions *
scene_hidden(struct scene *scene, int seat, enum seat_state state, uint64_t reasons, int64_t t_ms)
{
    struct event *event = scene_event(scene, EVENT_LAYOUT);
    event->layout.seat.seat = (int8_t)seat;
    event->layout.seat.state = state;
    event->layout.seat.reasons = reasons;
    event->layout.first_t_ns = t_ms * MS;
    return scene_step(scene, t_ms);
}

static inline const struct decisions *scene_motion(struct scene *scene, int seat, bool blocks,
                                                   int64_t t_ms)
{
    struct event *event = scene_event(scene, EVENT_MOTION);
    event->motion.seat = (int8_t)seat;
    event->motion.blocks = blocks;
    event->motion.at_t_ns = t_ms * MS;
    return scene_step(scene, t_ms);
}

/* A claim made at `claimed_ms` that is heard of at `t_ms`. */
static inline struct event *scene_claim_event(struct scene *scene, int seat, int slot,
                                              int64_t claimed_ms)
{
    struct event *event = scene_event(scene, EVENT_CLAIM);
    event->claim.seat = (int8_t)seat;
    event->claim.slot = (int8_t)slot;
    event->claim.claimed_t_ns = claimed_ms * MS;
    return event;
}

static inline const struct decisions *scene_claim(struct scene *scene, int seat, int slot,
                                                  int64_t t_ms)
{
    scene_claim_event(scene, seat, slot, t_ms);
    return scene_step(scene, t_ms);
}

static inline const struct decisions *scene_health(struct scene *scene, uint64_t bits, int64_t t_ms)
{
    scene_event(scene, EVENT_HEALTH)->health = bits;
    return scene_step(scene, t_ms);
}

static inline const struct decisions *scene_plain(struct scene *scene, enum event_kind kind,
                                                  int64_t t_ms)
{
    scene_event(scene, kind);
    return scene_step(scene, t_ms);
}

/* How many decisions of a kind the last event brought, and the first of them (NULL: none). */
static inline int scene_said(const struct scene *scene, enum decision_kind kind)
{
    int said = 0;
    for (int i = 0; i < scene->out.count; i++)
        said += scene->out.item[i].kind == kind;
    return said;
}

static inline const struct decision *scene_find(const struct scene *scene, enum decision_kind kind)
{
    for (int i = 0; i < scene->out.count; i++)
        if (scene->out.item[i].kind == kind)
            return &scene->out.item[i];
    return NULL;
}

static inline const struct decision *scene_the(const struct scene *scene, enum decision_kind kind)
{
    assert_int_equal(scene_said(scene, kind), 1);
    return scene_find(scene, kind);
}

/* Exactly one refusal, for this reason. */
static inline const struct decision *scene_refused(const struct scene *scene, enum why why)
{
    const struct decision *said = scene_the(scene, DECISION_REFUSED);
    assert_string_equal(referee_why_name(said->why), referee_why_name(why));
    return said;
}

/* Exactly one verdict: that ruling on that seat. */
static inline const struct decision *scene_ruled(const struct scene *scene, int seat,
                                                 enum ruling ruling)
{
    const struct decision *said = scene_the(scene, DECISION_VERDICT);
    assert_int_equal(said->seat, seat);
    assert_int_equal(said->verdict.seat, seat);
    assert_string_equal(referee_ruling_name(said->verdict.ruling), referee_ruling_name(ruling));
    return said;
}

static inline const struct decision *scene_won(const struct scene *scene, int seat)
{
    const struct decision *said = scene_the(scene, DECISION_WIN);
    assert_int_equal(said->seat, seat);
    return said;
}

#endif
