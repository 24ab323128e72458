/* From pictures to rulings: each thing that may be wrong with the picture freezes verdicts, is
 * said, and is over by itself. The eyes' own watch over a drawn table tells the referee's engine.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "referee/step.h"
#include "tests/unit/watch_steps.h"

#define SAID_MAX 200
#define WINDOW_MS 200
/* More pictures than any fault needs to be noticed, to outlast a claim, or to be over. */
#define PATIENCE 120
#define SMALL_WIDTH 64
#define SMALL_HEIGHT 48

struct freeze {
    struct watch_world *w;
    struct match_state state;
    struct event event; /* the next one */
    uint64_t seq;
    struct card card;
    struct decision said[SAID_MAX];
    int saids;
};

/* ---- the referee's side ---- */

/* In the order of time, as the referee's process does it. */
static void tell(struct freeze *f, int64_t t_ns)
{
    struct decisions out;

    f->event.seq = ++f->seq;
    f->event.t_ns = t_ns > f->state.t_ns ? t_ns : f->state.t_ns;
    referee_step(&f->state, &f->event, &out);
    assert_null(referee_state_check(&f->state));
    for (int i = 0; i < out.count && f->saids < SAID_MAX; i++)
        f->said[f->saids++] = out.item[i];
    memset(&f->event, 0, sizeof f->event);
}

static void tell_layout(void *context, const struct layout_seat *seat, int64_t first_t_ns,
                        int64_t moved_t_ns, uint64_t frame)
{
    struct freeze *f = context;

    f->event.kind = EVENT_LAYOUT;
    f->event.layout.seat = *seat;
    f->event.layout.first_t_ns = first_t_ns;
    f->event.layout.moved_t_ns = moved_t_ns;
    f->event.layout.frame = frame;
    tell(f, f->w->t_ns);
}

static void tell_motion(void *context, int seat, bool blocks, int64_t at_t_ns, int64_t unseen_ns)
{
    struct freeze *f = context;

    f->event.kind = EVENT_MOTION;
    f->event.motion = (struct event_motion){(int8_t)seat, blocks, at_t_ns, unseen_ns};
    tell(f, f->w->t_ns);
}

static void tell_health(void *context, uint64_t reasons, int64_t t_ns)
{
    struct freeze *f = context;

    f->event.kind = EVENT_HEALTH;
    f->event.health = reasons;
    tell(f, t_ns);
}

static void tell_seen(void *context, uint64_t frame, int64_t t_ns)
{
    struct freeze *f = context;

    (void)frame;
    f->event.kind = EVENT_TICK;
    f->event.seen_t_ns = t_ns;
    tell(f, f->w->t_ns);
}

static void claim(struct freeze *f)
{
    f->event.kind = EVENT_CLAIM;
    f->event.claim.seat = (int8_t)f->w->kit.mat->seat[0].seat;
    f->event.claim.claimed_t_ns = f->w->t_ns;
    tell(f, f->w->t_ns);
}

/* ---- faults ---- */

enum fault {
    FAULT_DAMAGED,
    FAULT_STALE,
    FAULT_MOVED,
    FAULT_NO_MAT,
    FAULT_MIRRORED,
    FAULT_RIG_SIZE,
    FAULT_DARK,
    FAULT_BANDS,
    FAULT_STANDING_BANDS,
    FAULT_LIGHT,
    FAULT_BALANCE,
    FAULTS
};

static const enum reason fault_reason[FAULTS] = {
    [FAULT_DAMAGED] = REASON_DAMAGED_FRAME,
    [FAULT_STALE] = REASON_STALE,
    [FAULT_MOVED] = REASON_MAT_MOVED,
    [FAULT_NO_MAT] = REASON_NO_MAT,
    [FAULT_MIRRORED] = REASON_MIRRORED,
    [FAULT_RIG_SIZE] = REASON_RIG_SIZE,
    [FAULT_DARK] = REASON_DARK,
    [FAULT_BANDS] = REASON_BANDING,
    [FAULT_STANDING_BANDS] = REASON_BANDING,
    [FAULT_LIGHT] = REASON_LIGHT_CHANGING,
    [FAULT_BALANCE] = REASON_LIGHT_CHANGING,
};

/* The camera answers with pictures of another size. */
static void show_small(struct watch_world *w)
{
    uint8_t rgb[3 * SMALL_WIDTH * SMALL_HEIGHT];
    struct picture picture = {.format = PICTURE_MJPEG,
                              .width = SMALL_WIDTH,
                              .height = SMALL_HEIGHT,
                              .time_ns = w->t_ns,
                              .sequence = w->sequence++};
    uint8_t *jpeg = NULL;
    size_t length = 0;

    memset(rgb, 160, sizeof rgb);
    assert_int_equal(draw_jpeg_encode(&w->optics, rgb, SMALL_WIDTH, SMALL_HEIGHT, &jpeg, &length),
                     0);
    picture.bytes = jpeg;
    picture.length = length;
    assert_int_equal(vision_watch_picture(w->watch, &picture), 0);
    w->t_ns += WATCH_INTERVAL_NS;
    free(jpeg);
}

/* The eyes say nothing: the referee ticks by itself. */
static void silence_tick(struct freeze *f)
{
    f->event.kind = EVENT_TICK;
    f->event.seen_t_ns = f->state.seen_t_ns;
    tell(f, f->w->t_ns);
}

static void show_nothing(struct freeze *f)
{
    f->w->t_ns += WATCH_INTERVAL_NS;
    vision_watch_nothing(f->w->watch, f->w->t_ns);
    silence_tick(f);
}

/* What comes of the light in the i-th picture of a fault. */
static void fault_set(struct watch_world *w, enum fault fault, int i)
{
    if (fault == FAULT_DARK)
        w->gain = 0.08;
    if (fault == FAULT_LIGHT)
        w->gain = i % 16 < 8 ? w->gain * 0.96 : w->gain / 0.96;
    if (fault == FAULT_BALANCE)
        w->tint = 0.02 * (i % 24 < 12 ? i % 24 : 24 - i % 24);
    if (fault == FAULT_BANDS || fault == FAULT_STANDING_BANDS)
        w->bands = fault == FAULT_BANDS ? 0.06 : 0.1;
    if (fault == FAULT_STANDING_BANDS) {
        w->band_step = 0;
        w->bands_over = 3.1;
    }
    w->mirrored = fault == FAULT_MIRRORED;
    w->damaged = fault == FAULT_DAMAGED;
}

/* The i-th picture of a fault, of a table where `base` lies. */
static void fault_show(struct freeze *f, enum fault fault, enum watch_base base, int i)
{
    fault_set(f->w, fault, i);
    if (fault == FAULT_STALE)
        show_nothing(f);
    else if (fault == FAULT_RIG_SIZE)
        show_small(f->w);
    else if (fault == FAULT_MOVED)
        see(f->w, i % 2 ? BASE_SHOVE : BASE_KNOCK, 1);
    else if (fault == FAULT_NO_MAT)
        see(f->w, BASE_COVER, 1);
    else if (fault == FAULT_BALANCE)
        see(f->w, i % 4 ? base : BASE_HAND, 1); /* so that there is reason to look at colours */
    else
        see(f->w, base, 1);
    if (fault == FAULT_DAMAGED)
        silence_tick(f);
}

static void fault_end(struct watch_world *w)
{
    w->gain = 1;
    w->tint = w->bands = 0;
    w->mirrored = w->damaged = false;
}

/* ---- a match ---- */

/* One card, which the usual layout shows. */
static struct freeze *match_begin(void **state, int32_t claims)
{
    static struct freeze freeze;
    const struct alignment alignment = vision_alignment_defaults();
    struct watch_options options = world_options();
    struct freeze *f = &freeze;
    struct event_setup *setup = &f->event.setup;

    memset(f, 0, sizeof *f);
    f->w = *state;
    const struct watch_sink sink = {.layout = tell_layout,
                                    .motion = tell_motion,
                                    .health = tell_health,
                                    .seen = tell_seen,
                                    .context = f};
    options.live = true;
    assert_int_equal(world_watch(f->w, options, true), 0);
    vision_watch_destroy(&f->w->watch);
    f->w->watch = vision_watch_create(&f->w->kit, &alignment, &options, &sink);
    assert_non_null(f->w->watch);
    referee_state_clear(&f->state);
    calib_grid_parse(SEAT_GRID, strlen(SEAT_GRID), &f->card.grid);
    f->card.level = 1;
    memcpy(f->card.id, "L1-01", sizeof "L1-01");
    f->event.kind = EVENT_SETUP;
    setup->game = GAME_QUICK_PLAY;
    setup->players = 1;
    setup->seat[0] = (int8_t)f->w->kit.mat->seat[0].seat;
    setup->name[0][0] = 'A';
    referee_rules_default(&setup->rules);
    setup->rules.value[OPTION_CLAIMS] = claims;
    setup->rules.value[OPTION_CLAIM_WINDOW] = WINDOW_MS;
    setup->rules.value[OPTION_FRAME_INTERVAL] = WATCH_INTERVAL_NS / 1000;
    setup->rules.value[OPTION_ROUNDS] = 1;
    setup->slot[0] = 3;
    setup->cards = &f->card;
    setup->card_count = 1;
    tell(f, f->w->t_ns);
    f->event.kind = EVENT_START;
    tell(f, f->w->t_ns);
    assert_int_equal(f->state.phase, PHASE_PLAY);
    return f;
}

static const struct decision *said_last(const struct freeze *f, int from, enum decision_kind kind)
{
    const struct decision *last = NULL;

    for (int i = from; i < f->saids; i++)
        if (f->said[i].kind == kind)
            last = &f->said[i];
    return last;
}

/* Was nothing said but what the health is? */
static bool only_health(const struct freeze *f, int from)
{
    for (int i = from; i < f->saids; i++)
        if (f->said[i].kind != DECISION_HEALTH)
            return false;
    return true;
}

/* Shows the fault until it is said, and nothing else is. Returns how many pictures that took. */
static int fault_begin(struct freeze *f, enum fault fault, enum watch_base base)
{
    int from = f->saids, i = 0;

    while (i < PATIENCE && !(f->state.health & REASON_BIT(fault_reason[fault])))
        fault_show(f, fault, base, i++);
    if (!(f->state.health & REASON_BIT(fault_reason[fault])))
        fail_msg("%s was not noticed", vision_reason_name(fault_reason[fault]));
    assert_true(only_health(f, from));
    assert_true(said_last(f, from, DECISION_HEALTH)->reasons & REASON_BIT(fault_reason[fault]));
    assert_false(f->state.view[0].known);
    return i;
}

/* Good pictures until all is well; nothing else is said on the way. */
static void fault_over(struct freeze *f, enum watch_base base)
{
    int from = f->saids;

    fault_end(f->w);
    for (int i = 0; i < PATIENCE && f->state.health; i++)
        see(f->w, base, 1);
    assert_true(f->state.health == 0);
    assert_true(said_last(f, from, DECISION_HEALTH)->reasons == 0);
    assert_true(only_health(f, from));
}

static void assert_won(struct freeze *f, int from)
{
    for (int i = 0; i < PATIENCE && !said_last(f, from, DECISION_WIN); i++)
        see(f->w, BASE_BUILT, 1);
    assert_non_null(said_last(f, from, DECISION_WIN));
    assert_int_equal(said_last(f, from, DECISION_VERDICT)->verdict.ruling, RULING_MATCH);
}

/* ---- tests ---- */

/* The negative control of all that follows: with pictures that are well the claim is a match. */
static void should_rule_on_pictures_that_are_well(void **state)
{
    struct freeze *f = match_begin(state, CLAIMS_CALLED);

    see(f->w, BASE_BUILT, ENOUGH);
    claim(f);
    assert_won(f, 0);
    assert_null(said_last(f, 0, DECISION_HEALTH));
}

/* What was right before is not ruled on while the picture is bad; a claim that outlasts its window
 * cannot be told, and says why. */
static void should_freeze_verdicts_with_each_reason(void **state)
{
    for (int fault = 0; fault < FAULTS; fault++) {
        struct freeze *f = match_begin(state, CLAIMS_CALLED);
        see(f->w, BASE_BUILT, ENOUGH);
        assert_true(f->state.view[0].known);
        int from = f->saids, i = fault_begin(f, fault, BASE_BUILT);
        claim(f);
        assert_true(only_health(f, from));
        for (int n = 0; n < PATIENCE && !said_last(f, from, DECISION_VERDICT); n++)
            fault_show(f, fault, BASE_BUILT, i++);
        const struct decision *verdict = said_last(f, from, DECISION_VERDICT);
        if (!verdict || verdict->verdict.ruling != RULING_CANNOT_TELL ||
            !(verdict->verdict.reasons & REASON_BIT(fault_reason[fault])))
            fail_msg("%s: not cannot_tell for it", vision_reason_name(fault_reason[fault]));
        assert_int_equal(f->state.player[0].errors, 0);
        fault_over(f, BASE_BUILT);
        see(f->w, BASE_BUILT, ENOUGH);
        from = f->saids;
        claim(f);
        assert_won(f, from);
    }
}

/* What is built while nobody can see it counts from when it is seen. */
static void should_count_nothing_that_was_built_in_a_freeze(void **state)
{
    static const enum fault faults[] = {FAULT_DAMAGED, FAULT_DARK, FAULT_BANDS, FAULT_NO_MAT};

    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        struct freeze *f = match_begin(state, CLAIMS_AUTO);
        see(f->w, BASE_OTHER, ENOUGH);
        int from = f->saids, i = fault_begin(f, faults[k], BASE_OTHER);
        for (int n = 0; n < ENOUGH; n++)
            fault_show(f, faults[k], BASE_BUILT, i++);
        assert_true(only_health(f, from));
        int64_t over_t_ns = f->w->t_ns;
        fault_over(f, BASE_BUILT);
        assert_won(f, from);
        assert_true(said_last(f, from, DECISION_WIN)->at_t_ns >= over_t_ns);
    }
}

/* It had settled, and was only held for whoever may have been earlier. */
static void should_see_a_layout_anew_that_settled_just_before(void **state)
{
    struct freeze *f = match_begin(state, CLAIMS_AUTO);

    see(f->w, BASE_EMPTY, ENOUGH);
    while (f->state.claim[0].stage == CLAIM_NONE && f->w->sequence < 1000)
        see(f->w, BASE_BUILT, 1);
    assert_int_equal(f->state.claim[0].stage, CLAIM_MATCHED);
    int from = f->saids;
    vision_watch_nothing(f->w->watch, f->w->t_ns + 4 * WATCH_INTERVAL_NS);
    f->w->t_ns += 5 * WATCH_INTERVAL_NS;
    assert_true(f->state.health == REASON_BIT(REASON_STALE));
    assert_int_equal(f->state.claim[0].stage, CLAIM_NONE);
    int64_t over_t_ns = f->w->t_ns;
    fault_over(f, BASE_BUILT);
    assert_won(f, from);
    assert_true(said_last(f, from, DECISION_WIN)->at_t_ns >= over_t_ns);
}

/* A claim that was made while all was well, by a layout that was seen until then, waits out a short
 * freeze, and is not judged by what is seen after it: nobody saw what happened in between. */
static void should_not_judge_by_what_is_seen_after_the_freeze(void **state)
{
    struct freeze *f = match_begin(state, CLAIMS_CALLED);

    see(f->w, BASE_OTHER, ENOUGH);
    int from = f->saids;
    f->w->t_ns += 60 * (int64_t)1000000; /* no picture of the claim's time has come yet */
    claim(f);
    assert_int_equal(f->saids, from);
    vision_watch_nothing(f->w->watch, f->w->t_ns + 4 * WATCH_INTERVAL_NS);
    f->w->t_ns += 5 * WATCH_INTERVAL_NS;
    for (int i = 0; i < PATIENCE && !said_last(f, from, DECISION_VERDICT); i++)
        see(f->w, BASE_BUILT, 1);
    const struct decision *verdict = said_last(f, from, DECISION_VERDICT);
    assert_non_null(verdict);
    assert_int_equal(verdict->verdict.ruling, RULING_CANNOT_TELL);
}

/* Two faults at once: both are said, and it is over when the last of them is. */
static void should_stay_frozen_until_the_last_fault_is_over(void **state)
{
    const uint64_t bands = REASON_BIT(REASON_BANDING), damaged = REASON_BIT(REASON_DAMAGED_FRAME);
    struct freeze *f = match_begin(state, CLAIMS_AUTO);

    see(f->w, BASE_OTHER, ENOUGH);
    int from = f->saids, i = fault_begin(f, FAULT_BANDS, BASE_OTHER);
    while (i < PATIENCE && f->state.health != (bands | damaged))
        fault_show(f, FAULT_DAMAGED, BASE_BUILT, i++);
    assert_true(f->state.health == (bands | damaged));
    while (i < 2 * PATIENCE && f->state.health != bands)
        fault_show(f, FAULT_BANDS, BASE_BUILT, i++);
    assert_true(f->state.health == bands);
    for (int n = 0; n < ENOUGH; n++)
        fault_show(f, FAULT_BANDS, BASE_BUILT, i++);
    assert_true(f->state.health == bands);
    assert_true(only_health(f, from));
    fault_over(f, BASE_BUILT);
    assert_won(f, from);
}

/* A rig of another lens is no fault that begins or ends: nothing is ruled with it at all. */
static void should_rule_nothing_with_the_lens_of_another_camera(void **state)
{
    struct freeze *f = match_begin(state, CLAIMS_CALLED);

    f->w->rig.camera.dist[0] = -0.3;
    for (int i = 0; i < PATIENCE && !f->state.health; i++)
        see(f->w, BASE_BUILT, 1);
    assert_true(f->state.health == REASON_BIT(REASON_RIG_LENS));
    claim(f);
    for (int i = 0; i < PATIENCE && !said_last(f, 0, DECISION_VERDICT); i++)
        see(f->w, BASE_BUILT, 1);
    const struct decision *verdict = said_last(f, 0, DECISION_VERDICT);
    assert_non_null(verdict);
    assert_int_equal(verdict->verdict.ruling, RULING_CANNOT_TELL);
    assert_true(verdict->verdict.reasons == REASON_BIT(REASON_RIG_LENS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_rule_on_pictures_that_are_well),
        cmocka_unit_test(should_freeze_verdicts_with_each_reason),
        cmocka_unit_test(should_count_nothing_that_was_built_in_a_freeze),
        cmocka_unit_test(should_see_a_layout_anew_that_settled_just_before),
        cmocka_unit_test(should_not_judge_by_what_is_seen_after_the_freeze),
        cmocka_unit_test(should_stay_frozen_until_the_last_fault_is_over),
        cmocka_unit_test(should_rule_nothing_with_the_lens_of_another_camera),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
