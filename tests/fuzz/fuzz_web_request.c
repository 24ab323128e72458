/* Any bytes as a request to the web server, after libmicrohttpd has taken it apart: the routing
 * must give it a status and a word for it, let nobody in who may not, and make of a body either
 * nothing or one JSON object with the sender's key. The first byte chooses how we listen and where
 * the request came in; then come the request's line, its headers and its body. */
#include "pubsub/error.h"
#include "pubsub/web_route.h"
#include "tests/fuzz/fuzz_kit.h"

#include <jansson.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define LINES_MOST 64

static const struct web_asset assets[] = {
    {"board.html", (const unsigned char *)"", 0},    {"board.js", (const unsigned char *)"", 0},
    {"overlay.html", (const unsigned char *)"", 0},  {"claim.html", (const unsigned char *)"", 0},
    {"operator.html", (const unsigned char *)"", 0}, {"icon.svg", (const unsigned char *)"", 0},
};

static void check(bool holds)
{
    if (!holds)
        abort();
}

/* The next line, without its end; NULL behind the last one. */
static char *line_next(char **at)
{
    char *line = *at, *end;

    if (!line)
        return NULL;
    end = strchr(line, '\n');
    *at = end ? end + 1 : NULL;
    if (end)
        *end = 0;
    size_t length = strlen(line);
    if (length > 0 && line[length - 1] == '\r')
        line[length - 1] = 0;
    return line;
}

/* "NAME: value" of that name, or NULL. */
static const char *header_value(const char *line, const char *name)
{
    size_t length = strlen(name);

    if (strncasecmp(line, name, length) != 0 || line[length] != ':')
        return NULL;
    line += length + 1;
    return line + strspn(line, " ");
}

static void header_take(struct web_facts *facts, const char *line)
{
    const struct {
        const char *name, **place;
    } known[] = {
        {"Origin", &facts->origin},      {"Sec-Fetch-Site", &facts->fetch_site},
        {"X-Tableref-Key", &facts->key}, {"Content-Type", &facts->content_type},
        {"Host", &facts->host},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *value = header_value(line, known[i].name);
        if (value && !*known[i].place)
            *known[i].place = value;
        facts->hosts += value && known[i].place == &facts->host;
    }
}

static char *query_take(char *query, const char *name)
{
    char *found = query ? strstr(query, name) : NULL;

    return found ? found + strlen(name) : NULL;
}

/* "GET /path?seat=1 HTTP/1.1" */
static void first_take(struct web_facts *facts, char *line)
{
    char *path = strchr(line, ' '), *end, *query;

    facts->method = line;
    facts->path = "";
    if (!path)
        return;
    *path++ = 0;
    facts->path = path;
    if ((end = strchr(path, ' ')))
        *end = 0;
    if ((query = strchr(path, '?')))
        *query++ = 0;
    facts->seat = query_take(query, "seat=");
    facts->from = query_take(query, "from=");
}

static void site_make(uint8_t how, struct web_site *site, struct web_facts *facts)
{
    static const char *const places[] = {"127.0.0.1:8080", "[::1]:8080", "0.0.0.0:8080",
                                         "192.168.1.5:8080"};
    static const char *const ways[] = {"127.0.0.1:8080", "[::1]:8080", "192.168.1.5:8080",
                                       "[2001:db8::7]:8080"};

    memset(site, 0, sizeof *site);
    check(pubsub_web_address_parse(places[how & 3], &site->listen));
    check(pubsub_web_address_parse(ways[(how >> 2) & 3], &facts->at));
    site->tls = (how & 16) != 0;
    if (how & 32)
        check(pubsub_web_site_name(site, "table4.example"));
}

static void ruling_check(const struct web_content *content, const struct web_facts *facts,
                         const struct web_ruling *ruling)
{
    bool safe = content->site->tls || pubsub_web_address_loopback(&facts->at);

    if (ruling->status != 200) {
        check(ruling->status >= 400 && ruling->status < 500 && ruling->why && ruling->why[0] &&
              ruling->text);
        return;
    }
    check(!ruling->why && facts->hosts == 1);
    check(pubsub_web_host_fits(content->site, &facts->at, facts->host));
    check(!facts->origin || pubsub_web_origin_fits(content->site, facts->host, facts->origin));
    check(ruling->route != WEB_DENIED && (ruling->route == WEB_ASSET) == (ruling->asset != NULL));
    if (ruling->route >= WEB_COMMAND)
        check(safe && facts->key);
    if (ruling->asset && strcmp(ruling->asset->name, "operator.html") == 0)
        check(safe && strcmp(facts->path, "/operator") == 0);
    check((strcmp(facts->method, "POST") == 0) == (ruling->route == WEB_COMMAND));
    check(strlen(ruling->lang) < sizeof ruling->lang);
    check(ruling->route != WEB_QR || (ruling->seat > 0 && ruling->seat < 100));
}

static void body_check(const char *body, const char *key)
{
    char *made = NULL;
    int error = pubsub_web_command(body, strlen(body), key, &made);

    check((error == PUBSUB_OK) == (made != NULL));
    if (!made)
        return;
    json_t *root = json_loads(made, JSON_REJECT_DUPLICATES, NULL);
    check(root && json_integer_value(json_object_get(root, "v")) == 1);
    check(strcmp(json_string_value(json_object_get(root, "key")), key) == 0);
    check(!strchr(made, '\n'));
    check(pubsub_web_status(made, strlen(made)) >= 200);
    json_decref(root);
    free(made);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct web_facts facts;
    struct web_site site;
    struct web_ruling ruling;
    const struct web_content content = {
        .site = &site, .assets = assets, .asset_count = sizeof assets / sizeof *assets};
    char *text, *at, *line;

    if (size < 1 || !(text = malloc(size)))
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    memset(&facts, 0, sizeof facts);
    site_make(data[0], &site, &facts);
    at = text;
    first_take(&facts, line_next(&at));
    for (int i = 0; i < LINES_MOST && (line = line_next(&at)) && line[0]; i++)
        header_take(&facts, line);
    pubsub_web_route(&content, &facts, &ruling);
    ruling_check(&content, &facts, &ruling);
    if (at)
        body_check(at, facts.key ? facts.key : "k");
    free(text);
    return 0;
}
