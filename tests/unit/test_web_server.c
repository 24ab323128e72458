/* The web server over real sockets: what every answer has, acts, streams, and its end. */
#include "pubsub/web_server.h"

#include "pubsub/web_server_parts.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define KEY "0123456789abcdef0123456789abcdef"
#define SEAT_KEY "fedcba9876543210fedcba9876543210"
#define ANSWER_MAX ((size_t)1 << 20)

static const struct web_asset assets[] = {
    {"board.html", (const unsigned char *)"<p>@BUILD@</p>", 14},
    {"board.js", (const unsigned char *)"let a", 5},
    {"operator.html", (const unsigned char *)"<p>", 3},
};

struct scene {
    struct web_hub *hub;
    struct web_desk *asks, *looks;
    struct web_server *server;
    struct web_options options;
    int port;
    char host[32];
    char *answer;
    pthread_t worker;
    _Atomic bool working;
    bool silent;
};

static int whose(void *context, const char *key)
{
    (void)context;
    return strcmp(key, KEY) == 0 ? WEB_OPERATOR : strcmp(key, SEAT_KEY) == 0 ? 2 : WEB_NOBODY;
}

static bool seat_key(void *context, int seat, char *out, size_t size)
{
    (void)context;
    snprintf(out, size, SEAT_KEY);
    return seat == 2;
}

static bool time_now(void *context, int64_t *t_ns, int64_t *error_ns, int64_t *epoch)
{
    const struct scene *s = context;
    *t_ns = 1234;
    *error_ns = 5;
    *epoch = 2;
    return !s->silent;
}

static bool lang(void *context, const char *code, const char **bytes, size_t *length)
{
    (void)context;
    *bytes = "{\"lang\":\"sv\"}";
    *length = strlen(*bytes);
    return strcmp(code, "sv") == 0;
}

/* The other side of the desks: says back what it was asked, shows a picture. */
static void *work(void *context)
{
    struct scene *s = context;
    struct web_errand *errand;
    while (s->working) {
        if ((errand = pubsub_web_desk_take(s->asks, 10))) {
            char text[256];
            snprintf(text, sizeof text, "{\"ok\":true,\"heard\":%zu}", errand->request_length);
            if (!s->silent)
                errand->answer = strdup(errand->request_length > 200 ? text : errand->request);
            errand->answer_length = errand->answer ? strlen(errand->answer) : 0;
            pubsub_web_errand_finish(errand);
        }
        if ((errand = pubsub_web_desk_take(s->looks, 0))) {
            errand->answer = strdup("{\"frame\":77}");
            errand->answer_length = strlen(errand->answer);
            errand->picture = malloc(4);
            memcpy(errand->picture, "\xFF\xD8\xFF\xD9", 4);
            errand->picture_length = 4;
            pubsub_web_errand_finish(errand);
        }
    }
    return NULL;
}

static void server_open(struct scene *s)
{
    struct wire_fault fault = {.text = ""};
    char address[64];
    assert_true(pubsub_web_address_parse("127.0.0.1:0", &s->options.listen));
    s->options.assets = assets;
    s->options.asset_count = sizeof assets / sizeof *assets;
    snprintf(s->options.build, sizeof s->options.build, "0123456789abcdef");
    s->options.hub = s->hub;
    s->options.asks = s->asks;
    s->options.looks = s->looks;
    snprintf(s->options.source, sizeof s->options.source, "00c0ffee");
    s->options.calls = (struct web_calls){whose, seat_key, time_now, lang, s};
    if (pubsub_web_server_start(&s->options, &s->server, &fault) != 0)
        fail_msg("%s", fault.text);
    pubsub_web_server_address(s->server, address, sizeof address);
    s->port = (int)strtol(strrchr(address, ':') + 1, NULL, 10);
    snprintf(s->host, sizeof s->host, "127.0.0.1:%d", s->port);
}

static int scene_begin(void **state, int connections)
{
    struct scene *s = calloc(1, sizeof *s);
    if (!s)
        return -1;
    s->options.connections = connections;
    s->hub = pubsub_web_hub_create();
    s->asks = pubsub_web_desk_create();
    s->looks = pubsub_web_desk_create();
    s->answer = malloc(ANSWER_MAX);
    s->working = true;
    if (!s->hub || !s->asks || !s->looks || !s->answer)
        return -1;
    server_open(s);
    *state = s;
    return pthread_create(&s->worker, NULL, work, s);
}

static int scene_open(void **state)
{
    return scene_begin(state, 0);
}

#define FEW 24

static int scene_open_few(void **state)
{
    return scene_begin(state, FEW);
}

static int scene_close(void **state)
{
    struct scene *s = *state;
    s->working = false;
    pthread_join(s->worker, NULL);
    pubsub_web_server_stop(&s->server);
    pubsub_web_desk_destroy(&s->asks);
    pubsub_web_desk_destroy(&s->looks);
    pubsub_web_hub_destroy(&s->hub);
    free(s->answer);
    free(s);
    return 0;
}

/* ---- a bare client ---- */

static int client_open(const struct scene *s)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)s->port)};
    const struct timeval wait = {.tv_sec = 5};
    int file = socket(AF_INET, SOCK_STREAM, 0);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_true(file >= 0);
    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    assert_int_equal(connect(file, (const struct sockaddr *)&at, sizeof at), 0);
    return file;
}

static void client_send(int file, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(file, bytes, length, MSG_NOSIGNAL);
        if (sent <= 0)
            return; /* the other side had enough */
        bytes += sent;
        length -= (size_t)sent;
    }
}

/* All until the other side closes. */
static void client_take(struct scene *s, int file)
{
    size_t length = 0;
    ssize_t got;
    while (length < ANSWER_MAX - 1 &&
           (got = recv(file, s->answer + length, ANSWER_MAX - 1 - length, 0)) > 0)
        length += (size_t)got;
    s->answer[length] = 0;
}

/* Reads until `text` came; false when the time or the stream was over. */
static bool client_wait(struct scene *s, int file, const char *text)
{
    size_t length = 0;
    ssize_t got;
    s->answer[0] = 0;
    while (!strstr(s->answer, text)) {
        if ((got = recv(file, s->answer + length, ANSWER_MAX - 1 - length, 0)) <= 0)
            return false;
        length += (size_t)got;
        s->answer[length] = 0;
    }
    return true;
}

/* Sends the lines of a request, each of `lines` closed by CRLF, and takes the answer. The status.
 */
static int ask(struct scene *s, const char *first, const char *lines, const char *body)
{
    char head[4096];
    int file = client_open(s);
    int length =
        snprintf(head, sizeof head, "%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s\r\n", first,
                 s->host, lines);
    client_send(file, head, (size_t)length);
    client_send(file, body, strlen(body));
    client_take(s, file);
    close(file);
    return strncmp(s->answer, "HTTP/1.1 ", 9) == 0 ? (int)strtol(s->answer + 9, NULL, 10) : 0;
}

static const char *body_of(const struct scene *s)
{
    const char *body = strstr(s->answer, "\r\n\r\n");
    return body ? body + 4 : "";
}

static int act(struct scene *s, const char *key, const char *body)
{
    char lines[512];
    snprintf(lines, sizeof lines,
             "X-Tableref-Key: %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n", key,
             strlen(body));
    return ask(s, "POST /api/command", lines, body);
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- tests ---- */

static void every_answer_should_be_guarded(void **state)
{
    static const char *const first[] = {"GET /",
                                        "GET /assets/board.js",
                                        "GET /nothing",
                                        "GET /api/time",
                                        "POST /",
                                        "GET /lang/sv.json",
                                        "GET /lang/xx.json",
                                        "HEAD /events",
                                        "GET /api/qr?seat=1"};
    struct scene *s = *state;
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        assert_true(ask(s, first[i], "", "") > 0);
        assert_non_null(strstr(s->answer, "\r\nContent-Security-Policy: default-src 'none'; "));
        assert_non_null(strstr(s->answer, "frame-ancestors 'none'"));
        assert_null(strstr(s->answer, "unsafe-inline"));
        assert_non_null(strstr(s->answer, "\r\nCache-Control: no-store\r\n"));
        assert_non_null(strstr(s->answer, "\r\nX-Content-Type-Options: nosniff\r\n"));
        assert_non_null(strstr(s->answer, "\r\nReferrer-Policy: no-referrer\r\n"));
        assert_null(strstr(s->answer, "Access-Control-Allow"));
    }
}

static void pages_should_be_given(void **state)
{
    struct scene *s = *state;
    assert_int_equal(ask(s, "GET /", "", ""), 200);
    assert_string_equal(body_of(s), "<p>0123456789abcdef</p>");
    assert_int_equal(ask(s, "HEAD /", "", ""), 200);
    assert_string_equal(body_of(s), "");
    assert_non_null(strstr(s->answer, "Content-Length: 23\r\n"));
    assert_int_equal(ask(s, "GET /assets/board.js?x=1", "", ""), 200);
    assert_string_equal(body_of(s), "let a");
    assert_int_equal(ask(s, "GET /lang/sv.json", "", ""), 200);
    assert_int_equal(ask(s, "GET /lang/xx.json", "", ""), 404);
    assert_int_equal(ask(s, "GET /%2e%2e/%2e%2e/etc/passwd", "", ""), 404);
    assert_int_equal(ask(s, "GET /assets/%62oard.js", "", ""), 404);
    assert_int_equal(ask(s, "GET /overlay", "", ""), 404);
}

static void the_time_should_be_told(void **state)
{
    struct scene *s = *state;
    assert_int_equal(ask(s, "GET /api/time", "", ""), 200);
    assert_string_equal(body_of(s), "{\"t_ns\":1234,\"error_ns\":5,\"epoch\":2}");
    s->silent = true;
    assert_int_equal(ask(s, "GET /api/time", "", ""), 503);
}

static void strangers_should_be_refused(void **state)
{
    struct scene *s = *state;
    assert_int_equal(ask(s, "GET /events", "Origin: http://evil.example\r\n", ""), 403);
    assert_int_equal(ask(s, "GET /api/time", "Sec-Fetch-Site: cross-site\r\n", ""), 403);
    assert_int_equal(ask(s, "GET /", "Host: evil.example\r\n", ""), 400);
    snprintf(s->host, sizeof s->host, "evil.example:%d", s->port);
    assert_int_equal(ask(s, "GET /", "", ""), 403);
    assert_non_null(strstr(body_of(s), "\"bad_host\""));
}

static void acts_should_reach_the_desk(void **state)
{
    struct scene *s = *state;
    assert_int_equal(act(s, KEY, "{\"id\":\"a\",\"do\":\"pause\"}"), 200);
    assert_string_equal(body_of(s), "{\"id\":\"a\",\"do\":\"pause\",\"v\":1,\"key\":\"" KEY "\"}");
    assert_int_equal(act(s, SEAT_KEY, "{\"id\":\"b\"}"), 200);
    assert_int_equal(act(s, "0123456789abcdef0123456789abcdee", "{}"), 403);
    assert_int_equal(act(s, KEY, "[]"), 400);
    assert_int_equal(act(s, KEY, ""), 400);
    s->silent = true;
    assert_int_equal(act(s, KEY, "{}"), 503);
    assert_non_null(strstr(body_of(s), "\"no_answer\""));
}

static void bodies_should_be_bounded(void **state)
{
    struct scene *s = *state;
    char *body = malloc(WEB_BODY_MAX + 2);
    assert_non_null(body);
    memset(body, ' ', WEB_BODY_MAX + 1);
    memcpy(body, "{\"why\":\"", 8);
    memset(body + 8, 'x', 1000);
    memcpy(body + 1008, "\"}", 2);
    body[WEB_BODY_MAX] = 0;
    assert_int_equal(act(s, KEY, body), 200);
    body[WEB_BODY_MAX] = ' ';
    body[WEB_BODY_MAX + 1] = 0;
    assert_int_equal(act(s, KEY, body), 413);
    free(body);
    /* In pieces of which nobody says how many there are. */
    static const char head[] =
        "X-Tableref-Key: " KEY
        "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
    char *pieces = calloc(1, 400000);
    size_t at = 0;
    assert_non_null(pieces);
    for (int i = 0; i < 80; i++)
        at += (size_t)snprintf(pieces + at, 400000 - at, "400\r\n%01024d\r\n", 0);
    snprintf(pieces + at, 400000 - at, "0\r\n\r\n");
    assert_int_equal(ask(s, "POST /api/command", head, pieces), 413);
    free(pieces);
}

static void a_body_without_end_should_end_the_connection(void **state)
{
    struct scene *s = *state;
    char piece[8192], head[512];
    int file = client_open(s);
    memset(piece, 'x', sizeof piece);
    int length = snprintf(head, sizeof head,
                          "POST /api/command HTTP/1.1\r\nHost: %s\r\nX-Tableref-Key: " KEY
                          "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                          "7fffffff\r\n",
                          s->host);
    client_send(file, head, (size_t)length);
    int pieces = 0;
    while (pieces < 4000 && send(file, piece, sizeof piece, MSG_NOSIGNAL) > 0)
        pieces++;
    assert_true(pieces < 4000); /* 32 MB */
    close(file);
}

static void heads_should_be_bounded(void **state)
{
    struct scene *s = *state;
    char *lines = malloc(70000);
    assert_non_null(lines);
    memset(lines, 'x', 70000);
    memcpy(lines, "X: ", 3);
    memcpy(lines + 40000, "\r\n", 3);
    char *first = malloc(50000);
    assert_non_null(first);
    int file = client_open(s);
    int length = snprintf(first, 50000, "GET / HTTP/1.1\r\nHost: %s\r\n%s\r\n", s->host, lines);
    client_send(file, first, (size_t)length);
    client_take(s, file);
    close(file);
    assert_true(s->answer[0] == 0 || strstr(s->answer, " 431 ") || strstr(s->answer, " 413 ") ||
                strstr(s->answer, " 414 "));
    free(first);
    free(lines);
    assert_int_equal(ask(s, "GET /", "", ""), 200);
}

static void pictures_should_be_for_the_operator(void **state)
{
    struct scene *s = *state;
    assert_int_equal(ask(s, "GET /api/picture", "", ""), 403);
    assert_int_equal(ask(s, "GET /api/picture", "X-Tableref-Key: " SEAT_KEY "\r\n", ""), 403);
    assert_int_equal(ask(s, "GET /api/picture", "X-Tableref-Key: " KEY "\r\n", ""), 200);
    assert_non_null(strstr(s->answer, "\r\nX-Tableref-Frame: 77\r\n"));
    assert_non_null(strstr(s->answer, "\r\nContent-Type: image/jpeg\r\n"));
    assert_string_equal(body_of(s), "\xFF\xD8\xFF\xD9");
    assert_int_equal(ask(s, "GET /api/outline", "X-Tableref-Key: " KEY "\r\n", ""), 200);
    assert_string_equal(body_of(s), "{\"frame\":77}");
}

static void history_should_be_asked_for(void **state)
{
    struct scene *s = *state;
    assert_int_equal(ask(s, "GET /api/history?from=12", "X-Tableref-Key: " KEY "\r\n", ""), 200);
    assert_string_equal(body_of(s), "{\"v\":1,\"id\":\"web-00c0ffee-1\",\"key\":\"" KEY
                                    "\",\"do\":\"history\",\"from\":12}");
    assert_int_equal(ask(s, "GET /api/history?from=x", "X-Tableref-Key: " KEY "\r\n", ""), 400);
}

static void a_code_should_be_drawn_for_a_seat_that_plays(void **state)
{
    struct scene *s = *state;
    assert_int_equal(ask(s, "GET /api/qr?seat=2", "X-Tableref-Key: " KEY "\r\n", ""), 200);
    assert_non_null(strstr(s->answer, "\r\nContent-Type: image/svg+xml\r\n"));
    assert_int_equal(strncmp(body_of(s), "<svg ", 5), 0);
    assert_null(strstr(s->answer, SEAT_KEY));
    assert_int_equal(ask(s, "GET /api/qr?seat=1", "X-Tableref-Key: " KEY "\r\n", ""), 404);
}

static void state_tell(struct scene *s, int number)
{
    char data[64];
    snprintf(data, sizeof data, "{\"n\":%d}", number);
    const struct web_news news = {.event = "state", .data = data, .keep = WEB_STATE, .epoch = 1};
    assert_int_equal(pubsub_web_hub_tell(s->hub, &news), 0);
}

static int stream_open(struct scene *s)
{
    char head[256];
    int file = client_open(s);
    int length = snprintf(head, sizeof head, "GET /events HTTP/1.1\r\nHost: %s\r\n\r\n", s->host);
    client_send(file, head, (size_t)length);
    return file;
}

static void events_should_stream(void **state)
{
    struct scene *s = *state;
    state_tell(s, 1);
    int file = stream_open(s);
    assert_true(client_wait(s, file, "event: joined\ndata: {}\n\n"));
    assert_non_null(strstr(s->answer, "Content-Type: text/event-stream\r\n"));
    assert_non_null(strstr(s->answer, "data: {\"late\":true,\"n\":1}\n\n"));
    for (int i = 2; i < 100; i++) {
        char text[64];
        snprintf(text, sizeof text, "data: {\"n\":%d}\n\n", i);
        state_tell(s, i);
        assert_true(client_wait(s, file, text));
    }
    close(file);
}

/* It reads nothing while others are told more than all buffers hold; then it is told what stands.
 */
static void a_stuck_client_should_harm_nobody(void **state)
{
    struct scene *s = *state;
    const size_t large = (size_t)60 << 10;
    char *data = malloc(large + 1);
    int stuck = stream_open(s), quick = stream_open(s);
    assert_non_null(data);
    assert_true(client_wait(s, quick, "joined"));
    memset(data, ' ', large);
    data[0] = '{';
    data[large - 1] = '}';
    data[large] = 0;
    for (int i = 0; i < 200; i++) {
        const struct web_news news = {.event = "layout", .data = data, .epoch = 1};
        char text[64];
        assert_int_equal(pubsub_web_hub_tell(s->hub, &news), 0);
        state_tell(s, i);
        snprintf(text, sizeof text, "data: {\"n\":%d}\n\n", i);
        assert_true(client_wait(s, quick, text));
    }
    free(data);
    struct web_hub_counts counts;
    pubsub_web_hub_counts(s->hub, &counts);
    assert_true(counts.ring_bytes <= WEB_RING_BYTES);
    char *last = s->answer;
    size_t kept = 0;
    ssize_t got;
    while ((got = recv(stuck, last + kept, ANSWER_MAX - 1 - kept, 0)) > 0) {
        kept += (size_t)got;
        last[kept] = 0;
        if (strstr(last, "data: {\"late\":true,\"n\":199}\n\n"))
            break;
        if (kept > ANSWER_MAX / 2) {
            memmove(last, last + kept - 1000, 1001);
            kept = 1000;
        }
    }
    assert_true(got > 0);
    close(stuck);
    close(quick);
}

static void a_stop_should_end_sleepers_at_once(void **state)
{
    struct scene *s = *state;
    int stream[20], asking[5];
    char head[512];
    s->working = false;
    pthread_join(s->worker, NULL);
    for (int i = 0; i < 20; i++) {
        stream[i] = stream_open(s);
        assert_true(client_wait(s, stream[i], "joined"));
    }
    int length = snprintf(head, sizeof head,
                          "POST /api/command HTTP/1.1\r\nHost: %s\r\nX-Tableref-Key: " KEY
                          "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
                          s->host);
    for (int i = 0; i < 5; i++) {
        asking[i] = client_open(s);
        client_send(asking[i], head, (size_t)length);
    }
    usleep(100000);
    int64_t began_ms = now_ms();
    pubsub_web_server_stop(&s->server);
    assert_true(now_ms() - began_ms < 1500);
    for (int i = 0; i < 20; i++)
        close(stream[i]);
    for (int i = 0; i < 5; i++)
        close(asking[i]);
    assert_int_equal(pthread_create(&s->worker, NULL, work, s), 0);
}

static void more_errands_than_fit_should_be_refused(void **state)
{
    struct scene *s = *state;
    struct web_errand errand[WEB_DESK_MAX] = {{.next = NULL}};
    s->working = false;
    pthread_join(s->worker, NULL);
    for (int i = 0; i < WEB_DESK_MAX; i++)
        assert_true(pubsub_web_desk_put(s->asks, &errand[i]));
    assert_int_equal(act(s, KEY, "{}"), 429);
    for (int i = 0; i < WEB_DESK_MAX; i++)
        assert_ptr_equal(pubsub_web_desk_take(s->asks, 0), &errand[i]);
    assert_null(pubsub_web_desk_take(s->asks, 0));
    s->working = true;
    assert_int_equal(pthread_create(&s->worker, NULL, work, s), 0);
    assert_int_equal(act(s, KEY, "{}"), 200);
}

static void a_connection_should_be_used_again(void **state)
{
    struct scene *s = *state;
    char head[256];
    int file = client_open(s);
    int length = snprintf(head, sizeof head, "GET /api/time HTTP/1.1\r\nHost: %s\r\n\r\n", s->host);
    for (int i = 0; i < 5; i++) {
        client_send(file, head, (size_t)length);
        assert_true(client_wait(s, file, "\"epoch\":2}"));
    }
    close(file);
}

static void garbage_should_be_survived(void **state)
{
    static const char *const garbage[] = {
        "\r\n\r\n\r\n",
        "GET\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        "GET / HTTP/9.9\r\n\r\n",
        "GET / HTTP/1.1\r\nHost\r\n\r\n",
        "POST /api/command HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        "POST /api/command HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "POST /api/command HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"};
    struct scene *s = *state;
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++) {
        const struct timeval soon = {.tv_usec = 200000}; /* some of it is not worth an answer */
        int file = client_open(s);
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon);
        client_send(file, garbage[i], strlen(garbage[i]));
        client_take(s, file);
        assert_null(strstr(s->answer, " 200 "));
        close(file);
    }
    assert_int_equal(ask(s, "GET /", "", ""), 200);
}

static void a_port_in_use_should_be_told(void **state)
{
    struct scene *s = *state;
    struct web_options options = s->options;
    struct web_server *other = NULL;
    struct wire_fault fault = {.text = ""};
    char address[64];
    options.listen.port = (uint16_t)s->port;
    assert_int_equal(pubsub_web_server_start(&options, &other, &fault), PUBSUB_E_IN_USE);
    assert_null(other);
    assert_non_null(strstr(fault.text, s->host));
    options.next_free = true;
    assert_int_equal(pubsub_web_server_start(&options, &other, &fault), 0);
    pubsub_web_server_address(other, address, sizeof address);
    assert_null(strstr(address, s->host));
    /* Its end closes the hub for both. */
    pubsub_web_server_stop(&other);
}

static void what_cannot_be_used_should_be_told(void **state)
{
    static const char *const names[] = {"a b"};
    struct scene *s = *state;
    struct web_options options = s->options;
    struct web_server *other = NULL;
    struct wire_fault fault = {.text = ""};
    options.names = names;
    options.name_count = 1;
    assert_int_equal(pubsub_web_server_start(&options, &other, &fault), PUBSUB_E_ADDRESS);
    options.name_count = 0;
    options.tls_cert = "no PEM";
    assert_int_equal(pubsub_web_server_start(&options, &other, &fault), PUBSUB_E_ARGUMENT);
    options.tls_key = "nor this";
    assert_int_equal(pubsub_web_server_start(&options, &other, &fault), PUBSUB_E_ARGUMENT);
    assert_non_null(strstr(fault.text, "certificate"));
    options.tls_cert = options.tls_key = NULL;
    assert_true(pubsub_web_address_parse("192.0.2.1:0", &options.listen));
    assert_int_equal(pubsub_web_server_start(&options, &other, &fault), PUBSUB_E_ADDRESS);
    assert_null(other);
}

static enum MHD_Result accepted(struct web_server *server, const char *text)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1)
        return pubsub_web_peer_accept(server, (const struct sockaddr *)&v4, sizeof v4);
    assert_int_equal(inet_pton(AF_INET6, text, &v6.sin6_addr), 1);
    return pubsub_web_peer_accept(server, (const struct sockaddr *)&v6, sizeof v6);
}

static void one_machine_should_not_take_every_place(void **state)
{
    struct web_peer peer[3] = {{.after = &peer[1]}, {.after = &peer[2]}, {.after = NULL}};
    struct web_server server = {.peers = peer,
                                .options = {.connections_each = 2, .connections = 100}};
    (void)state;
    pthread_mutex_init(&server.lock, NULL);
    for (int i = 0; i < 3; i++)
        peer[i].serving = true;
    assert_true(pubsub_web_address_parse("10.0.0.1:1", &peer[0].from));
    assert_true(pubsub_web_address_parse("10.0.0.1:2", &peer[1].from));
    assert_true(pubsub_web_address_parse("10.0.0.2:1", &peer[2].from));
    assert_int_equal(accepted(&server, "10.0.0.1"), MHD_NO);
    assert_int_equal(accepted(&server, "::ffff:10.0.0.1"), MHD_NO);
    assert_int_equal(accepted(&server, "10.0.0.2"), MHD_YES);
    assert_true(pubsub_web_address_parse("[2001:db8::1]:1", &peer[0].from));
    assert_true(pubsub_web_address_parse("[2001:db8::2]:1", &peer[1].from));
    assert_int_equal(accepted(&server, "2001:db8::3"), MHD_NO); /* one network is one machine */
    assert_int_equal(accepted(&server, "2001:db8:0:1::3"), MHD_YES);
    server.options.connections = WEB_CONNECTIONS_OWN + 3;
    assert_int_equal(accepted(&server, "10.0.0.9"), MHD_NO); /* the rest is this machine's own */
    for (int i = 0; i < 3; i++)
        assert_true(pubsub_web_address_parse("127.0.0.1:1", &peer[i].from));
    assert_int_equal(accepted(&server, "127.0.0.1"), MHD_YES);
    pthread_mutex_destroy(&server.lock);
}

/* As if so much time had gone by. */
static void time_pass(struct scene *s, int64_t ms)
{
    pthread_mutex_lock(&s->server->lock);
    for (struct web_peer *peer = s->server->peers; peer; peer = peer->after)
        peer->since_ms -= ms;
    pthread_mutex_unlock(&s->server->lock);
}

static int peers_count(struct scene *s)
{
    int count = 0;
    pthread_mutex_lock(&s->server->lock);
    for (const struct web_peer *peer = s->server->peers; peer; peer = peer->after)
        count += !peer->closing;
    pthread_mutex_unlock(&s->server->lock);
    return count;
}

static const struct web_peer *peer_newest(struct scene *s)
{
    pthread_mutex_lock(&s->server->lock);
    const struct web_peer *newest = s->server->peers;
    pthread_mutex_unlock(&s->server->lock);
    return newest;
}

static void a_flood_of_idle_connections_should_keep_no_display_out(void **state)
{
    struct scene *s = *state;
    int idle[3 * FEW], stream = stream_open(s);
    assert_true(client_wait(s, stream, "joined"));
    for (int i = 0; i < FEW; i++)
        idle[i] = client_open(s);
    for (int i = 0; i < 200 && peers_count(s) < FEW - 4; i++)
        usleep(10000);
    assert_int_equal(peers_count(s), FEW - 4);
    /* Full, and nobody idle for long: a new one is turned away, and those who are served stay. */
    int late = client_open(s);
    client_take(s, late);
    assert_string_equal(s->answer, "");
    state_tell(s, 7);
    assert_true(client_wait(s, stream, "\"n\":7"));
    /* After two seconds there is room for whoever says what they want, again and again. */
    time_pass(s, 2500);
    int display = stream_open(s);
    assert_true(client_wait(s, display, "joined"));
    for (int i = FEW; i < 3 * FEW; i++) {
        const struct web_peer *newest = peer_newest(s);
        time_pass(s, 2500);
        idle[i] = client_open(s);
        for (int n = 0; n < 200 && peer_newest(s) == newest; n++)
            usleep(1000);
    }
    time_pass(s, 2500);
    int other = stream_open(s);
    assert_true(client_wait(s, other, "joined"));
    state_tell(s, 8);
    assert_true(client_wait(s, stream, "\"n\":8"));
    assert_true(client_wait(s, display, "\"n\":8"));
    assert_true(peers_count(s) <= FEW);
    for (int i = 0; i < 3 * FEW; i++)
        close(idle[i]);
    close(late);
    close(stream);
    close(display);
    close(other);
}

static void who_does_not_say_what_they_want_should_be_let_go(void **state)
{
    struct scene *s = *state;
    int idle = client_open(s), stream = stream_open(s);
    assert_true(client_wait(s, stream, "joined"));
    client_send(idle, "GET / HT", 8);
    for (int i = 0; i < 100 && !(s->server->peers && s->server->peers->after); i++)
        usleep(10000);
    pubsub_web_server_look(s->server);
    struct pollfd one = {.fd = idle, .events = POLLIN};
    assert_int_equal(poll(&one, 1, 100), 0);
    time_pass(s, 30000);
    pubsub_web_server_look(s->server);
    client_take(s, idle);
    assert_string_equal(s->answer, "");
    state_tell(s, 7);
    assert_true(client_wait(s, stream, "\"n\":7"));
    close(idle);
    close(stream);
}

#define WITH_SERVER(test) cmocka_unit_test_setup_teardown(test, scene_open, scene_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SERVER(every_answer_should_be_guarded),
        WITH_SERVER(pages_should_be_given),
        WITH_SERVER(the_time_should_be_told),
        WITH_SERVER(strangers_should_be_refused),
        WITH_SERVER(acts_should_reach_the_desk),
        WITH_SERVER(bodies_should_be_bounded),
        WITH_SERVER(a_body_without_end_should_end_the_connection),
        WITH_SERVER(heads_should_be_bounded),
        WITH_SERVER(pictures_should_be_for_the_operator),
        WITH_SERVER(history_should_be_asked_for),
        WITH_SERVER(a_code_should_be_drawn_for_a_seat_that_plays),
        WITH_SERVER(events_should_stream),
        WITH_SERVER(a_stuck_client_should_harm_nobody),
        WITH_SERVER(a_stop_should_end_sleepers_at_once),
        WITH_SERVER(more_errands_than_fit_should_be_refused),
        WITH_SERVER(a_connection_should_be_used_again),
        WITH_SERVER(garbage_should_be_survived),
        WITH_SERVER(a_port_in_use_should_be_told),
        WITH_SERVER(what_cannot_be_used_should_be_told),
        cmocka_unit_test(one_machine_should_not_take_every_place),
        cmocka_unit_test_setup_teardown(a_flood_of_idle_connections_should_keep_no_display_out,
                                        scene_open_few, scene_close),
        WITH_SERVER(who_does_not_say_what_they_want_should_be_let_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
