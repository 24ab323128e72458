/* stat_matches COUNT [SEED]: random matches, legal and not, and what must hold in each of them.
 * stat_matches digest COUNT [SEED]: one digest over all that was said and the last states: what two
 * builds of the engine must agree on.
 *
 * Must hold after every event: the state's own invariants; no more said than there is room for; in
 * Quick-Play nobody wins a card on which they erred, unless all were let in again or a person gave
 * it. At a match's end: stepping over its events anew gives the same state; without an event that
 * was undone it is the state of a match in which that event never was, and putting it back brings
 * the first state back. Prints "ok"/"not ok" lines. */
#include "referee/decision_json.h"
#include "referee/digest.h"
#include "referee/history.h"
#include "referee/state_json.h"
#include "tests/stat/match_maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS_MOST 160

/* What is found wrong in a match, in a few words; the first counts. */
struct finding {
    char text[160];
};

struct match {
    struct match_maker maker;
    struct match_state state;
    struct decisions out;
    struct event event[EVENTS_MOST];
    int events;
    uint64_t erred[PLAYERS_MAX + 1][512]; /* attempts on which a seat erred, by seat */
    int errors[PLAYERS_MAX + 1];
    uint64_t cause[EVENTS_MOST * 4];
    int causes;
};

struct tally {
    long matches, events, decisions, wins, ends, undone;
    long by_game[GAME_COUNT];
};

static void find(struct finding *finding, const char *what, const struct match *match)
{
    if (finding->text[0] == 0)
        snprintf(finding->text, sizeof finding->text, "%s (event %llu)", what,
                 (unsigned long long)match->event[match->events - 1].seq);
}

static bool erred_on(const struct match *match, int seat, uint64_t attempt)
{
    for (int i = 0; i < match->errors[seat]; i++)
        if (match->erred[seat][i] == attempt)
            return true;
    return false;
}

/* Reopening lets in all who erred on that card. */
static void errors_forget(struct match *match, uint64_t attempt)
{
    for (int seat = 1; seat <= PLAYERS_MAX; seat++)
        for (int i = 0; i < match->errors[seat]; i++)
            if (match->erred[seat][i] == attempt)
                match->erred[seat][i] = 0;
}

/* Quick-Play: out is out. What a person gives, or agrees to after having put the player out, is the
 * person's. */
static void check_errors(struct match *match, const struct event *event, struct finding *finding)
{
    const struct match_state *state = &match->state;
    bool person =
        event->kind == EVENT_AWARD || event->kind == EVENT_DECIDE || event->kind == EVENT_CONFIRM;

    if (state->game != GAME_QUICK_PLAY || state->rules.value[OPTION_OWN_STACKS])
        return;
    for (int i = 0; i < match->out.count; i++) {
        const struct decision *d = &match->out.item[i];
        if (d->kind == DECISION_OUT && d->seat >= 1 && d->seat <= PLAYERS_MAX &&
            match->errors[d->seat] < 512)
            match->erred[d->seat][match->errors[d->seat]++] = d->attempt;
        /* A layout that lies there may win in the very event that lets its player in again. */
        if (d->kind == DECISION_CARD && d->why == WHY_ALL_OUT)
            errors_forget(match, d->attempt);
        if (d->kind != DECISION_WIN || person)
            continue;
        for (int seat = 1; seat <= PLAYERS_MAX; seat++)
            if ((d->seat == seat || (d->seats & (1u << (seat - 1)))) &&
                erred_on(match, seat, d->attempt))
                find(finding, "a player won a card on which they had erred", match);
    }
}

static void match_step(struct match *match, struct finding *finding, struct tally *tally)
{
    struct event *event = &match->event[match->events++];

    maker_event(&match->maker, &match->state, event);
    referee_step(&match->state, event, &match->out);
    maker_hear(&match->maker, &match->out);
    tally->events++;
    tally->decisions += match->out.count;
    if (match->out.count >= DECISIONS_MAX)
        find(finding, "more was said than there is room for", match);
    for (int i = 0; i < match->out.count; i++) {
        tally->wins += match->out.item[i].kind == DECISION_WIN;
        tally->ends += match->out.item[i].kind == DECISION_END;
        if (match->out.item[i].cause && match->causes < EVENTS_MOST * 4)
            match->cause[match->causes++] = match->out.item[i].cause;
    }
    const char *broken = referee_state_check(&match->state);
    if (broken)
        find(finding, broken, match);
    check_errors(match, event, finding);
}

static void match_play(struct match *match, uint64_t seed, struct finding *finding,
                       struct tally *tally)
{
    memset(match, 0, sizeof *match);
    maker_begin(&match->maker, seed);
    referee_state_clear(&match->state);
    int length = 20 + maker_dice(&match->maker, EVENTS_MOST - 20);
    for (int i = 0; i < length && finding->text[0] == 0; i++)
        match_step(match, finding, tally);
    tally->matches++;
    tally->by_game[match->state.game]++;
}

/* The state of these events without one of them (0: with all). */
static void fold_without(const struct match *match, uint64_t seq, struct match_state *out)
{
    static struct decisions said;

    referee_state_clear(out);
    for (int i = 0; i < match->events; i++)
        if (match->event[i].seq != seq)
            referee_step(out, &match->event[i], &said);
}

static bool same(const struct match_state *a, const struct match_state *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static void check_history(struct match *match, struct finding *finding, struct tally *tally)
{
    static struct match_state anew;
    static struct decisions said;
    struct history *history = referee_history_create();

    if (!history) {
        find(finding, "out of memory", match);
        return;
    }
    for (int i = 0; i < match->events; i++)
        if (referee_history_step(history, &match->event[i], &said) != REFEREE_OK)
            find(finding, "an event was not taken into the history", match);
    fold_without(match, 0, &anew);
    if (!same(&anew, &match->state) || !same(referee_history_state(history), &anew))
        find(finding, "stepped over anew, another state comes out", match);
    uint64_t seq = match->causes ? match->cause[maker_dice(&match->maker, match->causes)] : 0;
    if (seq && referee_history_undo(history, seq, true, NULL, NULL) == REFEREE_OK) {
        tally->undone++;
        fold_without(match, seq, &anew);
        if (!same(referee_history_state(history), &anew))
            find(finding, "an undone event left something behind", match);
        if (referee_state_check(&anew))
            find(finding, "without an undone event the state is invalid", match);
        if (referee_history_undo(history, seq, false, NULL, NULL) != REFEREE_OK ||
            !same(referee_history_state(history), &match->state))
            find(finding, "an event put back left another state", match);
    }
    referee_history_destroy(&history);
}

static int run_checks(long count, uint64_t seed)
{
    struct match *match = calloc(1, sizeof *match);
    struct tally tally = {.matches = 0};
    long wrong = 0;

    if (!match)
        return 1;
    for (long i = 0; i < count; i++) {
        struct finding finding = {.text = ""};
        match_play(match, seed + (uint64_t)i, &finding, &tally);
        check_history(match, &finding, &tally);
        if (finding.text[0] && wrong++ < 20)
            printf("not ok - match of seed %llu: %s\n", (unsigned long long)(seed + (uint64_t)i),
                   finding.text);
    }
    printf(
        "# %ld matches (%ld quick-play, %ld total-madness, %ld make5), %ld events, %ld decisions, "
        "%ld cards won, %ld ends, %ld undone\n",
        tally.matches, tally.by_game[GAME_QUICK_PLAY], tally.by_game[GAME_TOTAL_MADNESS],
        tally.by_game[GAME_MAKE5], tally.events, tally.decisions, tally.wins, tally.ends,
        tally.undone);
    /* Matches in which nothing happens would hold anything. */
    printf("%s - random matches should win cards and come to an end\n",
           tally.wins > count / 4 && tally.ends > count / 100 ? "ok" : "not ok");
    printf("%s - random matches should keep what must hold (%ld of %ld do not)\n",
           wrong ? "not ok" : "ok", wrong, count);
    free(match);
    return wrong ? 1 : 0;
}

/* Adds a digest over the one so far and these bytes; gives the text back. */
static void digest_add(char digest[DIGEST_TEXT_MAX], struct json_text *text)
{
    vision_json_raw(text, digest);
    if (!text->failed)
        referee_digest(text->bytes, text->length, digest);
    vision_json_free(text);
}

/* What a match says, and the state that it leaves, as they go on record. */
static void match_digest(uint64_t seed, char digest[DIGEST_TEXT_MAX])
{
    static struct match_maker maker;
    static struct match_state state;
    static struct decisions out;
    struct json_text text;
    struct event event;

    maker_begin(&maker, seed);
    referee_state_clear(&state);
    for (int e = 0; e < EVENTS_MOST; e++) {
        maker_event(&maker, &state, &event);
        referee_step(&state, &event, &out);
        maker_hear(&maker, &out);
        vision_json_init(&text);
        for (int i = 0; i < out.count; i++)
            referee_decision_json(&out.item[i], &state, &text);
        digest_add(digest, &text);
    }
    vision_json_init(&text);
    referee_state_json(&state, &text);
    digest_add(digest, &text);
}

static int run_digest(long count, uint64_t seed)
{
    char digest[DIGEST_TEXT_MAX] = "";

    for (long i = 0; i < count; i++)
        match_digest(seed + (uint64_t)i, digest);
    printf("%s\n", digest);
    return 0;
}

int main(int argc, char **argv)
{
    bool digest = argc > 1 && strcmp(argv[1], "digest") == 0;
    int first = digest ? 2 : 1;
    long count = argc > first ? strtol(argv[first], NULL, 10) : 0;
    uint64_t seed = argc > first + 1 ? strtoull(argv[first + 1], NULL, 10) : 1;

    if (count < 1) {
        printf("not ok - use: stat_matches [digest] COUNT [SEED]\n");
        return 1;
    }
    return digest ? run_digest(count, seed) : run_checks(count, seed);
}
