/* referee/cmd_replay.c: `tableref replay`: judges a recorded match again. */
#include "referee/cmd_replay.h"

#include "pubsub/message.h"
#include "referee/cmd_game.h"
#include "referee/cmd_listen.h"
#include "referee/cmd_record.h"
#include "referee/event_shift.h"
#include "referee/loop_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_JOURNAL = CMD_KEY_OWN,
    KEY_OPTION,
    KEY_FROM,
    KEY_TO,
    KEY_BOARD,
    KEY_SPEED,
    KEY_PAUSED,
    KEY_ONCE
};

#define OPTIONS_MOST 64

static const struct cmd_option options[] = {
    {"deck", "NAME", CMD_KEY_DECK, "what if: other cards"},
    {"set", "NAME", CMD_KEY_SET, "what if: read as other blocks"},
    {"option", "NAME=VALUE", KEY_OPTION, "what if: any option of the rules, see EVENTS.md"},
    {"journal-only", NULL, KEY_JOURNAL, "do not look at the pictures: only rule again"},
    {"from", "MOMENT", KEY_FROM,
     "only from then on: 75, 1:15, card:3, round:2, ruling:4, event:12"},
    {"to", "MOMENT", KEY_TO, "only up to then"},
    {"board", NULL, KEY_BOARD, "show it on a scoreboard's pages, where it can be wound"},
    {"speed", "N", KEY_SPEED, "of --board: 0.25 to 16 (1), or max"},
    {"paused", NULL, KEY_PAUSED, "with --board: begin at a standstill"},
    {"once", NULL, KEY_ONCE, "with --board: end at the end, and do not wait to be wound back"},
    {"text", NULL, CMD_KEY_TEXT, "with --board: decisions as lines for people, not as JSON"},
    {"rundir", "DIR", CMD_KEY_RUNDIR, "with --board, as these of run: a folder for its sockets"},
    {"table", "NAME", CMD_KEY_TABLE, "the table's name, for displays (replay)"},
    {"listen", "ADDR:PORT", CMD_KEY_LISTEN, "where the pages are (127.0.0.1:8080, or above)"},
    {"host", "NAME", CMD_KEY_HOST, "another name of the scoreboard; may be repeated"},
    {"tls-cert", "FILE", CMD_KEY_TLS_CERT, "the scoreboard's certificate: PEM"},
    {"tls-key", "FILE", CMD_KEY_TLS_KEY, "and its key"},
    {"no-scoreboard", NULL, CMD_KEY_NO_SCOREBOARD, "no pages: only its sockets"},
    {"publish", "ADDR", CMD_KEY_PUBLISH, "publish at this address, too: tcp://.."},
    {"requests", "ADDR", CMD_KEY_REQUESTS, "answer requests at this address, too"},
    {"keys", "DIR", CMD_KEY_KEYS, "the table's keys for such addresses, see tableref keys"},
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
        "decisions of that other match are printed, and the status is 0. With --board the match "
        "is\n"
        "shown again, as it stands in the journal, on boards that say that it is a replay; "
        "pictures\n"
        "are looked at only for --set. Nothing of the match is changed.",
    .options = options,
};

struct replay {
    const char *match;
    char journal[PATH_MAX];
    struct cmd_source source;
    const char *option[OPTIONS_MOST];
    int option_count;
    bool what_if, journal_only, board;
    const char *from, *to; /* as they were given */
    bool board_option;     /* one was given that is of --board alone */
    struct replay_show show;
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

/* Is this moment of the part that is looked at? */
static bool part_has(const struct replay *replay, int64_t t_ns)
{
    return t_ns >= replay->show.from_t_ns && t_ns <= replay->show.to_t_ns;
}

static void difference_print(struct replay *replay, const struct event *was,
                             const struct event *now)
{
    struct json_text line;

    if (!part_has(replay, was->t_ns))
        return;
    replay->differences++;
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
    replay->layouts += part_has(replay, was.t_ns);
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

/* What one match says, in order, in the part that is looked at. */
struct sayings {
    const struct replay *replay;
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
        if (again && !replay->journal_only)
            event_reread(replay, &event);
        if (again && replay->what_if && event.kind == EVENT_SETUP && !setup_change(replay, &event))
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

    cmd_error("%llu pictures seen again, %ld layouts and cards compared",
              (unsigned long long)seen->pictures, replay->layouts);
    if (seen->missing + seen->changed + seen->lost > 0)
        cmd_error(
            "%s: the recording lacks pictures: %llu were not kept, %llu are missing, %llu are "
            "not what was kept",
            replay->match, (unsigned long long)seen->lost, (unsigned long long)seen->missing,
            (unsigned long long)seen->changed);
}

/* The part that is looked at: all of it, when nothing else is said. */
static bool part_take(struct replay *replay, const struct record *record)
{
    struct replay_show *show = &replay->show;

    show->from_t_ns = INT64_MIN;
    show->to_t_ns = INT64_MAX;
    if ((replay->from && !cmd_replay_moment("from", replay->from, record, &show->from_t_ns)) ||
        (replay->to && !cmd_replay_moment("to", replay->to, record, &show->to_t_ns)))
        return false;
    if (show->from_t_ns <= show->to_t_ns)
        return true;
    cmd_error("%s: --to %s lies before --from %s", verb.name, replay->to, replay->from);
    return false;
}

/* The pages draw the cards and layouts with the match's own kit. */
static int board_show(struct replay *replay, const struct record *record)
{
    struct replay_show *show = &replay->show;
    const struct history *history = referee_record_history(record);
    char set[PATH_MAX] = "", mat[PATH_MAX] = "";
    struct event last;

    cmd_folder_path(replay->match, FOLDER_SET, set);
    cmd_folder_path(replay->match, FOLDER_MAT, mat);
    show->set = replay->source.set ? replay->source.set : set[0] ? set : NULL;
    show->mat = mat[0] ? mat : NULL;
    show->what_if = replay->what_if;
    if (!replay->from)
        show->from_t_ns = 0;
    if (referee_history_event(history, referee_history_last(history), &last) &&
        show->to_t_ns > last.t_ns)
        show->to_t_ns = last.t_ns;
    if (show->from_t_ns > show->to_t_ns)
        show->from_t_ns = show->to_t_ns;
    return cmd_replay_show(show, record);
}

static int replay_show(struct replay *replay, const struct record *record)
{
    struct sayings now = {.replay = replay};
    struct record *made = NULL;
    int status = CMD_UNUSABLE;

    /* Only another set reads other things in the pictures. */
    replay->journal_only = replay->journal_only || !replay->source.set;
    if (!replay->what_if)
        status = board_show(replay, record);
    else if ((replay->journal_only || recording_watch(replay)) &&
             match_make(replay, record, true, &now, &made))
        status = board_show(replay, made);
    referee_record_close(&made);
    sayings_free(&now);
    return status;
}

static int replay_judge(struct replay *replay, const struct record *record)
{
    struct sayings was = {.replay = replay}, now = {.replay = replay};
    int status = CMD_UNUSABLE;

    if ((replay->journal_only || recording_watch(replay)) &&
        match_make(replay, record, false, &was, NULL) &&
        match_make(replay, record, true, &now, NULL)) {
        status = sayings_judge(replay, &was, &now);
        if (!replay->journal_only)
            watched_tell(replay);
    }
    sayings_free(&was);
    sayings_free(&now);
    return status;
}

static int replay_run(struct replay *replay)
{
    const struct calib_sink sink = cmd_record_sink();
    struct calib_fault fault = {.line = 0};
    struct record *record = NULL;
    int status = CMD_UNUSABLE;

    /* This alone rules on every event again, and refuses a record that says otherwise. */
    int error = referee_record_read(replay->journal, &sink, &record, &fault);
    if (error != REFEREE_OK)
        cmd_record_fault(replay->journal, error, &fault);
    else if (part_take(replay, record))
        status = replay->board ? replay_show(replay, record) : replay_judge(replay, record);
    referee_record_close(&record);
    cmd_rewatch_free(&replay->seen);
    calib_deck_destroy(&replay->deck);
    return cmd_finish(status);
}

/* ---- options ---- */

/* "0.25" to "16", or "max". */
static bool speed_take(struct replay_show *show, const char *text)
{
    char *end;
    double speed = strtod(text, &end);

    show->speed_permille = 0;
    if (strcmp(text, "max") == 0)
        return true;
    bool number = end > text && *end == 0 && strspn(text, "0123456789.") == strlen(text);
    if (number && speed * 1000 >= REPLAY_SPEED_LEAST && speed * 1000 <= REPLAY_SPEED_MOST) {
        show->speed_permille = (int)(speed * 1000 + 0.5);
        return true;
    }
    cmd_error("%s: --speed %s: 0.25 to 16 is needed, or max", verb.name, text);
    return false;
}

static bool host_take(struct replay_show *show, const char *value)
{
    if (show->hosts == CMD_HOSTS_MAX) {
        cmd_error("%s: --host may be given %d times", verb.name, CMD_HOSTS_MAX);
        return false;
    }
    show->host[show->hosts++] = value;
    return true;
}

static bool table_take(struct replay_show *show, const char *value)
{
    show->table = value;
    if (pubsub_message_table_fits(value))
        return true;
    cmd_error("%s: --table %s: 1 to 32 letters, digits, - and _ are needed", verb.name, value);
    return false;
}

/* Options of --board alone; those of texts need no more than to be noted. */
static bool show_take(struct replay_show *show, int key, const char *value)
{
    const char **text = key == CMD_KEY_RUNDIR     ? &show->rundir
                        : key == CMD_KEY_LISTEN   ? &show->listen
                        : key == CMD_KEY_TLS_CERT ? &show->tls_cert
                        : key == CMD_KEY_TLS_KEY  ? &show->tls_key
                        : key == CMD_KEY_PUBLISH  ? &show->publish
                        : key == CMD_KEY_REQUESTS ? &show->requests
                        : key == CMD_KEY_KEYS     ? &show->keys
                                                  : NULL;

    if (text)
        *text = value;
    show->paused = show->paused || key == KEY_PAUSED;
    show->once = show->once || key == KEY_ONCE;
    show->text = show->text || key == CMD_KEY_TEXT;
    show->no_scoreboard = show->no_scoreboard || key == CMD_KEY_NO_SCOREBOARD;
    return key == KEY_SPEED       ? speed_take(show, value)
           : key == CMD_KEY_HOST  ? host_take(show, value)
           : key == CMD_KEY_TABLE ? table_take(show, value)
                                  : true;
}

static bool option_take(struct replay *replay, int key, const char *value)
{
    switch (key) {
    case KEY_JOURNAL:
        return replay->journal_only = true;
    case KEY_BOARD:
        return replay->board = true;
    case KEY_FROM:
        replay->from = value;
        return true;
    case KEY_TO:
        replay->to = value;
        return true;
    case CMD_KEY_DECK:
    case CMD_KEY_SET:
        replay->what_if = true;
        return cmd_source_take(&replay->source, key, value);
    case KEY_OPTION:
        break;
    default:
        replay->board_option = true;
        return show_take(&replay->show, key, value);
    }
    replay->what_if = true;
    if (replay->option_count == OPTIONS_MOST) {
        cmd_error("%s: --option: %d are the most", verb.name, OPTIONS_MOST);
        return false;
    }
    replay->option[replay->option_count++] = value;
    return true;
}

/* Do they go together? An address that was asked for must be free. */
static bool options_check(const struct replay *replay)
{
    const char *listen = replay->show.no_scoreboard ? NULL : replay->show.listen;

    if (replay->board_option && !replay->board) {
        cmd_error("%s: without --board nothing is shown; see tableref %s --help", verb.name,
                  verb.name);
        return false;
    }
    return !listen || cmd_listen_check(&verb, listen);
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
    replay->show.table = "replay";
    replay->show.speed_permille = 1000;
    while ((key = cmd_options_next(&verb, argc, argv, &first, &value)) > 0 &&
           option_take(replay, key, value))
        ;
    if (key == CMD_OPTION_HELP)
        status = CMD_DONE;
    else if (key == CMD_OPTION_END && first + 1 != argc)
        cmd_error("%s: one MATCH is needed; see tableref %s --help", verb.name, verb.name);
    else if (key == CMD_OPTION_END && options_check(replay)) {
        replay->match = argv[first];
        status = CMD_UNUSABLE;
        if (cmd_journal_path(replay->match, replay->journal, sizeof replay->journal))
            status = replay_run(replay);
    }
    free(replay);
    return status;
}
