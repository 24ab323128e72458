/* pubsub/cmd_buttons.c: `tableref buttons`: claims by buttons, pedals and the keyboard. */
#include "pubsub/cmd_connect.h"
#include "pubsub/loop_buttons.h"
#include "referee/cmd_table.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { KEY_CONNECT = CMD_KEY_OWN, KEY_ACCESS, KEY_TRY };

static const struct cmd_option options[] = {
    {"connect", "PUB,REQ", KEY_CONNECT, "a table elsewhere, whose addresses these are"},
    {"access", "FILE", KEY_ACCESS, "that table's keys.json, which lets its players claim"},
    {"try", NULL, KEY_TRY, "print each press as a line of JSON, and claim nothing"},
    CMD_TABLE_OPTIONS,
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb verb = {
    .name = "buttons",
    .arguments = "(--button DEVICE=SEAT | --claim-keys KEYS)...",
    .about =
        "Makes claims of what is pressed: of buttons and pedals, dated by the kernel, and of keys "
        "in\n"
        "this terminal. Each claim says how far its time may be off. `tableref run` starts it "
        "when\n"
        "it has such options; by itself it serves a run of this machine, or, with --connect, a\n"
        "table on another. tableref devices lists buttons.",
    .options = options,
};

struct own {
    struct cmd_connect to;
    const char *access;
    bool only_try;
};

static void own_take(int argc, char **argv, struct own *out)
{
    const char *value;
    int first = 0, key;

    while ((key = cmd_options_next(&verb, argc, argv, &first, &value)) > 0) {
        if (key == KEY_CONNECT)
            out->to.connect = value;
        else if (key == KEY_ACCESS)
            out->access = value;
        else if (key == KEY_TRY)
            out->only_try = true;
        else if (key == CMD_KEY_TABLE)
            out->to.table = value;
    }
}

/* Where the seats' keys are: of a run of this machine in its folder. */
static bool access_find(const struct own *own, char out[PATH_MAX])
{
    int length;

    if (own->access)
        length = snprintf(out, PATH_MAX, "%s", own->access);
    else
        length = snprintf(out, PATH_MAX, "%s/" ACCESS_FILE, own->to.folder);
    if (own->to.connect && !own->access) {
        cmd_error("%s: --access is needed with --connect: a copy of the table's keys.json",
                  verb.name);
        return false;
    }
    return length < PATH_MAX;
}

static int buttons_serve(const struct cmd_table *table, struct own *own)
{
    char access[PATH_MAX] = "";
    struct buttons_service service = {.map = table->button,
                                      .maps = table->buttons,
                                      .claim_keys = table->claim_keys,
                                      .only_try = own->only_try};

    if (!own->only_try) {
        if (!cmd_connect_fits(verb.name, &own->to))
            return CMD_WRONG_USE;
        if (!cmd_connect_find(verb.name, &own->to) || !access_find(own, access))
            return CMD_UNUSABLE;
    }
    service.claims.requests = own->to.requests;
    service.claims.keys = own->to.connect ? table->keys : NULL;
    service.claims.access = access;
    cmd_stop_on_signals();
    return loop_buttons_run(&service, &cmd_stopped);
}

int cmd_buttons(int argc, char **argv)
{
    struct own own = {.only_try = false};
    struct cmd_table table;
    int status;

    if (cmd_table_read(&verb, argc, argv, &table, &status)) {
        own_take(table.config.count, table.config.argument, &own);
        own_take(argc, argv, &own);
        own.to.rundir = table.rundir;
        if (table.buttons > 0 || (table.claim_keys && !own.only_try)) {
            status = buttons_serve(&table, &own);
        } else {
            cmd_error("%s: --button or --claim-keys is needed; see tableref %s --help", verb.name,
                      verb.name);
            status = CMD_WRONG_USE;
        }
    }
    cmd_table_free(&table);
    return status;
}
