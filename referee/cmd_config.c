/* referee/cmd_config.c: a verb's options from a file. */
#include "referee/cmd_config.h"

#include "calib/json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONFIG_BYTES_MAX 65536
#define CONFIG_ARGUMENT_MAX 4096

struct config {
    const struct cmd_verb *verb;
    struct cmd_config *out;
};

static int argument_add(struct config *config, const struct json_node *node, const char *text)
{
    struct cmd_config *out = config->out;

    if (out->count == CMD_CONFIG_OPTIONS_MAX)
        return calib_json_fault(node, CALIB_E_SIZE, "more than %d options", CMD_CONFIG_OPTIONS_MAX);
    if (!(out->argument[out->count] = strdup(text)))
        return calib_json_fault(node, CALIB_E_MEMORY, "out of memory");
    out->line[out->count++] = calib_json_line_at(node);
    return CALIB_OK;
}

/* A text, or a whole number, as text. */
static int scalar_text(const struct json_node *node, char *out, size_t size)
{
    if (json_is_integer(node->value)) {
        snprintf(out, size, "%lld", (long long)json_integer_value(node->value));
        return CALIB_OK;
    }
    if (!json_is_string(node->value))
        return calib_json_fault(node, CALIB_E_VALUE, "a text or a whole number is needed");
    return calib_json_text_of(node, size, out);
}

static int value_add(struct config *config, const struct json_node *node, const char *option,
                     const char *value)
{
    char text[CONFIG_ARGUMENT_MAX];
    int length =
        snprintf(text, sizeof text, "--%s%s%s", option, value ? "=" : "", value ? value : "");

    if (length < 0 || (size_t)length >= sizeof text)
        return calib_json_fault(node, CALIB_E_SIZE, "longer than %d bytes", CONFIG_ARGUMENT_MAX);
    return argument_add(config, node, text);
}

/* ["Ada", "Bo"] is "Ada,Bo". */
static int list_add(struct config *config, const struct json_node *node, const char *option)
{
    char text[CONFIG_ARGUMENT_MAX] = "";
    size_t used = 0;

    for (size_t i = 0; i < json_array_size(node->value); i++) {
        struct json_node item = calib_json_item(node, i);
        char one[CONFIG_ARGUMENT_MAX / 4];
        int error = scalar_text(&item, one, sizeof one);
        if (error < 0)
            return error;
        if (strchr(one, ','))
            return calib_json_fault(&item, CALIB_E_VALUE, "a comma cannot stand within an item");
        int more = snprintf(text + used, sizeof text - used, "%s%s", i ? "," : "", one);
        if (more < 0 || (size_t)more >= sizeof text - used)
            return calib_json_fault(node, CALIB_E_SIZE, "longer than %d bytes",
                                    CONFIG_ARGUMENT_MAX);
        used += (size_t)more;
    }
    return value_add(config, node, option, text);
}

static int pairs_add(struct config *config, const struct json_node *node, const char *option)
{
    const char *key;
    json_t *value;

    json_object_foreach(node->value, key, value)
    {
        struct json_node member;
        char one[CONFIG_ARGUMENT_MAX / 4], text[CONFIG_ARGUMENT_MAX / 2];
        calib_json_maybe(node, key, &member);
        int error = scalar_text(&member, one, sizeof one);
        if (error < 0)
            return error;
        snprintf(text, sizeof text, "%.512s=%s", key, one);
        error = value_add(config, &member, option, text);
        if (error < 0)
            return error;
    }
    return CALIB_OK;
}

static int flag_add(struct config *config, const struct json_node *node, const char *option)
{
    if (!json_is_boolean(node->value))
        return calib_json_fault(node, CALIB_E_VALUE, "true or false is needed");
    return json_is_true(node->value) ? value_add(config, node, option, NULL) : CALIB_OK;
}

static int option_add(struct config *config, const struct json_node *node, const char *key)
{
    static const struct cmd_option lang = {.name = "lang", .value = "CODE"};
    const struct cmd_option *option = config->verb->options;
    char text[CONFIG_ARGUMENT_MAX];

    if (strcmp(key, lang.name) == 0)
        option = &lang; /* every verb's */
    while (option->name && strcmp(option->name, key) != 0)
        option++;
    if (!option->name || strcmp(key, "config") == 0)
        return calib_json_fault(node, CALIB_E_VALUE, "there is no option of that name");
    if (!option->value)
        return flag_add(config, node, key);
    if (json_is_array(node->value))
        return list_add(config, node, key);
    if (json_is_object(node->value))
        return pairs_add(config, node, key);
    int error = scalar_text(node, text, sizeof text);
    return error < 0 ? error : value_add(config, node, key, text);
}

static int config_parse(struct config *config, const struct json_node *root)
{
    const char *key;
    json_t *value;
    int error = calib_json_format(root, "tableref-table/1");

    if (error >= 0)
        error = argument_add(config, root, config->verb->name);
    json_object_foreach(root->value, key, value)
    {
        struct json_node node;
        if (error < 0)
            break;
        if (strcmp(key, "format") == 0 || strcmp(key, "note") == 0)
            continue;
        calib_json_maybe(root, key, &node);
        error = option_add(config, &node, key);
    }
    return error;
}

/* The whole file; its length, or -1 after saying what is wrong. */
static long file_read(const char *path, char *bytes)
{
    FILE *file = fopen(path, "re");

    if (!file) {
        cmd_error("%s: %s", path, strerror(errno));
        return -1;
    }
    size_t length = fread(bytes, 1, CONFIG_BYTES_MAX + 1, file);
    bool failed = ferror(file) != 0;
    fclose(file);
    if (failed || length > CONFIG_BYTES_MAX) {
        cmd_error("%s: %s", path, failed ? "cannot be read" : N_("larger than 64 KiB"));
        return -1;
    }
    bytes[length] = 0;
    return (long)length;
}

int cmd_config_parse(const struct cmd_verb *verb, const char *bytes, size_t length,
                     const char *name, struct cmd_config *out, struct calib_fault *fault)
{
    struct config config = {.verb = verb, .out = out};
    struct json_doc doc;
    struct json_node root;

    memset(out, 0, sizeof *out);
    int error = calib_json_open(&doc, bytes, length, name, NULL, fault, &root);
    if (error < 0)
        return error;
    error = config_parse(&config, &root);
    calib_json_close(&doc);
    return error;
}

bool cmd_config_read(const struct cmd_verb *verb, const char *path, struct cmd_config *out)
{
    struct calib_fault fault = {.line = 0};
    char *bytes = malloc(CONFIG_BYTES_MAX + 2);

    memset(out, 0, sizeof *out);
    if (!bytes) {
        cmd_error("out of memory");
        return false;
    }
    long length = file_read(path, bytes);
    int error = CALIB_OK;
    if (length >= 0)
        error = cmd_config_parse(verb, bytes, (size_t)length, path, out, &fault);
    if (error < 0)
        cmd_fault("configuration", path, error, &fault);
    free(bytes);
    return length >= 0 && error >= 0;
}

void cmd_config_free(struct cmd_config *config)
{
    for (int i = 0; i < config->count; i++)
        free(config->argument[i]);
    memset(config, 0, sizeof *config);
}
