/* A follower tells every decision that stands, once, whatever is lost, doubled or restarted. */
#include "pubsub/track.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DECISIONS_MOST 600
#define SNAPSHOT_MOST 1000
#define TEXT_MOST ((size_t)1 << 17)

/* ---- a table that publishes ---- */

struct decision {
    int seq, index, says;
    bool stands;
};

struct table {
    struct message_head head;
    uint64_t seq[MESSAGE_KINDS];
    struct decision decision[DECISIONS_MOST];
    int decisions, events, states;
    bool heads; /* its states tell them */
};

static void table_begin(struct table *table, int epoch, const char *source)
{
    *table = (struct table){.heads = true};
    snprintf(table->head.table, sizeof table->head.table, "4");
    snprintf(table->head.match, sizeof table->head.match, "final");
    snprintf(table->head.source, sizeof table->head.source, "%s", source);
    table->head.epoch = epoch;
}

static void table_restart(struct table *table, unsigned number)
{
    snprintf(table->head.source, sizeof table->head.source, "%016x", number);
    table->head.epoch++;
    memset(table->seq, 0, sizeof table->seq);
}

static void message_make(struct table *table, enum message_kind kind, const char *members,
                         char **out, size_t *length)
{
    table->head.kind = kind;
    table->head.seq = ++table->seq[kind];
    table->head.t_ns++;
    assert_int_equal(pubsub_message_make(&table->head, members, out, length), 0);
}

static int decision_print(const struct decision *decision, char *out, size_t size)
{
    return snprintf(out, size, "{\"v\":1,\"seq\":%d,\"index\":%d,\"decision\":\"win\",\"says\":%d}",
                    decision->seq, decision->index, decision->says);
}

static int heads_print(const struct table *table, char *out, size_t size)
{
    return snprintf(
        out, size,
        "\"heads\":{\"verdict\":%d,\"void\":%d,\"state\":%d,\"layout\":%d,\"health\":%d}",
        (int)table->seq[0], (int)table->seq[1], (int)table->seq[2], (int)table->seq[3],
        (int)table->seq[4]);
}

static void verdict_make(struct table *table, const struct decision *decision, char **out,
                         size_t *length)
{
    char members[200] = "\"decision\":";

    decision_print(decision, members + strlen(members), sizeof members - strlen(members));
    message_make(table, MESSAGE_VERDICT, members, out, length);
}

static void void_make(struct table *table, const struct decision *decision, char **out,
                      size_t *length)
{
    char members[100];

    snprintf(members, sizeof members, "\"decision\":{\"seq\":%d,\"index\":%d}", decision->seq,
             decision->index);
    message_make(table, MESSAGE_VOID, members, out, length);
}

static void state_make(struct table *table, char **out, size_t *length)
{
    char members[300];
    int used = snprintf(members, sizeof members, "\"state\":{\"n\":%d},\"clocks\":{\"t_ns\":1}",
                        ++table->states);

    if (table->heads) {
        table->seq[MESSAGE_STATE]++;
        members[used++] = ',';
        heads_print(table, members + used, sizeof members - (size_t)used);
        table->seq[MESSAGE_STATE]--;
    }
    message_make(table, MESSAGE_STATE, members, out, length);
}

static void layout_make(struct table *table, char **out, size_t *length)
{
    message_make(table, MESSAGE_LAYOUT,
                 "\"layout\":{\"settled\":true,\"seat\":{\"seat\":2},"
                 "\"slot\":null}",
                 out, length);
}

/* The answer to that request. */
static size_t snapshot_make(const struct table *table, const char *request, char *out)
{
    const char *id = strstr(request, "\"id\":");
    size_t used = 0;

    assert_non_null(id);
    used += (size_t)snprintf(out, TEXT_MOST,
                             "{\"v\":1,%.*s,\"ok\":true,\"table\":\"%s\","
                             "\"match\":\"%s\",\"source\":\"%s\",\"epoch\":%d,",
                             (int)strcspn(id, ","), id, table->head.table, table->head.match,
                             table->head.source, (int)table->head.epoch);
    used += (size_t)heads_print(table, out + used, TEXT_MOST - used);
    used += (size_t)snprintf(
        out + used, TEXT_MOST - used,
        ",\"state\":{\"n\":%d},\"clocks\":{\"t_ns\":1},\"health\":{\"reasons\":[]},"
        "\"layouts\":[{\"settled\":true,\"seat\":{\"seat\":1},\"slot\":null}],"
        "\"decisions\":[",
        table->states);
    for (int i = 0, any = 0; i < table->decisions; i++)
        if (table->decision[i].stands) {
            if (any++)
                out[used++] = ',';
            used += (size_t)decision_print(&table->decision[i], out + used, TEXT_MOST - used);
        }
    used += (size_t)snprintf(out + used, TEXT_MOST - used, "]}");
    assert_true(used < TEXT_MOST);
    return used;
}

/* ---- who is told ---- */

struct display {
    struct decision told[DECISIONS_MOST]; /* that stand */
    int count, state, states, layouts, healths, lates, lives;
    int noted[FOLLOW_KEY + 1];
    char text[256];
    int64_t epoch;
    bool wrong;
};

static int display_find(const struct display *display, int seq, int index)
{
    for (int i = 0; i < display->count; i++)
        if (display->told[i].seq == seq && display->told[i].index == index)
            return i;
    return -1;
}

static int whole(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

static void display_verdict(struct display *display, const json_t *own)
{
    struct decision decision = {whole(own, "seq"), whole(own, "index"), whole(own, "says"), true};

    /* Told twice, or another one of that name was not taken back. */
    if (display_find(display, decision.seq, decision.index) >= 0 ||
        display->count == DECISIONS_MOST)
        display->wrong = true;
    else
        display->told[display->count++] = decision;
}

static void display_void(struct display *display, const json_t *own)
{
    int at = display_find(display, whole(own, "seq"), whole(own, "index"));

    if (at < 0)
        display->wrong = true;
    else
        display->told[at] = display->told[--display->count];
}

static void display_message(void *context, const struct message_head *head, const json_t *body,
                            bool late)
{
    struct display *display = context;
    const json_t *own = json_object_get(body, "decision");
    int state = whole(json_object_get(body, "state"), "n");

    if (whole(body, "seq") != (int)head->seq || whole(body, "epoch") != (int)head->epoch ||
        strcmp(json_string_value(json_object_get(body, "source")), head->source) != 0)
        display->wrong = true;
    display->lates += late;
    display->lives += !late;
    if (head->kind == MESSAGE_VERDICT)
        display_verdict(display, own);
    else if (head->kind == MESSAGE_VOID)
        display_void(display, own);
    else if (head->kind == MESSAGE_LAYOUT)
        display->layouts++;
    else if (head->kind == MESSAGE_HEALTH)
        display->healths++;
    else {
        if (state <= display->state || head->epoch < display->epoch)
            display->wrong = true;
        display->state = state;
        display->states++;
    }
    display->epoch = head->epoch;
}

static void display_note(void *context, enum follow_note what, const char *text)
{
    struct display *display = context;

    display->noted[what]++;
    snprintf(display->text, sizeof display->text, "%s", text);
}

static bool display_shows(const struct display *display, const struct table *table)
{
    int standing = 0;

    for (int i = 0; i < table->decisions; i++) {
        const struct decision *decision = &table->decision[i];
        if (!decision->stands)
            continue;
        int at = display_find(display, decision->seq, decision->index);
        if (at < 0 || display->told[at].says != decision->says)
            return false;
        standing++;
    }
    return standing == display->count && display->state == table->states && !display->wrong;
}

/* ---- both ---- */

struct scene {
    struct table table;
    struct display display;
    struct track *track;
    int64_t now_ms;
    char *answer;
};

static int scene_open(void **state)
{
    struct scene *s = calloc(1, sizeof *s);
    struct track_options options = {
        .table = "4",
        .kinds = ~0u,
        .sink = {display_message, display_note, NULL},
        .seed = 7,
    };

    if (!s)
        return -1;
    options.sink.context = &s->display;
    table_begin(&s->table, 1, "00c0ffee00c0ffee");
    s->answer = malloc(TEXT_MOST);
    s->track = pubsub_track_create(&options, 0);
    *state = s;
    return s->answer && s->track ? 0 : -1;
}

static int scene_close(void **state)
{
    struct scene *s = *state;

    pubsub_track_destroy(&s->track);
    free(s->answer);
    free(s);
    return 0;
}

static void hear(struct scene *s, const char *text, size_t length)
{
    pubsub_track_message(s->track, text, length, s->now_ms);
}

/* Made by `make`, heard or lost. */
static void pass(struct scene *s, void (*make)(struct table *, char **, size_t *), bool heard)
{
    size_t length;
    char *text;

    make(&s->table, &text, &length);
    if (heard)
        hear(s, text, length);
    free(text);
}

static void decide(struct scene *s, bool heard)
{
    struct table *table = &s->table;
    struct decision *made = &table->decision[table->decisions++];
    size_t length;
    char *text;

    *made = (struct decision){++table->events, 0, table->events, true};
    verdict_make(table, made, &text, &length);
    if (heard)
        hear(s, text, length);
    free(text);
}

/* Answers what is asked by now; how many questions that were. */
static int answer(struct scene *s)
{
    char request[TRACK_REQUEST_MAX];
    int asked = 0;

    for (; pubsub_track_ask(s->track, s->now_ms, request) > 0; asked++) {
        size_t length = snapshot_make(&s->table, request, s->answer);
        pubsub_track_answer(s->track, s->answer, length, s->now_ms);
    }
    return asked;
}

static void wait_ms(struct scene *s, int time_ms)
{
    s->now_ms += time_ms;
    pubsub_track_tick(s->track, s->now_ms);
}

static void follower_should_tell_a_late_comer_what_stands(void **state)
{
    struct scene *s = *state;

    decide(s, false);
    decide(s, false);
    s->table.decision[0].stands = false;
    pass(s, state_make, false);
    assert_int_equal(answer(s), 1);
    assert_int_equal(s->display.noted[FOLLOW_JOINED], 1);
    assert_true(display_shows(&s->display, &s->table));
    assert_int_equal(s->display.lates, 2);
    decide(s, true);
    pass(s, state_make, true);
    assert_true(display_shows(&s->display, &s->table));
    assert_int_equal(s->display.lives, 2);
}

static void follower_should_say_a_gap_and_heal_it(void **state)
{
    struct scene *s = *state;

    pass(s, state_make, true);
    answer(s);
    decide(s, true);
    answer(s);
    decide(s, false);
    decide(s, true);
    assert_int_equal(s->display.noted[FOLLOW_GAP], 1);
    assert_non_null(strstr(s->display.text, "1 verdict message was missed"));
    assert_int_equal(s->display.count, 1);
    wait_ms(s, 200);
    assert_int_equal(answer(s), 1);
    assert_true(display_shows(&s->display, &s->table));
    assert_int_equal(s->display.noted[FOLLOW_JOINED], 2);
}

static void follower_should_learn_of_a_lost_last_decision_by_the_next_state(void **state)
{
    struct scene *s = *state;

    pass(s, state_make, true);
    answer(s);
    pass(s, state_make, true);
    decide(s, false);
    pass(s, state_make, true);
    assert_int_equal(s->display.noted[FOLLOW_GAP], 1);
    wait_ms(s, 200);
    answer(s);
    assert_true(display_shows(&s->display, &s->table));
}

/* A table whose states have no heads: a snapshot is asked for again once the subscription stands.
 */
static void follower_should_ask_again_once_it_hears(void **state)
{
    struct scene *s = *state;

    s->table.heads = false;
    answer(s);
    decide(s, false);
    pass(s, state_make, true);
    wait_ms(s, 200);
    assert_int_equal(answer(s), 1);
    assert_true(display_shows(&s->display, &s->table));
    pass(s, state_make, true);
    wait_ms(s, 200);
    assert_int_equal(answer(s), 0);
}

static void follower_should_take_back_what_it_missed_to_be_void(void **state)
{
    struct scene *s = *state;

    answer(s);
    decide(s, true);
    decide(s, true);
    s->table.decision[0].stands = false;
    s->table.decision[1].says = 77;
    s->table.seq[MESSAGE_VOID] += 2;
    s->table.seq[MESSAGE_VERDICT]++;
    pass(s, state_make, true);
    wait_ms(s, 200);
    answer(s);
    assert_true(display_shows(&s->display, &s->table));
}

static void follower_should_go_on_with_a_new_epoch_and_pass_over_the_old_one(void **state)
{
    struct scene *s = *state;
    size_t length;
    char *old;

    answer(s);
    decide(s, true);
    state_make(&s->table, &old, &length);
    table_restart(&s->table, 2);
    /* In the journal, but the process died before it was published. */
    s->table.decision[s->table.decisions++] = (struct decision){++s->table.events, 0, 9, true};
    pass(s, state_make, true);
    decide(s, true);
    wait_ms(s, 200);
    assert_int_equal(answer(s), 1);
    assert_true(display_shows(&s->display, &s->table));
    assert_int_equal(s->display.noted[FOLLOW_TWO], 0);
    assert_int_equal(s->display.noted[FOLLOW_GAP], 0);
    /* Its last words, and the process that should be dead is not. */
    hear(s, old, length);
    assert_true(display_shows(&s->display, &s->table));
    assert_int_equal(s->display.noted[FOLLOW_TWO], 1);
    hear(s, old, length);
    assert_int_equal(s->display.noted[FOLLOW_TWO], 1);
    free(old);
}

static void follower_should_take_last_words_for_what_they_are(void **state)
{
    struct scene *s = *state;
    size_t length;
    char *old;

    answer(s);
    pass(s, state_make, true);
    state_make(&s->table, &old, &length);
    table_restart(&s->table, 2);
    wait_ms(s, 2000);
    answer(s);
    assert_int_equal(s->display.noted[FOLLOW_JOINED], 2);
    hear(s, old, length);
    pass(s, state_make, true);
    assert_int_equal(s->display.noted[FOLLOW_TWO], 0);
    assert_true(display_shows(&s->display, &s->table));
    free(old);
}

static void follower_should_say_that_two_publish(void **state)
{
    static struct table two;
    struct scene *s = *state;
    size_t length;
    char *text;

    answer(s);
    decide(s, true);
    answer(s);
    table_begin(&two, 1, "bad0000000000bad");
    for (int i = 0; i < 4; i++) {
        state_make(&two, &text, &length);
        hear(s, text, length);
        free(text);
        wait_ms(s, 200);
        answer(s);
        decide(s, true);
        pass(s, state_make, true);
    }
    assert_int_equal(s->display.noted[FOLLOW_TWO], 1);
    assert_true(display_shows(&s->display, &s->table));
}

static void follower_should_follow_a_new_match(void **state)
{
    struct scene *s = *state;

    s->table.head.epoch = 5;
    answer(s);
    decide(s, true);
    table_begin(&s->table, 1, "0000000000000002");
    snprintf(s->table.head.match, sizeof s->table.head.match, "semi");
    s->display.count = s->display.state = 0;
    s->display.epoch = 1;
    pass(s, state_make, true);
    decide(s, true);
    wait_ms(s, 200);
    answer(s);
    assert_true(display_shows(&s->display, &s->table));
}

static void follower_should_say_stale_once_and_back(void **state)
{
    struct scene *s = *state;

    answer(s);
    pass(s, state_make, true);
    wait_ms(s, FOLLOW_STALE_MS - 1);
    assert_int_equal(s->display.noted[FOLLOW_STALE], 0);
    wait_ms(s, 1);
    wait_ms(s, 500);
    assert_int_equal(s->display.noted[FOLLOW_STALE], 1);
    /* It answers still, but that is not what a board is fed by. */
    answer(s);
    wait_ms(s, 3000);
    answer(s);
    assert_int_equal(s->display.noted[FOLLOW_STALE], 1);
    assert_int_equal(s->display.noted[FOLLOW_JOINED], 1);
    pass(s, state_make, true);
    assert_int_equal(s->display.noted[FOLLOW_BACK], 1);
    assert_true(display_shows(&s->display, &s->table));
}

static void follower_should_ask_again_when_no_answer_comes(void **state)
{
    struct scene *s = *state;
    char request[TRACK_REQUEST_MAX], before[TRACK_REQUEST_MAX];
    int asked = 0;

    assert_true(pubsub_track_ask(s->track, 0, before) > 0);
    for (int i = 0; i < 100; i++) {
        s->now_ms += 100;
        asked += pubsub_track_ask(s->track, s->now_ms, request) > 0;
    }
    assert_in_range(asked, 3, 6);
    /* The answer to a request that was given up. */
    size_t length = snapshot_make(&s->table, before, s->answer);
    pubsub_track_answer(s->track, s->answer, length, s->now_ms);
    assert_int_equal(s->display.noted[FOLLOW_JOINED], 0);
    length = snapshot_make(&s->table, request, s->answer);
    pubsub_track_answer(s->track, s->answer, length, s->now_ms);
    assert_int_equal(s->display.noted[FOLLOW_JOINED], 1);
}

static void follower_should_pass_over_rubbish(void **state)
{
    static const char *const rubbish[] = {
        "",
        " ",
        "state.4",
        "state.4 ",
        "state.4 {",
        "state.4 []",
        "state.4 {}",
        "state.5 {\"v\":1}",
        "\xff\xfe\x00",
        "state.4 {\"v\":1,\"table\":\"4\",\"match\":\"final\",\"source\":1}",
    };
    struct scene *s = *state;
    char request[TRACK_REQUEST_MAX], text[200];

    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < sizeof rubbish / sizeof rubbish[0]; i++) {
            hear(s, rubbish[i], strlen(rubbish[i]));
            pubsub_track_answer(s->track, rubbish[i], strlen(rubbish[i]), s->now_ms);
        }
        answer(s);
    }
    assert_int_equal(s->display.noted[FOLLOW_JOINED], 1);
    assert_int_equal(s->display.lives, 0);
    /* Answers that lack something. */
    wait_ms(s, 5000);
    assert_true(pubsub_track_ask(s->track, s->now_ms, request) > 0);
    snprintf(text, sizeof text, "{%.*s,\"ok\":true,\"table\":\"4\",\"heads\":[]}",
             (int)strcspn(strstr(request, "\"id\""), ","), strstr(request, "\"id\""));
    pubsub_track_answer(s->track, text, strlen(text), s->now_ms);
    assert_int_equal(s->display.noted[FOLLOW_JOINED], 1);
}

static void follower_should_not_take_another_table(void **state)
{
    struct scene *s = *state;

    snprintf(s->table.head.table, sizeof s->table.head.table, "5");
    answer(s);
    assert_int_equal(s->display.noted[FOLLOW_JOINED], 0);
    wait_ms(s, FOLLOW_STALE_MS);
    assert_non_null(strstr(s->display.text, "table 5 answers there"));
}

static void follower_should_tell_only_the_kinds_wanted(void **state)
{
    struct scene *s = *state;
    struct track_options options = {.kinds = 1u << MESSAGE_VERDICT,
                                    .sink = {display_message, display_note, &s->display}};

    pubsub_track_destroy(&s->track);
    s->track = pubsub_track_create(&options, 0);
    assert_non_null(s->track);
    pass(s, layout_make, true);
    decide(s, true);
    answer(s);
    pass(s, layout_make, false);
    pass(s, layout_make, true);
    decide(s, true);
    pass(s, state_make, true);
    assert_int_equal(s->display.layouts + s->display.healths, 0);
    assert_int_equal(s->display.noted[FOLLOW_GAP], 0);
    assert_true(display_shows(&s->display, &s->table));
}

static void follower_should_bound_what_it_keeps(void **state)
{
    struct scene *s = *state;

    /* No snapshot comes for a long time. */
    for (int i = 0; i < 10000; i++)
        pass(s, state_make, true);
    decide(s, false);
    for (int i = 0; i < 6 && !display_shows(&s->display, &s->table); i++) {
        wait_ms(s, 200);
        answer(s);
        pass(s, state_make, true);
    }
    assert_true(display_shows(&s->display, &s->table));
}

/* ---- whatever happens ---- */

static uint32_t draw(uint32_t *dice, uint32_t below)
{
    *dice = *dice * 1664525u + 1013904223u;
    return (*dice >> 8) % below;
}

struct chance {
    uint32_t dice;
    uint32_t lost, doubled, unanswered; /* of a hundred */
    size_t answer;                      /* length of the one under way */
    int answer_in;
    char *under_way;
};

static void chance_hear(struct scene *s, struct chance *chance, char *text, size_t length)
{
    if (draw(&chance->dice, 100) >= chance->lost)
        hear(s, text, length);
    if (draw(&chance->dice, 100) < chance->doubled)
        hear(s, text, length);
    free(text);
}

static void chance_undo(struct scene *s, struct chance *chance)
{
    struct table *table = &s->table;
    size_t length;
    char *text;

    if (table->decisions == 0)
        return;
    struct decision *one = &table->decision[draw(&chance->dice, (uint32_t)table->decisions)];
    if (one->stands) {
        void_make(table, one, &text, &length);
        chance_hear(s, chance, text, length);
    }
    /* Sometimes another decision comes in its place, or the same again. */
    one->stands = draw(&chance->dice, 2);
    one->says += draw(&chance->dice, 2) ? 1000 : 0;
    if (one->stands) {
        verdict_make(table, one, &text, &length);
        chance_hear(s, chance, text, length);
    }
}

static void chance_step(struct scene *s, struct chance *chance)
{
    static void (*const make[])(struct table *, char **, size_t *) = {state_make, layout_make};
    struct table *table = &s->table;
    uint32_t what = draw(&chance->dice, 100);
    size_t length;
    char *text;

    if (what < 35 && table->decisions < DECISIONS_MOST) {
        struct decision *made = &table->decision[table->decisions++];
        *made =
            (struct decision){++table->events, (int)draw(&chance->dice, 3), table->events, true};
        if (what < 3) { /* it is in the journal, but the process dies first */
            table_restart(table, 1000 + (unsigned)table->events);
            return;
        }
        verdict_make(table, made, &text, &length);
    } else if (what < 50) {
        chance_undo(s, chance);
        return;
    } else {
        make[what % 2](table, &text, &length);
    }
    chance_hear(s, chance, text, length);
}

/* An answer is made when it is asked for, and comes some steps later, or never. */
static void chance_answer(struct scene *s, struct chance *chance)
{
    char request[TRACK_REQUEST_MAX];

    if (pubsub_track_ask(s->track, s->now_ms, request) > 0 &&
        draw(&chance->dice, 100) >= chance->unanswered) {
        chance->answer = snapshot_make(&s->table, request, chance->under_way);
        chance->answer_in = (int)draw(&chance->dice, 4);
    }
    if (chance->answer > 0 && chance->answer_in-- <= 0) {
        pubsub_track_answer(s->track, chance->under_way, chance->answer, s->now_ms);
        chance->answer = 0;
    }
}

static bool chance_play(struct scene *s, uint32_t seed)
{
    struct chance chance = {.dice = seed, .under_way = malloc(TEXT_MOST)};

    assert_non_null(chance.under_way);
    chance.lost = draw(&chance.dice, 3) * 15;
    chance.doubled = draw(&chance.dice, 3) * 10;
    chance.unanswered = draw(&chance.dice, 3) * 30;
    for (int i = 0; i < 300; i++) {
        chance_step(s, &chance);
        wait_ms(s, (int)draw(&chance.dice, 120));
        chance_answer(s, &chance);
        if (s->display.wrong)
            break;
    }
    /* And then the link holds. */
    chance.lost = chance.doubled = chance.unanswered = 0;
    for (int i = 0; i < 80 && !s->display.wrong; i++) {
        if (i % 8 == 0)
            pass(s, state_make, true);
        wait_ms(s, 110);
        chance_answer(s, &chance);
    }
    free(chance.under_way);
    return display_shows(&s->display, &s->table) && s->display.noted[FOLLOW_TWO] == 0;
}

static void follower_should_miss_nothing_and_tell_nothing_twice(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 300; seed++) {
        void *scene = NULL;
        assert_int_equal(scene_open(&scene), 0);
        if (!chance_play(scene, seed * 2654435761u))
            fail_msg("seed %u: %s", seed, ((struct scene *)scene)->display.text);
        scene_close(&scene);
    }
}

#define IN_SCENE(name) cmocka_unit_test_setup_teardown(name, scene_open, scene_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCENE(follower_should_tell_a_late_comer_what_stands),
        IN_SCENE(follower_should_say_a_gap_and_heal_it),
        IN_SCENE(follower_should_learn_of_a_lost_last_decision_by_the_next_state),
        IN_SCENE(follower_should_ask_again_once_it_hears),
        IN_SCENE(follower_should_take_back_what_it_missed_to_be_void),
        IN_SCENE(follower_should_go_on_with_a_new_epoch_and_pass_over_the_old_one),
        IN_SCENE(follower_should_take_last_words_for_what_they_are),
        IN_SCENE(follower_should_say_that_two_publish),
        IN_SCENE(follower_should_follow_a_new_match),
        IN_SCENE(follower_should_say_stale_once_and_back),
        IN_SCENE(follower_should_ask_again_when_no_answer_comes),
        IN_SCENE(follower_should_pass_over_rubbish),
        IN_SCENE(follower_should_not_take_another_table),
        IN_SCENE(follower_should_tell_only_the_kinds_wanted),
        IN_SCENE(follower_should_bound_what_it_keeps),
        cmocka_unit_test(follower_should_miss_nothing_and_tell_nothing_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
