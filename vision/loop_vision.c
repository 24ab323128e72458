/* vision/loop_vision.c: the eyes as a process. */
#include "vision/loop_vision.h"

#include "capture/intake.h"
#include "pubsub/rundir.h"
#include "pubsub/wire.h"
#include "referee/cmd_common.h"
#include "referee/event_json.h"
#include "vision/loop_record.h"
#include "vision/loop_view.h"

#include <jansson.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS_PER_S 1000000000
/* How long a source is waited for at a time: short enough to notice a stop, or a word of the
 * referee's. */
#define PICTURE_WAIT_MS 100
/* Partial readings of a part are sent this far apart: displays show no more. */
#define PARTIAL_NS (100 * (int64_t)1000000)
/* A recorded source waits for its referee; a live one goes on seeing, and tells all anew later. */
#define SEND_RECORDED_MS 200
/* After the end of a recording: for everything to be put on record. */
#define STOP_WAIT_MS 30000
/* A word of the referee's: the longest is a line of text for the recording. */
#define WORD_MAX 4096
/* So long a text stands in the recording. */
#define TEXT_NS (3 * (int64_t)NS_PER_S)

struct eyes {
    const struct vision_service *asked;
    const volatile bool *stop;
    struct wire *wire;
    struct wire_socket *referee;
    struct watch *watch;
    struct view *view;          /* pictures for displays; NULL: none are given */
    struct eyes_record *record; /* NULL: nothing is kept */
    struct intake *intake;      /* of a live source: pictures come from it; else NULL */
    struct source_about about;  /* as it was when the source was opened */
    unsigned starts;            /* of the source, as far as the watch knows */
    bool greeted;               /* the referee was told who we are */
    bool lost;                  /* something could not be sent: tell all anew when it can be */
    bool stopped;               /* the referee said stop */
    bool faulted;               /* the source's fault was said; said again when it changes */
    bool unrecorded;            /* that nothing can be recorded was said */
    int64_t t_ns;               /* of the picture that is being looked at */
    int64_t paced_from_ns;
    uint32_t settled, settled_slots; /* bits: told with this picture */
    bool read;                       /* something was read from it */
    int64_t seat_sent_ns[MAT_SEATS_MAX], slot_sent_ns[MAT_SLOTS_MAX]; /* partial readings */
    int status;
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

static void text_send(struct eyes *eyes, const char *text, size_t length)
{
    int error;

    do
        error = pubsub_wire_send(eyes->referee, NULL, text, length,
                                 eyes->about.live ? 0 : SEND_RECORDED_MS);
    while (error == PUBSUB_E_AGAIN && !eyes->about.live && !*eyes->stop);
    if (error != PUBSUB_OK)
        eyes->lost = true;
}

/* An event as JSON behind a word. */
static void event_print(const struct eyes *eyes, const char *word, struct event *event,
                        struct json_text *json)
{
    event->seq = 1; /* the referee numbers */
    event->t_ns = eyes->t_ns;
    vision_json_init(json);
    vision_json_raw(json, word);
    referee_event_json(event, json);
}

static void event_send(struct eyes *eyes, struct event *event)
{
    struct json_text json;

    event_print(eyes, "event ", event, &json);
    if (json.failed)
        eyes->lost = true;
    else
        text_send(eyes, json.bytes, json.length);
    vision_json_free(&json);
}

/* For displays alone: what finds no room is no loss. */
static void partial_send(struct eyes *eyes, struct event *event)
{
    struct json_text json;

    event_print(eyes, "partial ", event, &json);
    if (!json.failed)
        pubsub_wire_send(eyes->referee, NULL, json.bytes, json.length, 0);
    vision_json_free(&json);
}

/* ---- what the watch tells ---- */

static void tell_layout(void *context, const struct layout_seat *seat, int64_t first_t_ns,
                        int64_t moved_t_ns, uint64_t frame)
{
    struct eyes *eyes = context;
    struct event event;

    memset(&event, 0, sizeof event);
    event.kind = EVENT_LAYOUT;
    event.layout.seat = *seat;
    event.layout.first_t_ns = first_t_ns;
    event.layout.moved_t_ns = moved_t_ns;
    event.layout.frame = frame;
    loop_record_hold(eyes->record, seat->seat, frame, event.layout.digest);
    eyes->read = true;
    for (int i = 0; i < eyes->asked->kit->mat->seats; i++)
        if (eyes->asked->kit->mat->seat[i].seat == seat->seat)
            eyes->settled |= 1u << i;
    event_send(eyes, &event);
}

static void tell_motion(void *context, int seat, bool blocks, int64_t at_t_ns, int64_t unseen_ns)
{
    struct event event;

    memset(&event, 0, sizeof event);
    event.kind = EVENT_MOTION;
    event.motion.seat = (int8_t)seat;
    event.motion.blocks = blocks;
    event.motion.at_t_ns = at_t_ns;
    event.motion.unseen_ns = unseen_ns;
    event_send(context, &event);
}

static void tell_card(void *context, const struct layout_card *card, int64_t first_t_ns)
{
    struct eyes *eyes = context;
    struct event event;

    memset(&event, 0, sizeof event);
    event.kind = EVENT_CARD;
    event.card.card = *card;
    event.card.first_t_ns = first_t_ns;
    eyes->read = true;
    for (int i = 0; i < eyes->asked->kit->mat->slots; i++)
        if (eyes->asked->kit->mat->slot[i].slot == card->slot)
            eyes->settled_slots |= 1u << i;
    event_send(eyes, &event);
}

/* Is there something to show of this part, and is it time to? A part that has settled was told
 * already; one that was not read says nothing. */
static bool partial_due(int64_t *sent_ns, bool settled, bool read)
{
    int64_t at_ns = now_ns();

    if (settled || !read || at_ns - *sent_ns < PARTIAL_NS)
        return false;
    *sent_ns = at_ns;
    return true;
}

static void tell_partial(void *context, const struct layout *layout, uint64_t frame, int64_t t_ns)
{
    struct eyes *eyes = context;
    struct event event;

    eyes->read = true;
    memset(&event, 0, sizeof event);
    event.kind = EVENT_LAYOUT;
    event.layout.first_t_ns = event.layout.moved_t_ns = t_ns;
    event.layout.frame = frame;
    for (int i = 0; i < layout->seats; i++) {
        const struct layout_seat *seat = &layout->seat[i];
        if (!partial_due(&eyes->seat_sent_ns[i], eyes->settled & 1u << i,
                         seat->state != SEAT_UNREADABLE || seat->reasons))
            continue;
        event.layout.seat = *seat;
        partial_send(eyes, &event);
    }
    memset(&event, 0, sizeof event);
    event.kind = EVENT_CARD;
    event.card.first_t_ns = t_ns;
    for (int i = 0; i < layout->slots; i++) {
        const struct layout_card *card = &layout->card[i];
        if (!partial_due(&eyes->slot_sent_ns[i], eyes->settled_slots & 1u << i,
                         card->state != SLOT_UNREADABLE || card->reasons))
            continue;
        event.card.card = *card;
        partial_send(eyes, &event);
    }
}

static void tell_health(void *context, uint64_t reasons, int64_t t_ns)
{
    struct eyes *eyes = context;
    struct event event;

    memset(&event, 0, sizeof event);
    event.kind = EVENT_HEALTH;
    event.health = reasons;
    if (t_ns > eyes->t_ns)
        eyes->t_ns = t_ns;
    event_send(eyes, &event);
}

static void tell_light(void *context, bool differs, int64_t t_ns)
{
    (void)context;
    (void)t_ns;
    if (differs)
        cmd_error("warning: the light is not what the rig's colours were taken in; look over the "
                  "table, and take them again (tableref calibrate colours)");
    else
        cmd_error("the light is again what the rig's colours were taken in");
}

static void tell_seen(void *context, uint64_t frame, int64_t t_ns)
{
    struct event event;

    (void)frame;
    memset(&event, 0, sizeof event);
    event.kind = EVENT_TICK;
    event.seen_t_ns = t_ns;
    event_send(context, &event);
}

/* ---- the process ---- */

static void hello_send(struct eyes *eyes, int64_t base_ns)
{
    char text[256];
    int length =
        snprintf(text, sizeof text, "hello {\"base_ns\":%lld,\"interval_ns\":%lld,\"live\":%s",
                 (long long)base_ns, (long long)eyes->about.interval_ns,
                 eyes->about.live ? "true" : "false");

    if (eyes->paced_from_ns != 0)
        length += snprintf(text + length, sizeof text - (size_t)length, ",\"paced_ns\":%lld",
                           (long long)eyes->paced_from_ns + (long long)base_ns);
    length += snprintf(text + length, sizeof text - (size_t)length, "}");
    text_send(eyes, text, (size_t)length);
    eyes->greeted = true;
}

/* The referee was started again. A recording is told from its start, or the match would not be the
 * same. */
static void who_answer(struct eyes *eyes)
{
    eyes->greeted = false;
    if (eyes->about.live)
        return;
    eyes->stopped = true;
    eyes->status = VISION_AGAIN;
}

/* What the referee wants kept: {"seat":..,"frame":..}, {"t_ns":..,"text":..}. */
static void keep_take(struct eyes *eyes, const char *text)
{
    json_t *word = json_loads(text, 0, NULL);

    loop_record_keep(eyes->record, (int)json_integer_value(json_object_get(word, "seat")),
                     (uint64_t)json_integer_value(json_object_get(word, "frame")));
    json_decref(word);
}

static void text_take(struct eyes *eyes, const char *text, bool chapter)
{
    json_t *word = json_loads(text, 0, NULL);
    const char *said = json_string_value(json_object_get(word, "text"));
    int64_t t_ns = json_integer_value(json_object_get(word, "t_ns"));

    if (said && chapter)
        loop_record_chapter(eyes->record, t_ns, said);
    else if (said)
        loop_record_text(eyes->record, t_ns, TEXT_NS, said);
    json_decref(word);
}

static void words_take(struct eyes *eyes, int timeout_ms)
{
    char text[WORD_MAX];

    while (pubsub_wire_receive(eyes->referee, NULL, text, sizeof text, timeout_ms) > 0) {
        timeout_ms = 0;
        if (strncmp(text, "retell ", 7) == 0)
            vision_watch_retell(eyes->watch);
        else if (strncmp(text, "who ", 4) == 0)
            who_answer(eyes);
        else if (strncmp(text, "keep ", 5) == 0)
            keep_take(eyes, text + 5);
        else if (strncmp(text, "text ", 5) == 0)
            text_take(eyes, text + 5, false);
        else if (strncmp(text, "chapter ", 8) == 0)
            text_take(eyes, text + 8, true);
        else if (strncmp(text, "stop ", 5) == 0)
            eyes->stopped = true;
    }
}

/* A recording is read no faster than it was made: from its first picture on. */
static void pace_begin(struct eyes *eyes, int64_t t_ns)
{
    if (eyes->asked->paced && !eyes->about.live && eyes->paced_from_ns == 0)
        eyes->paced_from_ns = now_ns() - t_ns;
}

static void pace(struct eyes *eyes, int64_t t_ns)
{
    if (!eyes->asked->paced || eyes->about.live)
        return;
    int64_t wait_ns = eyes->paced_from_ns + t_ns - now_ns();
    if (wait_ns > 0) {
        struct timespec time = {.tv_sec = wait_ns / NS_PER_S, .tv_nsec = wait_ns % NS_PER_S};
        nanosleep(&time, NULL);
    }
}

/* Once when it begins and once when it is over: a disk stays full for hours. */
static void record_fault_say(struct eyes *eyes, const struct recorder_status *status)
{
    const char *folder = eyes->asked->recorder->folder;

    if (status->faulted && !eyes->unrecorded)
        cmd_error("%s: not recorded: %s", folder, status->text);
    else if (!status->faulted && eyes->unrecorded)
        cmd_error("%s: recorded again", folder);
    eyes->unrecorded = status->faulted;
}

/* What people should know of the recording: a fault, and what was lost. */
static void record_look(struct eyes *eyes, int64_t at_ns)
{
    struct recorder_status status;
    json_t *word;

    if (!loop_record_news(eyes->record, at_ns, &status))
        return;
    unsigned long long lost = status.lost + status.evidence_lost;
    if (status.faulted)
        word = json_pack("{s:s}", "text", status.text);
    else if (lost > 0)
        word = json_pack("{s:o}", "text", json_sprintf(N_("%llu pictures were not kept"), lost));
    else
        word = json_pack("{s:n}", "text");
    char *json = word ? json_dumps(word, JSON_COMPACT) : NULL;
    char text[512];
    if (json && snprintf(text, sizeof text, "recorder %s", json) < (int)sizeof text)
        pubsub_wire_send(eyes->referee, NULL, text, strlen(text), 0);
    free(json);
    json_decref(word);
    record_fault_say(eyes, &status);
}

static bool picture_look(struct eyes *eyes, const struct picture *taken)
{
    struct picture kept;
    const struct picture *picture = &kept;

    loop_record_take(eyes->record, taken, &kept);
    eyes->read = false;
    pace_begin(eyes, picture->time_ns);
    eyes->settled = eyes->settled_slots = 0;
    if (!eyes->greeted)
        hello_send(eyes, picture->time_ns);
    pace(eyes, picture->time_ns);
    eyes->t_ns = picture->time_ns;
    if (vision_watch_picture(eyes->watch, picture) < 0) {
        cmd_error("out of memory");
        return false;
    }
    if (loop_view_wanted(eyes->view))
        loop_view_give(eyes->view, picture, eyes->watch);
    loop_record_done(eyes->record, eyes->read);
    record_look(eyes, now_ns());
    if (eyes->lost && eyes->about.live) {
        eyes->lost = false;
        vision_watch_retell(eyes->watch);
    }
    return true;
}

/* A newer picture waits already: this one is kept, and counts as having come. */
static void picture_pass(struct eyes *eyes, const struct picture *picture)
{
    loop_record_pass(eyes->record, picture);
    eyes->t_ns = picture->time_ns;
    vision_watch_passed(eyes->watch, picture);
    record_look(eyes, now_ns());
}

/* A camera that was opened again may stand elsewhere. */
static void starts_look(struct eyes *eyes, const struct source_about *about)
{
    if (about->starts != eyes->starts) {
        vision_watch_restart(eyes->watch);
        loop_record_restart(eyes->record);
    }
    eyes->starts = about->starts;
}

/* Says once why no picture comes. That none came yet from a camera that runs is nothing to be said:
 * slow ones take longer than we wait. */
static void fault_say(struct eyes *eyes, const struct source_about *about,
                      const struct capture_fault *fault)
{
    if (about->state == SOURCE_RUNNING || !fault->text[0])
        return;
    if (!eyes->faulted)
        cmd_error("%s: %s", eyes->about.name, fault->text);
    eyes->faulted = true;
}

/* What the source gives next, and how it stands then. A recorded source waits for us, a live one
 * does not: see capture/intake.h. */
static int source_next(struct eyes *eyes, struct intake_picture *out, struct capture_fault *fault)
{
    if (eyes->intake)
        return capture_intake_next(eyes->intake, PICTURE_WAIT_MS, out, fault);
    int got = capture_source_next(eyes->asked->source, PICTURE_WAIT_MS, &out->picture, fault);
    out->newer = false;
    capture_source_about(eyes->asked->source, &out->about);
    return got;
}

static bool picture_take(struct eyes *eyes, const struct intake_picture *came)
{
    bool well = true;

    eyes->faulted = false;
    /* By now the rate was measured: in poor light a camera keeps to less than it was asked for. */
    if (!eyes->greeted && eyes->about.live)
        eyes->about.interval_ns = came->about.interval_ns;
    /* The first one is looked at in any case: times count from it. */
    if (came->newer && eyes->greeted && !came->picture.damaged)
        picture_pass(eyes, &came->picture);
    else
        well = picture_look(eyes, &came->picture);
    if (!eyes->intake)
        capture_source_release(eyes->asked->source, &came->picture);
    if (!well)
        eyes->status = CMD_UNUSABLE;
    words_take(eyes, 0);
    return well;
}

/* False when it is over, for whatever reason. */
static bool eyes_turn(struct eyes *eyes)
{
    struct capture_fault fault = {.text = ""};
    struct intake_picture came;
    int got = source_next(eyes, &came, &fault);

    starts_look(eyes, &came.about);
    if (got == CAPTURE_PICTURE)
        return picture_take(eyes, &came);
    if (got == CAPTURE_END)
        return false;
    if (got < 0) {
        cmd_error("%s: %s", eyes->about.name, fault.text);
        eyes->status = CMD_UNUSABLE;
        return false;
    }
    fault_say(eyes, &came.about, &fault);
    if (eyes->about.live)
        vision_watch_nothing(eyes->watch, now_ns());
    words_take(eyes, 0);
    return true;
}

static bool intake_open(struct eyes *eyes)
{
    const struct intake_options options = {.stored = eyes->asked->recorder != NULL};
    struct capture_fault fault = {.text = ""};

    if (!eyes->about.live ||
        capture_intake_open(eyes->asked->source, &options, &eyes->intake, &fault) == CAPTURE_OK)
        return true;
    cmd_error("%s: %s", eyes->about.name, fault.text);
    return false;
}

static bool recording_open(struct eyes *eyes)
{
    struct capture_fault fault = {.text = ""};
    struct recorder_options options;

    if (!eyes->asked->recorder)
        return true;
    options = *eyes->asked->recorder;
    options.width = eyes->about.width;
    options.height = eyes->about.height;
    options.interval_ns = eyes->about.interval_ns;
    options.patient = !eyes->about.live;
    const struct eyes_record_options keep = {.recorder = &options,
                                             .live = eyes->about.live,
                                             .settle_frames = eyes->asked->settle_frames};
    if (loop_record_open(&keep, &eyes->record, &fault) == CAPTURE_OK)
        return true;
    cmd_error("%s: cannot record: %s", options.folder, fault.text);
    return false;
}

static bool eyes_open(struct eyes *eyes)
{
    const struct watch_sink sink = {.layout = tell_layout,
                                    .motion = tell_motion,
                                    .card = tell_card,
                                    .health = tell_health,
                                    .light = tell_light,
                                    .partial = tell_partial,
                                    .seen = tell_seen,
                                    .context = eyes};
    const struct alignment alignment = vision_alignment_defaults();
    struct wire_fault fault = {.text = ""};
    char address[160];

    capture_source_about(eyes->asked->source, &eyes->about);
    eyes->starts = eyes->about.starts;
    const struct watch_options options = {.settle_frames = eyes->asked->settle_frames,
                                          .interval_ns = eyes->about.interval_ns,
                                          .live = eyes->about.live,
                                          .mirrored = eyes->asked->mirrored};
    eyes->watch = vision_watch_create(eyes->asked->kit, &alignment, &options, &sink);
    eyes->wire = pubsub_wire_create();
    if (!eyes->watch || !eyes->wire) {
        cmd_error("out of memory");
        return false;
    }
    if (pubsub_rundir_address(eyes->asked->rundir, "eyes", address, sizeof address) != 0 ||
        pubsub_wire_connect(eyes->wire, WIRE_DEALER, address, &eyes->referee, &fault) != 0) {
        cmd_error("%s: %s", eyes->asked->rundir,
                  fault.text[0] ? fault.text : N_("a full path of a folder is needed"));
        return false;
    }
    if (pubsub_rundir_address(eyes->asked->rundir, "view", address, sizeof address) == 0)
        eyes->view = loop_view_open(eyes->wire, address, eyes->asked->kit->mat);
    return recording_open(eyes) && intake_open(eyes);
}

/* The end of a recording is told, and waited for until all of it is on record. */
static void eyes_end(struct eyes *eyes)
{
    int64_t until_ns = now_ns() + STOP_WAIT_MS * (int64_t)1000000;

    record_look(eyes, INT64_MAX); /* also what is newer than news are usually told */
    text_send(eyes, "end {}", 6);
    while (!eyes->stopped && !*eyes->stop && now_ns() < until_ns)
        words_take(eyes, PICTURE_WAIT_MS);
}

int loop_vision_run(const struct vision_service *asked, const volatile bool *stop)
{
    struct eyes eyes = {.asked = asked, .stop = stop, .status = CMD_DONE};

    if (eyes_open(&eyes)) {
        while (!*stop && !eyes.stopped && eyes_turn(&eyes))
            ;
        if (!*stop && !eyes.stopped && eyes.status == CMD_DONE)
            eyes_end(&eyes);
    } else {
        eyes.status = CMD_UNUSABLE;
    }
    capture_intake_close(&eyes.intake);
    loop_view_close(&eyes.view);
    vision_watch_destroy(&eyes.watch);
    loop_record_close(&eyes.record);
    pubsub_wire_close(&eyes.referee);
    pubsub_wire_destroy(&eyes.wire);
    return eyes.status;
}
