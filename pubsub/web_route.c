/* pubsub/web_route.c: what a request asks for, and whether it may. */
#include "pubsub/web_route.h"

#include "pubsub/error.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SEAT_MOST 99 /* far more than any mat has */

static const struct {
    const char *path;
    enum web_route route;
    bool post;
    bool keyed; /* needs a key, so it never leaves this machine in the clear */
} calls[] = {
    {"/events", WEB_EVENTS, false, false},      {"/api/time", WEB_TIME, false, false},
    {"/api/command", WEB_COMMAND, true, true},  {"/api/picture", WEB_PICTURE, false, true},
    {"/api/outline", WEB_OUTLINE, false, true}, {"/api/history", WEB_HISTORY, false, true},
    {"/api/qr", WEB_QR, false, true},           {"/api/finishes", WEB_FINISHES, false, true},
};

static const struct {
    const char *path, *asset;
    bool keyed;
} pages[] = {
    {"/", "board.html", false},           {"/overlay", "overlay.html", false},
    {"/operator", "operator.html", true}, {"/claim", "claim.html", true},
    {"/favicon.ico", "icon.svg", false},  {"/calibrate", "calibrate.html", true},
};

static void refuse(struct web_ruling *out, int status, const char *why, const char *text)
{
    out->status = status;
    out->why = why;
    out->text = text;
}

static bool method_fits(const char *method, bool post, struct web_ruling *out)
{
    if (post ? strcmp(method, "POST") == 0
             : strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0)
        return true;
    refuse(out, 405, "bad_method", "this is asked for in another way");
    out->allow = post ? "POST" : "GET, HEAD";
    return false;
}

/* Whether a key may travel to us and back: what came in at an address of the machine's own comes
 * from this machine. */
static bool keys_safe(const struct web_site *site, const struct web_facts *facts)
{
    return site->tls || pubsub_web_address_loopback(&facts->at);
}

/* Digits only, at most 15 of them, so that the number is exact everywhere; else -1. */
static int64_t number_of(const char *text)
{
    size_t length = text ? strspn(text, "0123456789") : 0;

    return length > 0 && length <= 15 && text[length] == 0 ? strtoll(text, NULL, 10) : -1;
}

/* A page of another origin asks, or one that hides where it comes from. */
static bool sender_fits(const struct web_content *content, const struct web_facts *facts,
                        bool guarded, struct web_ruling *out)
{
    if (facts->origin && !pubsub_web_origin_fits(content->site, facts->host, facts->origin)) {
        refuse(out, 403, "bad_origin", "a page from elsewhere asks for this");
        return false;
    }
    if (guarded && facts->fetch_site && strcasecmp(facts->fetch_site, "same-origin") != 0 &&
        strcasecmp(facts->fetch_site, "none") != 0) {
        refuse(out, 403, "bad_origin", "a page from elsewhere asks for this");
        return false;
    }
    return true;
}

static bool type_is_json(const char *type)
{
    static const char json[] = "application/json";

    if (!type || strncasecmp(type, json, sizeof json - 1) != 0)
        return false;
    type += sizeof json - 1;
    return *type == 0 || *type == ';' || *type == ' ';
}

/* Another type than JSON could be sent by a form of any page, without asking us first. */
static void call_rule(const struct web_content *content, const struct web_facts *facts, size_t call,
                      struct web_ruling *out)
{
    const int64_t seat = number_of(facts->seat);

    out->route = calls[call].route;
    out->seat = seat > 0 && seat <= SEAT_MOST ? (int)seat : 0;
    out->from = out->route == WEB_HISTORY && facts->from ? number_of(facts->from) : 0;
    if (!method_fits(facts->method, calls[call].post, out) ||
        !sender_fits(content, facts, true, out))
        return;
    if (calls[call].keyed && !keys_safe(content->site, facts))
        refuse(out, 403, "not_here", "keys do not leave this machine without TLS");
    else if (calls[call].keyed && !facts->key)
        refuse(out, 403, "bad_key", "this needs a key");
    else if (calls[call].post && !type_is_json(facts->content_type))
        refuse(out, 415, "bad_request", "the body must be application/json");
    else if (out->route == WEB_QR && out->seat == 0)
        refuse(out, 400, "bad_request", "seat is a number from 1");
    else if (out->from < 0)
        refuse(out, 400, "bad_request", "from is a number from 0");
}

static void asset_rule(const struct web_content *content, const struct web_facts *facts,
                       const char *name, bool keyed, struct web_ruling *out)
{
    if (!method_fits(facts->method, false, out) || !sender_fits(content, facts, false, out))
        return;
    out->route = WEB_ASSET;
    out->asset = pubsub_web_asset_find(content->assets, content->asset_count, name);
    if (!out->asset || !pubsub_web_asset_type(name)) {
        refuse(out, 404, "not_found", "there is no such page");
    } else if (keyed && !keys_safe(content->site, facts)) {
        refuse(out, 403, "not_here", "keys do not leave this machine without TLS");
        out->route = WEB_DENIED;
    }
}

/* "/lang/sv.json" */
static bool lang_take(const char *path, struct web_ruling *out)
{
    static const char folder[] = "/lang/", ending[] = ".json";
    size_t length;

    if (strncmp(path, folder, sizeof folder - 1) != 0)
        return false;
    path += sizeof folder - 1;
    length = strspn(path, "abcdefghijklmnopqrstuvwxyz");
    if (length < 2 || length >= WEB_LANG_MAX || strcmp(path + length, ending) != 0)
        return false;
    memcpy(out->lang, path, length);
    out->lang[length] = 0;
    return true;
}

/* Digits from `text` on; where they end, or NULL when there are none, or too many. */
static const char *digits_take(const char *text, int64_t *out)
{
    size_t length = strspn(text, "0123456789");

    if (length == 0 || length > 15)
        return NULL;
    *out = strtoll(text, NULL, 10);
    return text + length;
}

/* "/evidence/67-0.png", "/finish/100.png" */
static bool picture_take(const char *path, struct web_ruling *out)
{
    static const char evidence[] = "/evidence/", finish[] = "/finish/";
    const char *at = NULL;

    if (strncmp(path, evidence, sizeof evidence - 1) == 0) {
        at = digits_take(path + sizeof evidence - 1, &out->event);
        at = at && *at == '-' ? digits_take(at + 1, &out->index) : NULL;
        out->route = WEB_EVIDENCE;
    } else if (strncmp(path, finish, sizeof finish - 1) == 0) {
        at = digits_take(path + sizeof finish - 1, &out->event);
        out->route = WEB_FINISH;
    }
    return at && strcmp(at, ".png") == 0;
}

static void path_rule(const struct web_content *content, const struct web_facts *facts,
                      struct web_ruling *out)
{
    static const char folder[] = "/assets/";
    const char *path = facts->path;

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(path, calls[i].path) == 0) {
            call_rule(content, facts, i, out);
            return;
        }
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        if (strcmp(path, pages[i].path) == 0) {
            asset_rule(content, facts, pages[i].asset, pages[i].keyed, out);
            return;
        }
    if (picture_take(path, out)) {
        if (method_fits(facts->method, false, out))
            sender_fits(content, facts, false, out);
        return;
    }
    if (lang_take(path, out)) {
        out->route = WEB_LANG;
        if (method_fits(facts->method, false, out))
            sender_fits(content, facts, false, out);
        return;
    }
    /* The pages themselves have one address each, at which they are guarded. */
    size_t length = strlen(path);
    bool file = strncmp(path, folder, sizeof folder - 1) == 0 &&
                (length < 5 || strcmp(path + length - 5, ".html") != 0);
    asset_rule(content, facts, file ? path + sizeof folder - 1 : "", false, out);
}

void pubsub_web_route(const struct web_content *content, const struct web_facts *facts,
                      struct web_ruling *out)
{
    memset(out, 0, sizeof *out);
    out->status = 200;
    if (facts->hosts != 1 || !facts->host)
        refuse(out, 400, "bad_request", "one Host is needed");
    else if (!pubsub_web_host_fits(content->site, &facts->at, facts->host))
        refuse(out, 403, "bad_host", "this table is not called so; see --host");
    else
        path_rule(content, facts, out);
}

int pubsub_web_command(const char *body, size_t length, const char *key, char **out)
{
    json_error_t fault;
    json_t *root = json_loadb(body, length, JSON_REJECT_DUPLICATES, &fault);
    int error = PUBSUB_E_ARGUMENT;

    *out = NULL;
    if (json_is_object(root)) {
        error = PUBSUB_E_MEMORY;
        if (json_object_set_new(root, "v", json_integer(1)) == 0 &&
            json_object_set_new(root, "key", json_string(key)) == 0)
            *out = json_dumps(root, JSON_COMPACT);
        if (*out)
            error = PUBSUB_OK;
        else if (!json_object_get(root, "key"))
            error = PUBSUB_E_ARGUMENT; /* a key that is not UTF-8 */
    }
    json_decref(root);
    return error;
}

int pubsub_web_status(const char *answer, size_t length)
{
    static const struct {
        const char *error;
        int status;
    } known[] = {
        {"bad_key", 403},
        {"bad_request", 400},
        {"too_large", 413},
        {"too_many", 429},
    };
    json_error_t fault;
    json_t *root = json_loadb(answer, length, 0, &fault);
    const char *error = json_string_value(json_object_get(root, "error"));
    int status = json_is_object(root) ? 200 : 503;

    for (size_t i = 0; error && i < sizeof known / sizeof *known; i++)
        if (strcmp(error, known[i].error) == 0)
            status = known[i].status;
    json_decref(root);
    return status;
}
