/* referee/cmd_replay.c: `tableref replay`: judges a recorded match again. */
#include "referee/cmd_replay.h"

#include "pubsub/message.h"
#include "referee/cmd_listen.h"
#include "referee/cmd_record.h"
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
    struct replay_ask ask;
    char journal[PATH_MAX];
    bool board;
    bool board_option;     /* one was given that is of --board alone */
    const char *from, *to; /* as they were given */
    struct replay_show show;
};

/* ---- the verb ---- */

/* The part that is looked at: all of it, when nothing else is said. */
static bool part_take(struct replay *replay, const struct record *record)
{
    struct replay_ask *ask = &replay->ask;

    ask->from_t_ns = INT64_MIN;
    ask->to_t_ns = INT64_MAX;
    if ((replay->from && !cmd_replay_moment("from", replay->from, record, &ask->from_t_ns)) ||
        (replay->to && !cmd_replay_moment("to", replay->to, record, &ask->to_t_ns)))
        return false;
    if (ask->from_t_ns <= ask->to_t_ns)
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

    cmd_folder_path(replay->ask.match, FOLDER_SET, set);
    cmd_folder_path(replay->ask.match, FOLDER_MAT, mat);
    show->set = replay->ask.source.set ? replay->ask.source.set : set[0] ? set : NULL;
    show->mat = mat[0] ? mat : NULL;
    show->what_if = replay->ask.what_if;
    show->from_t_ns = replay->from ? replay->ask.from_t_ns : 0;
    show->to_t_ns = replay->ask.to_t_ns;
    if (referee_history_event(history, referee_history_last(history), &last) &&
        show->to_t_ns > last.t_ns)
        show->to_t_ns = last.t_ns;
    if (show->from_t_ns > show->to_t_ns)
        show->from_t_ns = show->to_t_ns;
    return cmd_replay_show(show, record);
}

static int replay_show(struct replay *replay, const struct record *record)
{
    struct record *made = NULL;

    /* Only another set reads other things in the pictures. */
    replay->ask.journal_only = replay->ask.journal_only || !replay->ask.source.set;
    if (!replay->ask.what_if)
        return board_show(replay, record);
    if (!cmd_replay_make(&replay->ask, record, &made))
        return CMD_UNUSABLE;
    int status = board_show(replay, made);
    referee_record_close(&made);
    return status;
}

static void watched_tell(const struct replay *replay, const struct replay_count *count)
{
    cmd_error("%llu pictures seen again, %ld layouts and cards compared",
              (unsigned long long)count->pictures, count->layouts);
    if (count->missing + count->changed + count->lost > 0)
        cmd_error(
            "%s: the recording lacks pictures: %llu were not kept, %llu are missing, %llu are "
            "not what was kept",
            replay->ask.match, (unsigned long long)count->lost, (unsigned long long)count->missing,
            (unsigned long long)count->changed);
}

static int replay_judge(const struct replay *replay, const struct record *record)
{
    struct replay_count count;
    int status = cmd_replay_judge(&replay->ask, record, &count);

    if (count.judged && !replay->ask.journal_only)
        watched_tell(replay, &count);
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
        return replay->ask.journal_only = true;
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
        replay->ask.what_if = true;
        return cmd_source_take(&replay->ask.source, key, value);
    case KEY_OPTION:
        break;
    default:
        replay->board_option = true;
        return show_take(&replay->show, key, value);
    }
    replay->ask.what_if = true;
    if (replay->ask.option_count == REPLAY_OPTIONS_MAX) {
        cmd_error("%s: --option: %d are the most", verb.name, REPLAY_OPTIONS_MAX);
        return false;
    }
    replay->ask.option[replay->ask.option_count++] = value;
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
    replay->ask.lines = stdout;
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
        replay->ask.match = argv[first];
        status = CMD_UNUSABLE;
        if (cmd_journal_path(replay->ask.match, replay->journal, sizeof replay->journal))
            status = replay_run(replay);
    }
    free(replay);
    return status;
}
