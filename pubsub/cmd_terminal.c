/* pubsub/cmd_terminal.c: `tableref scoreboard --terminal`. */
#include "pubsub/cmd_terminal.h"

#include "calib/ramp.h"
#include "pubsub/loop_terminal.h"
#include "referee/cmd_table.h"
#include "referee/cmd_text.h"
#include "referee/cmd_words.h"

void cmd_terminal_take(struct cmd_terminal *terminal, int key, const char *value)
{
    if (key == CMD_KEY_TERMINAL)
        terminal->wanted = true;
    else if (key == CMD_KEY_CONNECT)
        terminal->to.connect = value;
    else if (key == CMD_KEY_QUIET)
        terminal->quiet = true;
    else if (key == CMD_KEY_TABLE)
        terminal->to.table = value;
}

/* A message of the display in the language that is spoken. */
static const char *say(const char *one, const char *many, int64_t n)
{
    return many ? cmd_text_n(one, many, (unsigned long)n) : cmd_text(one);
}

static int show(struct cmd_terminal *terminal, const struct cmd_kit *kit)
{
    struct calib_fault fault = {.text = ""};
    struct ramp *ramp = NULL;
    struct terminal_service service = {
        .follow = {.publish = terminal->to.publish,
                   .requests = terminal->to.requests,
                   .table = terminal->to.table,
                   .keys = terminal->to.connect ? terminal->keys : NULL},
        .kit = {.set = kit->set,
                .mat = kit->mat,
                .words = {.say = say, .reason = cmd_word_reason, .why = cmd_word_why}},
        .quiet = terminal->quiet,
    };
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
