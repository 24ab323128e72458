/* calib/loop_calibrate.c: see loop_calibrate.h. */
#include "calib/loop_calibrate.h"

#include "capture/jpeg_encode.h"
#include "pubsub/lang.h"
#include "pubsub/web_server.h"
#include "referee/cmd_common.h"

#include <jansson.h>
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LISTEN_USUAL "127.0.0.1:8080"
#define KEY_BYTES 16
#define NS_PER_S 1000000000
/* Who asked within this time still looks. */
#define WATCHED_NS (2 * (int64_t)NS_PER_S)
/* For people: what the page shows need not be the camera's own bytes. */
#define SHOWN_QUALITY 80
#define CORNER_MOST_PX 1e5

struct calibrate_page {
    char key[2 * KEY_BYTES + 1];
    struct web_hub *hub;
    struct web_desk *asks, *looks;
    struct web_server *server;
    char *catalogue[LANG_COUNT];
    size_t catalogue_length[LANG_COUNT];
    unsigned char *picture;
    size_t picture_length;
    char *outline;
    int64_t asked_ns, looked_ns;
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* ---- what the server asks of us; from its thread ---- */

static bool key_fits(const struct calibrate_page *page, const char *key)
{
    return key && strlen(key) == 2 * KEY_BYTES && sodium_memcmp(key, page->key, 2 * KEY_BYTES) == 0;
}

static int server_whose(void *context, const char *key)
{
    return key_fits(context, key) ? WEB_OPERATOR : WEB_NOBODY;
}

static bool server_seat_key(void *context, int seat, char *out, size_t size)
{
    (void)context, (void)seat, (void)out, (void)size;
    return false;
}

static bool server_time(void *context, int64_t *t_ns, int64_t *error_ns, int64_t *epoch)
{
    (void)context, (void)t_ns, (void)error_ns, (void)epoch;
    return false;
}

static bool server_lang(void *context, const char *code, const char **bytes, size_t *length)
{
    const struct calibrate_page *page = context;

    for (int i = 0; i < LANG_COUNT; i++)
        if (page->catalogue[i] && strcmp(pubsub_langs[i].code, code) == 0) {
            *bytes = page->catalogue[i];
            *length = page->catalogue_length[i];
            return true;
        }
    return false;
}

/* ---- beginning and end ---- */

static bool server_open(struct calibrate_page *page, const char *listen)
{
    unsigned char bytes[8];
    struct wire_fault fault = {.text = ""};
    struct web_options options = {.next_free = listen == NULL,
                                  .assets = pubsub_web_assets,
                                  .asset_count = pubsub_web_asset_count,
                                  .hub = page->hub,
                                  .asks = page->asks,
                                  .looks = page->looks,
                                  .calls = {.whose = server_whose,
                                            .seat_key = server_seat_key,
                                            .time = server_time,
                                            .lang = server_lang,
                                            .context = page}};
    char address[WEB_HOST_TEXT_MAX + 16];

    if (!pubsub_web_address_parse(listen ? listen : LISTEN_USUAL, &options.listen)) {
        cmd_error("--listen %s: like 127.0.0.1:8080 or [::1]:8080 is needed", listen);
        return false;
    }
    /* The page carries a key, which does not leave this machine in the clear. */
    if (!pubsub_web_address_loopback(&options.listen)) {
        cmd_error("--listen %s: the page of a calibration is for this machine; give 127.0.0.1 or "
                  "[::1]",
                  listen);
        return false;
    }
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(options.source, sizeof options.source, bytes, sizeof bytes);
    pubsub_web_build(pubsub_web_assets, pubsub_web_asset_count, TABLEREF_VERSION, options.build);
    if (pubsub_web_server_start(&options, &page->server, &fault) != PUBSUB_OK) {
        cmd_error("%s", fault.text);
        return false;
    }
    pubsub_web_server_address(page->server, address, sizeof address);
    fprintf(stderr, "tableref: %s %s/calibrate#%s\n", cmd_text("look at"), address, page->key);
    return true;
}

struct calibrate_page *loop_calibrate_open(const char *listen)
{
    struct calibrate_page *page = calloc(1, sizeof *page);
    unsigned char key[KEY_BYTES];

    if (!page || sodium_init() < 0 || !(page->hub = pubsub_web_hub_create()) ||
        !(page->asks = pubsub_web_desk_create()) || !(page->looks = pubsub_web_desk_create())) {
        cmd_error("out of memory");
        loop_calibrate_close(&page);
        return NULL;
    }
    randombytes_buf(key, sizeof key);
    sodium_bin2hex(page->key, sizeof page->key, key, sizeof key);
    sodium_memzero(key, sizeof key);
    for (int i = 0; i < LANG_COUNT; i++)
        (void)pubsub_lang_json(&pubsub_langs[i], &page->catalogue[i], &page->catalogue_length[i]);
    if (!server_open(page, listen))
        loop_calibrate_close(&page);
    return page;
}

void loop_calibrate_close(struct calibrate_page **page)
{
    if (!page || !*page)
        return;
    pubsub_web_server_stop(&(*page)->server);
    pubsub_web_desk_destroy(&(*page)->asks);
    pubsub_web_desk_destroy(&(*page)->looks);
    pubsub_web_hub_destroy(&(*page)->hub);
    for (int i = 0; i < LANG_COUNT; i++)
        free((*page)->catalogue[i]);
    free((*page)->picture);
    free((*page)->outline);
    sodium_memzero((*page)->key, sizeof (*page)->key);
    free(*page);
    *page = NULL;
}

/* ---- pictures ---- */

bool loop_calibrate_watched(const struct calibrate_page *page)
{
    return !page->picture || now_ns() - page->asked_ns < WATCHED_NS;
}

bool loop_calibrate_give(struct calibrate_page *page, const struct frame *frame,
                         const char *outline)
{
    struct capture_fault fault = {.text = ""};
    uint8_t *picture = NULL;
    size_t length = 0;
    char *copy = strdup(outline);

    if (!copy || capture_jpeg_encode(frame, SHOWN_QUALITY, &picture, &length, &fault) != 0) {
        free(copy);
        cmd_error("%s", fault.text[0] ? fault.text : "out of memory");
        return false;
    }
    free(page->picture);
    free(page->outline);
    page->picture = picture;
    page->picture_length = length;
    page->outline = copy;
    return true;
}

static void look_answer(struct calibrate_page *page, struct web_errand *errand)
{
    page->asked_ns = now_ns();
    if (page->outline) {
        errand->answer = strdup(page->outline);
        errand->answer_length = errand->answer ? strlen(errand->answer) : 0;
        errand->picture = malloc(page->picture_length);
        if (errand->picture) {
            memcpy(errand->picture, page->picture, page->picture_length);
            errand->picture_length = page->picture_length;
        }
    }
    pubsub_web_errand_finish(errand);
}

/* ---- acts ---- */

static bool corners_read(const json_t *px, double out[4][2])
{
    if (json_array_size(px) != 4)
        return false;
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 2; k++) {
            const json_t *value = json_array_get(json_array_get(px, i), k);
            out[i][k] = json_number_value(value);
            if (!json_is_number(value) || !(fabs(out[i][k]) < CORNER_MOST_PX))
                return false;
        }
    return true;
}

static bool act_read(const json_t *request, struct calibrate_act *act)
{
    static const char *const words[] = {[CALIBRATE_DONE] = "done",
                                        [CALIBRATE_RIGHT] = "right",
                                        [CALIBRATE_AGAIN] = "again",
                                        [CALIBRATE_CORNERS] = "corners"};
    const char *what = json_string_value(json_object_get(request, "do"));

    for (int i = CALIBRATE_DONE; what && i <= CALIBRATE_CORNERS; i++)
        if (strcmp(what, words[i]) == 0) {
            act->word = (enum calibrate_word)i;
            return i != CALIBRATE_CORNERS || corners_read(json_object_get(request, "px"), act->px);
        }
    return false;
}

static bool ask_answer(const struct calibrate_page *page, struct web_errand *errand,
                       struct calibrate_act *act)
{
    json_t *request = json_loadb(errand->request, errand->request_length, 0, NULL);
    bool known = key_fits(page, json_string_value(json_object_get(request, "key")));
    bool done = known && act_read(request, act);

    json_decref(request);
    errand->answer = strdup(done    ? "{\"v\":1,\"ok\":true}"
                            : known ? "{\"v\":1,\"ok\":false,\"error\":\"bad_request\",\"text\":"
                                      "\"that cannot be done here\"}"
                                    : "{\"v\":1,\"ok\":false,\"error\":\"bad_key\",\"text\":\"this "
                                      "needs the page's key\"}");
    errand->answer_length = errand->answer ? strlen(errand->answer) : 0;
    pubsub_web_errand_finish(errand);
    return done;
}

bool loop_calibrate_turn(struct calibrate_page *page, int wait_ms, struct calibrate_act *act)
{
    struct web_errand *errand;

    act->word = CALIBRATE_NOTHING;
    if (now_ns() - page->looked_ns > NS_PER_S) {
        page->looked_ns = now_ns();
        pubsub_web_server_look(page->server);
    }
    while ((errand = pubsub_web_desk_take(page->asks, 0)))
        if (ask_answer(page, errand, act))
            return true;
    errand = pubsub_web_desk_take(page->looks, wait_ms);
    for (; errand; errand = pubsub_web_desk_take(page->looks, 0))
        look_answer(page, errand);
    return false;
}
