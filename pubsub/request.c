/* pubsub/request.c: requests read and bounded, answers made. */
#include "pubsub/request.h"

#include "calib/mark.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMBERS_MAX 8

/* Kinds of members; with _NEEDED one that may not be missing. */
enum member_kind { WHOLE = 1, TEXT, YES_NO, LIST, KIND = 7, NEEDED = 8 };

struct member {
    const char *name;
    int kind;
};

#define BY                                                                                         \
    {                                                                                              \
        "by", TEXT                                                                                 \
    }
#define WHY                                                                                        \
    {                                                                                              \
        "why", TEXT                                                                                \
    }
#define SEAT                                                                                       \
    {                                                                                              \
        "seat", WHOLE                                                                              \
    }
#define SEAT_NEEDED                                                                                \
    {                                                                                              \
        "seat", WHOLE | NEEDED                                                                     \
    }
#define SLOT                                                                                       \
    {                                                                                              \
        "slot", WHOLE                                                                              \
    }
#define EVENT                                                                                      \
    {                                                                                              \
        "event", WHOLE | NEEDED                                                                    \
    }
#define CAUSE                                                                                      \
    {                                                                                              \
        "cause", WHOLE | NEEDED                                                                    \
    }
#define RANGE                                                                                      \
    {"from", WHOLE},                                                                               \
    {                                                                                              \
        "most", WHOLE                                                                              \
    }

static const struct {
    const char *word;
    enum request_sort sort;
    enum request_right right;
    struct member member[MEMBERS_MAX];
} rules[REQUEST_DOS] = {
    [REQUEST_HELLO] = {"hello", REQUEST_QUESTION, REQUEST_ANYBODY, {{NULL, 0}}},
    [REQUEST_TIME] = {"time", REQUEST_QUESTION, REQUEST_ANYBODY, {{NULL, 0}}},
    [REQUEST_SNAPSHOT] = {"snapshot", REQUEST_QUESTION, REQUEST_ANYBODY, {{NULL, 0}}},
    [REQUEST_DECISIONS] = {"decisions", REQUEST_QUESTION, REQUEST_ANYBODY, {RANGE}},
    [REQUEST_CLAIM] = {"claim",
                       REQUEST_EVENT,
                       REQUEST_SEAT,
                       {SEAT_NEEDED,
                        SLOT,
                        {"attempt", WHOLE},
                        {"claimed_t_ns", WHOLE},
                        {"ago_ns", WHOLE},
                        {"error_ns", WHOLE},
                        BY}},
    [REQUEST_GIVE_UP] = {"give_up", REQUEST_EVENT, REQUEST_SEAT, {SEAT, SLOT, BY, WHY}},
    [REQUEST_PASS] = {"pass", REQUEST_EVENT, REQUEST_MAKER, {BY, WHY}},
    [REQUEST_START] = {"start", REQUEST_EVENT, REQUEST_OPERATOR, {{"countdown_ms", WHOLE}, BY}},
    [REQUEST_PAUSE] = {"pause", REQUEST_EVENT, REQUEST_OPERATOR, {BY, WHY}},
    [REQUEST_RESUME] = {"resume", REQUEST_EVENT, REQUEST_OPERATOR, {BY, WHY}},
    [REQUEST_CONFIRM] = {"confirm",
                         REQUEST_EVENT,
                         REQUEST_OPERATOR,
                         {CAUSE, {"agree", YES_NO | NEEDED}, BY, WHY}},
    [REQUEST_DECIDE] = {"decide",
                        REQUEST_EVENT,
                        REQUEST_OPERATOR,
                        {CAUSE, {"seats", LIST | NEEDED}, BY, WHY}},
    [REQUEST_SET_CARD] = {"set_card",
                          REQUEST_EVENT,
                          REQUEST_OPERATOR,
                          {SLOT, {"card", TEXT}, {"level", WHOLE}, {"grid", TEXT}, BY, WHY}},
    [REQUEST_AWARD] = {"award", REQUEST_EVENT, REQUEST_OPERATOR, {SEAT_NEEDED, SLOT, BY, WHY}},
    [REQUEST_PENALISE] = {"penalise",
                          REQUEST_EVENT,
                          REQUEST_OPERATOR,
                          {SEAT_NEEDED, SLOT, BY, WHY}},
    [REQUEST_SET_ASIDE] = {"set_aside", REQUEST_EVENT, REQUEST_OPERATOR, {SEAT, SLOT, BY, WHY}},
    [REQUEST_NAME] = {"name",
                      REQUEST_EVENT,
                      REQUEST_OPERATOR,
                      {SEAT_NEEDED, {"name", TEXT | NEEDED}, BY, WHY}},
    [REQUEST_SET_DISCS] = {"set_discs",
                           REQUEST_EVENT,
                           REQUEST_OPERATOR,
                           {{"rows_from_bottom", LIST | NEEDED}, {"turn", TEXT}, BY, WHY}},
    [REQUEST_ABANDON] = {"abandon", REQUEST_EVENT, REQUEST_OPERATOR, {BY, WHY}},
    [REQUEST_UNDO] = {"undo", REQUEST_WORD, REQUEST_OPERATOR, {EVENT, BY, WHY}},
    [REQUEST_REDO] = {"redo", REQUEST_WORD, REQUEST_OPERATOR, {EVENT, BY, WHY}},
    [REQUEST_OVERRULE] = {"overrule",
                          REQUEST_WORD,
                          REQUEST_OPERATOR,
                          {EVENT, {"ruling", TEXT | NEEDED}, BY, WHY}},
    [REQUEST_SEEK] = {"seek",
                      REQUEST_PLAYBACK,
                      REQUEST_OPERATOR,
                      {{"t_ns", WHOLE}, {"event", WHOLE}, {"rulings", WHOLE}, BY, WHY}},
    [REQUEST_SPEED] = {"speed",
                       REQUEST_PLAYBACK,
                       REQUEST_OPERATOR,
                       {{"speed_permille", WHOLE | NEEDED}, BY, WHY}},
    [REQUEST_KEYS] = {"keys", REQUEST_QUESTION, REQUEST_OPERATOR, {{NULL, 0}}},
    [REQUEST_HISTORY] = {"history", REQUEST_QUESTION, REQUEST_OPERATOR, {RANGE}},
};

static const char *const errors[REQUEST_ERRORS] = {
    [REQUEST_E_BAD_REQUEST] = "bad_request", [REQUEST_E_BAD_KEY] = "bad_key",
    [REQUEST_E_REFUSED] = "refused",         [REQUEST_E_TOO_MANY] = "too_many",
    [REQUEST_E_TOO_LARGE] = "too_large",     [REQUEST_E_NOT_READY] = "not_ready",
    [REQUEST_E_NOT_WRITTEN] = "not_written", [REQUEST_E_UNKNOWN_EVENT] = "unknown_event",
    [REQUEST_E_RESTARTED] = "restarted",     [REQUEST_E_REPLAY] = "replay",
};

const char *pubsub_request_name(enum request_do what)
{
    return (unsigned)what < REQUEST_DOS ? rules[what].word : NULL;
}

enum request_sort pubsub_request_sort(enum request_do what)
{
    return (unsigned)what < REQUEST_DOS ? rules[what].sort : REQUEST_QUESTION;
}

enum request_right pubsub_request_right(enum request_do what)
{
    return (unsigned)what < REQUEST_DOS ? rules[what].right : REQUEST_OPERATOR;
}

const char *pubsub_request_member(enum request_do what, int place)
{
    if ((unsigned)what >= REQUEST_DOS || place < 0 || place >= MEMBERS_MAX)
        return NULL;
    return rules[what].member[place].name;
}

const char *pubsub_request_error_name(enum request_error error)
{
    return (unsigned)error < REQUEST_ERRORS ? errors[error] : NULL;
}

/* ---- reading ---- */

static enum request_error refuse(struct wire_fault *fault, enum request_error error,
                                 const char *format, ...) __attribute__((format(printf, 3, 4)));

static enum request_error refuse(struct wire_fault *fault, enum request_error error,
                                 const char *format, ...)
{
    va_list arguments;

    if (!fault)
        return error;
    va_start(arguments, format);
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    /* It goes back to whoever sent it, as JSON and on one line. */
    for (char *c = fault->text; *c; c++)
        if ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7f)
            *c = '?';
    return error;
}

/* How deep the brackets nest, outside of texts. */
static int depth_of(const char *bytes, size_t length)
{
    int depth = 0, most = 0;
    bool text = false;

    for (size_t i = 0; i < length; i++) {
        char c = bytes[i];
        if (text && c == '\\')
            i++;
        else if (c == '"')
            text = !text;
        else if (!text && (c == '{' || c == '['))
            depth++;
        else if (!text && (c == '}' || c == ']'))
            depth--;
        if (depth > most)
            most = depth;
    }
    return most;
}

static bool word_fits(const char *word, size_t length, size_t most)
{
    if (length < 1 || length > most)
        return false;
    for (size_t i = 0; i < length; i++) {
        char c = word[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '-' || c == '_'))
            return false;
    }
    return true;
}

static bool word_read(const json_t *root, const char *key, char *out, size_t size)
{
    const json_t *value = json_object_get(root, key);
    size_t length = json_string_length(value);

    if (!json_is_string(value) || !word_fits(json_string_value(value), length, size - 1))
        return false;
    memcpy(out, json_string_value(value), length + 1);
    return true;
}

static bool kind_fits(const json_t *value, int kind)
{
    switch (kind & KIND) {
    case WHOLE:
        return json_is_integer(value);
    case TEXT:
        return json_is_string(value); /* Jansson lets no 0 into it */
    case YES_NO:
        return json_is_boolean(value);
    default:
        return json_is_array(value);
    }
}

static const char *kind_words(int kind)
{
    static const char *const words[] = {[WHOLE] = N_("a whole number"),
                                        [TEXT] = "a text",
                                        [YES_NO] = N_("true or false"),
                                        [LIST] = "a list"};

    return words[kind & KIND];
}

static bool member_known(enum request_do what, const char *key)
{
    static const char *const always[] = {"v", "id", "key", "do", "epoch"};

    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
        if (strcmp(key, always[i]) == 0)
            return true;
    for (int i = 0; i < MEMBERS_MAX && rules[what].member[i].name; i++)
        if (strcmp(key, rules[what].member[i].name) == 0)
            return true;
    return false;
}

static enum request_error members_check(const struct request *request, struct wire_fault *fault)
{
    const char *key;
    json_t *value;

    json_object_foreach(
        request->body, key,
        value) if (!member_known(request->what, key)) return refuse(fault, REQUEST_E_BAD_REQUEST,
                                                                    "\"%.40s\" is no member of %s",
                                                                    key, rules[request->what].word);
    for (int i = 0; i < MEMBERS_MAX && rules[request->what].member[i].name; i++) {
        const struct member *member = &rules[request->what].member[i];
        value = json_object_get(request->body, member->name);
        if (!value || json_is_null(value)) {
            if (member->kind & NEEDED)
                return refuse(fault, REQUEST_E_BAD_REQUEST, "\"%s\" is missing: %s", member->name,
                              kind_words(member->kind));
        } else if (!kind_fits(value, member->kind)) {
            return refuse(fault, REQUEST_E_BAD_REQUEST, "\"%s\" is not %s", member->name,
                          kind_words(member->kind));
        }
    }
    return REQUEST_OK;
}

static enum request_error what_read(struct request *out, struct wire_fault *fault)
{
    const json_t *value = json_object_get(out->body, "do");
    const char *word = json_string_value(value);

    if (!word)
        return refuse(fault, REQUEST_E_BAD_REQUEST, "\"do\" is missing: what is asked for");
    for (int d = 0; d < REQUEST_DOS; d++)
        if (strcmp(word, rules[d].word) == 0) {
            out->what = (enum request_do)d;
            return REQUEST_OK;
        }
    return refuse(fault, REQUEST_E_BAD_REQUEST, "\"%.40s\" is nothing that can be done", word);
}

static enum request_error envelope_read(struct request *out, struct wire_fault *fault)
{
    const json_t *version = json_object_get(out->body, "v");
    const json_t *epoch = json_object_get(out->body, "epoch");

    bool named = word_read(out->body, "id", out->id, sizeof out->id);
    if (!json_is_integer(version) || json_integer_value(version) != REQUEST_VERSION)
        return refuse(fault, REQUEST_E_BAD_REQUEST, "\"v\" is not %d", REQUEST_VERSION);
    if (!named)
        return refuse(fault, REQUEST_E_BAD_REQUEST,
                      "\"id\" is not 1 to 64 letters, digits, - and _");
    if (json_object_get(out->body, "key") &&
        !word_read(out->body, "key", out->key, sizeof out->key))
        return refuse(fault, REQUEST_E_BAD_REQUEST, "\"key\" is no key");
    if (epoch && !(json_is_integer(epoch) && json_integer_value(epoch) > 0))
        return refuse(fault, REQUEST_E_BAD_REQUEST, "\"epoch\" is no whole number above 0");
    out->epoch = json_integer_value(epoch);
    return what_read(out, fault);
}

enum request_error pubsub_request_parse(const char *bytes, size_t length, struct request *out,
                                        struct wire_fault *fault)
{
    json_error_t wrong;

    memset(out, 0, sizeof *out);
    if (length > REQUEST_SIZE_MAX)
        return refuse(fault, REQUEST_E_TOO_LARGE, "more than %d bytes", (int)REQUEST_SIZE_MAX);
    if (depth_of(bytes, length) > REQUEST_DEPTH_MAX)
        return refuse(fault, REQUEST_E_BAD_REQUEST, "nested deeper than %d", REQUEST_DEPTH_MAX);
    out->body = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &wrong);
    if (!json_is_object(out->body))
        return refuse(fault, REQUEST_E_BAD_REQUEST, "no JSON object%s%.120s", out->body ? "" : ": ",
                      out->body ? "" : wrong.text);
    enum request_error error = envelope_read(out, fault);
    return error == REQUEST_OK ? members_check(out, fault) : error;
}

void pubsub_request_free(struct request *request)
{
    json_decref(request->body);
    request->body = NULL;
}

bool pubsub_request_given(const struct request *request, const char *key)
{
    const json_t *value = json_object_get(request->body, key);

    return value && !json_is_null(value);
}

int64_t pubsub_request_whole(const struct request *request, const char *key, int64_t usual)
{
    const json_t *value = json_object_get(request->body, key);

    return json_is_integer(value) ? json_integer_value(value) : usual;
}

const char *pubsub_request_text(const struct request *request, const char *key)
{
    return json_string_value(json_object_get(request->body, key));
}

/* ---- answers ---- */

/* "id" as JSON: letters, digits, - and _ need no escapes. */
static int answer_print(const char *id, bool ok, const char *front, const char *members, char **out,
                        size_t *length)
{
    static const char form[] = "{\"v\":%d,\"id\":%s%s%s,\"ok\":%s%s%s%s}";
    const char *quote = id[0] ? "\"" : "";
    size_t room = sizeof form + 32 + strlen(id) + strlen(front) + strlen(members);

    *length = 0;
    *out = malloc(room);
    if (!*out)
        return PUBSUB_E_MEMORY;
    int made = snprintf(*out, room, form, REQUEST_VERSION, quote, id[0] ? id : "null", quote,
                        ok ? "true" : "false", front, members[0] ? "," : "", members);
    *length = made > 0 ? (size_t)made : 0;
    return PUBSUB_OK;
}

int pubsub_answer_make(const char *id, const char *members, char **out, size_t *length)
{
    return answer_print(id, true, "", members, out, length);
}

int pubsub_answer_refuse(const char *id, enum request_error error, const char *text,
                         const char *members, char **out, size_t *length)
{
    const char *word = pubsub_request_error_name(error);
    json_t *said = json_string(text);
    char *quoted = json_dumps(said ? said : json_null(), JSON_ENCODE_ANY);
    char *front = NULL;

    json_decref(said);
    *out = NULL;
    *length = 0;
    size_t room = quoted ? strlen(quoted) + 64 : 0;
    if (quoted && (front = malloc(room)))
        snprintf(front, room, ",\"error\":\"%s\",\"text\":%s", word ? word : "bad_request", quoted);
    int made = front ? answer_print(id, false, front, members, out, length) : PUBSUB_E_MEMORY;
    free(front);
    free(quoted);
    return made;
}

static int answer_fault(struct wire_fault *fault, const char *text)
{
    if (fault)
        snprintf(fault->text, sizeof fault->text, "%s", text);
    return PUBSUB_E_ARGUMENT;
}

static enum request_error error_find(const char *word)
{
    for (int e = REQUEST_OK + 1; e < REQUEST_ERRORS; e++)
        if (strcmp(errors[e], word) == 0)
            return (enum request_error)e;
    return REQUEST_ERRORS;
}

/* What is wrong with it; NULL for nothing. */
static const char *answer_read(struct answer *out)
{
    const json_t *version = json_object_get(out->body, "v"), *ok = json_object_get(out->body, "ok");
    const json_t *id = json_object_get(out->body, "id");
    const char *word = json_string_value(json_object_get(out->body, "error"));

    if (!json_is_integer(version) || json_integer_value(version) != REQUEST_VERSION)
        return N_("an answer of another version");
    if (!json_is_null(id) && !word_read(out->body, "id", out->id, sizeof out->id))
        return N_("an answer whose \"id\" is none");
    if (!json_is_boolean(ok))
        return N_("an answer without \"ok\"");
    out->ok = json_is_true(ok);
    if (!out->ok && (!word || !json_is_string(json_object_get(out->body, "text"))))
        return N_("an answer that says neither \"error\" nor \"text\"");
    out->error = out->ok ? REQUEST_OK : error_find(word);
    return NULL;
}

int pubsub_answer_parse(const char *bytes, size_t length, struct answer *out,
                        struct wire_fault *fault)
{
    memset(out, 0, sizeof *out);
    out->body = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, NULL);
    const char *wrong =
        json_is_object(out->body) ? answer_read(out) : N_("an answer that is no object");
    if (!wrong)
        return PUBSUB_OK;
    json_decref(out->body);
    memset(out, 0, sizeof *out);
    return answer_fault(fault, wrong);
}

/* ---- how many a second ---- */

/* Longer than this it is full again, whatever was owed, and nothing runs over. */
#define BUCKET_LONG_NS ((int64_t)60000000000)
#define BUCKET_UNIT ((int64_t)1000000000) /* of level: one request; refilled per_s each ns */

bool pubsub_bucket_take(struct request_bucket *bucket, int cost, int64_t now_ns)
{
    int64_t full = bucket->per_s * BUCKET_UNIT, need = cost * BUCKET_UNIT;
    int64_t gone_ns = bucket->begun ? now_ns - bucket->at_ns : BUCKET_UNIT;

    if (gone_ns < 0)
        gone_ns = 0;
    if (!bucket->begun || gone_ns >= BUCKET_LONG_NS)
        bucket->level = full;
    else
        bucket->level += gone_ns * bucket->per_s;
    if (bucket->level > full)
        bucket->level = full;
    bucket->at_ns = now_ns;
    bucket->begun = true;
    if (bucket->level < need)
        return false;
    bucket->level -= need;
    return true;
}

void pubsub_bucket_owe(struct request_bucket *bucket, size_t cost)
{
    /* No answer is longer than what a message may have: this never runs over. */
    bucket->level -= (int64_t)(cost < 1000 ? cost : 1000) * BUCKET_UNIT;
}
