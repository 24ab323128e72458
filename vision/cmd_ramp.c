/* vision/cmd_ramp.c: see cmd_ramp.h. */
#include "vision/cmd_ramp.h"

#include "calib/rig.h"
#include "vision/annotate.h"
#include "vision/layout_json.h"
#include "vision/ramp_json.h"

#include <string.h>

bool cmd_ramp_picture_read(struct ramp_reader *reader, const char *path, bool mirrored,
                           struct cmd_ramp_picture *out)
{
    memset(out, 0, sizeof *out);
    if (!cmd_frame_load(path, &out->frame, &out->reason))
        return false;
    struct frame *flipped = mirrored ? capture_frame_orient(out->frame, 2) : NULL;
    int error = VISION_E_MEMORY;
    if (flipped || !mirrored)
        error = vision_ramp_read(reader, flipped ? flipped : out->frame, mirrored, &out->layout,
                                 &out->pose);
    capture_frame_destroy(&flipped);
    if (error != 0) {
        out->reason = cmd_vision_reason(error);
        cmd_vision_error(path, error, mirrored);
        return false;
    }
    if (mirrored)
        vision_ramp_mirror_px(&out->layout, out->frame->width);
    out->ok = true;
    return true;
}

void cmd_ramp_picture_free(struct cmd_ramp_picture *picture)
{
    capture_frame_destroy(&picture->frame);
}

/* One picture; false when nothing more can be printed. */
static bool read_one(struct cmd_session *session, struct ramp_reader *reader, int index)
{
    struct cmd_ramp_picture picture;
    struct json_text json;
    const char *path = session->paths[index];
    vision_json_init(&json);
    if (cmd_ramp_picture_read(reader, path, session->source.mirrored, &picture)) {
        const struct annotate_picture what = {.frame = picture.frame, .ramp = &picture.layout};
        vision_ramp_json(&picture.layout, path, &json);
        cmd_session_draw(session, index, &what);
    } else {
        vision_refusal_json(path, picture.reason, &json);
        session->status = CMD_UNUSABLE;
    }
    cmd_ramp_picture_free(&picture);
    if (cmd_print(&json))
        return true;
    session->status = CMD_UNUSABLE;
    return false;
}

int cmd_ramp_read(const char *ramp_name, const struct cmd_source *source, char **paths, int count)
{
    struct cmd_session session = {
        .source = *source, .paths = paths, .count = count, .status = CMD_UNUSABLE};
    struct ramp *ramp = NULL;
    struct ramp_reader *reader = NULL;
    struct rig *rig = NULL;
    if (!cmd_ramp_load(ramp_name, &ramp) || (source->rig && !cmd_rig_load(source->rig, &rig)) ||
        (source->annotate && !cmd_annotate_folder(source->annotate)))
        goto out;
    reader = vision_ramp_create(ramp, rig);
    if (!reader) {
        cmd_error("out of memory: the reader could not be made");
        goto out;
    }
    session.status = CMD_DONE;
    for (int i = 0; i < count && read_one(&session, reader, i); i++)
        ;
out:
    vision_ramp_destroy(&reader);
    calib_rig_destroy(&rig);
    calib_ramp_destroy(&ramp);
    return session.status;
}
