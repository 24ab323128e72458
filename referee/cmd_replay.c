/* referee/cmd_replay.c: `tableref replay`: judges a recorded match again. */
#include "referee/cmd_replay.h"

#include "referee/cmd_game.h"
#include "referee/cmd_record.h"
#include "referee/event_shift.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_JOURNAL = CMD_KEY_OWN, KEY_OPTION };

#define OPTIONS_MOST 64

static const struct cmd_option options[] = {
    {"deck", "NAME", CMD_KEY_DECK, "what if: other cards"},
    {"set", "NAME", CMD_KEY_SET, "what if: read as other blocks"},
    {"option", "NAME=VALUE", KEY_OPTION, "what if: any option of the rules, see EVENTS.md"},
    {"journal-only", NULL, KEY_JOURNAL, "do not look at the pictures: only rule again"},
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb verb = {
    .name = "replay",
    .arguments = "MATCH",
    .about =
        "Judges a recorded match again: watches its recording with the kit that lies beside it,\n"
        "reads the layouts that the journal names, and rules on them. MATCH is the match's "
        "folder.\n"
        "Prints a line of JSON for each decision that comes out differently, and for each layout\n"
        "that is read differently. Exit status 0 only if there is none. With a what-if option the\n"
        "decisions of that other match are printed, and the status is 0.",
    .options = options,
};

struct replay {
    const char *match;
    char journal[PATH_MAX];
    struct cmd_source source;
    const char *option[OPTIONS_MOST];
    int option_count;
    bool what_if, journal_only;
    struct deck *deck; /* of what if */
    struct rewatch seen;
    size_t next[MAT_SEATS_MAX]; /* of `seen`, by seat */
    int64_t base_ns;            /* the eyes' time at 0 of the match's */
    bool based;
    long differences, layouts, unseen;
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

static void difference_print(struct replay *replay, const struct event *was,
                             const struct event *now)
{
    struct json_text line;

    replay->differences++;
    vision_json_init(&line);
    vision_json_raw(&line, "{\"read\":{\"was\":");
    referee_event_json(was, &line);
    vision_json_raw(&line, ",\"now\":");
    if (now)
        referee_event_json(now, &line);
    else
        vision_json_raw(&line, "null");
    vision_json_raw(&line, "}}");
    cmd_print(&line);
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
    replay->layouts++;
    if (told) {
        *event = *told;
        event->seq = was.seq;
        event->forced = was.forced;
        referee_event_shift(event, -replay->base_ns);
        event->t_ns = was.t_ns;
    }
    replay->unseen += told == NULL;
    if (!replay->what_if && (!told || !events_same(&was, event)))
        difference_print(replay, &was, told ? event : NULL);
}

/* ---- a match made anew ---- */

/* What one match says, in order. */
struct sayings {
    char **body;
    size_t count, room;
    bool failed;
};

static void saying_add(void *context, enum journal_kind kind, const struct decision *decision,
                       const char *body, size_t length, const struct match_state *after)
{
    struct sayings *sayings = context;

    (void)decision;
    (void)after;
    if (kind == JOURNAL_VOID)
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

    for (int i = 0; i < replay->option_count; i++)
        if (!cmd_option_set(&verb, &event->setup.rules, replay->option[i]))
            return false;
    if (!replay->source.deck)
        return true;
    event->setup.cards = NULL;
    if (strlen(replay->source.deck) >= sizeof event->setup.deck) {
        cmd_error("%s: --deck %s: the name is too long", verb.name, replay->source.deck);
        return false;
    }
    memcpy(event->setup.deck, replay->source.deck, strlen(replay->source.deck) + 1);
    if (cmd_setup_deck(event, &replay->deck, &fault))
        return true;
    cmd_error("%s: %s", verb.name, fault.text);
    return false;
}

/* All events of the match once more: as they were, or (`again`) as they are read and asked for now.
 */
static bool match_make(struct replay *replay, const struct record *from, bool again,
                       struct sayings *out)
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
        if (again && !replay->journal_only)
            event_reread(replay, &event);
        if (again && replay->what_if && event.kind == EVENT_SETUP && !setup_change(replay, &event))
            error = REFEREE_E_ARGUMENT;
        else
            error = referee_record_event(record, &event, &fault);
        words_say(record, from, seq);
    }
    referee_record_close(&record);
    if (error == REFEREE_OK && !out->failed)
        return true;
    if (fault.text[0] || out->failed)
        cmd_record_fault(replay->match, out->failed ? REFEREE_E_MEMORY : error, &fault);
    return false;
}

static void saying_print(const char *was, const char *now)
{
    printf("{\"was\":%s,\"now\":%s}\n", was ? was : "null", now ? now : "null");
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
        saying_print(fresh ? NULL : one, fresh ? other : NULL);
        differences++;
        i += !fresh;
        j += fresh;
    }
    return differences;
}

static int sayings_judge(struct replay *replay, const struct sayings *was,
                         const struct sayings *now)
{
    if (replay->what_if) {
        for (size_t i = 0; i < now->count; i++)
            printf("%s\n", now->body[i]);
        return CMD_DONE;
    }
    replay->differences += sayings_compare(was, now);
    return replay->differences == 0 ? CMD_DONE : CMD_UNUSABLE;
}

/* ---- the verb ---- */

static bool recording_watch(struct replay *replay)
{
    struct cmd_folder_about about;
    struct cmd_kit kit = {.rig = NULL};
    char path[FOLDER_FILES][PATH_MAX];
    struct cmd_source source = {.mirrored = false};

    for (int i = 0; i < FOLDER_FILES; i++)
        cmd_folder_path(replay->match, i, path[i]);
    source.set = replay->source.set ? replay->source.set : path[FOLDER_SET];
    source.mat = path[FOLDER_MAT];
    source.deck = path[FOLDER_DECK][0] ? path[FOLDER_DECK] : "none";
    source.rig = path[FOLDER_RIG][0] ? path[FOLDER_RIG] : NULL;
    bool well = cmd_folder_about_read(replay->match, &about) && cmd_kit_load(&source, &kit) &&
                cmd_rewatch(replay->match, &about, &kit, &replay->seen);
    cmd_kit_free(&kit);
    return well;
}

static void watched_tell(const struct replay *replay)
{
    const struct rewatch *seen = &replay->seen;

    fprintf(stderr, "tableref: %llu pictures seen again, %ld layouts and cards compared\n",
            (unsigned long long)seen->pictures, replay->layouts);
    if (seen->missing + seen->changed + seen->lost > 0)
        cmd_error(
            "%s: the recording lacks pictures: %llu were not kept, %llu are missing, %llu are "
            "not what was kept",
            replay->match, (unsigned long long)seen->lost, (unsigned long long)seen->missing,
            (unsigned long long)seen->changed);
}

static int replay_run(struct replay *replay)
{
    const struct calib_sink sink = cmd_record_sink();
    struct calib_fault fault = {.line = 0};
    struct sayings was = {.count = 0}, now = {.count = 0};
    struct record *record = NULL;
    int status = CMD_UNUSABLE;

    /* This alone rules on every event again, and refuses a record that says otherwise. */
    int error = referee_record_read(replay->journal, &sink, &record, &fault);
    if (error != REFEREE_OK)
        cmd_record_fault(replay->journal, error, &fault);
    else if ((replay->journal_only || recording_watch(replay)) &&
             match_make(replay, record, false, &was) && match_make(replay, record, true, &now)) {
        status = sayings_judge(replay, &was, &now);
        if (!replay->journal_only)
            watched_tell(replay);
    }
    referee_record_close(&record);
    cmd_rewatch_free(&replay->seen);
    calib_deck_destroy(&replay->deck);
    sayings_free(&was);
    sayings_free(&now);
    return cmd_finish(status);
}

static bool option_take(struct replay *replay, int key, const char *value)
{
    replay->what_if = replay->what_if || key != KEY_JOURNAL;
    replay->journal_only = replay->journal_only || key == KEY_JOURNAL;
    if (key == KEY_OPTION && replay->option_count == OPTIONS_MOST) {
        cmd_error("%s: --option: %d are the most", verb.name, OPTIONS_MOST);
        return false;
    }
    if (key == KEY_OPTION)
        replay->option[replay->option_count++] = value;
    else
        cmd_source_take(&replay->source, key, value);
    return true;
}

int cmd_replay(int argc, char **argv)
{
    struct replay *replay = calloc(1, sizeof *replay);
    const char *value;
    int first = 0, key, status = CMD_WRONG_USE;

    if (!replay) {
        cmd_error("out of memory");
        return CMD_UNUSABLE;
    }
    while ((key = cmd_options_next(&verb, argc, argv, &first, &value)) > 0 &&
           option_take(replay, key, value))
        ;
    if (key == CMD_OPTION_HELP)
        status = CMD_DONE;
    else if (key == CMD_OPTION_END && first + 1 != argc)
        cmd_error("%s: one MATCH is needed; see tableref %s --help", verb.name, verb.name);
    else if (key == CMD_OPTION_END) {
        replay->match = argv[first];
        status = CMD_UNUSABLE;
        if (cmd_journal_path(replay->match, replay->journal, sizeof replay->journal))
            status = replay_run(replay);
    }
    free(replay);
    return status;
}
