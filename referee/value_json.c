/* referee/value_json.c: the values of the formats; see value_json.h. */
#include "referee/value_json.h"

#include "vision/reason.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NS_PER_MS 1000000

/* Seats of a match are counted in the bits of a byte. */
enum { SEAT_BITS = 8 };

bool referee_json_given(const struct json_node *object, const char *key, struct json_node *member)
{
    return calib_json_maybe(object, key, member) && !json_is_null(member->value);
}

int referee_json_only(const struct json_node *object, const char *const *known)
{
    const char *key;
    json_t *value;

    json_object_foreach(object->value, key, value)
    {
        bool found = strcmp(key, "note") == 0;
        for (const char *const *k = known; *k && !found; k++)
            found = strcmp(*k, key) == 0;
        if (!found) {
            struct json_node node = {object->doc, object, key, 0, value};
            return calib_json_fault(&node, CALIB_E_VALUE, "no such member here");
        }
    }
    return CALIB_OK;
}

int referee_json_whole(const struct json_node *object, const char *key, int64_t least, int64_t most,
                       int64_t *out)
{
    struct json_node node;

    if (!referee_json_given(object, key, &node))
        return CALIB_OK;
    if (!json_is_integer(node.value))
        return calib_json_fault(&node, CALIB_E_VALUE, "a whole number is wanted");
    int64_t value = json_integer_value(node.value);
    if (value < least || value > most)
        return calib_json_fault(&node, CALIB_E_VALUE,
                                "%" PRId64 " is not in %" PRId64 " to %" PRId64, value, least,
                                most);
    *out = value;
    return CALIB_OK;
}

int referee_json_small(const struct json_node *object, const char *key, int least, int most,
                       int8_t *out)
{
    int64_t value = *out;
    int error = referee_json_whole(object, key, least, most, &value);

    if (!error)
        *out = (int8_t)value;
    return error;
}

int referee_json_bool(const struct json_node *object, const char *key, bool *out)
{
    struct json_node node;

    if (!referee_json_given(object, key, &node))
        return CALIB_OK;
    if (!json_is_boolean(node.value))
        return calib_json_fault(&node, CALIB_E_VALUE, "true or false is wanted");
    *out = json_is_true(node.value);
    return CALIB_OK;
}

static int time_read(const struct json_node *object, const char *name, int64_t least,
                     int64_t *out_ns)
{
    char ns[32], ms[32];
    struct json_node in_ns, in_ms;
    int64_t value_ms = 0;

    snprintf(ns, sizeof ns, "%s_ns", name);
    snprintf(ms, sizeof ms, "%s_ms", name);
    if (!referee_json_given(object, ms, &in_ms))
        return referee_json_whole(object, ns, least, JSON_EXACT_MAX, out_ns);
    if (referee_json_given(object, ns, &in_ns))
        return calib_json_fault(&in_ms, CALIB_E_VALUE, "given twice, as \"%s\" too", ns);
    int error =
        referee_json_whole(object, ms, least / NS_PER_MS, JSON_EXACT_MAX / NS_PER_MS, &value_ms);
    if (!error)
        *out_ns = value_ms * NS_PER_MS;
    return error;
}

int referee_json_time(const struct json_node *object, const char *name, int64_t *out_ns)
{
    return time_read(object, name, -JSON_EXACT_MAX, out_ns);
}

int referee_json_span(const struct json_node *object, const char *name, int64_t *out_ns)
{
    return time_read(object, name, 0, out_ns);
}

int referee_json_fixed(const struct json_node *object, const char *key, int decimals, int64_t least,
                       int64_t most, int64_t *out)
{
    struct json_node node;
    double unit = 1;

    if (!referee_json_given(object, key, &node))
        return CALIB_OK;
    for (int i = 0; i < decimals; i++)
        unit *= 10;
    if (!json_is_number(node.value))
        return calib_json_fault(&node, CALIB_E_VALUE, "a number is wanted");
    double value = json_number_value(node.value) * unit;
    /* The bounds are of 32 bits, so a number within them is rounded exactly. */
    if (!isfinite(value) || llround(fmax(fmin(value, 1e12), -1e12)) < least ||
        llround(fmax(fmin(value, 1e12), -1e12)) > most)
        return calib_json_fault(&node, CALIB_E_VALUE, "%.9g is not in %.9g to %.9g", value / unit,
                                (double)least / unit, (double)most / unit);
    *out = llround(value);
    return CALIB_OK;
}

/* Control characters of both sets: U+0000 to U+001F, U+007F to U+009F. Jansson lets through only
 * whole UTF-8, so a C2 is followed by the second byte. */
static bool holds_control(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c < 0x20 || *c == 0x7f || (*c == 0xc2 && c[1] < 0xa0))
            return true;
    return false;
}

int referee_json_text(const struct json_node *object, const char *key, size_t size, char *out)
{
    struct json_node node;

    if (!referee_json_given(object, key, &node))
        return CALIB_OK;
    if (!json_is_string(node.value))
        return calib_json_fault(&node, CALIB_E_VALUE, "a text in \"\" is wanted");
    const char *text = json_string_value(node.value);
    size_t length = json_string_length(node.value);
    if (length >= size)
        return calib_json_fault(&node, CALIB_E_SIZE, "longer than %zu bytes", size - 1);
    if (holds_control(text))
        return calib_json_fault(&node, CALIB_E_VALUE, "a control character in it");
    memset(out, 0, size);
    memcpy(out, text, length);
    return CALIB_OK;
}

int referee_json_name(const struct json_node *object, const char *key, char out[PLAYER_NAME_MAX])
{
    char name[PLAYER_NAME_MAX] = "";
    struct json_node node;
    size_t characters = 0;

    int error = referee_json_text(object, key, sizeof name, name);
    if (error || !referee_json_given(object, key, &node))
        return error;
    for (const char *c = name; *c; c++)
        characters += ((unsigned char)*c & 0xc0) != 0x80; /* not one that continues */
    if (characters > PLAYER_NAME_CHARACTERS)
        return calib_json_fault(&node, CALIB_E_SIZE, "longer than %d characters",
                                PLAYER_NAME_CHARACTERS);
    memcpy(out, name, sizeof name);
    return CALIB_OK;
}

int referee_json_digest(const struct json_node *object, const char *key, char out[DIGEST_TEXT_MAX])
{
    struct json_node node;

    if (!referee_json_given(object, key, &node))
        return CALIB_OK;
    const char *text = json_is_string(node.value) ? json_string_value(node.value) : "";
    if (strlen(text) != DIGEST_TEXT_MAX - 1 ||
        strspn(text, "0123456789abcdef") != DIGEST_TEXT_MAX - 1)
        return calib_json_fault(&node, CALIB_E_VALUE, "no SHA-256 of %d lower-case hex digits",
                                DIGEST_TEXT_MAX - 1);
    memcpy(out, text, DIGEST_TEXT_MAX);
    return CALIB_OK;
}

static bool is_label(char c)
{
    return c > 0x20 && c < 0x7f && c != GRID_HOLE && c != '/';
}

int referee_json_label(const struct json_node *object, const char *key, char *out)
{
    struct json_node node;

    if (!referee_json_given(object, key, &node))
        return CALIB_OK;
    const char *text = json_is_string(node.value) ? json_string_value(node.value) : "";
    if (strlen(text) != 1 || !is_label(text[0]))
        return calib_json_fault(&node, CALIB_E_VALUE, "one printable character is wanted");
    *out = text[0];
    return CALIB_OK;
}

int referee_json_grid(const struct json_node *object, const char *key, struct grid *out)
{
    struct json_node node;
    struct grid grid;

    if (!referee_json_given(object, key, &node))
        return CALIB_OK;
    const char *text = json_is_string(node.value) ? json_string_value(node.value) : "";
    memset(&grid, 0, sizeof grid);
    if (calib_grid_parse(text, strlen(text), &grid) != CALIB_OK)
        return calib_json_fault(&node, CALIB_E_VALUE,
                                "\"%.60s\" is no grid: rows of one length, at most %d, divided by "
                                "'/', '.' for a hole",
                                text, GRID_SIDE_MAX);
    if (calib_grid_count(&grid) == 0)
        return calib_json_fault(&node, CALIB_E_VALUE, "holes only");
    *out = grid;
    return CALIB_OK;
}

static int reason_read(const struct json_node *item, uint64_t *out)
{
    const char *word = json_is_string(item->value) ? json_string_value(item->value) : "";

    for (unsigned r = 0; r < REASON_COUNT; r++)
        if (strcmp(word, vision_reason_name((enum reason)r)) == 0) {
            *out |= REASON_BIT(r);
            return CALIB_OK;
        }
    return calib_json_fault(item, CALIB_E_VALUE, "\"%.40s\" is no reason", word);
}

int referee_json_reasons(const struct json_node *object, const char *key, uint64_t *out)
{
    struct json_node node;
    uint64_t reasons = 0;

    if (!referee_json_given(object, key, &node))
        return CALIB_OK;
    int count = calib_json_array(object, key, 0, REASON_COUNT, &node);
    int error = count < 0 ? count : CALIB_OK;
    for (int i = 0; i < count && !error; i++) {
        struct json_node item = calib_json_item(&node, (size_t)i);
        error = reason_read(&item, &reasons);
    }
    if (!error)
        *out = reasons;
    return error;
}

int referee_json_seats(const struct json_node *object, const char *key, uint8_t *out)
{
    struct json_node node;
    unsigned seats = 0;
    int count = calib_json_array(object, key, 0, SEAT_BITS, &node);

    for (int i = 0; i < count; i++) {
        struct json_node item = calib_json_item(&node, (size_t)i);
        json_int_t seat = json_is_integer(item.value) ? json_integer_value(item.value) : 0;
        if (seat < 1 || seat > SEAT_BITS)
            return calib_json_fault(&item, CALIB_E_VALUE, "no seat of 1 to %d", SEAT_BITS);
        seats |= 1u << (unsigned)(seat - 1);
    }
    if (count >= 0)
        *out = (uint8_t)seats;
    return count < 0 ? count : CALIB_OK;
}

static int row_read(const struct json_node *item, char out[RAMP_SIDE])
{
    const char *text = json_is_string(item->value) ? json_string_value(item->value) : "";
    bool good = strlen(text) == RAMP_SIDE;

    for (int i = 0; i < RAMP_SIDE && good; i++)
        good = is_label(text[i]) || text[i] == GRID_HOLE;
    if (!good)
        return calib_json_fault(item, CALIB_E_VALUE, "a row of %d discs, '.' for none, is wanted",
                                RAMP_SIDE);
    memcpy(out, text, RAMP_SIDE);
    return CALIB_OK;
}

int referee_json_rows(const struct json_node *object, const char *key,
                      char out[RAMP_SIDE][RAMP_SIDE])
{
    struct json_node node;
    int count = calib_json_array(object, key, 0, RAMP_SIDE, &node);
    int error = count < 0 ? count : CALIB_OK;

    memset(out, GRID_HOLE, (size_t)RAMP_SIDE * RAMP_SIDE);
    for (int i = 0; i < count && !error; i++) {
        struct json_node item = calib_json_item(&node, (size_t)i);
        error = row_read(&item, out[i]);
    }
    return error;
}

int referee_json_word(const struct json_node *object, const char *key, const struct word_list *list,
                      int *out)
{
    struct json_node node;

    if (!calib_json_maybe(object, key, &node))
        return calib_json_fault(object, CALIB_E_VALUE, "\"%s\" is missing", key);
    const char *word = json_is_string(node.value) ? json_string_value(node.value) : "";
    for (int place = 0; place < list->count; place++)
        if (strcmp(word, list->word(place)) == 0) {
            *out = place;
            return CALIB_OK;
        }
    return calib_json_fault(&node, CALIB_E_VALUE, "\"%.40s\" is no %s; one such is \"%s\"", word,
                            key, list->word(0));
}

void referee_write_text(struct json_text *out, const char *key, const char *text)
{
    vision_json_string(out, key, text[0] ? text : NULL);
}

void referee_write_whole(struct json_text *out, const char *key, int64_t value)
{
    if (value)
        vision_json_int(out, key, value);
    else
        vision_json_null(out, key);
}

void referee_write_label(struct json_text *out, const char *key, char label)
{
    const char text[2] = {label, 0};
    referee_write_text(out, key, text);
}

void referee_write_grid(struct json_text *out, const char *key, const struct grid *grid)
{
    char text[GRID_TEXT_MAX] = "";
    if (grid->rows > 0)
        (void)calib_grid_format(grid, text);
    referee_write_text(out, key, text);
}

void referee_write_seats(struct json_text *out, const char *key, uint8_t seats)
{
    vision_json_open(out, key, '[');
    for (unsigned bit = 0; bit < SEAT_BITS; bit++)
        if (seats & 1u << bit)
            vision_json_int(out, NULL, bit + 1);
    vision_json_close(out, ']');
}

void referee_write_rows(struct json_text *out, const char *key,
                        const char disc[RAMP_SIDE][RAMP_SIDE])
{
    vision_json_open(out, key, '[');
    for (int row = 0; row < RAMP_SIDE; row++) {
        char text[RAMP_SIDE + 1] = "";
        for (int track = 0; track < RAMP_SIDE; track++)
            text[track] = is_label(disc[row][track]) ? disc[row][track] : GRID_HOLE;
        vision_json_string(out, NULL, text);
    }
    vision_json_close(out, ']');
}

void referee_write_big(struct json_text *out, const char *key, uint64_t value)
{
    char text[24];
    if (value <= (uint64_t)JSON_EXACT_MAX) {
        vision_json_int(out, key, (int64_t)value);
        return;
    }
    snprintf(text, sizeof text, "%" PRIu64, value);
    vision_json_string(out, key, text);
}

int referee_json_big(const struct json_node *object, const char *key, uint64_t *out)
{
    struct json_node node;
    uint64_t value = 0;
    int64_t small = (int64_t)*out;

    if (!referee_json_given(object, key, &node))
        return CALIB_OK;
    if (!json_is_string(node.value)) {
        int error = referee_json_whole(object, key, 0, JSON_EXACT_MAX, &small);
        *out = error ? *out : (uint64_t)small;
        return error;
    }
    const char *text = json_string_value(node.value);
    size_t length = strlen(text);
    bool good = length > 0 && strspn(text, "0123456789") == length;
    for (const char *c = text; *c && good; c++)
        good = !__builtin_mul_overflow(value, (uint64_t)10, &value) &&
               !__builtin_add_overflow(value, (uint64_t)(*c - '0'), &value);
    if (!good)
        return calib_json_fault(&node, CALIB_E_VALUE, "no whole number of 64 bits");
    *out = value;
    return CALIB_OK;
}
