#include "calib/json.h"

#include "calib/json_line.h"
#include "calib/kit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* More warnings than a person reads; each costs a walk through the text. */
enum { WARNINGS_MAX = 20 };

/* One clean line: control characters would let a file forge lines of our output. */
static void text_clean(char *text)
{
    size_t length = strlen(text);

    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f) {
            text[i] = '?';
        }
    }
    /* snprintf may have cut inside a UTF-8 character: drop what is left of it */
    size_t tail = length;
    while (tail > 0 && length - tail < 3 && ((unsigned char)text[tail - 1] & 0xc0) == 0x80) {
        tail--;
    }
    if (tail > 0 && (unsigned char)text[tail - 1] >= 0xc0) {
        unsigned char lead = (unsigned char)text[tail - 1];
        size_t wanted = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
        if (length - tail + 1 < wanted) {
            text[tail - 1] = 0;
        }
    }
}

static void fault_fill(struct calib_fault *fault, const char *file, int line)
{
    memset(fault, 0, sizeof *fault);
    snprintf(fault->file, sizeof fault->file, "%s", file ? file : "");
    text_clean(fault->file);
    fault->line = line;
}

int calib_fault_set(struct calib_fault *fault, const char *file, int line, int error,
                    const char *message, ...)
{
    va_list arguments;

    if (fault) {
        fault_fill(fault, file, line);
        va_start(arguments, message);
        vsnprintf(fault->text, sizeof fault->text, message, arguments);
        va_end(arguments);
        text_clean(fault->text);
    }
    return error;
}

/* The nodes from below the root down to `node`; returns their number. */
static size_t node_way(const struct json_node *node, const struct json_node *way[JSON_WAY_MAX])
{
    size_t depth = 0;

    for (const struct json_node *n = node; n->up && depth < JSON_WAY_MAX; n = n->up) {
        depth++;
    }
    for (size_t i = depth; i > 0; i--, node = node->up) {
        way[i - 1] = node;
    }
    return depth;
}

int calib_json_line_at(const struct json_node *node)
{
    const struct json_node *way[JSON_WAY_MAX];
    struct json_step step[JSON_WAY_MAX] = {{NULL, 0}};
    size_t depth = node_way(node, way);

    for (size_t i = 0; i < depth; i++) {
        step[i] = (struct json_step){way[i]->key, way[i]->index};
    }
    return calib_json_line(node->doc->text, node->doc->length, step, depth);
}

static void describe(const struct json_node *node, struct calib_fault *fault, const char *message,
                     va_list arguments)
{
    const struct json_node *way[JSON_WAY_MAX];
    size_t depth = node_way(node, way);
    size_t at = 0;

    fault_fill(fault, node->doc->name, calib_json_line_at(node));
    for (size_t i = 0; i < depth && at < sizeof fault->text / 2; i++) {
        char *text = fault->text + at;
        size_t room = sizeof fault->text / 2 - at; /* half for the way, half for the message */
        int wrote = way[i]->key ? snprintf(text, room, "%s%s", i > 0 ? "." : "", way[i]->key)
                                : snprintf(text, room, "[%zu]", way[i]->index);
        at += wrote > 0 ? ((size_t)wrote < room ? (size_t)wrote : room - 1) : 0;
        if (wrote < 0 || (size_t)wrote >= room) {
            break;
        }
    }
    if (depth > 0) {
        text_clean(fault->text);
        at = strlen(fault->text);
        at += (size_t)snprintf(fault->text + at, sizeof fault->text - at, ": ");
    }
    vsnprintf(fault->text + at, sizeof fault->text - at, message, arguments);
    text_clean(fault->text);
}

int calib_json_fault(const struct json_node *node, int error, const char *message, ...)
{
    va_list arguments;

    if (node->doc->fault) {
        va_start(arguments, message);
        describe(node, node->doc->fault, message, arguments);
        va_end(arguments);
    }
    return error;
}

void calib_json_warn(const struct json_node *node, const char *message, ...)
{
    struct json_doc *doc = node->doc;
    struct calib_fault fault;
    va_list arguments;

    if (!doc->sink || !doc->sink->warn || doc->warnings > WARNINGS_MAX) {
        return;
    }
    if (doc->warnings++ == WARNINGS_MAX) {
        calib_fault_set(&fault, doc->name, 0, 0, "more warnings than these are not shown");
    } else {
        va_start(arguments, message);
        describe(node, &fault, message, arguments);
        va_end(arguments);
    }
    doc->sink->warn(doc->sink->context, &fault);
}

int calib_json_open(struct json_doc *doc, const char *text, size_t length, const char *name,
                    const struct calib_sink *sink, struct calib_fault *fault,
                    struct json_node *root)
{
    json_error_t error;

    *doc = (struct json_doc){
        .text = text, .length = length, .name = name ? name : "", .sink = sink, .fault = fault};
    *root = (struct json_node){.doc = doc};
    if (!text) {
        return calib_fault_set(fault, name, 0, CALIB_E_ARGUMENT, "no text was given");
    }
    if (length > KIT_FILE_MAX) {
        return calib_fault_set(fault, name, 0, CALIB_E_SIZE,
                               "larger than %zu MB, no file of the kit is", KIT_FILE_MAX >> 20);
    }
    const char *nul = memchr(text, 0, length);
    if (nul) {
        return calib_fault_set(fault, name, calib_json_line_of(text, (size_t)(nul - text)),
                               CALIB_E_SYNTAX, "a zero byte; JSON is plain text");
    }
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        return calib_fault_set(fault, name, 1, CALIB_E_SYNTAX,
                               "a byte-order mark at the start; save it as UTF-8 without one");
    }
    doc->root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (!doc->root) {
        bool memory = json_error_code(&error) == json_error_out_of_memory;
        return calib_fault_set(fault, name, error.line > 0 ? error.line : 1,
                               memory ? CALIB_E_MEMORY : CALIB_E_SYNTAX, "not JSON: %s",
                               error.text);
    }
    root->value = doc->root;
    if (!json_is_object(doc->root)) {
        int code = calib_json_fault(root, CALIB_E_SYNTAX, "an object in {} is wanted");
        calib_json_close(doc);
        return code;
    }
    return CALIB_OK;
}

void calib_json_close(struct json_doc *doc)
{
    json_decref(doc->root);
    doc->root = NULL;
}

int calib_json_format(const struct json_node *root, const char *format)
{
    struct json_node node;

    if (!calib_json_maybe(root, "format", &node)) {
        return calib_json_fault(root, CALIB_E_SYNTAX, "no \"format\"; \"%s\" is wanted", format);
    }
    if (!json_is_string(node.value) || strcmp(json_string_value(node.value), format) != 0) {
        return calib_json_fault(&node, CALIB_E_SYNTAX, "\"%.40s\" where \"%s\" is wanted",
                                json_is_string(node.value) ? json_string_value(node.value) : "?",
                                format);
    }
    return CALIB_OK;
}

void calib_json_known(const struct json_node *object, const char *const *known)
{
    static const char *const everywhere[] = {"note", "$schema", "format", NULL};
    const char *key;
    json_t *value;

    json_object_foreach(object->value, key, value)
    {
        bool found = false;
        for (const char *const *k = everywhere; *k && !found; k++) {
            found = strcmp(*k, key) == 0;
        }
        for (const char *const *k = known; *k && !found; k++) {
            found = strcmp(*k, key) == 0;
        }
        if (!found) {
            struct json_node node = {object->doc, object, key, 0, value};
            calib_json_warn(&node, "unknown key, not used");
        }
    }
}

bool calib_json_maybe(const struct json_node *object, const char *key, struct json_node *member)
{
    json_t *value = json_object_get(object->value, key);

    *member = (struct json_node){object->doc, object, key, 0, value};
    return value != NULL;
}

static int member_get(const struct json_node *object, const char *key, struct json_node *member)
{
    if (!calib_json_maybe(object, key, member)) {
        return calib_json_fault(object, CALIB_E_VALUE, "\"%s\" is missing", key);
    }
    return CALIB_OK;
}

int calib_json_object(const struct json_node *object, const char *key, struct json_node *member)
{
    int error = member_get(object, key, member);

    if (!error && !json_is_object(member->value)) {
        error = calib_json_fault(member, CALIB_E_VALUE, "an object in {} is wanted");
    }
    return error;
}

int calib_json_array(const struct json_node *object, const char *key, size_t least, size_t most,
                     struct json_node *member)
{
    int error = member_get(object, key, member);

    if (error) {
        return error;
    }
    if (!json_is_array(member->value)) {
        return calib_json_fault(member, CALIB_E_VALUE, "a list in [] is wanted");
    }
    size_t count = json_array_size(member->value);
    if (count < least) {
        return calib_json_fault(member, CALIB_E_VALUE, "%zu entries, at least %zu are wanted",
                                count, least);
    }
    if (count > most) {
        return calib_json_fault(member, CALIB_E_SIZE, "%zu entries, at most %zu are possible",
                                count, most);
    }
    return (int)count;
}

struct json_node calib_json_item(const struct json_node *array, size_t index)
{
    return (struct json_node){array->doc, array, NULL, index, json_array_get(array->value, index)};
}

int calib_json_item_object(const struct json_node *array, size_t index, struct json_node *item)
{
    *item = calib_json_item(array, index);
    if (!json_is_object(item->value)) {
        return calib_json_fault(item, CALIB_E_VALUE, "an object in {} is wanted");
    }
    return CALIB_OK;
}

static int number_of(const struct json_node *node, double least, double most, double *out)
{
    if (!json_is_number(node->value)) {
        return calib_json_fault(node, CALIB_E_VALUE, "a number is wanted");
    }
    double value = json_number_value(node->value);
    if (!isfinite(value) || value < least || value > most) {
        return calib_json_fault(node, CALIB_E_VALUE, "%.9g is not in %g to %g", value, least, most);
    }
    *out = value;
    return CALIB_OK;
}

int calib_json_number(const struct json_node *object, const char *key, double least, double most,
                      double *out)
{
    struct json_node node;
    int error = member_get(object, key, &node);

    return error ? error : number_of(&node, least, most, out);
}

int calib_json_integer(const struct json_node *object, const char *key, int least, int most,
                       int *out)
{
    struct json_node node;
    int error = member_get(object, key, &node);

    if (error) {
        return error;
    }
    if (!json_is_integer(node.value)) {
        return calib_json_fault(&node, CALIB_E_VALUE, "a whole number is wanted");
    }
    json_int_t value = json_integer_value(node.value);
    if (value < least || value > most) {
        return calib_json_fault(&node, CALIB_E_VALUE, "%" JSON_INTEGER_FORMAT " is not in %d to %d",
                                value, least, most);
    }
    *out = (int)value;
    return CALIB_OK;
}

int calib_json_size_mm(const struct json_node *object, const char *key, double *out)
{
    struct json_node node;
    int error = member_get(object, key, &node);

    if (error) {
        return error;
    }
    if (!json_is_number(node.value)) {
        return calib_json_fault(&node, CALIB_E_VALUE, "a number is wanted");
    }
    double value = json_number_value(node.value);
    if (!(value > 0.0 && value < JSON_SIZE_MAX_MM)) {
        return calib_json_fault(&node, CALIB_E_VALUE,
                                "%.9g mm is no size; above 0 and below %g is wanted", value,
                                JSON_SIZE_MAX_MM);
    }
    *out = value;
    return CALIB_OK;
}

int calib_json_numbers_of(const struct json_node *array, size_t count, double least, double most,
                          double *out)
{
    if (!json_is_array(array->value) || json_array_size(array->value) != count) {
        return calib_json_fault(array, CALIB_E_VALUE, "a list of %zu numbers is wanted", count);
    }
    for (size_t i = 0; i < count; i++) {
        struct json_node item = calib_json_item(array, i);
        int error = number_of(&item, least, most, &out[i]);
        if (error) {
            return error;
        }
    }
    return CALIB_OK;
}

int calib_json_numbers(const struct json_node *object, const char *key, size_t count, double least,
                       double most, double *out)
{
    struct json_node node;
    int error = member_get(object, key, &node);

    return error ? error : calib_json_numbers_of(&node, count, least, most, out);
}

int calib_json_text_of(const struct json_node *node, size_t size, char *out)
{
    if (!json_is_string(node->value)) {
        return calib_json_fault(node, CALIB_E_VALUE, "a text in \"\" is wanted");
    }
    const char *text = json_string_value(node->value);
    size_t length = json_string_length(node->value);
    if (length == 0) {
        return calib_json_fault(node, CALIB_E_VALUE, "empty");
    }
    if (length >= size) {
        return calib_json_fault(node, CALIB_E_SIZE, "longer than %zu bytes", size - 1);
    }
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f) {
            return calib_json_fault(node, CALIB_E_VALUE, "a control character in it");
        }
    }
    memcpy(out, text, length + 1);
    return CALIB_OK;
}

int calib_json_text(const struct json_node *object, const char *key, size_t size, char *out)
{
    struct json_node node;
    int error = member_get(object, key, &node);

    return error ? error : calib_json_text_of(&node, size, out);
}

/* 0..15, or -1. */
static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int calib_json_colour(const struct json_node *object, const char *key, struct rgb8 *out)
{
    struct json_node node;
    unsigned char part[3] = {0};
    int error = member_get(object, key, &node);

    if (error) {
        return error;
    }
    const char *text = json_is_string(node.value) ? json_string_value(node.value) : "";
    bool good = strlen(text) == 7 && text[0] == '#';
    for (size_t i = 0; i < 3 && good; i++) {
        int high = hex_digit(text[1 + 2 * i]), low = hex_digit(text[2 + 2 * i]);
        good = high >= 0 && low >= 0;
        part[i] = good ? (unsigned char)(high * 16 + low) : 0;
    }
    if (!good) {
        return calib_json_fault(&node, CALIB_E_VALUE,
                                "\"%.20s\" is no colour; \"#RRGGBB\" is wanted", text);
    }
    *out = (struct rgb8){part[0], part[1], part[2]};
    return CALIB_OK;
}

int calib_json_label(const struct json_node *node, const char *key, char *out)
{
    if (strlen(key) != 1 || key[0] < 0x21 || key[0] > 0x7e || key[0] == '.' || key[0] == '/') {
        return calib_json_fault(node, CALIB_E_VALUE,
                                "a label is one printable character, not '.' or '/'");
    }
    *out = key[0];
    return CALIB_OK;
}
