/* referee/cmd_replay_judge.c: a match on record, judged again. */
#include "referee/cmd_game.h"
#include "referee/cmd_record.h"
#include "referee/cmd_replay.h"
#include "referee/event_shift.h"

#include <stdlib.h>
#include <string.h>

/* Whose options are spoken of. */
static const struct cmd_verb verb = {.name = "replay"};

struct replay {
    const struct replay_ask *ask;
    struct deck *deck; /* of what if */
    struct rewatch seen;
    size_t next[MAT_SEATS_MAX]; /* of `seen`, by seat */
    int64_t base_ns;            /* the eyes' time at 0 of the match's */
    bool based;
    struct replay_count *count;
};

/* ---- layouts read again ---- */

/* The same event as bytes: nothing in it differs. */
static bool events_same(const struct event *one, const struct event *other)
{
    struct json_text a, b;
    bool same = false;

    vision_json_init(&a);
    vision_json_init(&b);
    referee_event_json(one, &a);
    referee_event_json(other, &b);
    if (!a.failed && !b.failed)
        same = strcmp(a.bytes, b.bytes) == 0;
    vision_json_free(&a);
    vision_json_free(&b);
    return same;
}

/* What was told of that seat from that frame. */
static const struct event *layout_find(struct replay *replay, const struct event_layout *layout)
{
    size_t seat = (size_t)(layout->seat.seat - 1) % MAT_SEATS_MAX;

    for (size_t i = replay->next[seat]; i < replay->seen.count; i++) {
        const struct event *told = &replay->seen.told[i].event;
        if (told->kind != EVENT_LAYOUT || told->layout.seat.seat != layout->seat.seat ||
            told->layout.frame != layout->frame)
            continue;
        replay->next[seat] = i; /* it may be told once more: a hearer was started again */
        return told;
    }
    return NULL;
}

static const struct event *card_find(const struct replay *replay, const struct event_card *card)
{
    for (size_t i = 0; replay->based && i < replay->seen.count; i++) {
        const struct event *told = &replay->seen.told[i].event;
        if (told->kind == EVENT_CARD && told->card.card.slot == card->card.slot &&
            told->card.first_t_ns - replay->base_ns == card->first_t_ns)
            return told;
    }
    return NULL;
}

/* Is this moment of the part that is looked at? */
static bool part_has(const struct replay *replay, int64_t t_ns)
{
    return t_ns >= replay->ask->from_t_ns && t_ns <= replay->ask->to_t_ns;
}

static void difference_print(struct replay *replay, const struct event *was,
                             const struct event *now)
{
    struct json_text line;

    if (!part_has(replay, was->t_ns))
        return;
    replay->count->differences++;
    vision_json_init(&line);
    vision_json_raw(&line, "{\"read\":{\"was\":");
    referee_event_json(was, &line);
    vision_json_raw(&line, ",\"now\":");
    line.comma = false; /* a value comes, not another member */
    if (now)
        referee_event_json(now, &line);
    else
        vision_json_raw(&line, "null");
    vision_json_raw(&line, "}}");
    if (!line.failed)
        fprintf(replay->ask->lines, "%s\n", line.bytes);
    vision_json_free(&line);
}

/* The event as it is read again. What the eyes never named a frame of, and what lies in a part of
 * the recording that is lost, stays as it was. */
static void event_reread(struct replay *replay, struct event *event)
{
    const struct event was = *event;
    const struct event *told;

    if (event->kind == EVENT_LAYOUT && event->layout.digest[0]) {
        told = layout_find(replay, &event->layout);
        if (told) {
            replay->base_ns = told->layout.first_t_ns - event->layout.first_t_ns;
            replay->based = true;
        }
    } else if (event->kind == EVENT_CARD) {
        told = card_find(replay, &event->card);
        if (!told)
            return;
    } else {
        return;
    }
    replay->count->layouts += part_has(replay, was.t_ns);
    if (told) {
        *event = *told;
        event->seq = was.seq;
        event->forced = was.forced;
        referee_event_shift(event, -replay->base_ns);
        event->t_ns = was.t_ns;
    }
    if (!replay->ask->what_if && (!told || !events_same(&was, event)))
        difference_print(replay, &was, told ? event : NULL);
}

/* ---- a match made anew ---- */

/* What one match says, in order, in the part that is looked at. */
struct sayings {
    const struct replay *replay;
    long verdicts;
    char **body;
    size_t count, room;
    bool failed;
};

static void saying_add(void *context, enum journal_kind kind, const struct decision *decision,
                       const char *body, size_t length, const struct match_state *after)
{
    struct sayings *sayings = context;

    (void)after;
    if (kind == JOURNAL_VOID || !part_has(sayings->replay, decision->t_ns))
        return;
    if (sayings->count == sayings->room) {
        size_t room = sayings->room > 0 ? 2 * sayings->room : 64;
        char **grown = realloc(sayings->body, room * sizeof *grown);
        sayings->failed = sayings->failed || !grown;
        if (!grown)
            return;
        sayings->body = grown;
        sayings->room = room;
    }
    char *copy = strndup(body, length);
    sayings->failed = sayings->failed || !copy;
    if (copy)
        sayings->body[sayings->count++] = copy;
    sayings->verdicts += decision->kind == DECISION_VERDICT;
}

static void sayings_free(struct sayings *sayings)
{
    for (size_t i = 0; i < sayings->count; i++)
        free(sayings->body[i]);
    free(sayings->body);
}

/* People's words on the past that were said behind this event. What they were about may have become
 * another thing; then they have nothing to say. */
static void words_say(struct record *to, const struct record *from, uint64_t after)
{
    size_t count = 0;
    const struct record_word *words = referee_record_words(from, &count);

    for (size_t i = 0; i < count; i++) {
        if (words[i].after != after)
            continue;
        if (words[i].kind == JOURNAL_OVERRULE)
            referee_record_overrule(to, &words[i].act, NULL);
        else
            referee_record_undo(to, &words[i].act, words[i].kind == JOURNAL_UNDO, NULL);
    }
}

static bool setup_change(struct replay *replay, struct event *event)
{
    struct calib_fault fault = {.line = 0};

    for (int i = 0; i < replay->ask->option_count; i++)
        if (!cmd_option_set(&verb, &event->setup.rules, replay->ask->option[i]))
            return false;
    if (!replay->ask->source.deck)
        return true;
    event->setup.cards = NULL;
    if (strlen(replay->ask->source.deck) >= sizeof event->setup.deck) {
        cmd_error("replay: --deck %s: the name is too long", replay->ask->source.deck);
        return false;
    }
    memcpy(event->setup.deck, replay->ask->source.deck, strlen(replay->ask->source.deck) + 1);
    if (cmd_setup_deck(event, &replay->deck, &fault))
        return true;
    cmd_error("replay: %s", fault.text);
    return false;
}

/* All events of the match once more: as they were, or (`again`) as they are read and asked for now.
 * The caller closes *made, if that is not NULL. */
static bool match_make(struct replay *replay, const struct record *from, bool again,
                       struct sayings *out, struct record **made)
{
    const struct record_output output = {.say = saying_add, .context = out};
    const struct history *history = referee_record_history(from);
    struct calib_fault fault = {.line = 0};
    struct record *record = NULL;
    struct event event;
    int error =
        referee_record_open(NULL, referee_record_header(from), &output, NULL, &record, &fault);

    for (uint64_t seq = 1; error == REFEREE_OK && seq <= referee_history_last(history); seq++) {
        if (!referee_history_event(history, seq, &event))
            continue;
        event.seq = seq;
        if (again && !replay->ask->journal_only)
            event_reread(replay, &event);
        if (again && replay->ask->what_if && event.kind == EVENT_SETUP &&
            !setup_change(replay, &event))
            error = REFEREE_E_ARGUMENT;
        else
            error = referee_record_event(record, &event, &fault);
        words_say(record, from, seq);
    }
    bool well = error == REFEREE_OK && !out->failed;
    if (well && made)
        *made = record;
    else
        referee_record_close(&record);
    if (well)
        return true;
    if (fault.text[0] || out->failed)
        cmd_record_fault(replay->ask->match, out->failed ? REFEREE_E_MEMORY : error, &fault);
    return false;
}

static void saying_print(FILE *lines, const char *was, const char *now)
{
    fprintf(lines, "{\"was\":%s,\"now\":%s}\n", was ? was : "null", now ? now : "null");
}

static const char *saying_at(const struct sayings *sayings, size_t i)
{
    return i < sayings->count ? sayings->body[i] : NULL;
}

static bool saying_is(const struct sayings *sayings, size_t i, const char *body)
{
    const char *said = saying_at(sayings, i);

    return said && body && strcmp(said, body) == 0;
}

/* Decisions in their order; a first one that is missing or new shifts no others. */
static long sayings_compare(const struct sayings *was, const struct sayings *now)
{
    long differences = 0;
    size_t i = 0, j = 0;

    while (i < was->count || j < now->count) {
        const char *one = saying_at(was, i), *other = saying_at(now, j);
        if (saying_is(now, j, one)) {
            i++;
            j++;
            continue;
        }
        /* Does the one come later among the others? Then those before it are new. */
        size_t ahead = j;
        while (one && ahead < now->count && !saying_is(now, ahead, one))
            ahead++;
        bool fresh = other && (!one || ahead < now->count);
        saying_print(was->replay->ask->lines, fresh ? NULL : one, fresh ? other : NULL);
        differences++;
        i += !fresh;
        j += fresh;
    }
    return differences;
}

static int sayings_judge(struct replay *replay, const struct sayings *was,
                         const struct sayings *now)
{
    if (replay->ask->what_if) {
        for (size_t i = 0; i < now->count; i++)
            fprintf(replay->ask->lines, "%s\n", now->body[i]);
        return CMD_DONE;
    }
    replay->count->differences += sayings_compare(was, now);
    return replay->count->differences == 0 ? CMD_DONE : CMD_UNUSABLE;
}
static bool recording_watch(struct replay *replay)
{
    struct cmd_folder_about about;
    struct cmd_kit kit = {.rig = NULL};
    char path[FOLDER_FILES][PATH_MAX];
    struct cmd_source source = {.mirrored = false};

    for (int i = 0; i < FOLDER_FILES; i++)
        cmd_folder_path(replay->ask->match, i, path[i]);
    source.set = replay->ask->source.set ? replay->ask->source.set : path[FOLDER_SET];
    source.mat = path[FOLDER_MAT];
    source.deck = path[FOLDER_DECK][0] ? path[FOLDER_DECK] : "none";
    source.rig = path[FOLDER_RIG][0] ? path[FOLDER_RIG] : NULL;
    bool well = cmd_folder_about_read(replay->ask->match, &about) && cmd_kit_load(&source, &kit) &&
                cmd_rewatch(replay->ask->match, &about, &kit, &replay->seen);
    cmd_kit_free(&kit);
    replay->count->pictures = replay->seen.pictures;
    replay->count->missing = replay->seen.missing;
    replay->count->changed = replay->seen.changed;
    replay->count->lost = replay->seen.lost;
    return well;
}

static void replay_end(struct replay *replay)
{
    cmd_rewatch_free(&replay->seen);
    calib_deck_destroy(&replay->deck);
}

int cmd_replay_judge(const struct replay_ask *ask, const struct record *record,
                     struct replay_count *count)
{
    struct replay replay = {.ask = ask, .count = count};
    struct sayings was = {.replay = &replay}, now = {.replay = &replay};
    int status = CMD_UNUSABLE;

    memset(count, 0, sizeof *count);
    if ((ask->journal_only || recording_watch(&replay)) &&
        match_make(&replay, record, false, &was, NULL) &&
        match_make(&replay, record, true, &now, NULL)) {
        status = sayings_judge(&replay, &was, &now);
        count->judged = true;
    }
    count->verdicts = was.verdicts;
    sayings_free(&was);
    sayings_free(&now);
    replay_end(&replay);
    return status;
}

bool cmd_replay_make(const struct replay_ask *ask, const struct record *record,
                     struct record **made)
{
    struct replay_count count = {.differences = 0};
    struct replay replay = {.ask = ask, .count = &count};
    struct sayings now = {.replay = &replay};

    bool well = (ask->journal_only || recording_watch(&replay)) &&
                match_make(&replay, record, true, &now, made);
    sayings_free(&now);
    replay_end(&replay);
    return well;
}
