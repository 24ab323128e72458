/* referee/cmd_session.c: what read and judge do alike, and the folder of annotated pictures. */
#include "referee/cmd_common.h"

#include "vision/annotate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes the folder unless it is there. */
bool cmd_annotate_folder(const char *folder)
{
    struct stat info;
    if (mkdir(folder, 0777) == 0)
        return true;
    int error = errno;
    if (error == EEXIST && stat(folder, &info) == 0 && S_ISDIR(info.st_mode))
        return true;
    cmd_error("--annotate %s: cannot make this folder: %s", folder, strerror(error));
    return false;
}

bool cmd_session_open(const struct cmd_source *source, char **paths, int count,
                      struct cmd_session *out)
{
    memset(out, 0, sizeof *out);
    out->source = *source;
    out->paths = paths;
    out->count = count;
    out->status = CMD_UNUSABLE;
    if (!cmd_kit_load(source, &out->kit))
        return false;
    out->reader = cmd_reader_create(&out->kit);
    if (!out->reader || (source->annotate && !cmd_annotate_folder(source->annotate)))
        return false;
    out->status = CMD_DONE;
    return true;
}

int cmd_session_close(struct cmd_session *session)
{
    vision_table_destroy(&session->reader);
    cmd_kit_free(&session->kit);
    return session->status;
}

/* The file's name without folder and ending, and its length. */
static const char *stem_of(const char *path, size_t *length)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    *length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    return name;
}

/* "DIR/NAME.png"; pictures of the same name from different folders are numbered from the second
 * on, so that none overwrites another. The caller frees it. */
static char *output_path(const struct cmd_session *session, int index)
{
    size_t length, other;
    const char *stem = stem_of(session->paths[index], &length);
    int same = 1;
    for (int i = 0; i < index; i++) {
        const char *earlier = stem_of(session->paths[i], &other);
        same += other == length && memcmp(earlier, stem, length) == 0;
    }
    size_t size = strlen(session->source.annotate) + length + 32;
    char *path = malloc(size);
    if (!path)
        return NULL;
    if (same == 1)
        snprintf(path, size, "%s/%.*s.png", session->source.annotate, (int)length, stem);
    else
        snprintf(path, size, "%s/%.*s.%d.png", session->source.annotate, (int)length, stem, same);
    return path;
}

/* Is it one of the pictures that were given? It must not be overwritten. */
static bool is_input(const struct cmd_session *session, const char *path)
{
    struct stat target, input;
    if (stat(path, &target) != 0)
        return false;
    for (int i = 0; i < session->count; i++)
        if (stat(session->paths[i], &input) == 0 && input.st_dev == target.st_dev &&
            input.st_ino == target.st_ino)
            return true;
    return false;
}

static bool write_bytes(void *context, const unsigned char *bytes, size_t length)
{
    return fwrite(bytes, 1, length, context) == length;
}

static bool write_png(const char *path, const struct annotate_picture *what)
{
    errno = 0;
    FILE *file = fopen(path, "wb");
    bool done = file && vision_annotate(what, write_bytes, file) == 0;
    int error = errno;
    if (file && fclose(file) != 0 && done) {
        error = errno;
        done = false;
    }
    if (!done) {
        cmd_error("%s: cannot write the annotated picture: %s", path,
                  error ? strerror(error) : "out of memory");
        if (file)
            unlink(path);
    }
    return done;
}

void cmd_session_draw(struct cmd_session *session, int index, const struct annotate_picture *what)
{
    if (!session->source.annotate)
        return;
    char *path = output_path(session, index);
    if (!path) {
        cmd_error("%s: out of memory for the annotated picture", session->paths[index]);
        session->status = CMD_UNUSABLE;
    } else if (is_input(session, path)) {
        cmd_error("%s: is one of the pictures given; annotated pictures need another --annotate",
                  path);
        session->status = CMD_UNUSABLE;
    } else if (!write_png(path, what)) {
        session->status = CMD_UNUSABLE;
    }
    free(path);
}

void cmd_session_annotate(struct cmd_session *session, int index, const struct cmd_picture *picture,
                          const struct annotate_note *notes, int note_count)
{
    const struct annotate_picture what = {.frame = picture->frame,
                                          .layout = &picture->layout,
                                          .pose = &picture->pose,
                                          .mat = session->kit.mat,
                                          .notes = notes,
                                          .note_count = note_count};
    cmd_session_draw(session, index, &what);
}
