/* The watch over drawn sequences: what settles, when, and what stands in its way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/watch_steps.h"

#include <string.h>

static void should_tell_what_lies_there_once(void **state)
{
    struct watch_world *w = start(state);
    int64_t first = see(w, BASE_BUILT, ENOUGH);
    const struct told *layout = one_layout(w, 0, SEAT_COMPLETE), *card = NULL;
    assert_string_equal(layout->id, SEAT_GRID);
    assert_true(layout->t_ns >= first && layout->t_ns <= first + 3 * WATCH_INTERVAL_NS);
    assert_true(layout->moved_t_ns == layout->t_ns);
    assert_int_equal(told_count(w, 0, TOLD_CARD, &card), 1);
    assert_int_equal(card->state, SLOT_FACE_UP);
    assert_int_equal(told_count(w, 0, TOLD_SEEN, NULL), ENOUGH);
    assert_int_equal(told_count(w, 0, TOLD_HEALTH, NULL), 0);
    assert_int_equal(told_count(w, 0, TOLD_MOTION, NULL), 0);
}

static void should_tell_a_layout_after_the_hand_has_gone(void **state)
{
    struct watch_world *w = start(state);
    const struct told *motion = NULL;
    see(w, BASE_EMPTY, ENOUGH);
    one_layout(w, 0, SEAT_EMPTY);
    int from = w->count;
    int64_t begun = see(w, BASE_HAND, 1);
    for (int i = 0; i < 4; i++) {
        see(w, BASE_HAND_2, 1);
        see(w, BASE_HAND, 1);
    }
    assert_int_equal(told_count(w, from, TOLD_LAYOUT, NULL), 0);
    assert_int_equal(told_count(w, from, TOLD_MOTION, &motion), 1);
    assert_false(motion->state);
    assert_true(motion->t_ns == begun);
    int64_t free_from = see(w, BASE_BUILT, ENOUGH);
    const struct told *layout = one_layout(w, from, SEAT_COMPLETE);
    assert_string_equal(layout->id, SEAT_GRID);
    assert_true(layout->t_ns == free_from);
    assert_true(layout->moved_t_ns == free_from);
    assert_int_equal(told_count(w, from, TOLD_MOTION, &motion), 2);
    assert_true(motion->state && motion->t_ns == free_from);
}

static void should_keep_the_time_of_the_blocks_when_only_a_hand_passed(void **state)
{
    struct watch_world *w = start(state);
    see(w, BASE_BUILT, ENOUGH);
    int64_t moved_t_ns = one_layout(w, 0, SEAT_COMPLETE)->moved_t_ns;
    int from = w->count;
    see(w, BASE_HAND, 1);
    see(w, BASE_HAND_2, 1);
    see(w, BASE_BUILT, ENOUGH);
    assert_true(one_layout(w, from, SEAT_COMPLETE)->moved_t_ns == moved_t_ns);
    const struct told *motion = NULL;
    assert_int_equal(told_count(w, from, TOLD_MOTION, &motion), 1);
    assert_false(motion->state);
}

static void should_tell_once_that_a_resting_hand_hides_a_seat(void **state)
{
    struct watch_world *w = start(state);
    see(w, BASE_BUILT, ENOUGH);
    int from = w->count;
    see(w, BASE_HAND, 20);
    const struct told *layout = NULL;
    assert_int_equal(told_count(w, from, TOLD_LAYOUT, &layout), 1);
    assert_true(layout->state == SEAT_OCCLUDED || layout->state == SEAT_UNREADABLE);
    from = w->count;
    see(w, BASE_OTHER, ENOUGH);
    layout = one_layout(w, from, SEAT_INCOMPLETE);
    assert_true(layout->moved_t_ns >= layout->t_ns);
}

static void should_tell_a_card_shown_taken_and_replaced(void **state)
{
    struct watch_world *w = start(state);
    const struct told *card = NULL;
    char first[GRID_TEXT_MAX];
    see(w, BASE_BUILT, ENOUGH);
    assert_int_equal(told_count(w, 0, TOLD_CARD, &card), 1);
    assert_int_equal(card->state, SLOT_FACE_UP);
    memcpy(first, card->id, sizeof first);
    int from = w->count;
    int64_t at = see(w, BASE_NO_CARD, ENOUGH);
    assert_int_equal(told_count(w, from, TOLD_CARD, &card), 1);
    assert_int_equal(card->state, SLOT_EMPTY);
    assert_true(card->t_ns == at);
    from = w->count;
    at = see(w, BASE_CARD_2, ENOUGH);
    assert_int_equal(told_count(w, from, TOLD_CARD, &card), 1);
    assert_int_equal(card->state, SLOT_FACE_UP);
    assert_string_not_equal(card->id, first);
    assert_true(card->t_ns == at);
    /* the layout beside it stayed where it was */
    const struct told *layout = NULL;
    assert_true(told_count(w, 0, TOLD_LAYOUT, &layout) > 0);
    assert_true(layout->state == SEAT_COMPLETE && layout->moved_t_ns < at - WATCH_INTERVAL_NS);
}

static void should_not_take_noise_for_motion(void **state)
{
    struct watch_world *w = start(state);
    w->noise = 6;
    see(w, BASE_BUILT, 200);
    one_layout(w, 0, SEAT_COMPLETE);
    assert_int_equal(told_count(w, 0, TOLD_MOTION, NULL), 0);
    assert_int_equal(told_count(w, 0, TOLD_CARD, NULL), 1);
    assert_int_equal(told_count(w, 0, TOLD_HEALTH, NULL), 0);
}

static void should_hold_back_while_the_light_changes(void **state)
{
    struct watch_world *w = start(state);
    see(w, BASE_BUILT, ENOUGH);
    int from = w->count;
    for (int i = 0; i < 10; i++) {
        w->gain *= 0.96;
        see(w, BASE_BUILT, 1);
    }
    const struct told *health = NULL;
    assert_int_equal(told_count(w, from, TOLD_HEALTH, &health), 1);
    assert_true(health->health == REASON_BIT(REASON_LIGHT_CHANGING));
    see(w, BASE_BUILT, ENOUGH);
    assert_ill_and_well(w, from, REASON_LIGHT_CHANGING);
    one_layout(w, from, SEAT_COMPLETE);
}

static void should_go_on_through_daylight_that_fades(void **state)
{
    struct watch_world *w = start(state);
    see(w, BASE_BUILT, ENOUGH);
    int from = w->count;
    for (int i = 0; i < 60; i++) {
        w->gain *= 0.998;
        see(w, BASE_BUILT, 1);
    }
    assert_int_equal(told_count(w, from, TOLD_HEALTH, NULL), 0);
    assert_int_equal(told_count(w, from, TOLD_MOTION, NULL), 0);
}

static void should_hold_back_in_the_dark(void **state)
{
    struct watch_world *w = start(state);
    see(w, BASE_BUILT, ENOUGH);
    int from = w->count;
    w->gain = 0.08;
    see(w, BASE_BUILT, ENOUGH);
    const struct told *health = NULL;
    assert_true(told_count(w, from, TOLD_HEALTH, &health) > 0);
    assert_true(health->health == REASON_BIT(REASON_DARK));
    assert_int_equal(told_count(w, from, TOLD_LAYOUT, NULL), 0);
    w->gain = 1;
    see(w, BASE_BUILT, 2 * ENOUGH);
    assert_ill_and_well(w, from, REASON_DARK);
    one_layout(w, from, SEAT_COMPLETE);
}

static void should_say_that_it_is_dark_from_the_start(void **state)
{
    struct watch_world *w = start(state);
    const struct told *health = NULL;
    w->gain = 0.02;
    see(w, BASE_BUILT, 30);
    assert_int_equal(told_count(w, 0, TOLD_HEALTH, &health), 1);
    assert_true(health->health == REASON_BIT(REASON_DARK));
    w->gain = 1;
    see(w, BASE_BUILT, 2 * ENOUGH);
    one_layout(w, 0, SEAT_COMPLETE);
}

static void should_hold_back_while_bands_run_over_the_picture(void **state)
{
    struct watch_world *w = start(state);
    see(w, BASE_BUILT, ENOUGH);
    int from = w->count;
    w->bands = 0.06;
    see(w, BASE_BUILT, 2 * ENOUGH);
    const struct told *health = NULL;
    assert_int_equal(told_count(w, from, TOLD_HEALTH, &health), 1);
    assert_true(health->health == REASON_BIT(REASON_BANDING));
    w->bands = 0;
    see(w, BASE_BUILT, 3 * ENOUGH);
    assert_ill_and_well(w, from, REASON_BANDING);
    const struct told *layout = NULL;
    assert_true(told_count(w, from, TOLD_LAYOUT, &layout) >= 1);
    assert_string_equal(layout->id, SEAT_GRID);
}

/* Mains and camera in step: no picture differs from the one before it. */
static void should_hold_back_while_bands_stand_still(void **state)
{
    struct watch_world *w = start(state);
    see(w, BASE_BUILT, ENOUGH);
    int from = w->count;
    w->bands = 0.1;
    w->band_step = 0;
    w->bands_over = 3.1;
    see(w, BASE_BUILT, 2 * ENOUGH);
    const struct told *health = NULL;
    assert_true(told_count(w, from, TOLD_HEALTH, &health) >= 1);
    assert_true(health->health == REASON_BIT(REASON_BANDING));
    assert_int_equal(told_count(w, from, TOLD_LAYOUT, NULL), 0);
    w->bands = 0;
    see(w, BASE_BUILT, 3 * ENOUGH);
    assert_ill_and_well(w, from, REASON_BANDING);
    assert_string_equal(one_layout(w, from, SEAT_COMPLETE)->id, SEAT_GRID);
}

static void should_rule_nothing_in_standing_bands_from_the_start(void **state)
{
    for (int frames = 1; frames <= 3; frames++) {
        struct watch_options options = world_options();
        struct watch_world *w = *state;
        const struct told *health = NULL;
        options.settle_frames = frames;
        assert_int_equal(world_watch(w, options, true), 0);
        w->bands = 0.1;
        w->band_step = 0;
        w->bands_over = 3.1;
        see(w, BASE_BUILT, 3 * ENOUGH);
        assert_int_equal(told_count(w, 0, TOLD_LAYOUT, NULL), 0);
        assert_int_equal(told_count(w, 0, TOLD_HEALTH, &health), 1);
        assert_true(health->health == REASON_BIT(REASON_BANDING));
    }
}

static void should_not_take_a_moving_arm_for_bands(void **state)
{
    struct watch_world *w = start(state);
    see(w, BASE_BUILT, ENOUGH);
    for (int i = 0; i < 12; i++)
        see(w, i % 2 ? BASE_HAND : BASE_HAND_2, 1);
    assert_int_equal(told_count(w, 0, TOLD_HEALTH, NULL), 0);
}

static void should_hold_back_while_the_white_balance_changes(void **state)
{
    struct watch_world *w = start(state);
    see(w, BASE_BUILT, ENOUGH);
    int from = w->count;
    for (int i = 0; i < 12; i++) {
        w->tint = 0.02 * (i + 1);
        see(w, i % 2 ? BASE_HAND : BASE_BUILT, 1);
    }
    see(w, BASE_BUILT, 2);
    assert_true(told_count(w, from, TOLD_HEALTH, NULL) >= 1);
    see(w, BASE_BUILT, 2 * ENOUGH);
    assert_ill_and_well(w, from, REASON_LIGHT_CHANGING);
    const struct told *layout = NULL;
    assert_true(told_count(w, from, TOLD_LAYOUT, &layout) >= 1);
    assert_string_equal(layout->id, SEAT_GRID);
}

static void knocked(struct watch_world *w, enum watch_base where)
{
    see(w, BASE_BUILT, ENOUGH);
    int from = w->count;
    see(w, where, 2 * ENOUGH);
    assert_ill_and_well(w, from, REASON_MAT_MOVED);
    const struct told *layout = one_layout(w, from, SEAT_COMPLETE);
    assert_string_equal(layout->id, SEAT_GRID);
    assert_true(layout->moved_t_ns >= w->told[from].t_ns);
}

static void should_notice_a_knock_and_go_on_from_the_new_place(void **state)
{
    knocked(start(state), BASE_KNOCK);
    knocked(start(state), BASE_SHOVE);
}

static void should_notice_a_knock_of_a_camera_that_nobody_calibrated(void **state)
{
    struct watch_world *w = *state;
    assert_int_equal(world_watch(w, world_options(), false), 0);
    knocked(w, BASE_KNOCK);
}

/* Each picture is looked at for moved tags, but searched for them only when there is reason to. */
static void should_search_for_tags_on_suspicion_only(void **state)
{
    struct watch_world *w = start(state);
    struct watch_counts before, still, knocked;
    see(w, BASE_BUILT, ENOUGH);
    vision_watch_counts(w->watch, &before);
    see(w, BASE_BUILT, 100);
    vision_watch_counts(w->watch, &still);
    assert_int_equal(still.poses, before.poses);
    see(w, BASE_SHOVE, 2); /* the picture that changes as a whole tells nothing itself */
    vision_watch_counts(w->watch, &knocked);
    assert_true(knocked.poses > still.poses);
    see(w, BASE_SHOVE, ENOUGH);
    int from = w->count;
    vision_watch_counts(w->watch, &still);
    see(w, BASE_SHOVE, 160); /* a slip too slow to be seen: found within five seconds */
    vision_watch_counts(w->watch, &knocked);
    assert_true(knocked.poses > still.poses);
    assert_true(knocked.poses <= still.poses + 2);
    assert_int_equal(told_count(w, from, TOLD_HEALTH, NULL), 0);
}

static void should_not_take_hidden_tags_for_a_moved_mat(void **state)
{
    struct watch_world *w = start(state);
    see(w, BASE_BUILT, ENOUGH);
    see(w, BASE_TAGS, 20);
    see(w, BASE_BUILT, ENOUGH);
    assert_int_equal(told_count(w, 0, TOLD_HEALTH, NULL), 0);
}

static void should_wait_a_moment_for_tags_that_are_all_hidden(void **state)
{
    struct watch_world *w = start(state);
    const struct told *health = NULL;
    see(w, BASE_BUILT, ENOUGH);
    int from = w->count;
    see(w, BASE_COVER, 8);
    see(w, BASE_BUILT, ENOUGH);
    assert_int_equal(told_count(w, from, TOLD_HEALTH, NULL), 0);
    see(w, BASE_COVER, 40);
    assert_int_equal(told_count(w, from, TOLD_HEALTH, &health), 1);
    assert_true(health->health == REASON_BIT(REASON_NO_MAT));
    see(w, BASE_BUILT, 2 * ENOUGH);
    assert_ill_and_well(w, from, REASON_NO_MAT);
}

static void should_read_nothing_while_the_mat_is_not_seen(void **state)
{
    struct watch_world *w = start(state);
    see(w, BASE_BUILT, ENOUGH);
    int from = w->count;
    see(w, BASE_COVER_2, 12);
    assert_int_equal(told_count(w, from, TOLD_LAYOUT, NULL), 0);
    assert_int_equal(told_count(w, from, TOLD_HEALTH, NULL), 0);
    see(w, BASE_OTHER, ENOUGH);
    one_layout(w, from, SEAT_INCOMPLETE);
}

static void should_read_in_full_once_the_tags_are_free(void **state)
{
    struct watch_world *w = *state;
    assert_int_equal(world_watch(w, world_options(), false), 0);
    see(w, BASE_TAGS, ENOUGH);
    see(w, BASE_BUILT, 60);
    const struct told *layout = NULL;
    assert_true(told_count(w, 0, TOLD_LAYOUT, &layout) >= 1);
    assert_string_equal(layout->id, SEAT_GRID);
}

static void should_pass_over_a_damaged_picture(void **state)
{
    struct watch_world *w = start(state);
    see(w, BASE_BUILT, ENOUGH);
    int from = w->count;
    w->damaged = true;
    see(w, BASE_EMPTY, 1);
    assert_int_equal(w->count, from);
    w->damaged = false;
    see(w, BASE_BUILT, ENOUGH);
    assert_int_equal(told_count(w, from, TOLD_SEEN, NULL), ENOUGH);
    assert_int_equal(w->count, from + ENOUGH);
}

static void should_hold_back_after_damaged_pictures_in_a_row(void **state)
{
    struct watch_world *w = start(state);
    see(w, BASE_BUILT, ENOUGH);
    int from = w->count;
    w->damaged = true;
    see(w, BASE_BUILT, 2);
    const struct told *health = NULL;
    assert_int_equal(told_count(w, from, TOLD_HEALTH, &health), 1);
    assert_true(health->health == REASON_BIT(REASON_DAMAGED_FRAME));
    w->damaged = false;
    see(w, BASE_BUILT, 2 * ENOUGH);
    assert_ill_and_well(w, from, REASON_DAMAGED_FRAME);
    one_layout(w, from, SEAT_COMPLETE);
}

static void should_say_that_a_recording_has_a_gap(void **state)
{
    struct watch_world *w = start(state);
    see(w, BASE_BUILT, ENOUGH);
    int from = w->count;
    w->t_ns += 5 * WATCH_INTERVAL_NS;
    int64_t at = see(w, BASE_BUILT, ENOUGH);
    assert_ill_and_well(w, from, REASON_STALE);
    const struct told *layout = one_layout(w, from, SEAT_COMPLETE);
    assert_true(layout->t_ns >= at);
    assert_true(layout->moved_t_ns >= at);
}

static void should_say_that_a_camera_gives_no_pictures(void **state)
{
    struct watch_world *w = *state;
    struct watch_options options = world_options();
    const struct told *health = NULL;
    options.live = true;
    assert_int_equal(world_watch(w, options, true), 0);
    see(w, BASE_BUILT, ENOUGH);
    int from = w->count;
    vision_watch_nothing(w->watch, w->t_ns);
    assert_int_equal(w->count, from);
    vision_watch_nothing(w->watch, w->t_ns + 3 * WATCH_INTERVAL_NS);
    vision_watch_nothing(w->watch, w->t_ns + 9 * WATCH_INTERVAL_NS);
    assert_int_equal(told_count(w, from, TOLD_HEALTH, &health), 1);
    assert_true(health->health == REASON_BIT(REASON_STALE));
    w->t_ns += 10 * WATCH_INTERVAL_NS;
    see(w, BASE_BUILT, ENOUGH);
    assert_ill_and_well(w, from, REASON_STALE);
    one_layout(w, from, SEAT_COMPLETE);
}

/* Whoever plugs a camera in again may have turned it, and its exposure begins anew. */
static void should_trust_nothing_after_a_restart(void **state)
{
    struct watch_world *w = *state;
    struct watch_options options = world_options();
    options.live = true;
    for (int moved = 0; moved < 2; moved++) {
        const struct told *health = NULL;
        assert_int_equal(world_watch(w, options, true), 0);
        see(w, BASE_BUILT, ENOUGH);
        int from = w->count;
        vision_watch_restart(w->watch);
        vision_watch_restart(w->watch);
        assert_int_equal(told_count(w, from, TOLD_HEALTH, &health), 1);
        assert_true(health->health == REASON_BIT(REASON_STALE));
        vision_watch_nothing(w->watch, w->t_ns + 90 * WATCH_INTERVAL_NS);
        w->t_ns += 100 * WATCH_INTERVAL_NS;
        w->gain = 0.7;
        w->tint = 0.08;
        w->sequence = 0;
        int64_t at = see(w, moved ? BASE_SHOVE : BASE_BUILT, ENOUGH);
        assert_ill_and_well(w, from, REASON_STALE);
        const struct told *layout = one_layout(w, from, SEAT_COMPLETE);
        assert_string_equal(layout->id, SEAT_GRID);
        assert_true(layout->t_ns >= at);
        assert_true(layout->moved_t_ns >= at);
        assert_int_equal(told_count(w, from, TOLD_CARD, NULL), 1);
    }
}

static void should_say_why_after_a_restart_there_is_no_table(void **state)
{
    struct watch_world *w = *state;
    struct watch_options options = world_options();
    const struct told *last = NULL;
    options.live = true;
    assert_int_equal(world_watch(w, options, true), 0);
    vision_watch_restart(w->watch); /* of nothing seen there is nothing to be said */
    assert_int_equal(w->count, 0);
    see(w, BASE_BUILT, ENOUGH);
    int from = w->count;
    vision_watch_restart(w->watch);
    see(w, BASE_COVER, 30);
    assert_int_equal(told_count(w, from, TOLD_LAYOUT, NULL), 0);
    assert_int_equal(told_count(w, from, TOLD_HEALTH, &last), 2);
    assert_true(last->health == REASON_BIT(REASON_NO_MAT));
    see(w, BASE_BUILT, ENOUGH);
    assert_int_equal(told_count(w, from, TOLD_HEALTH, &last), 3);
    assert_true(last->health == 0);
    one_layout(w, from, SEAT_COMPLETE);
}

static void should_get_used_to_a_camera_that_has_slowed_down(void **state)
{
    struct watch_world *w = start(state);
    see(w, BASE_BUILT, ENOUGH);
    int from = w->count;
    for (int i = 0; i < 2 * ENOUGH; i++) {
        w->t_ns += 4 * WATCH_INTERVAL_NS;
        see(w, BASE_BUILT, 1);
    }
    assert_ill_and_well(w, from, REASON_STALE);
    const struct told *layout = NULL;
    assert_true(told_count(w, from, TOLD_LAYOUT, &layout) >= 1);
    assert_string_equal(layout->id, SEAT_GRID);
}

static void should_not_call_two_pictures_at_once_a_rate(void **state)
{
    struct watch_world *w = start(state);
    see(w, BASE_BUILT, 1);
    w->t_ns -= WATCH_INTERVAL_NS - 1000000;
    see(w, BASE_BUILT, ENOUGH);
    assert_int_equal(told_count(w, 0, TOLD_HEALTH, NULL), 0);
    one_layout(w, 0, SEAT_COMPLETE);
}

static void should_refuse_a_mirrored_picture_unless_told(void **state)
{
    struct watch_world *w = start(state);
    const struct told *last = NULL;
    w->mirrored = true;
    see(w, BASE_BUILT, 30);
    assert_int_equal(told_count(w, 0, TOLD_LAYOUT, NULL), 0);
    assert_int_equal(told_count(w, 0, TOLD_HEALTH, &last), 1);
    assert_true(last->health == REASON_BIT(REASON_MIRRORED));
    struct watch_options options = world_options();
    options.mirrored = true;
    assert_int_equal(world_watch(w, options, true), 0);
    w->mirrored = true;
    see(w, BASE_BUILT, ENOUGH);
    assert_string_equal(one_layout(w, 0, SEAT_COMPLETE)->id, SEAT_GRID);
}

static void should_tell_anew_what_it_knows(void **state)
{
    struct watch_world *w = start(state);
    see(w, BASE_BUILT, ENOUGH);
    struct told before = *one_layout(w, 0, SEAT_COMPLETE);
    int from = w->count;
    vision_watch_retell(w->watch);
    const struct told *layout = one_layout(w, from, SEAT_COMPLETE);
    assert_true(layout->t_ns == before.t_ns && layout->moved_t_ns == before.moved_t_ns &&
                layout->frame == before.frame);
    assert_int_equal(told_count(w, from, TOLD_CARD, NULL), 1);
    assert_int_equal(told_count(w, from, TOLD_HEALTH, NULL), 1);
    /* in the middle of a motion there is nothing to tell but that */
    see(w, BASE_HAND, 1);
    from = w->count;
    vision_watch_retell(w->watch);
    assert_int_equal(told_count(w, from, TOLD_LAYOUT, NULL), 0);
    assert_int_equal(told_count(w, from, TOLD_MOTION, NULL), 1);
}

static bool may_be(enum watch_base base, const struct told *layout)
{
    if (base == BASE_HAND || base == BASE_HAND_2)
        return layout->state == SEAT_OCCLUDED || layout->state == SEAT_UNREADABLE;
    if (base == BASE_BUILT)
        return layout->state == SEAT_COMPLETE && strcmp(layout->id, SEAT_GRID) == 0;
    return layout->state == (base == BASE_EMPTY ? SEAT_EMPTY : SEAT_INCOMPLETE);
}

/* Whatever comes and goes at whatever moment: what is told lies there, has lain there in the
 * pictures before, and is told in none in which something moved. */
static void should_never_tell_a_layout_that_something_moves_over(void **state)
{
    static const enum watch_base bases[] = {BASE_EMPTY, BASE_HALF,   BASE_BUILT,
                                            BASE_HAND,  BASE_HAND_2, BASE_OTHER};
    struct watch_world *w = start(state);
    struct draw_random random = draw_random_seed(5, 1);
    enum watch_base now = BASE_BUILT;
    int64_t since = w->t_ns;
    int layouts = 0;
    for (int i = 0; i < 250; i++) {
        enum watch_base next = now;
        if (i > 8 && draw_random_chance(&random, 0.35))
            next = bases[draw_random_below(&random, 6)];
        bool moved = next != now;
        int from = w->count;
        const struct told *layout = NULL;
        if (moved)
            since = w->t_ns;
        now = next;
        see(w, now, 1);
        if (told_count(w, from, TOLD_LAYOUT, &layout) == 0)
            continue;
        layouts++;
        assert_false(moved);
        assert_true(may_be(now, layout));
        assert_true(layout->t_ns >= since);
    }
    assert_true(layouts > 10);
    assert_int_equal(told_count(w, 0, TOLD_HEALTH, NULL), 0);
}

/* Everything that a watch can tell, in one go. */
static void story(struct watch_world *w)
{
    see(w, BASE_EMPTY, ENOUGH);
    see(w, BASE_HAND, 1);
    see(w, BASE_HAND_2, 6);
    see(w, BASE_BUILT, ENOUGH);
    w->gain = 0.8;
    see(w, BASE_CARD_2, ENOUGH);
    see(w, BASE_KNOCK, ENOUGH);
    w->damaged = true;
    see(w, BASE_KNOCK, 3);
    w->damaged = false;
    see(w, BASE_KNOCK, ENOUGH);
}

static void should_tell_the_same_of_the_same_pictures(void **state)
{
    static struct told first[WATCH_TOLD_MAX];
    struct watch_world *w = start(state);
    story(w);
    int count = w->count;
    assert_true(count > 50 && count < WATCH_TOLD_MAX - 1);
    memcpy(first, w->told, sizeof first);
    w = start(state);
    story(w);
    assert_int_equal(w->count, count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(w->told[i].kind, first[i].kind);
        assert_int_equal(w->told[i].state, first[i].state);
        assert_string_equal(w->told[i].id, first[i].id);
        assert_true(w->told[i].t_ns == first[i].t_ns &&
                    w->told[i].moved_t_ns == first[i].moved_t_ns &&
                    w->told[i].frame == first[i].frame && w->told[i].health == first[i].health);
    }
}

static void should_take_pictures_of_another_size_for_another_place(void **state)
{
    struct watch_world *w = *state;
    const uint8_t small[3 * 64 * 48] = {0};
    struct picture picture = {.format = PICTURE_MJPEG, .width = 64, .height = 48};
    uint8_t *jpeg = NULL;
    size_t length = 0;
    assert_int_equal(world_watch(w, world_options(), false), 0);
    see(w, BASE_BUILT, ENOUGH);
    int from = w->count;
    assert_int_equal(draw_jpeg_encode(&w->optics, small, 64, 48, &jpeg, &length), 0);
    picture.bytes = jpeg;
    picture.length = length;
    for (int i = 0; i < 20; i++) {
        picture.time_ns = w->t_ns;
        picture.sequence = w->sequence++;
        assert_int_equal(vision_watch_picture(w->watch, &picture), 0);
        w->t_ns += WATCH_INTERVAL_NS;
    }
    free(jpeg);
    assert_int_equal(told_count(w, from, TOLD_LAYOUT, NULL), 0);
    see(w, BASE_BUILT, 3 * ENOUGH);
    assert_ill_and_well(w, from, REASON_MAT_MOVED);
    one_layout(w, from, SEAT_COMPLETE);
}

/* After a gap there is no picture before, but there still is the old size. */
static void should_not_mix_sizes_over_a_gap(void **state)
{
    struct watch_world *w = *state;
    const uint8_t small[3 * 64 * 48] = {0};
    struct picture picture = {.format = PICTURE_MJPEG, .width = 64, .height = 48};
    uint8_t *jpeg = NULL;
    size_t length = 0;
    assert_int_equal(world_watch(w, world_options(), false), 0);
    see(w, BASE_BUILT, ENOUGH);
    int from = w->count;
    assert_int_equal(draw_jpeg_encode(&w->optics, small, 64, 48, &jpeg, &length), 0);
    picture.bytes = jpeg;
    picture.length = length;
    picture.time_ns = w->t_ns + 50 * WATCH_INTERVAL_NS;
    picture.sequence = w->sequence;
    assert_int_equal(vision_watch_picture(w->watch, &picture), 0);
    free(jpeg);
    assert_int_equal(told_count(w, from, TOLD_LAYOUT, NULL), 0);
}

static void should_say_once_that_a_seat_is_out_of_view(void **state)
{
    struct watch_world *w = start(state);
    const struct told *layout = NULL;
    see(w, BASE_OUT, 20);
    assert_int_equal(told_count(w, 0, TOLD_HEALTH, NULL), 0);
    assert_int_equal(told_count(w, 0, TOLD_LAYOUT, &layout), 1);
    assert_true(layout->state == SEAT_UNREADABLE || layout->state == SEAT_OCCLUDED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_tell_what_lies_there_once),
        cmocka_unit_test(should_tell_a_layout_after_the_hand_has_gone),
        cmocka_unit_test(should_keep_the_time_of_the_blocks_when_only_a_hand_passed),
        cmocka_unit_test(should_tell_once_that_a_resting_hand_hides_a_seat),
        cmocka_unit_test(should_tell_a_card_shown_taken_and_replaced),
        cmocka_unit_test(should_not_take_noise_for_motion),
        cmocka_unit_test(should_hold_back_while_the_light_changes),
        cmocka_unit_test(should_go_on_through_daylight_that_fades),
        cmocka_unit_test(should_hold_back_in_the_dark),
        cmocka_unit_test(should_say_that_it_is_dark_from_the_start),
        cmocka_unit_test(should_hold_back_while_bands_run_over_the_picture),
        cmocka_unit_test(should_hold_back_while_bands_stand_still),
        cmocka_unit_test(should_rule_nothing_in_standing_bands_from_the_start),
        cmocka_unit_test(should_not_take_a_moving_arm_for_bands),
        cmocka_unit_test(should_hold_back_while_the_white_balance_changes),
        cmocka_unit_test(should_notice_a_knock_and_go_on_from_the_new_place),
        cmocka_unit_test(should_notice_a_knock_of_a_camera_that_nobody_calibrated),
        cmocka_unit_test(should_search_for_tags_on_suspicion_only),
        cmocka_unit_test(should_not_take_hidden_tags_for_a_moved_mat),
        cmocka_unit_test(should_wait_a_moment_for_tags_that_are_all_hidden),
        cmocka_unit_test(should_read_nothing_while_the_mat_is_not_seen),
        cmocka_unit_test(should_read_in_full_once_the_tags_are_free),
        cmocka_unit_test(should_pass_over_a_damaged_picture),
        cmocka_unit_test(should_hold_back_after_damaged_pictures_in_a_row),
        cmocka_unit_test(should_say_that_a_recording_has_a_gap),
        cmocka_unit_test(should_say_that_a_camera_gives_no_pictures),
        cmocka_unit_test(should_trust_nothing_after_a_restart),
        cmocka_unit_test(should_say_why_after_a_restart_there_is_no_table),
        cmocka_unit_test(should_get_used_to_a_camera_that_has_slowed_down),
        cmocka_unit_test(should_not_call_two_pictures_at_once_a_rate),
        cmocka_unit_test(should_refuse_a_mirrored_picture_unless_told),
        cmocka_unit_test(should_never_tell_a_layout_that_something_moves_over),
        cmocka_unit_test(should_tell_anew_what_it_knows),
        cmocka_unit_test(should_tell_the_same_of_the_same_pictures),
        cmocka_unit_test(should_not_mix_sizes_over_a_gap),
        cmocka_unit_test(should_say_once_that_a_seat_is_out_of_view),
        cmocka_unit_test(should_take_pictures_of_another_size_for_another_place),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
