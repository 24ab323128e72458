/* pubsub/loop_scoreboard_show.c: rulings and photo finishes for the pages. */
#include "pubsub/loop_scoreboard_show.h"

#include "referee/cmd_match_finish.h"
#include "referee/cmd_match_sheet.h"

#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#define NS_PER_S 1000000000
#define NS_PER_MS 1000000
#define WAIT_MS 200
#define NAP_NS (20 * NS_PER_MS)
/* Pictures that were drawn; of one that is asked for again only the record is looked at anew. */
#define DRAWN_MOST 6
/* Within this time it is not even looked at. */
#define FRESH_NS ((int64_t)NS_PER_S)
/* Below everything that rules. */
#define NICENESS 10

/* A picture with what it was drawn of: when that is the same still, so is the picture. */
struct drawn {
    char what[64];
    char *shows; /* that, as a text */
    unsigned char *png;
    size_t length;
    int64_t at_ns;
};

struct showing {
    char folder[PATH_MAX];
    struct web_desk *desk;
    pthread_t thread;
    atomic_bool ending;
    struct drawn drawn[DRAWN_MOST];
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* ---- answers ---- */

static void picture_answer(struct web_errand *errand, const struct drawn *drawn)
{
    errand->picture = malloc(drawn->length);
    if (!errand->picture)
        return;
    memcpy(errand->picture, drawn->png, drawn->length);
    errand->picture_length = drawn->length;
}

static void text_answer(struct web_errand *errand, struct json_text *json)
{
    if (!json->failed) {
        errand->answer = json->bytes;
        errand->answer_length = json->length;
        vision_json_init(json);
    }
    vision_json_free(json);
}

/* Why stands in no answer that everybody may have: it names the match's folder. */
static void nothing_answer(struct web_errand *errand)
{
    struct json_text json;

    vision_json_init(&json);
    vision_json_open(&json, NULL, '{');
    vision_json_int(&json, "v", 1);
    vision_json_bool(&json, "ok", false);
    vision_json_string(&json, "error", "not_found");
    vision_json_string(&json, "text", "there is no such picture, or not yet");
    vision_json_close(&json, '}');
    text_answer(errand, &json);
}

/* ---- pictures ---- */

static struct drawn *drawn_find(struct showing *showing, const char *what)
{
    for (int i = 0; i < DRAWN_MOST; i++)
        if (showing->drawn[i].png && strcmp(showing->drawn[i].what, what) == 0)
            return &showing->drawn[i];
    return NULL;
}

static void drawn_free(struct drawn *drawn)
{
    free(drawn->png);
    free(drawn->shows);
    memset(drawn, 0, sizeof *drawn);
}

/* The place of the one of that name, or of the oldest; empty. */
static struct drawn *drawn_place(struct showing *showing, const char *what)
{
    struct drawn *place = drawn_find(showing, what);

    for (int i = 0; !place && i < DRAWN_MOST; i++)
        if (!showing->drawn[i].png)
            place = &showing->drawn[i];
    if (!place)
        place = &showing->drawn[0];
    for (int i = 0; i < DRAWN_MOST && place->png && strcmp(place->what, what) != 0; i++)
        if (showing->drawn[i].at_ns < place->at_ns)
            place = &showing->drawn[i];
    drawn_free(place);
    return place;
}

/* What was drawn takes its place, and owns `shows` and `png` from now on. */
static void drawn_put(struct showing *showing, const char *what, char *shows, unsigned char *png,
                      size_t length)
{
    struct drawn *place = drawn_place(showing, what);

    snprintf(place->what, sizeof place->what, "%s", what);
    place->shows = shows;
    place->png = png;
    place->length = length;
    place->at_ns = now_ns();
}

/* Is it what was drawn before? */
static bool drawn_still(struct showing *showing, const char *what, const char *shows)
{
    struct drawn *before = drawn_find(showing, what);

    if (!before || strcmp(before->shows, shows) != 0)
        return false;
    before->at_ns = now_ns();
    return true;
}

static bool evidence_draw(struct showing *showing, const char *what, const struct case_match *match,
                          const struct match_case *found, struct case_fault *fault)
{
    struct case_picture picture = {.bytes = NULL};
    struct json_text shows;
    unsigned char *png = NULL;
    size_t length = 0;

    vision_json_init(&shows);
    cmd_case_json(found, &shows);
    bool well = !shows.failed || cmd_case_fail(fault, "out of memory");
    if (well && drawn_still(showing, what, shows.bytes)) {
        vision_json_free(&shows);
        return true;
    }
    well = well && cmd_case_picture(match->folder, found, &picture, fault) &&
           cmd_sheet_draw(match, found, &picture, &png, &length, fault);
    if (well)
        drawn_put(showing, what, shows.bytes, png, length);
    else
        vision_json_free(&shows);
    free(picture.bytes);
    return well;
}

static bool evidence_make(struct showing *showing, const char *what, const struct case_match *match,
                          struct case_fault *fault)
{
    struct match_case *found = malloc(sizeof *found);
    struct case_wish wish = {.cause = 0};
    char *end = NULL;

    if (!found)
        return cmd_case_fail(fault, "out of memory");
    wish.seq = strtoull(what + strlen("evidence "), &end, 10);
    wish.index = (int)strtol(end, NULL, 10);
    bool well = cmd_case_find(match, &wish, found, fault) &&
                evidence_draw(showing, what, match, found, fault);
    free(found);
    return well;
}

static bool finish_draw(struct showing *showing, const char *what, const struct case_match *match,
                        const struct finish *finish, struct case_fault *fault)
{
    struct json_text shows;
    unsigned char *png = NULL;
    size_t length = 0;

    vision_json_init(&shows);
    cmd_finish_json(finish, &shows);
    bool well = !shows.failed || cmd_case_fail(fault, "out of memory");
    if (well && drawn_still(showing, what, shows.bytes)) {
        vision_json_free(&shows);
        return true;
    }
    well = well && cmd_finish_draw(match, finish, &png, &length, fault);
    if (well)
        drawn_put(showing, what, shows.bytes, png, length);
    else
        vision_json_free(&shows);
    return well;
}

static bool finish_make(struct showing *showing, const char *what, const struct case_match *match,
                        struct case_fault *fault)
{
    uint64_t event = strtoull(what + strlen("finish "), NULL, 10);
    struct finish *list = NULL;
    size_t count = 0, at = 0;
    bool well =
        cmd_finish_find(match->record, &list, &count) || cmd_case_fail(fault, "out of memory");

    while (at < count && list[at].event != event)
        at++;
    if (well && at == count)
        well = cmd_case_fail(fault, "no photo finish of event %" PRIu64, event);
    well = well && finish_draw(showing, what, match, &list[at], fault);
    free(list);
    return well;
}

static bool finishes_list(const struct case_match *match, struct web_errand *errand,
                          struct case_fault *fault)
{
    struct finish *list = NULL;
    struct json_text json;
    size_t count = 0;

    if (!cmd_finish_find(match->record, &list, &count))
        return cmd_case_fail(fault, "out of memory");
    vision_json_init(&json);
    vision_json_open(&json, NULL, '{');
    vision_json_int(&json, "v", 1);
    vision_json_bool(&json, "ok", true);
    vision_json_open(&json, "finishes", '[');
    for (size_t i = 0; i < count; i++) {
        cmd_finish_json(&list[i], &json);
        vision_json_close(&json, '}');
    }
    vision_json_close(&json, ']');
    vision_json_close(&json, '}');
    text_answer(errand, &json);
    free(list);
    return true;
}

/* ---- the thread ---- */

static void errand_do(struct showing *showing, struct web_errand *errand)
{
    const char *what = errand->request;
    struct drawn *drawn = drawn_find(showing, what);
    struct case_fault fault = {.text = ""};
    struct case_match match = {.record = NULL};
    bool list = strcmp(what, "finishes") == 0, well = true;

    if (!drawn || now_ns() - drawn->at_ns > FRESH_NS) {
        well = cmd_case_open(showing->folder, !list, &match, &fault);
        if (well && list)
            well = finishes_list(&match, errand, &fault);
        else if (well && strncmp(what, "evidence ", 9) == 0)
            well = evidence_make(showing, what, &match, &fault);
        else if (well)
            well = finish_make(showing, what, &match, &fault);
        cmd_case_close(&match);
        drawn = drawn_find(showing, what);
    }
    if (!well)
        nothing_answer(errand);
    else if (!list && drawn)
        picture_answer(errand, drawn);
    pubsub_web_errand_finish(errand);
}

/* As long as the work took: half of one processor's time at the most. */
static void rest(struct showing *showing, int64_t took_ns)
{
    const struct timespec nap = {.tv_nsec = NAP_NS};
    int64_t until_ns = now_ns() + took_ns;

    while (now_ns() < until_ns && !atomic_load(&showing->ending))
        nanosleep(&nap, NULL);
}

static void *showing_run(void *context)
{
    struct showing *showing = context;

    /* On Linux this is the thread's own. */
    setpriority(PRIO_PROCESS, 0, NICENESS);
    while (!atomic_load(&showing->ending)) {
        struct web_errand *errand = pubsub_web_desk_take(showing->desk, WAIT_MS);
        int64_t begun_ns = now_ns();
        if (!errand)
            continue;
        errand_do(showing, errand);
        rest(showing, now_ns() - begun_ns);
    }
    return NULL;
}

struct showing *loop_scoreboard_show(const char *folder, struct web_desk *desk)
{
    struct showing *showing = calloc(1, sizeof *showing);

    if (showing && strlen(folder) < sizeof showing->folder) {
        memcpy(showing->folder, folder, strlen(folder) + 1);
        showing->desk = desk;
        if (pthread_create(&showing->thread, NULL, showing_run, showing) == 0)
            return showing;
    }
    cmd_error("scoreboard: rulings cannot be shown as pictures: out of memory");
    free(showing);
    return NULL;
}

void loop_scoreboard_show_end(struct showing **showing)
{
    if (!showing || !*showing)
        return;
    atomic_store(&(*showing)->ending, true);
    pthread_join((*showing)->thread, NULL);
    for (int i = 0; i < DRAWN_MOST; i++)
        drawn_free(&(*showing)->drawn[i]);
    free(*showing);
    *showing = NULL;
}
