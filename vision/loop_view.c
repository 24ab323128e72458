/* vision/loop_view.c: the camera's picture for people. */
#include "vision/loop_view.h"

#include "capture/jpeg_encode.h"
#include "capture/picture.h"
#include "capture/recorder.h"
#include "referee/cmd_common.h"
#include "referee/value_json.h"

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Raw pictures and stills are shown with this: smaller than what is kept, and hardly to be told
 * from it. */
#define SHOWN_QUALITY 85
/* A camera that is away gives none: the answer then has no picture. */
#define PICTURE_WAIT_MS 500
#define TURN_MS 200
#define REQUEST_SIZE 4096

struct view {
    struct wire *wire;
    struct wire_socket *socket; /* the thread's */
    const struct mat *mat;
    pthread_t thread;
    bool threaded;
    atomic_bool wanted, stop;
    pthread_mutex_t lock;
    pthread_cond_t given;
    /* under the lock, from the eyes to the thread */
    bool there;
    struct picture picture; /* with bytes of our own */
    uint8_t *bytes;
    size_t room;
    struct watch_places places;
    /* the thread's */
    struct decoder *decoder;
    uint8_t *jpeg;
    size_t jpeg_room, jpeg_length;
};

/* ---- the eyes' side ---- */

bool loop_view_wanted(const struct view *view)
{
    return view && atomic_load_explicit(&view->wanted, memory_order_relaxed);
}

static bool room_make(uint8_t **bytes, size_t *room, size_t needed)
{
    if (*room >= needed)
        return true;
    uint8_t *grown = realloc(*bytes, needed);
    if (!grown)
        return false;
    *bytes = grown;
    *room = needed;
    return true;
}

/* The bytes, with those of a second plane behind them. */
static bool picture_copy(struct view *view, const struct picture *picture)
{
    size_t chroma = picture->chroma ? picture->chroma_length : 0;

    if (!room_make(&view->bytes, &view->room, picture->length + chroma + 1))
        return false;
    view->picture = *picture;
    view->picture.bytes = view->bytes;
    memcpy(view->bytes, picture->bytes, picture->length);
    if (chroma > 0) {
        memcpy(view->bytes + picture->length, picture->chroma, chroma);
        view->picture.chroma = view->bytes + picture->length;
    }
    return true;
}

void loop_view_give(struct view *view, const struct picture *picture, const struct watch *watch)
{
    /* A damaged one is not shown while others come. */
    if (picture->damaged || picture->length == 0 || pthread_mutex_trylock(&view->lock) != 0)
        return;
    if (picture_copy(view, picture)) {
        vision_watch_places(watch, &view->places);
        view->there = true;
        atomic_store(&view->wanted, false);
        pthread_cond_signal(&view->given);
    }
    pthread_mutex_unlock(&view->lock);
}

/* ---- what is told of it ---- */

static void point_put(struct json_text *out, double x_px, double y_px)
{
    vision_json_open(out, NULL, '[');
    vision_json_fixed(out, NULL, (int64_t)(x_px * 10 + (x_px < 0 ? -0.5 : 0.5)), 1);
    vision_json_fixed(out, NULL, (int64_t)(y_px * 10 + (y_px < 0 ? -0.5 : 0.5)), 1);
    vision_json_close(out, ']');
}

/* A rectangle of the mat as four points in the picture; null where it lies behind the camera. */
static void rect_put(const struct view *view, const char *key, const double rect_mm[4],
                     struct json_text *out)
{
    const struct mat_pose *pose = &view->places.pose;
    double px[4][2];

    for (int k = 0; k < 4; k++) {
        const double point[3] = {rect_mm[0] + (k == 1 || k == 2 ? rect_mm[2] : 0),
                                 rect_mm[1] + (k >= 2 ? rect_mm[3] : 0), 0};
        if (!calib_camera_project(&pose->camera, &pose->pose, point, px[k])) {
            vision_json_null(out, key);
            return;
        }
        if (view->places.layout.mirrored)
            px[k][0] = pose->camera.width - 1 - px[k][0];
    }
    vision_json_open(out, key, '[');
    for (int k = 0; k < 4; k++)
        point_put(out, px[k][0], px[k][1]);
    vision_json_close(out, ']');
}

static void corners_put(const char *key, const int32_t px10[4][2], struct json_text *out)
{
    bool any = false;

    for (int k = 1; k < 4; k++)
        any = any || px10[k][0] != px10[0][0] || px10[k][1] != px10[0][1];
    if (!any) {
        vision_json_null(out, key);
        return;
    }
    vision_json_open(out, key, '[');
    for (int k = 0; k < 4; k++)
        point_put(out, px10[k][0] / 10.0, px10[k][1] / 10.0);
    vision_json_close(out, ']');
}

static void place_put(const char *key, int value, struct json_text *out)
{
    if (value >= 0)
        vision_json_int(out, key, value);
    else
        vision_json_null(out, key);
}

static void cell_put(const struct layout_cell *cell, struct json_text *out)
{
    vision_json_open(out, NULL, '{');
    place_put("row", cell->row, out);
    place_put("col", cell->col, out);
    referee_write_label(out, "symbol", cell->symbol);
    vision_json_fixed(out, "confidence", cell->confidence, 3);
    corners_put("outline", cell->corner_px10, out);
    vision_json_close(out, '}');
}

static void seat_put(const struct view *view, int index, struct json_text *out)
{
    const struct layout_seat *seat = &view->places.layout.seat[index];

    vision_json_open(out, NULL, '{');
    vision_json_int(out, "seat", seat->seat);
    rect_put(view, "outline", view->mat->seat[index].rect_mm, out);
    vision_json_bool(out, "settled", view->places.seat_settled[index]);
    vision_json_string(out, "state", vision_seat_state_name(seat->state));
    vision_json_reasons(out, "reasons", seat->reasons);
    vision_json_open(out, "cells", '[');
    for (int i = 0; i < seat->cells && i < LAYOUT_CELLS_MAX; i++)
        cell_put(&seat->cell[i], out);
    vision_json_close(out, ']');
    vision_json_close(out, '}');
}

static void slot_put(const struct view *view, int index, struct json_text *out)
{
    const struct layout_card *card = &view->places.layout.card[index];

    vision_json_open(out, NULL, '{');
    vision_json_int(out, "slot", card->slot);
    rect_put(view, "outline", view->mat->slot[index].rect_mm, out);
    vision_json_bool(out, "settled", view->places.slot_settled[index]);
    vision_json_string(out, "state", vision_slot_state_name(card->state));
    vision_json_string(out, "id", card->id[0] ? card->id : NULL);
    corners_put("card", card->corner_px10, out);
    vision_json_close(out, '}');
}

static void outlines_put(const struct view *view, struct json_text *out)
{
    const double sheet_mm[4] = {0, 0, view->mat->size_mm[0], view->mat->size_mm[1]};
    const struct layout *layout = &view->places.layout;

    if (view->places.known)
        rect_put(view, "mat", sheet_mm, out);
    else
        vision_json_null(out, "mat");
    vision_json_bool(out, "lost", !view->places.known || view->places.lost);
    vision_json_bool(out, "light_changed", view->places.light_differs);
    vision_json_open(out, "seats", '[');
    for (int i = 0; i < layout->seats; i++)
        seat_put(view, i, out);
    vision_json_close(out, ']');
    vision_json_open(out, "slots", '[');
    for (int i = 0; i < layout->slots; i++)
        slot_put(view, i, out);
    vision_json_close(out, ']');
}

static void head_put(const struct view *view, int width, int height, struct json_text *out)
{
    vision_json_open(out, NULL, '{');
    vision_json_int(out, "v", 1);
    vision_json_bool(out, "ok", true);
    if (!view->there) {
        vision_json_null(out, "frame");
        vision_json_close(out, '}');
        return;
    }
    vision_json_int(out, "frame", (int64_t)view->picture.sequence);
    vision_json_int(out, "t_ns", view->picture.time_ns);
    vision_json_open(out, "size", '[');
    vision_json_int(out, NULL, width);
    vision_json_int(out, NULL, height);
    vision_json_close(out, ']');
    vision_json_bool(out, "mirrored", view->places.layout.mirrored);
    outlines_put(view, out);
    vision_json_close(out, '}');
}

/* ---- the thread's side ---- */

/* What is no video's own JPEG is decoded, upright as it is read, and coded anew. */
static bool picture_encode(struct view *view, int *width, int *height)
{
    const struct frame *frame;
    uint8_t *bytes = NULL;

    if (capture_decoder_decode(view->decoder, &view->picture, 1, true, &frame, NULL) < 0 ||
        capture_jpeg_encode(frame, SHOWN_QUALITY, &bytes, &view->jpeg_length, NULL) < 0)
        return false;
    *width = frame->width;
    *height = frame->height;
    free(view->jpeg);
    view->jpeg = bytes;
    view->jpeg_room = view->jpeg_length;
    return true;
}

/* The picture as a JPEG that every display can read. */
static bool picture_make(struct view *view, int *width, int *height)
{
    if (!view->decoder && !(view->decoder = capture_decoder_create()))
        return false;
    if (view->picture.format != PICTURE_MJPEG)
        return picture_encode(view, width, height);
    *width = view->picture.width;
    *height = view->picture.height;
    return capture_picture_stored(view->decoder, &view->picture, &view->jpeg, &view->jpeg_room,
                                  &view->jpeg_length, NULL) == CAPTURE_OK;
}

/* Waits for the eyes to leave a picture. Holds the lock from then on. */
static void picture_await(struct view *view)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += PICTURE_WAIT_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&view->lock);
    view->there = false;
    atomic_store(&view->wanted, true);
    while (!view->there && pthread_cond_timedwait(&view->given, &view->lock, &until) == 0)
        ;
    atomic_store(&view->wanted, false);
}

static void answer_send(struct view *view, struct json_text *json, bool picture)
{
    size_t length = json->length + 1, whole = length + (picture ? view->jpeg_length : 0);
    char *text = whole <= WIRE_MESSAGE_MAX ? malloc(whole) : NULL;

    if (json->failed || !text) {
        static const char none[] = "{\"v\":1,\"ok\":true,\"frame\":null}\n";
        pubsub_wire_send(view->socket, NULL, none, sizeof none - 1, 0);
    } else {
        memcpy(text, json->bytes, json->length);
        text[json->length] = '\n';
        if (picture)
            memcpy(text + length, view->jpeg, view->jpeg_length);
        pubsub_wire_send(view->socket, NULL, text, whole, 0);
    }
    free(text);
}

static void picture_answer(struct view *view)
{
    struct json_text json;
    int width = 0, height = 0;

    picture_await(view);
    view->there = view->there && picture_make(view, &width, &height);
    vision_json_init(&json);
    head_put(view, width, height, &json);
    answer_send(view, &json, view->there);
    pthread_mutex_unlock(&view->lock);
    vision_json_free(&json);
}

static bool request_fits(const char *text, size_t length)
{
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    const char *what = json_string_value(json_object_get(root, "do"));
    bool fits =
        json_integer_value(json_object_get(root, "v")) == 1 && what && strcmp(what, "picture") == 0;

    json_decref(root);
    return fits;
}

static void *view_run(void *context)
{
    static const char refusal[] = "{\"v\":1,\"ok\":false,\"error\":\"bad_request\",\"text\":\"only "
                                  "a picture is to be had\"}\n";
    struct view *view = context;
    char room[REQUEST_SIZE];

    while (!atomic_load(&view->stop)) {
        int64_t length = pubsub_wire_receive(view->socket, NULL, room, sizeof room, TURN_MS);
        if (length == PUBSUB_E_AGAIN)
            continue;
        if (length >= 0 && request_fits(room, (size_t)length))
            picture_answer(view);
        else if (length >= 0 || length == PUBSUB_E_SIZE)
            pubsub_wire_send(view->socket, NULL, refusal, sizeof refusal - 1, 0);
        else
            break;
    }
    pubsub_wire_close(&view->socket);
    return NULL;
}

/* A wait by the monotonic clock: nobody sets it. */
static bool locks_make(struct view *view)
{
    pthread_condattr_t kind;

    if (pthread_mutex_init(&view->lock, NULL) != 0)
        return false;
    pthread_condattr_init(&kind);
    pthread_condattr_setclock(&kind, CLOCK_MONOTONIC);
    int error = pthread_cond_init(&view->given, &kind);
    pthread_condattr_destroy(&kind);
    if (error != 0)
        pthread_mutex_destroy(&view->lock);
    return error == 0;
}

static void view_free(struct view **view)
{
    capture_decoder_destroy(&(*view)->decoder);
    pthread_cond_destroy(&(*view)->given);
    pthread_mutex_destroy(&(*view)->lock);
    pubsub_wire_close(&(*view)->socket);
    free((*view)->bytes);
    free((*view)->jpeg);
    free(*view);
    *view = NULL;
}

struct view *loop_view_open(struct wire *wire, const char *address, const struct mat *mat)
{
    struct wire_fault fault = {.text = "out of memory"};
    struct view *view = calloc(1, sizeof *view);

    if (!view || !locks_make(view)) {
        free(view);
        cmd_error("pictures for displays: out of memory");
        return NULL;
    }
    view->wire = wire;
    view->mat = mat;
    /* The socket is made here and is the thread's from its start on. */
    if (pubsub_wire_bind(wire, WIRE_REP, address, &view->socket, &fault) == PUBSUB_OK)
        view->threaded = pthread_create(&view->thread, NULL, view_run, view) == 0;
    if (!view->threaded) {
        cmd_error("pictures for displays: %s", fault.text);
        view_free(&view);
    }
    return view;
}

void loop_view_close(struct view **view)
{
    if (!view || !*view)
        return;
    atomic_store(&(*view)->stop, true);
    pthread_join((*view)->thread, NULL);
    view_free(view);
}
