/* pubsub/cmd_keys.c: `tableref keys`: keys for tables and displays on different machines. */
#include "pubsub/keys.h"
#include "referee/cmd_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KEY_DAYS = CMD_KEY_OWN };

static const struct cmd_option options[] = {
    {"days", "N", KEY_DAYS, "tls: how long the certificate holds (730)"},
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb verb = {
    .name = "keys",
    .arguments = "make | add | list | remove | tls DIR [NAME]...",
    .about =
        "Keys for a table that other machines hear (run --keys DIR) and for their displays:\n"
        "  make DIR            a table's own pair, in a folder of its own\n"
        "  add DIR NAME        one for a display: DIR/NAME.key, to be handed over (watch --keys)\n"
        "  list DIR            the table's public key and those of its displays, as JSON\n"
        "  remove DIR NAME     that display is not let in any more\n"
        "  tls DIR [NAME]...   tls.crt and tls.key for the pages (scoreboard --tls-cert), for\n"
        "                      this host's names and addresses and those given",
    .options = options,
};

static int say(int error, const struct wire_fault *fault)
{
    if (error == PUBSUB_OK)
        return CMD_DONE;
    cmd_error("%s: %s", verb.name, fault->text);
    return CMD_UNUSABLE;
}

/* A line of what is there, or was made. */
static bool entry_print(const char *name, const char *public_key, const char *file)
{
    struct json_text json;

    vision_json_init(&json);
    vision_json_open(&json, NULL, '{');
    vision_json_string(&json, "name", name);
    vision_json_string(&json, "public", public_key);
    if (file)
        vision_json_string(&json, "file", file);
    vision_json_close(&json, '}');
    return cmd_print(&json);
}

/* All, or the one of that name, with its file. */
static int list(const char *folder, const char *only, const char *file)
{
    struct wire_fault fault = {.text = ""};
    struct keys_entry *entry = NULL;
    size_t count = 0;
    int error = pubsub_keys_list(folder, &entry, &count, &fault);
    bool printed = true;

    for (size_t i = 0; i < count && printed; i++)
        if (!only || strcmp(entry[i].name, only) == 0)
            printed = entry_print(entry[i].name, entry[i].text, file);
    free(entry);
    return printed ? say(error, &fault) : CMD_UNUSABLE;
}

static int make(const char *folder)
{
    struct wire_fault fault = {.text = ""};
    int status = say(pubsub_keys_make(folder, &fault), &fault);

    return status == CMD_DONE ? list(folder, "server", NULL) : status;
}

static int add(const char *folder, const char *name)
{
    struct wire_fault fault = {.text = ""};
    char file[512];
    int status = say(pubsub_keys_add(folder, name, file, sizeof file, &fault), &fault);

    return status == CMD_DONE ? list(folder, name, file) : status;
}

static int take_away(const char *folder, const char *name)
{
    struct wire_fault fault = {.text = ""};

    return say(pubsub_keys_remove(folder, name, &fault), &fault);
}

static int tls(const char *folder, char **names, int count, int days)
{
    struct wire_fault fault = {.text = ""};
    struct keys_tls made = {.until_s = 0};
    struct json_text json;
    char until[32] = "";
    struct tm day;
    int status = say(pubsub_keys_tls(folder, names, count, days, &made, &fault), &fault);

    if (status != CMD_DONE)
        return status;
    time_t until_s = (time_t)made.until_s;
    if (gmtime_r(&until_s, &day))
        strftime(until, sizeof until, "%Y-%m-%d", &day);
    vision_json_init(&json);
    vision_json_open(&json, NULL, '{');
    vision_json_string(&json, "certificate", made.certificate);
    vision_json_string(&json, "key", made.key);
    vision_json_string(&json, "names", made.names);
    vision_json_string(&json, "sha256", made.digest);
    vision_json_string(&json, "until", until);
    vision_json_close(&json, '}');
    return cmd_print(&json) ? CMD_DONE : CMD_UNUSABLE;
}

static int keys_do(char **argument, int count, int days)
{
    const char *what = count > 0 ? argument[0] : "";

    if (strcmp(what, "make") == 0 && count == 2)
        return make(argument[1]);
    if (strcmp(what, "add") == 0 && count == 3)
        return add(argument[1], argument[2]);
    if (strcmp(what, "list") == 0 && count == 2)
        return list(argument[1], NULL, NULL);
    if (strcmp(what, "remove") == 0 && count == 3)
        return take_away(argument[1], argument[2]);
    if (strcmp(what, "tls") == 0 && count >= 2)
        return tls(argument[1], argument + 2, count - 2, days);
    cmd_error("%s: make DIR, add DIR NAME, list DIR, remove DIR NAME or tls DIR is needed",
              verb.name);
    return CMD_WRONG_USE;
}

int cmd_keys(int argc, char **argv)
{
    const char *value = NULL;
    int first = 0, days = KEYS_TLS_DAYS, key;

    while ((key = cmd_options_next(&verb, argc, argv, &first, &value)) > 0)
        if (!cmd_number(&verb, "days", value, 1, KEYS_TLS_DAYS_MOST, &days))
            return CMD_WRONG_USE;
    if (key == CMD_OPTION_HELP)
        return CMD_DONE;
    if (key == CMD_OPTION_WRONG)
        return CMD_WRONG_USE;
    return keys_do(argv + first, argc - first, days);
}
