/* referee/cmd_table.c: the options of one table. */
#include "referee/cmd_table.h"

#include "capture/button.h"
#include "pubsub/message.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RATE_MOST 240
#define IMAGES_RATE 15
#define NS_PER_S 1000000000

volatile bool cmd_stopped;

static void stop(int number)
{
    (void)number;
    cmd_stopped = true;
}

void cmd_stop_on_signals(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = stop;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/* A folder as a full path, so that it means the same to every process. */
static bool path_set(const struct cmd_table *table, const char *option, const char *value,
                     char out[PATH_MAX])
{
    char here[PATH_MAX];
    int length;

    if (value[0] == '/')
        length = snprintf(out, PATH_MAX, "%s", value);
    else if (getcwd(here, sizeof here))
        length = snprintf(out, PATH_MAX, "%s/%s", here, value);
    else
        length = PATH_MAX;
    if (length < PATH_MAX)
        return true;
    cmd_error("%s: --%s %s: the path is too long", table->verb->name, option, value);
    return false;
}

static bool size_set(struct cmd_table *table, const char *value)
{
    char *end;
    long width = strtol(value, &end, 10);
    long height = *end == 'x' ? strtol(end + 1, &end, 10) : 0;

    if (*end || width < 1 || height < 1 || width > CAPTURE_SIDE_MAX_PX ||
        height > CAPTURE_SIDE_MAX_PX) {
        cmd_error("%s: --size %s: like 1920x1080 is needed", table->verb->name, value);
        return false;
    }
    table->wish.width = (int)width;
    table->wish.height = (int)height;
    return true;
}

static bool mains_set(struct cmd_table *table, const char *value)
{
    if (cmd_number(table->verb, "mains", value, 50, 60, &table->wish.mains_hz) &&
        (table->wish.mains_hz == 50 || table->wish.mains_hz == 60))
        return true;
    cmd_error("%s: --mains %s: 50 or 60 is needed", table->verb->name, value);
    return false;
}

static bool name_set(struct cmd_table *table, const char *value)
{
    table->name = value;
    if (pubsub_message_table_fits(value))
        return true;
    cmd_error("%s: --table %s: 1 to 32 letters, digits, - and _ are needed", table->verb->name,
              value);
    return false;
}

static bool address_set(const struct cmd_table *table, const char *option, const char *value,
                        const char **out)
{
    *out = value;
    if (strncmp(value, "tcp://", 6) == 0)
        return true;
    cmd_error("%s: --%s %s: an address like tcp://127.0.0.1:5600 is needed", table->verb->name,
              option, value);
    return false;
}

static bool expire_set(struct cmd_table *table, const char *value)
{
    table->retain.whole = strcmp(value, "match") == 0;
    if (table->retain.whole || strcmp(value, "video") == 0)
        return true;
    cmd_error("%s: --expire %s: video or match is needed", table->verb->name, value);
    return false;
}

/* Arguments are gone through more than once. */
static bool host_add(struct cmd_table *table, const char *value)
{
    for (int i = 0; i < table->hosts; i++)
        if (strcmp(table->host[i], value) == 0)
            return true;
    if (table->hosts == CMD_HOSTS_MAX) {
        cmd_error("%s: --host may be given %d times", table->verb->name, CMD_HOSTS_MAX);
        return false;
    }
    table->host[table->hosts++] = value;
    return true;
}

/* "DEVICE=SEAT" or "DEVICE=SEAT:CODE". A path may hold ':' and '=' itself: the last '=' counts. */
static bool button_read(char *text, struct button_map *out)
{
    char *equals = strrchr(text, '='), *end;

    if (!equals || equals == text)
        return false;
    *equals = 0;
    out->path = text;
    long seat = strtol(equals + 1, &end, 10);
    long code = *end == ':' ? strtol(end + 1, &end, 10) : 0;
    out->seat = (int)seat;
    out->code = (int)code;
    return *end == 0 && end > equals + 1 && seat >= 1 && seat <= MAT_SEATS_MAX && code >= 0 &&
           code < BUTTON_CODES;
}

static bool button_add(struct cmd_table *table, const char *value)
{
    struct button_map map;
    char *text = strdup(value);

    if (!text || !button_read(text, &map)) {
        cmd_error("%s: --button %s: like /dev/input/by-id/usb-PEDAL-event-kbd=2 is needed, or "
                  "=2:CODE for one of its keys",
                  table->verb->name, value);
        free(text);
        return false;
    }
    for (int i = 0; i < table->buttons; i++)
        if (strcmp(table->button[i].path, map.path) == 0 && table->button[i].code == map.code) {
            free(text);
            return true;
        }
    if (table->buttons == BUTTONS_MOST) {
        cmd_error("%s: --button may be given %d times", table->verb->name, BUTTONS_MOST);
        free(text);
        return false;
    }
    table->button_text[table->buttons] = text;
    table->button[table->buttons++] = map;
    return true;
}

/* Letters and digits that are none of the other keys'. */
static bool claim_keys_set(struct cmd_table *table, const char *value)
{
    size_t length = strlen(value);

    table->claim_keys = value;
    for (size_t i = 0; i < length; i++)
        if (value[i] <= ' ' || value[i] > '~' || strchr(value + i + 1, value[i]))
            length = 0;
    if (length >= 1 && length <= PLAYERS_MAX)
        return true;
    cmd_error("%s: --claim-keys %s: one to %d different letters or digits are needed",
              table->verb->name, value, PLAYERS_MAX);
    return false;
}

static bool own_take(struct cmd_table *table, int key, const char *value)
{
    switch (key) {
    case CMD_KEY_CAMERA:
        table->camera = value;
        return true;
    case CMD_KEY_VIDEO:
        table->video = value;
        return true;
    case CMD_KEY_IMAGES:
        table->images = value;
        return true;
    case CMD_KEY_RATE:
        return cmd_number(table->verb, "rate", value, 1, RATE_MOST, &table->wish.rate);
    case CMD_KEY_SIZE:
        return size_set(table, value);
    case CMD_KEY_MAINS:
        return mains_set(table, value);
    case CMD_KEY_PACED:
        return table->paced = true;
    case CMD_KEY_TEXT:
        return table->text = true;
    case CMD_KEY_START_AFTER:
        return cmd_number(table->verb, "start-after", value, 0, 86400, &table->start_after);
    case CMD_KEY_TABLE:
        return name_set(table, value);
    case CMD_KEY_LISTEN:
        table->listen = value;
        return true;
    case CMD_KEY_HOST:
        return host_add(table, value);
    case CMD_KEY_TLS_CERT:
        table->tls_cert = value;
        return true;
    case CMD_KEY_TLS_KEY:
        table->tls_key = value;
        return true;
    case CMD_KEY_NO_SCOREBOARD:
        return table->no_scoreboard = true;
    case CMD_KEY_NO_RECORD:
        return table->no_record = true;
    case CMD_KEY_BUTTON:
        return button_add(table, value);
    case CMD_KEY_CLAIM_KEYS:
        return claim_keys_set(table, value);
    case CMD_KEY_PUBLISH:
        return address_set(table, "publish", value, &table->publish);
    case CMD_KEY_REQUESTS:
        return address_set(table, "requests", value, &table->requests);
    case CMD_KEY_KEYS:
        table->keys = value;
        return true;
    case CMD_KEY_CERTIFICATE:
        table->certificate = value;
        return true;
    case CMD_KEY_RECORD:
        return path_set(table, "record", value, table->record);
    case CMD_KEY_KEEP_DAYS:
        return cmd_number(table->verb, "keep-days", value, 1, 36500, &table->retain.days);
    case CMD_KEY_KEEP_GIB:
        return cmd_number(table->verb, "keep-gib", value, 1, 1000000, &table->retain.gib);
    case CMD_KEY_EXPIRE:
        return expire_set(table, value);
    case CMD_KEY_RUNDIR:
        return path_set(table, "rundir", value, table->rundir);
    default:
        return true; /* --config, which was read before all */
    }
}

static bool option_take(struct cmd_table *table, int key, const char *value)
{
    if (cmd_source_take(&table->source, key, value))
        return true;
    int game = cmd_game_take(&table->game, key, value);
    return game > 0 || (game == 0 && own_take(table, key, value));
}

/* One list of arguments. With `config` nothing is taken but that option's file. */
static int arguments_take(struct cmd_table *table, int argc, char **argv, const char **config,
                          int *status)
{
    const char *value;
    int first = 0, key;

    while ((key = cmd_options_next(table->verb, argc, argv, &first, &value)) != CMD_OPTION_END) {
        *status = key == CMD_OPTION_HELP ? CMD_DONE : CMD_WRONG_USE;
        if (key < 0)
            return 0;
        if (config && key == CMD_KEY_CONFIG)
            *config = value;
        if (!config && !option_take(table, key, value))
            return 0;
    }
    if (first < argc) {
        cmd_error("%s: %s: everything is given by options; see tableref %s --help",
                  table->verb->name, argv[first], table->verb->name);
        *status = CMD_WRONG_USE;
        return 0;
    }
    return 1;
}

/* The options of a file, one after the other, so that what is wrong is told by its line. */
static bool config_take(struct cmd_table *table, const char *path)
{
    bool well = cmd_config_read(table->verb, path, &table->config);

    for (int i = 1; i < table->config.count && well; i++) {
        char *one[] = {table->config.argument[0], table->config.argument[i], NULL};
        int status;
        cmd_error_place(path, table->config.line[i]);
        well = arguments_take(table, 2, one, NULL, &status);
    }
    cmd_error_place(NULL, 0);
    return well;
}

static bool source_one(const struct cmd_table *table)
{
    if ((table->camera != NULL) + (table->video != NULL) + (table->images != NULL) == 1)
        return true;
    cmd_error("%s: one of --camera, --video and --images is needed, and only one; see tableref %s "
              "--help",
              table->verb->name, table->verb->name);
    return false;
}

int cmd_table_read(const struct cmd_verb *verb, int argc, char **argv, struct cmd_table *table,
                   int *status)
{
    const char *config = NULL;

    memset(table, 0, sizeof *table);
    table->verb = verb;
    table->start_after = -1;
    table->name = "1";
    table->wish = (struct camera_wish){
        .format = -1, .exposure_100us = -1, .white_balance_k = -1, .focus = -1};
    cmd_game_begin(verb, &table->game);
    if (!arguments_take(table, argc, argv, &config, status))
        return 0;
    if (config && !config_take(table, config)) {
        *status = CMD_UNUSABLE;
        return 0;
    }
    return arguments_take(table, argc, argv, NULL, status);
}

int cmd_table_take(const struct cmd_verb *verb, int argc, char **argv, struct cmd_table *table,
                   int *status)
{
    if (!cmd_table_read(verb, argc, argv, table, status))
        return 0;
    *status = CMD_WRONG_USE;
    return source_one(table);
}

void cmd_table_free(struct cmd_table *table)
{
    for (int i = 0; i < table->buttons; i++)
        free(table->button_text[i]);
    table->buttons = 0;
    cmd_game_free(&table->game);
    cmd_config_free(&table->config);
}

struct source *cmd_table_source(const struct cmd_table *table)
{
    struct capture_fault fault = {.text = ""};
    struct source *source = NULL;
    const char *name = table->camera ? table->camera : table->video ? table->video : table->images;
    int rate = table->wish.rate > 0 ? table->wish.rate : IMAGES_RATE;
    int error;

    if (table->camera)
        error = capture_camera_open(table->camera, &table->wish, &source, &fault);
    else if (table->video)
        error = capture_video_open(table->video, &source, &fault);
    else
        error = capture_folder_open(table->images, NS_PER_S / rate, &source, &fault);
    if (error < 0)
        cmd_error("%s: %s", name, fault.text[0] ? fault.text : capture_strerror(error));
    return source;
}
