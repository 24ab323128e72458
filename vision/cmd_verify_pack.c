/* vision/cmd_verify_pack.c: what came of a thing that was verified, as a line of JSON and back. */
#include "vision/cmd_verify_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_VERSION 1
#define FINDINGS_MOST 100000
#define THINGS_MOST 10000000

static const char *const kinds[] = {
    [VERIFY_PICTURE] = "picture", [VERIFY_MATCH] = "match", [VERIFY_ALONE] = "alone"};

/* Every number of a tally, by name: none can be packed and not unpacked. */
#define AT(member) offsetof(struct verify_tally, member)

static const struct {
    const char *name;
    size_t offset;
} numbers[] = {
    {"pictures", AT(pictures)},
    {"unusable", AT(unusable)},
    {"seats", AT(seats)},
    {"full", AT(full)},
    {"decided", AT(decided)},
    {"verdicts.right", AT(verdicts.right)},
    {"verdicts.wrong", AT(verdicts.wrong)},
    {"verdicts.unread", AT(verdicts.unread)},
    {"cells.right", AT(cells.right)},
    {"cells.wrong", AT(cells.wrong)},
    {"cells.unread", AT(cells.unread)},
    {"cells_under_hand", AT(cells_under_hand)},
    {"cells_sure_wrong", AT(cells_sure_wrong)},
    {"cells_extra", AT(cells_extra)},
    {"face_up.right", AT(face_up.right)},
    {"face_up.wrong", AT(face_up.wrong)},
    {"face_up.unread", AT(face_up.unread)},
    {"face_down.right", AT(face_down.right)},
    {"face_down.wrong", AT(face_down.wrong)},
    {"face_down.unread", AT(face_down.unread)},
    {"empty.right", AT(empty.right)},
    {"empty.wrong", AT(empty.wrong)},
    {"empty.unread", AT(empty.unread)},
    {"differences", AT(differences)},
};

/* All that is not the matrix stands above. */
_Static_assert(sizeof numbers / sizeof numbers[0] * sizeof(int) == AT(confusion),
               "a number of the tally has no name here");

#define NUMBERS (sizeof numbers / sizeof numbers[0])

/* ---- writing ---- */

void verify_outcome_begin(const struct verify_heading *heading, bool fault, bool crashed,
                          struct json_text *out)
{
    const struct verify_item *item = heading->item;

    vision_json_open(out, NULL, '{');
    vision_json_int(out, "v", LINE_VERSION);
    vision_json_string(out, "build", heading->build);
    vision_json_int(out, "number", heading->number);
    vision_json_int(out, "of", heading->of);
    vision_json_int(out, "list_faults", heading->list_faults);
    vision_json_string(out, "kind", kinds[item->kind]);
    vision_json_string(out, "path", item->path);
    vision_json_string(out, "digest", heading->digest);
    vision_json_string(out, "said", heading->said);
    vision_json_bool(out, "fault", fault);
    vision_json_bool(out, "crashed", crashed);
}

static void tally_pack(const struct verify_tally *tally, struct json_text *out)
{
    vision_json_open(out, "tally", '{');
    for (size_t i = 0; i < NUMBERS; i++) {
        int value;
        memcpy(&value, (const char *)tally + numbers[i].offset, sizeof value);
        vision_json_int(out, numbers[i].name, value);
    }
    vision_json_close(out, '}');
    vision_json_open(out, "confusion", '[');
    for (int t = 0; t < VERIFY_LABELS; t++)
        for (int r = 0; r < VERIFY_LABELS; r++) {
            if (!tally->confusion[t][r])
                continue;
            vision_json_open(out, NULL, '[');
            vision_json_int(out, NULL, t);
            vision_json_int(out, NULL, r);
            vision_json_int(out, NULL, tally->confusion[t][r]);
            vision_json_close(out, ']');
        }
    vision_json_close(out, ']');
}

void verify_result_pack(const struct verify_result *result, struct json_text *out)
{
    vision_json_open(out, NULL, '{');
    vision_json_string(out, "image", result->image);
    vision_json_bool(out, "rig", result->rig);
    vision_json_bool(out, "ok", result->ok);
    vision_json_string(out, "reason", result->ok ? NULL : vision_reason_name(result->reason));
    tally_pack(&result->tally, out);
    vision_json_open(out, "findings", '[');
    for (int i = 0; i < result->findings; i++) {
        vision_json_open(out, NULL, '[');
        vision_json_bool(out, NULL, result->finding[i].difference);
        vision_json_string(out, NULL, result->finding[i].text);
        vision_json_close(out, ']');
    }
    vision_json_close(out, ']');
    vision_json_close(out, '}');
}

/* ---- reading ---- */

/* A count: from 0 to what an int holds. */
static bool int_read(const json_t *value, int most, int *out)
{
    json_int_t number = json_integer_value(value);

    if (!json_is_integer(value) || number < 0 || number > most)
        return false;
    *out = (int)number;
    return true;
}

static bool text_read(const json_t *root, const char *key, const char **out)
{
    *out = json_string_value(json_object_get(root, key));
    return *out != NULL;
}

static bool flag_read(const json_t *root, const char *key, bool *out)
{
    const json_t *value = json_object_get(root, key);

    *out = json_is_true(value);
    return json_is_boolean(value);
}

/* Sums of many must fit, too. */
#define COUNT_MOST 1000000

static bool tally_unpack(const json_t *root, struct verify_tally *out)
{
    const json_t *tally = json_object_get(root, "tally");
    const json_t *confusion = json_object_get(root, "confusion"), *cell;
    size_t at;

    for (size_t i = 0; i < NUMBERS; i++) {
        int value;
        if (!int_read(json_object_get(tally, numbers[i].name), COUNT_MOST, &value))
            return false;
        memcpy((char *)out + numbers[i].offset, &value, sizeof value);
    }
    if (!json_is_array(confusion))
        return false;
    json_array_foreach(confusion, at, cell)
    {
        int truth, read, count;
        if (!int_read(json_array_get(cell, 0), VERIFY_LABELS - 1, &truth) ||
            !int_read(json_array_get(cell, 1), VERIFY_LABELS - 1, &read) ||
            !int_read(json_array_get(cell, 2), COUNT_MOST, &count))
            return false;
        out->confusion[truth][read] = count;
    }
    return true;
}

static bool findings_unpack(const json_t *list, struct verify_result *out)
{
    size_t count = json_array_size(list);

    if (!json_is_array(list) || count > FINDINGS_MOST)
        return false;
    for (size_t i = 0; i < count; i++) {
        const json_t *finding = json_array_get(list, i);
        const json_t *difference = json_array_get(finding, 0);
        const char *text = json_string_value(json_array_get(finding, 1));
        if (!text || !json_is_boolean(difference))
            return false;
        verify_note(out, json_is_true(difference), "%s", text);
    }
    return !out->failed;
}

static bool reason_find(const char *word, enum reason *out)
{
    for (int r = 0; r < REASON_COUNT; r++)
        if (strcmp(word, vision_reason_name((enum reason)r)) == 0) {
            *out = (enum reason)r;
            return true;
        }
    return false;
}

static bool result_unpack(const json_t *root, struct verify_result *out)
{
    const char *reason = json_string_value(json_object_get(root, "reason"));
    struct verify_tally tally;

    memset(&tally, 0, sizeof tally);
    out->reason = REASON_COUNT;
    if (!text_read(root, "image", &out->image) || !flag_read(root, "rig", &out->rig) ||
        !flag_read(root, "ok", &out->ok) || (reason && !reason_find(reason, &out->reason)) ||
        !tally_unpack(root, &tally) || !findings_unpack(json_object_get(root, "findings"), out))
        return false;
    out->tally = tally; /* findings have counted differences already, and the tally has them */
    return true;
}

static bool match_unpack(const json_t *root, struct verify_outcome *out)
{
    const json_t *match = json_object_get(root, "match"), *line;
    int verdicts = 0, layouts = 0, differences = 0;
    size_t at;

    if (out->kind != VERIFY_MATCH || out->crashed)
        return true;
    out->match.lines = json_object_get(match, "lines");
    if (!flag_read(match, "judged", &out->match.judged) ||
        !int_read(json_object_get(match, "verdicts"), INT32_MAX, &verdicts) ||
        !int_read(json_object_get(match, "layouts"), INT32_MAX, &layouts) ||
        !int_read(json_object_get(match, "differences"), INT32_MAX, &differences) ||
        !json_is_array(out->match.lines))
        return false;
    json_array_foreach(out->match.lines, at, line) if (!json_is_string(line)) return false;
    out->match.verdicts = verdicts;
    out->match.layouts = layouts;
    out->match.differences = differences;
    return true;
}

static bool readings_unpack(const json_t *root, struct verify_outcome *out)
{
    const json_t *list = json_object_get(root, "readings");
    size_t count = json_array_size(list);

    if (!list)
        return true;
    if (!json_is_array(list) || count > 2)
        return false;
    for (size_t i = 0; i < count; i++) {
        out->readings++;
        if (!result_unpack(json_array_get(list, i), &out->reading[i]))
            return false;
    }
    return true;
}

/* NULL, or the name of what is missing or wrong. */
static const char *heading_unpack(const json_t *root, struct verify_outcome *out)
{
    const char *kind;
    int version, k = 0;

    if (!int_read(json_object_get(root, "v"), LINE_VERSION, &version) || version != LINE_VERSION)
        return "v";
    if (!text_read(root, "build", &out->build))
        return "build";
    if (!int_read(json_object_get(root, "of"), THINGS_MOST, &out->of))
        return "of";
    if (!int_read(json_object_get(root, "number"), out->of - 1, &out->number))
        return "number";
    if (!int_read(json_object_get(root, "list_faults"), INT32_MAX, &out->list_faults))
        return "list_faults";
    if (!text_read(root, "kind", &kind))
        return "kind";
    while (k <= VERIFY_ALONE && strcmp(kinds[k], kind) != 0)
        k++;
    if (k > VERIFY_ALONE)
        return "kind";
    out->kind = (enum verify_kind)k;
    if (!text_read(root, "path", &out->path))
        return "path";
    if (!text_read(root, "digest", &out->digest) || strlen(out->digest) >= DIGEST_TEXT_MAX)
        return "digest";
    if (!text_read(root, "said", &out->said))
        return "said";
    if (!flag_read(root, "fault", &out->fault) || !flag_read(root, "crashed", &out->crashed))
        return "fault";
    out->ramp = json_is_true(json_object_get(root, "ramp"));
    return NULL;
}

bool verify_outcome_parse(const char *bytes, size_t length, struct verify_outcome *out, char *why,
                          size_t size)
{
    json_error_t wrong;
    const char *lacks;

    memset(out, 0, sizeof *out);
    out->body = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &wrong);
    if (!json_is_object(out->body)) {
        snprintf(why, size, "no object of JSON%s%.80s", out->body ? "" : ": ",
                 out->body ? "" : wrong.text);
        return false;
    }
    lacks = heading_unpack(out->body, out);
    if (!lacks && !readings_unpack(out->body, out))
        lacks = "readings";
    if (!lacks && !match_unpack(out->body, out))
        lacks = "match";
    if (lacks)
        snprintf(why, size, "\"%s\" is missing or wrong", lacks);
    return lacks == NULL;
}

void verify_outcome_free(struct verify_outcome *outcome)
{
    for (int i = 0; i < 2; i++)
        verify_result_free(&outcome->reading[i]);
    json_decref(outcome->body);
    memset(outcome, 0, sizeof *outcome);
}
