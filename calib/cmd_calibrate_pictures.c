/* calib/cmd_calibrate_pictures.c: pictures to calibrate with, from wherever they come. */
#include "calib/cmd_calibrate.h"

#include "calib/file.h"
#include "capture/still.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1000000000
#define FOLDER_RATE 15
#define WAIT_MS 100

bool cmd_calibrate_live(const struct calibrate_pictures *pictures)
{
    return pictures->asked->camera != NULL;
}

bool cmd_calibrate_open(const struct calibrate *asked, struct calibrate_pictures *out)
{
    struct capture_fault fault = {.text = ""};
    const char *name = asked->camera ? asked->camera : asked->video ? asked->video : asked->images;
    int error = 0;

    memset(out, 0, sizeof *out);
    out->asked = asked;
    if (!name)
        return true;
    if (!(out->decoder = capture_decoder_create())) {
        cmd_error("out of memory");
        return false;
    }
    if (asked->camera)
        error = capture_camera_open(name, &asked->wish, &out->source, &fault);
    else if (asked->video)
        error = capture_video_open(name, &out->source, &fault);
    else
        error = capture_folder_open(name, NS_PER_S / FOLDER_RATE, &out->source, &fault);
    if (error < 0)
        cmd_error("%s: %s", name, fault.text[0] ? fault.text : capture_strerror(error));
    return error >= 0;
}

static void picture_back(struct calibrate_pictures *pictures)
{
    if (pictures->any_lent)
        capture_source_release(pictures->source, &pictures->lent);
    pictures->any_lent = false;
    pictures->picture = NULL;
}

void cmd_calibrate_close(struct calibrate_pictures *pictures)
{
    picture_back(pictures);
    pictures->frame = NULL;
    capture_frame_destroy(&pictures->owned);
    capture_source_destroy(&pictures->source);
    capture_decoder_destroy(&pictures->decoder);
}

/* As it is looked at: flipped when it is said to be mirrored. */
static bool frame_show(struct calibrate_pictures *pictures, const struct frame *frame)
{
    pictures->frame = frame;
    if (!pictures->asked->kit.mirrored)
        return true;
    struct frame *flipped = capture_frame_orient(frame, 2);
    capture_frame_destroy(&pictures->owned);
    pictures->frame = pictures->owned = flipped;
    if (!flipped)
        cmd_error("out of memory");
    return flipped != NULL;
}

static void name_set(struct calibrate_pictures *pictures, const char *name)
{
    pictures->number++;
    snprintf(pictures->name, sizeof pictures->name, "%s", name);
}

static int file_next(struct calibrate_pictures *pictures)
{
    const struct calibrate *asked = pictures->asked;
    enum reason reason;

    while (pictures->at < asked->count) {
        const char *path = asked->paths[pictures->at++];
        pictures->frame = NULL;
        capture_frame_destroy(&pictures->owned);
        if (cmd_frame_load(path, &pictures->owned, &reason)) {
            name_set(pictures, path);
            if (frame_show(pictures, pictures->owned))
                return 1;
        }
        pictures->status = CMD_UNUSABLE;
    }
    return 0;
}

static int source_next(struct calibrate_pictures *pictures)
{
    struct capture_fault fault = {.text = ""};
    const struct frame *frame;
    char name[64];

    for (;;) {
        picture_back(pictures);
        int got = capture_source_next(pictures->source, WAIT_MS, &pictures->lent, &fault);
        if (got == CAPTURE_NOTHING)
            return -1;
        if (got == CAPTURE_END)
            return 0;
        if (got < 0) {
            cmd_error("%s", fault.text[0] ? fault.text : capture_strerror(got));
            pictures->status = CMD_UNUSABLE;
            return 0;
        }
        pictures->any_lent = true;
        int error =
            capture_decoder_decode(pictures->decoder, &pictures->lent, 1, true, &frame, &fault);
        snprintf(name, sizeof name, "picture %llu", (unsigned long long)pictures->lent.sequence);
        if (error == CAPTURE_E_MEMORY || (error == 0 && !frame_show(pictures, frame))) {
            pictures->status = CMD_UNUSABLE;
            return 0;
        }
        if (error == 0) {
            name_set(pictures, name);
            pictures->picture = &pictures->lent;
            return 1;
        }
        /* A damaged picture says nothing; of a camera there is another one in a moment. */
    }
}

int cmd_calibrate_next(struct calibrate_pictures *pictures)
{
    return pictures->source ? source_next(pictures) : file_next(pictures);
}

void cmd_calibrate_identity(const struct calibrate_pictures *pictures, char *out, size_t size)
{
    struct source_about about;

    if (pictures->asked->identity) {
        snprintf(out, size, "%s", pictures->asked->identity);
    } else if (cmd_calibrate_live(pictures)) {
        capture_source_about(pictures->source, &about);
        cmd_camera_identity(&about, out, size);
    } else if (size > 0) {
        out[0] = 0;
    }
}

void cmd_calibrate_outline(struct json_text *json, const char *kind,
                           const struct calibrate_pictures *pictures)
{
    vision_json_init(json);
    vision_json_open(json, NULL, '{');
    vision_json_int(json, "v", 1);
    vision_json_bool(json, "ok", true);
    vision_json_string(json, "kind", kind);
    vision_json_int(json, "frame", (int64_t)pictures->number);
    vision_json_open(json, "size", '[');
    vision_json_int(json, NULL, pictures->frame->width);
    vision_json_int(json, NULL, pictures->frame->height);
    vision_json_close(json, ']');
}

void cmd_calibrate_point(struct json_text *json, const double px[2])
{
    vision_json_open(json, NULL, '[');
    for (int k = 0; k < 2; k++)
        vision_json_fixed(json, NULL, llround(px[k] * 10), 1);
    vision_json_close(json, ']');
}

void cmd_calibrate_now(char *out, size_t size)
{
    time_t now = time(NULL);
    struct tm utc;

    if (!gmtime_r(&now, &utc) || strftime(out, size, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        out[0] = 0;
}

bool cmd_calibrate_put(const char *path, const char *text)
{
    size_t length = strlen(text);
    char *line = malloc(length + 1);

    if (!line) {
        cmd_error("out of memory");
        return false;
    }
    memcpy(line, text, length);
    line[length] = '\n';
    bool done = calib_file_put(path, line, length + 1, 0644, true) == 0;
    if (!done)
        cmd_error("%s: cannot be written: %s", path, strerror(errno));
    free(line);
    return done;
}
