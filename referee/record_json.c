/* referee/record_json.c: the bodies of a journal's own lines as JSON. */
#include "referee/record_json.h"

#include "calib/json.h"
#include "referee/value_json.h"

#include <string.h>

#define JOURNAL_FORMAT "tableref-journal/1"
#define RULES_MOST 1000000 /* versions are counted, not dated */

void referee_header_json(const struct record_header *header, struct json_text *out)
{
    vision_json_open(out, NULL, '{');
    vision_json_string(out, "format", JOURNAL_FORMAT);
    vision_json_int(out, "rules", header->rules);
    vision_json_string(out, "program", header->program);
    vision_json_string(out, "match", header->match);
    vision_json_string(out, "table", header->table);
    vision_json_string(out, "made", header->made);
    vision_json_open(out, "digests", '{');
    vision_json_string(out, "set", header->set);
    vision_json_string(out, "mat", header->mat);
    vision_json_string(out, "deck", header->deck);
    vision_json_string(out, "rig", header->rig);
    vision_json_close(out, '}');
    vision_json_close(out, '}');
}

/* A text that may be missing or empty. */
static int text_maybe(const struct json_node *object, const char *key, size_t size, char *out)
{
    struct json_node member;

    out[0] = 0;
    if (!calib_json_maybe(object, key, &member) ||
        (json_is_string(member.value) && json_string_length(member.value) == 0))
        return CALIB_OK;
    return calib_json_text_of(&member, size, out);
}

static int digests_parse(const struct json_node *root, struct record_header *out)
{
    struct json_node digests;
    int error = calib_json_object(root, "digests", &digests);

    if (error >= 0)
        error = text_maybe(&digests, "set", sizeof out->set, out->set);
    if (error >= 0)
        error = text_maybe(&digests, "mat", sizeof out->mat, out->mat);
    if (error >= 0)
        error = text_maybe(&digests, "deck", sizeof out->deck, out->deck);
    if (error >= 0)
        error = text_maybe(&digests, "rig", sizeof out->rig, out->rig);
    return error;
}

int referee_header_parse(const char *json, size_t length, struct record_header *out,
                         struct calib_fault *fault)
{
    struct json_doc doc;
    struct json_node root;

    memset(out, 0, sizeof *out);
    int error = calib_json_open(&doc, json, length, "journal", NULL, fault, &root);
    if (error < 0)
        return error;
    error = calib_json_format(&root, JOURNAL_FORMAT);
    if (error >= 0)
        error = calib_json_integer(&root, "rules", 1, RULES_MOST, &out->rules);
    if (error >= 0)
        error = text_maybe(&root, "program", sizeof out->program, out->program);
    if (error >= 0)
        error = text_maybe(&root, "match", sizeof out->match, out->match);
    if (error >= 0)
        error = text_maybe(&root, "table", sizeof out->table, out->table);
    if (error >= 0)
        error = text_maybe(&root, "made", sizeof out->made, out->made);
    if (error >= 0)
        error = digests_parse(&root, out);
    calib_json_close(&doc);
    return error;
}

void referee_record_act_json(const struct record_act *act, bool overrule, struct json_text *out)
{
    vision_json_open(out, NULL, '{');
    vision_json_int(out, "event", (int64_t)act->event);
    if (overrule)
        vision_json_string(out, "ruling", referee_ruling_name(act->ruling));
    vision_json_string(out, "by", act->by);
    vision_json_string(out, "why", act->why);
    vision_json_close(out, '}');
}

static int ruling_parse(const struct json_node *root, enum ruling *out)
{
    struct json_node node;
    char word[16];
    int error = calib_json_text(root, "ruling", sizeof word, word);

    if (error < 0)
        return error;
    for (int r = RULING_MATCH; r <= RULING_CANNOT_TELL; r++)
        if (strcmp(word, referee_ruling_name((enum ruling)r)) == 0) {
            *out = (enum ruling)r;
            return CALIB_OK;
        }
    calib_json_maybe(root, "ruling", &node);
    return calib_json_fault(&node, CALIB_E_VALUE, "match, no_match or cannot_tell");
}

static int event_parse(const struct json_node *root, uint64_t *out)
{
    struct json_node node;

    if (!calib_json_maybe(root, "event", &node))
        return calib_json_fault(root, CALIB_E_VALUE, "\"event\" is missing");
    if (!json_is_integer(node.value) || json_integer_value(node.value) < 1 ||
        json_integer_value(node.value) > JSON_EXACT_MAX)
        return calib_json_fault(&node, CALIB_E_VALUE, "an event's number is wanted");
    *out = (uint64_t)json_integer_value(node.value);
    return CALIB_OK;
}

static int act_read(const struct json_node *root, bool overrule, struct record_act *out)
{
    int error = event_parse(root, &out->event);

    if (error >= 0 && overrule)
        error = ruling_parse(root, &out->ruling);
    if (error >= 0)
        error = text_maybe(root, "by", sizeof out->by, out->by);
    if (error >= 0)
        error = text_maybe(root, "why", sizeof out->why, out->why);
    return error;
}

int referee_record_act_parse(const char *json, size_t length, bool overrule, struct record_act *out,
                             struct calib_fault *fault)
{
    struct json_doc doc;
    struct json_node root;

    memset(out, 0, sizeof *out);
    int error = calib_json_open(&doc, json, length, "journal", NULL, fault, &root);
    if (error < 0)
        return error;
    error = act_read(&root, overrule, out);
    calib_json_close(&doc);
    return error;
}

/* A slip in a line written by hand must not pass for silence. */
static int act_keys(const struct json_node *root, bool overrule)
{
    static const char *const known[] = {"act", "event", "by", "why", NULL};
    static const char *const ruled[] = {"act", "event", "by", "why", "ruling", NULL};

    return referee_json_only(root, overrule ? ruled : known);
}

static int act_kind(const struct json_node *act, enum journal_kind *kind)
{
    static const enum journal_kind kinds[] = {JOURNAL_UNDO, JOURNAL_REDO, JOURNAL_OVERRULE};
    const char *word = json_string_value(act->value);

    for (size_t k = 0; word && k < sizeof kinds / sizeof kinds[0]; k++)
        if (strcmp(word, referee_journal_kind_name(kinds[k])) == 0) {
            *kind = kinds[k];
            return CALIB_OK;
        }
    return calib_json_fault(act, CALIB_E_VALUE, "undo, redo or overrule");
}

int referee_act_line_parse(const char *json, size_t length, enum journal_kind *kind,
                           struct record_act *out, struct calib_fault *fault)
{
    struct json_doc doc;
    struct json_node root, act;

    memset(out, 0, sizeof *out);
    int error = calib_json_open(&doc, json, length, "event", NULL, fault, &root);
    if (error < 0)
        return error;
    if (!calib_json_maybe(&root, "act", &act)) {
        calib_json_close(&doc);
        return 0;
    }
    error = act_kind(&act, kind);
    if (error >= 0)
        error = act_keys(&root, *kind == JOURNAL_OVERRULE);
    if (error >= 0)
        error = act_read(&root, *kind == JOURNAL_OVERRULE, out);
    calib_json_close(&doc);
    return error < 0 ? error : 1;
}

void referee_void_json(const struct decision *gone, struct json_text *out)
{
    vision_json_open(out, NULL, '{');
    vision_json_int(out, "seq", (int64_t)gone->seq);
    vision_json_int(out, "index", gone->index);
    vision_json_close(out, '}');
}
