/* pubsub/cmd_watch.c: `tableref watch`: prints what a table says to displays, and asks it. */
#include "pubsub/cmd_connect.h"
#include "pubsub/cmd_watch_text.h"
#include "pubsub/follow.h"
#include "referee/cmd_common.h"
#include "referee/cmd_table.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURN_MS 500
#define ANSWER_MS 10000
#define REQUEST_MAX ((size_t)64 << 10)

enum { KEY_RUNDIR = CMD_KEY_OWN, KEY_CONNECT, KEY_KEYS, KEY_TABLE, KEY_KINDS, KEY_TEXT, KEY_ASK };

static const struct cmd_option options[] = {
    {"rundir", "DIR", KEY_RUNDIR, "the run's folder (that of the only run under way)"},
    {"connect", "PUB,REQ", KEY_CONNECT, "addresses: where it publishes, where it answers"},
    {"keys", "FILE", KEY_KEYS, "this display's key, as tableref keys add makes it"},
    {"table", "NAME", KEY_TABLE, "the table's name (that of the only one heard there)"},
    {"kinds", "LIST", KEY_KINDS, "of verdict,void,state,layout,health (all; state always)"},
    {"text", NULL, KEY_TEXT, "lines for people"},
    {"ask", "JSON", KEY_ASK,
     "send one request and print the answer; - takes it from standard input"},
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb verb = {
    .name = "watch",
    .arguments = "",
    .about =
        "Prints every message that a table publishes as a line of JSON, from those that a late\n"
        "comer must know on; what it missed is asked for. Notes on the link go to standard error.\n"
        "With --ask sends one request instead: a v and an id are put in when they are missing.\n"
        "The exit status is 1 when the request is refused or nobody answers.",
    .options = options,
};

struct watch {
    struct cmd_connect to;
    const char *keys, *ask;
    unsigned kinds;
    bool text, failed;
};

/* ---- options ---- */

static bool kinds_set(struct watch *watch, const char *value)
{
    watch->kinds = 0;
    for (const char *at = value; *at;) {
        size_t length = strcspn(at, ",");
        int kind = pubsub_message_kind(at, length);
        if (kind < 0) {
            cmd_error("%s: --kinds %s: verdict, void, state, layout, health are the kinds",
                      verb.name, value);
            return false;
        }
        watch->kinds |= 1u << kind;
        at += length + (at[length] == ',');
    }
    return true;
}

static bool option_take(struct watch *watch, int key, const char *value)
{
    if (key == KEY_RUNDIR)
        watch->to.rundir = value;
    else if (key == KEY_CONNECT)
        watch->to.connect = value;
    else if (key == KEY_KEYS)
        watch->keys = value;
    else if (key == KEY_TABLE)
        watch->to.table = value;
    else if (key == KEY_TEXT)
        watch->text = true;
    else if (key == KEY_ASK)
        watch->ask = value;
    else
        return kinds_set(watch, value);
    return true;
}

/* ---- what is heard ---- */

static void message_print(void *context, const struct message_head *head, const json_t *body,
                          bool late)
{
    struct watch *watch = context;
    struct json_text line;

    if (!(watch->kinds & (1u << head->kind)) || watch->failed)
        return;
    vision_json_init(&line);
    if (watch->text) {
        cmd_watch_text(head, body, &line);
    } else {
        char *text = json_dumps(body, JSON_COMPACT | JSON_PRESERVE_ORDER);
        /* Its kind stands first, as the topic does on the wire. */
        vision_json_open(&line, NULL, '{');
        vision_json_string(&line, "kind", pubsub_message_kind_name(head->kind));
        vision_json_bool(&line, "late", late);
        vision_json_raw(&line, ",");
        vision_json_raw(&line, text ? text + 1 : "");
        line.failed |= text == NULL;
        free(text);
    }
    if (line.failed || line.length > 0)
        watch->failed = !cmd_print(&line) || fflush(stdout) != 0;
    else
        vision_json_free(&line);
    if (watch->failed)
        cmd_stopped = true;
}

static void note_print(void *context, enum follow_note what, const char *text)
{
    static const char *const words[] = {[FOLLOW_JOINED] = "joined",      [FOLLOW_GAP] = "gap",
                                        [FOLLOW_STALE] = "stale",        [FOLLOW_BACK] = "back",
                                        [FOLLOW_TWO] = N_("two tables"), [FOLLOW_KEY] = "keys"};

    (void)context;
    cmd_error("%s: %s: %s", verb.name, words[what], text);
}

static int listen_on(const struct watch *watch, struct follow *follow)
{
    while (!cmd_stopped) {
        int ready = pubsub_follow_turn(follow, NULL, 0, TURN_MS);
        if (ready < 0) {
            cmd_error("%s: %s", verb.name, pubsub_strerror(ready));
            return CMD_UNUSABLE;
        }
    }
    return watch->failed ? CMD_UNUSABLE : CMD_DONE;
}

/* ---- asking ---- */

/* Standard input to its end, or the option's text. NULL after saying what is wrong. */
static char *request_text(const char *given)
{
    char *text = NULL;

    if (strcmp(given, "-") != 0) {
        text = strdup(given);
    } else if ((text = malloc(REQUEST_MAX + 1))) {
        size_t length = fread(text, 1, REQUEST_MAX + 1, stdin);
        if (length > REQUEST_MAX) {
            cmd_error("%s: --ask -: at most 64 KiB are taken", verb.name);
            free(text);
            return NULL;
        }
        text[length] = 0;
    }
    if (!text)
        cmd_error("out of memory");
    return text;
}

/* The request with v and an id, as text; NULL after saying what is wrong. */
static char *request_make(const char *given)
{
    char id[2 * 8 + 1] = "", *made = NULL, *text = request_text(given);
    unsigned char drawn[8];
    json_error_t wrong;

    if (!text)
        return NULL;
    json_t *request = json_loads(text, JSON_REJECT_DUPLICATES, &wrong);
    free(text);
    if (!json_is_object(request)) {
        cmd_error("%s: --ask: a JSON object is needed: %s", verb.name,
                  request ? N_("it is something else") : wrong.text);
        json_decref(request);
        return NULL;
    }
    if (sodium_init() >= 0) {
        randombytes_buf(drawn, sizeof drawn);
        sodium_bin2hex(id, sizeof id, drawn, sizeof drawn);
    }
    if ((json_object_get(request, "v") ||
         json_object_set_new(request, "v", json_integer(MESSAGE_VERSION)) == 0) &&
        (json_object_get(request, "id") ||
         json_object_set_new(request, "id", json_string(id)) == 0))
        made = json_dumps(request, JSON_COMPACT);
    if (!made)
        cmd_error("out of memory");
    json_decref(request);
    return made;
}

/* The answer goes out as it came. */
static int answer_print(const char *answer, size_t length)
{
    json_t *body = json_loadb(answer, length, 0, NULL);
    bool good = json_is_true(json_object_get(body, "ok"));

    json_decref(body);
    fwrite(answer, 1, length, stdout);
    putchar('\n');
    return good ? CMD_DONE : CMD_UNUSABLE;
}

static int ask(const struct watch *watch, struct follow *follow)
{
    char *request = request_make(watch->ask);
    int status = CMD_UNUSABLE;
    const char *answer;
    size_t length;

    if (!request)
        return status;
    int error = pubsub_follow_ask(follow, request, strlen(request), ANSWER_MS, &answer, &length);
    if (error == PUBSUB_OK)
        status = answer_print(answer, length);
    else
        cmd_error("%s: %s: %s", verb.name, watch->to.requests,
                  error == PUBSUB_E_AGAIN ? N_("nobody answers") : pubsub_strerror(error));
    /* A key is in it, perhaps. */
    sodium_memzero(request, strlen(request));
    free(request);
    return status;
}

/* ---- the verb ---- */

static int watch_table(struct watch *watch)
{
    struct wire_fault fault = {.text = ""};
    struct follow_sink sink = {message_print, note_print, watch};
    struct follow *follow = NULL;
    int status = CMD_UNUSABLE;

    if (!cmd_connect_find(verb.name, &watch->to))
        return status;
    struct follow_options wanted = {.publish = watch->to.publish,
                                    .requests = watch->to.requests,
                                    .table = watch->to.table,
                                    .keys = watch->keys,
                                    .kinds = watch->kinds};
    struct wire *wire = pubsub_wire_create();
    if (!wire)
        cmd_error("out of memory");
    else if (pubsub_follow_open(wire, &wanted, &sink, &follow, &fault) != PUBSUB_OK)
        cmd_error("%s: %s", verb.name, fault.text);
    else
        status = watch->ask ? ask(watch, follow) : listen_on(watch, follow);
    pubsub_follow_close(&follow);
    pubsub_wire_destroy(&wire);
    return status;
}

int cmd_watch(int argc, char **argv)
{
    struct watch watch = {.kinds = (1u << MESSAGE_KINDS) - 1};
    const char *value = NULL;
    int first = 0, key;

    while ((key = cmd_options_next(&verb, argc, argv, &first, &value)) > 0)
        if (!option_take(&watch, key, value))
            return CMD_WRONG_USE;
    if (key == CMD_OPTION_HELP)
        return CMD_DONE;
    if (key == CMD_OPTION_WRONG || !cmd_connect_fits(verb.name, &watch.to))
        return CMD_WRONG_USE;
    if (first < argc) {
        cmd_error("%s: %s: it takes no arguments", verb.name, argv[first]);
        return CMD_WRONG_USE;
    }
    cmd_stop_on_signals();
    return watch_table(&watch);
}
