/* pubsub/cmd_terminal.c: `tableref scoreboard --terminal`. */
#include "pubsub/cmd_terminal.h"

#include "calib/ramp.h"
#include "pubsub/loop_terminal.h"
#include "referee/cmd_table.h"
#include "referee/cmd_text.h"
#include "referee/cmd_words.h"

#include <limits.h>
#include <stdio.h>

void cmd_terminal_take(struct cmd_terminal *terminal, int key, const char *value)
{
    if (key == CMD_KEY_TERMINAL)
        terminal->wanted = true;
    else if (key == CMD_KEY_CONNECT)
        terminal->to.connect = value;
    else if (key == CMD_KEY_QUIET)
        terminal->quiet = true;
    else if (key == CMD_KEY_ACCESS)
        terminal->access = value;
    else if (key == CMD_KEY_TABLE)
        terminal->to.table = value;
}

/* A message of the display in the language that is spoken. */
static const char *say(const char *one, const char *many, int64_t n)
{
    return many ? cmd_text_n(one, many, (unsigned long)n) : cmd_text(one);
}

/* Claims need the seats' keys: of a run of this machine they lie in its folder. */
static bool access_find(const struct cmd_terminal *terminal, char *out, size_t size)
{
    int length = terminal->access ? snprintf(out, size, "%s", terminal->access)
                                  : snprintf(out, size, "%s/" ACCESS_FILE, terminal->to.folder);

    if (!terminal->claim_keys ||
        (length > 0 && length < (int)size && (terminal->access || terminal->to.folder[0])))
        return true;
    cmd_error("scoreboard: --claim-keys takes the table's keys, in --access FILE: a copy of its "
              "keys.json");
    return false;
}

static int show(struct cmd_terminal *terminal, const struct cmd_kit *kit)
{
    struct calib_fault fault = {.text = ""};
    struct ramp *ramp = NULL;
    char access[PATH_MAX] = "";
    struct terminal_service service = {
        .follow = {.publish = terminal->to.publish,
                   .requests = terminal->to.requests,
                   .table = terminal->to.table,
                   .keys = terminal->to.connect ? terminal->keys : NULL},
        .kit = {.set = kit->set,
                .mat = kit->mat,
                .words = {.say = say, .reason = cmd_word_reason, .why = cmd_word_why}},
        .quiet = terminal->quiet,
        .claim_keys = terminal->claim_keys,
        .claims = {.requests = terminal->to.requests,
                   .keys = terminal->to.connect ? terminal->keys : NULL,
                   .access = access},
    };

    if (!access_find(terminal, access, sizeof access))
        return CMD_UNUSABLE;
    int error = calib_ramp_load("make5", NULL, &ramp, &fault);

    if (error != CALIB_OK) {
        cmd_fault("ramp", "make5", error, &fault);
        return CMD_UNUSABLE;
    }
    service.kit.ramp = ramp;
    cmd_stop_on_signals();
    int status = loop_terminal_run(&service, &cmd_stopped);
    calib_ramp_destroy(&ramp);
    return status;
}

int cmd_terminal_show(const struct cmd_verb *verb, struct cmd_terminal *terminal)
{
    struct cmd_kit kit;

    if (!cmd_connect_fits(verb->name, &terminal->to))
        return CMD_WRONG_USE;
    if (!cmd_connect_find(verb->name, &terminal->to))
        return CMD_UNUSABLE;
    int status = cmd_kit_load(&terminal->source, &kit) ? show(terminal, &kit) : CMD_UNUSABLE;
    cmd_kit_free(&kit);
    return status;
}
