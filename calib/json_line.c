#include "calib/json_line.h"

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

/* The walk trusts the text to be JSON only so far that it gives right lines; whatever the text,
 * it never leaves `length` and always moves on. */
struct walk {
    const char *text;
    size_t length, at;
};

static char walk_peek(const struct walk *walk)
{
    return walk->at < walk->length ? walk->text[walk->at] : 0;
}

static void walk_space(struct walk *walk)
{
    while (walk->at < walk->length && strchr(" \t\r\n", walk->text[walk->at])) {
        walk->at++;
    }
}

/* Past a string that starts here. */
static void walk_string(struct walk *walk)
{
    walk->at++;
    while (walk->at < walk->length && walk->text[walk->at] != '"') {
        walk->at += walk->text[walk->at] == '\\' ? 2 : 1;
    }
    walk->at = walk->at < walk->length ? walk->at + 1 : walk->length;
}

/* Past a value that starts here. A counter in place of recursion: depth costs no stack. */
static void walk_value(struct walk *walk)
{
    size_t depth = 0;

    do {
        char c = walk_peek(walk);
        if (c == '"') {
            walk_string(walk);
        } else if (c == '{' || c == '[') {
            depth++;
            walk->at++;
        } else if (c == '}' || c == ']') {
            depth -= depth > 0;
            walk->at++;
        } else if (depth > 0) {
            walk->at++;
        } else {
            while (walk->at < walk->length && !strchr(",]} \t\r\n", walk->text[walk->at])) {
                walk->at++;
            }
        }
    } while (depth > 0 && walk->at < walk->length);
}

/* Is the string literal from `start` to `end` (with its quotes) the key? Jansson undoes escapes. */
static bool key_equals(const char *text, size_t start, size_t end, const char *key)
{
    size_t length = strlen(key);

    if (end - start == length + 2 && memcmp(text + start + 1, key, length) == 0) {
        return true;
    }
    if (!memchr(text + start, '\\', end - start)) {
        return false;
    }
    json_t *string = json_loadb(text + start, end - start, JSON_DECODE_ANY, NULL);
    bool equal = string && json_is_string(string) && strcmp(json_string_value(string), key) == 0;
    json_decref(string);
    return equal;
}

/* From the bracket of an object or array to the value the step names. */
static bool walk_step(struct walk *walk, const struct json_step *step)
{
    if (walk_peek(walk) != (step->key ? '{' : '[')) {
        return false;
    }
    walk->at++;
    for (size_t index = 0; walk->at < walk->length; index++) {
        bool here = !step->key && index == step->index;
        walk_space(walk);
        if (walk_peek(walk) == '}' || walk_peek(walk) == ']') {
            return false;
        }
        if (step->key) {
            size_t start = walk->at;
            walk_string(walk);
            here = key_equals(walk->text, start, walk->at, step->key);
            walk_space(walk);
            walk->at++; /* the colon */
            walk_space(walk);
        }
        if (here) {
            return walk->at < walk->length;
        }
        walk_value(walk);
        walk_space(walk);
        walk->at++; /* the comma, or the closing bracket */
        if (walk->at <= walk->length && walk->text[walk->at - 1] != ',') {
            return false;
        }
    }
    return false;
}

int calib_json_line_of(const char *text, size_t at)
{
    int line = 1;

    for (size_t i = 0; i < at; i++) {
        line += text[i] == '\n';
    }
    return line;
}

int calib_json_line(const char *text, size_t length, const struct json_step *step, size_t steps)
{
    struct walk walk = {text, length, 0};
    size_t found;

    walk_space(&walk);
    found = walk.at;
    for (size_t i = 0; i < steps && walk_step(&walk, &step[i]); i++) {
        found = walk.at;
    }
    return calib_json_line_of(text, found < length ? found : length);
}
