/* pubsub/loop_scoreboard.c: the scoreboard as a process. */
#include "pubsub/loop_scoreboard.h"

#include "calib/file.h"
#include "pubsub/access.h"
#include "pubsub/follow.h"
#include "pubsub/loop_scoreboard_ask.h"
#include "pubsub/loop_scoreboard_show.h"
#include "pubsub/rundir.h"
#include "referee/cmd_common.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000
#define NS_PER_MS 1000000
#define TURN_MS 100
/* While nothing is heard, the pages are told so this often. */
#define LINK_EVERY_MS 1000
/* Files besides the clients': sockets of the wire, the program's own. */
#define FILES_BESIDE 64

struct scoreboard {
    const struct scoreboard_service *asked;
    struct wire *wire;
    struct web_hub *hub;
    struct web_desk *asks, *looks, *shows;
    struct showing *showing;
    struct asking *asking;
    struct web_server *server;
    struct follow *follow;
    char build[WEB_BUILD_MAX], source[17];
    char table[MESSAGE_NAME_MAX], match[MESSAGE_NAME_MAX];
    int64_t epoch;
    bool heard, well, recording, placed;
    int64_t heard_ns, told_ns, looked_ns;
    int status;
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* ---- what the server asks of us; from its thread ---- */

/* The run's keys as they are now: they are few bytes, and asked for by hand. */
static bool keys_load(const struct scoreboard *board, struct access_keys *out)
{
    char path[PATH_MAX], text[ACCESS_TEXT_MAX];
    struct stat status;
    ssize_t length = -1;

    snprintf(path, sizeof path, "%s/" ACCESS_FILE, board->asked->rundir);
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return false;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && (status.st_mode & 077) == 0)
        length = read(file, text, sizeof text);
    close(file);
    bool well = length > 0 && length < (ssize_t)sizeof text &&
                pubsub_access_parse(text, (size_t)length, out, NULL) == PUBSUB_OK;
    sodium_memzero(text, sizeof text);
    return well;
}

static int server_whose(void *context, const char *key)
{
    struct access_keys keys;
    int whose = WEB_NOBODY;

    if (keys_load(context, &keys))
        whose = pubsub_access_whose(&keys, key);
    sodium_memzero(&keys, sizeof keys);
    return whose == ACCESS_OPERATOR ? WEB_OPERATOR : whose;
}

static bool server_seat_key(void *context, int seat, char *out, size_t size)
{
    struct access_keys keys;
    const char *key = keys_load(context, &keys) ? pubsub_access_seat(&keys, seat) : NULL;

    if (key)
        snprintf(out, size, "%s", key);
    sodium_memzero(&keys, sizeof keys);
    return key != NULL;
}

static bool server_time(void *context, int64_t *t_ns, int64_t *error_ns, int64_t *epoch)
{
    const struct scoreboard *board = context;
    struct match_time now;

    if (!loop_scoreboard_time(board->asking, &now))
        return false;
    *t_ns = now.t_ns;
    *error_ns = now.error_ns;
    *epoch = now.epoch;
    return true;
}

/* A language's catalogue; "table" is that of --lang, or says that there was none. */
static bool server_lang(void *context, const char *code, const char **bytes, size_t *length)
{
    static const char none[] = "{\"lang\":null}";
    const struct scoreboard_service *asked = ((const struct scoreboard *)context)->asked;

    if (strcmp(code, "table") == 0 && !asked->lang_given) {
        *bytes = none;
        *length = sizeof none - 1;
        return true;
    }
    if (strcmp(code, "table") == 0)
        code = asked->lang;
    for (size_t i = 0; i < asked->lang_count; i++)
        if (asked->catalogues[i] && strcmp(asked->langs[i], code) == 0) {
            *bytes = asked->catalogues[i];
            *length = strlen(*bytes);
            return true;
        }
    return false;
}

/* ---- what is heard ---- */

static void failed(struct scoreboard *board, int error)
{
    if (error == PUBSUB_E_MEMORY) {
        cmd_error("scoreboard: out of memory");
        board->status = CMD_UNUSABLE;
    }
}

static void greet(struct scoreboard *board)
{
    struct web_greeting greeting = {
        .table = board->heard ? board->table : NULL,
        .match = board->heard ? board->match : NULL,
        .langs = board->asked->langs,
        .lang_count = board->asked->lang_count,
        .lang = board->asked->lang,
        .recording = board->recording,
        .keyed = pubsub_web_server_keyed(board->server),
        .epoch = board->epoch,
    };

    snprintf(greeting.build, sizeof greeting.build, "%s", board->build);
    failed(board, pubsub_web_news_hello(board->hub, &greeting));
}

/* Another match, or the same one taken up again: pages learn whose messages follow. */
static void head_take(struct scoreboard *board, const struct message_head *head)
{
    bool other = !board->heard || strcmp(board->table, head->table) != 0 ||
                 strcmp(board->match, head->match) != 0;

    if (other && board->heard)
        pubsub_web_hub_forget(board->hub);
    if (!other && head->epoch == board->epoch)
        return;
    memcpy(board->table, head->table, sizeof board->table);
    memcpy(board->match, head->match, sizeof board->match);
    board->epoch = head->epoch;
    board->heard = true;
    greet(board);
}

static void link_set(struct scoreboard *board, bool well)
{
    int64_t now = now_ns();

    if (well && board->well)
        return;
    board->well = well;
    board->told_ns = now;
    failed(board, pubsub_web_news_link(board->hub, board->epoch, well,
                                       (now - board->heard_ns) / NS_PER_MS));
}

static void message_take(void *context, const struct message_head *head, const json_t *body,
                         bool late)
{
    struct scoreboard *board = context;

    board->heard_ns = now_ns();
    head_take(board, head);
    link_set(board, true);
    failed(board, pubsub_web_news_message(board->hub, head, body, late));
}

static void note_take(void *context, enum follow_note note, const char *text)
{
    (void)context;
    if ((note == FOLLOW_TWO || note == FOLLOW_KEY) && text)
        cmd_error("scoreboard: %s", text);
}

/* ---- beginning and end ---- */

/* A client is an open file; most systems allow a thousand at first. False: not even a few. */
static bool files_allow(int *connections)
{
    struct rlimit limit;
    rlim_t needed = (rlim_t)*connections + FILES_BESIDE;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return true;
    if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < needed) {
        limit.rlim_cur =
            limit.rlim_max == RLIM_INFINITY || limit.rlim_max > needed ? needed : limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur < needed) {
        *connections = (int)limit.rlim_cur - FILES_BESIDE;
        cmd_error("scoreboard: this system allows %llu open files; %d displays fit",
                  (unsigned long long)limit.rlim_cur, *connections > 0 ? *connections : 0);
    }
    return *connections > 0;
}

/* Another scoreboard of this run, that lives, has said where it is. */
static bool place_taken(const char *path)
{
    json_t *place = json_load_file(path, 0, NULL);
    pid_t process = (pid_t)json_integer_value(json_object_get(place, "process"));

    json_decref(place);
    return process > 0 && process != getpid() && kill(process, 0) == 0;
}

/* The port of a scoreboard of this run that died: pages that are open look for it there. 0: none. */
static uint16_t place_port(const struct scoreboard *board)
{
    char path[PATH_MAX];
    long port = 0;

    snprintf(path, sizeof path, "%s/" SCOREBOARD_FILE, board->asked->rundir);
    if (place_taken(path))
        return 0;
    json_t *place = json_load_file(path, 0, NULL);
    const char *at = json_string_value(json_object_get(place, "board"));
    const char *colon = at ? strrchr(at, ':') : NULL;
    if (colon)
        port = strtol(colon + 1, NULL, 10);
    json_decref(place);
    return port > 0 && port <= UINT16_MAX ? (uint16_t)port : 0;
}

/* Where the pages are, for who looks into the run's folder. */
static void place_write(struct scoreboard *board, const char *address)
{
    char path[PATH_MAX], text[3 * WEB_HOST_TEXT_MAX + 128];
    bool keyed = pubsub_web_server_keyed_here(board->server);

    snprintf(path, sizeof path, "%s/" SCOREBOARD_FILE, board->asked->rundir);
    if (place_taken(path))
        return;
    int length =
        snprintf(text, sizeof text, "{\"process\":%ld,\"board\":\"%s/\",\"operator\":%s%s%s}\n",
                 (long)getpid(), address, keyed ? "\"" : "null", keyed ? address : "",
                 keyed ? "/operator\"" : "");
    board->placed = length > 0 && length < (int)sizeof text &&
                    calib_file_put(path, text, (size_t)length, 0600, true) == 0;
}

static void place_remove(const struct scoreboard *board)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/" SCOREBOARD_FILE, board->asked->rundir);
    unlink(path);
}

static bool server_open(struct scoreboard *board)
{
    struct web_options options = board->asked->web;
    struct wire_fault fault = {.text = ""};
    char address[WEB_HOST_TEXT_MAX + 16];

    options.connections = WEB_CONNECTIONS;
    options.again = place_port(board);
    if (!files_allow(&options.connections))
        return false;
    memcpy(options.build, board->build, sizeof options.build);
    memcpy(options.source, board->source, sizeof options.source);
    options.hub = board->hub;
    options.asks = board->asks;
    options.looks = board->looks;
    options.shows = board->shows;
    options.calls.whose = server_whose;
    options.calls.seat_key = server_seat_key;
    options.calls.time = server_time;
    options.calls.lang = server_lang;
    options.calls.context = board;
    if (pubsub_web_server_start(&options, &board->server, &fault) != PUBSUB_OK) {
        cmd_error("scoreboard: %s", fault.text);
        return false;
    }
    pubsub_web_server_address(board->server, address, sizeof address);
    place_write(board, address);
    /* For the hall: the address that others type, where it has one. */
    if (pubsub_web_address_any(&board->asked->web.listen))
        pubsub_web_server_public(board->server, address, sizeof address);
    if (pubsub_web_server_keyed(board->server))
        cmd_error("scoreboard at %s/", address);
    else if (pubsub_web_server_keyed_here(board->server))
        cmd_error("scoreboard at %s/; pages with a key for this machine only, without --tls-cert",
                  address);
    else
        cmd_error("scoreboard at %s/; no pages with a key without --tls-cert", address);
    return true;
}

static bool follow_open(struct scoreboard *board)
{
    const struct follow_sink sink = {.message = message_take, .note = note_take, .context = board};
    struct wire_fault fault = {.text = ""};
    char publish[160], requests[160];
    const char *rundir = board->asked->rundir;

    if (pubsub_rundir_address(rundir, "publish", publish, sizeof publish) != 0 ||
        pubsub_rundir_address(rundir, "requests", requests, sizeof requests) != 0) {
        cmd_error("%s: a full path of a folder is needed", rundir);
        return false;
    }
    const struct follow_options options = {
        .publish = publish, .requests = requests, .kinds = (1u << MESSAGE_KINDS) - 1};
    if (pubsub_follow_open(board->wire, &options, &sink, &board->follow, &fault) != PUBSUB_OK) {
        cmd_error("%s", fault.text);
        return false;
    }
    return true;
}

/* Sixteen digits that tell our requests from every other process's. */
static void source_draw(char out[17])
{
    unsigned char bytes[8];

    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(out, 17, bytes, sizeof bytes);
}

/* Catalogues are part of what a page is made of, and so is the language that it begins in. */
static bool build_digest(struct scoreboard *board)
{
    static const unsigned char given[] = "";
    const struct scoreboard_service *asked = board->asked;
    size_t count = asked->web.asset_count;
    struct web_asset *all = calloc(count + asked->lang_count + 2, sizeof *all);

    if (!all)
        return false;
    memcpy(all, asked->web.assets, count * sizeof *all);
    for (size_t i = 0; i < asked->lang_count; i++)
        if (asked->catalogues[i])
            all[count++] = (struct web_asset){asked->langs[i],
                                              (const unsigned char *)asked->catalogues[i],
                                              strlen(asked->catalogues[i])};
    if (asked->lang_given)
        all[count++] = (struct web_asset){asked->lang, given, 0};
    pubsub_web_build(all, count, TABLEREF_VERSION, board->build);
    free(all);
    return true;
}

static bool board_open(struct scoreboard *board)
{
    const struct scoreboard_service *asked = board->asked;

    if (sodium_init() < 0 || !(board->wire = pubsub_wire_create()) ||
        !(board->hub = pubsub_web_hub_create()) || !(board->asks = pubsub_web_desk_create()) ||
        !(board->looks = pubsub_web_desk_create()) ||
        (asked->record && !(board->shows = pubsub_web_desk_create()))) {
        cmd_error("out of memory");
        return false;
    }
    source_draw(board->source);
    if (!build_digest(board)) {
        cmd_error("out of memory");
        return false;
    }
    if (pubsub_web_news_kit(board->hub, asked->kit, asked->kit_parts) != PUBSUB_OK) {
        cmd_error("scoreboard: the kit's files cannot be shown");
        return false;
    }
    board->asking =
        loop_scoreboard_ask(board->wire, asked->rundir, board->asks, board->looks, board->source);
    if (!board->asking || !server_open(board))
        return false;
    if (board->shows && !(board->showing = loop_scoreboard_show(asked->record, board->shows)))
        return false;
    board->heard_ns = now_ns();
    greet(board);
    link_set(board, false);
    return follow_open(board);
}

static void board_close(struct scoreboard *board)
{
    pubsub_follow_close(&board->follow);
    if (board->placed)
        place_remove(board);
    loop_scoreboard_ask_end(&board->asking);
    loop_scoreboard_show_end(&board->showing);
    pubsub_web_server_stop(&board->server);
    pubsub_web_desk_destroy(&board->asks);
    pubsub_web_desk_destroy(&board->looks);
    pubsub_web_desk_destroy(&board->shows);
    pubsub_web_hub_destroy(&board->hub);
    pubsub_wire_destroy(&board->wire);
}

/* Once a second: is the link well, and what the referee said of its recording. */
static void board_look(struct scoreboard *board)
{
    int64_t now = now_ns();

    if (now - board->heard_ns > (int64_t)FOLLOW_STALE_MS * NS_PER_MS &&
        now - board->told_ns >= (int64_t)LINK_EVERY_MS * NS_PER_MS)
        link_set(board, false);
    if (now - board->looked_ns < NS_PER_S)
        return;
    board->looked_ns = now;
    pubsub_web_server_look(board->server);
    if (loop_scoreboard_recording(board->asking) != board->recording) {
        board->recording = !board->recording;
        greet(board);
    }
}

int loop_scoreboard_run(const struct scoreboard_service *asked, const volatile bool *stop)
{
    struct scoreboard board = {.asked = asked, .status = CMD_DONE};
    sigset_t ends, before;

    /* Signals are for this thread: the others begin with these shut out. */
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, &before);
    bool opened = board_open(&board);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!opened)
        board.status = CMD_UNUSABLE;
    while (board.status == CMD_DONE && !*stop) {
        if (pubsub_follow_turn(board.follow, NULL, 0, TURN_MS) < 0) {
            cmd_error("scoreboard: the wire failed");
            board.status = CMD_UNUSABLE;
        }
        board_look(&board);
    }
    board_close(&board);
    return board.status;
}
