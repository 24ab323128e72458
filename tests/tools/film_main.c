/* tests/tools/film_main.c: film OUT.mkv RATE COUNT FILE...: a recording of COUNT pictures, RATE a
 * second, out of JPEG files or of the pictures of a recording, which come in turn again and again.
 * For tests that need a longer film than is worth keeping, or one that shows something else. */
#include "capture/jpeg.h"
#include "capture/source.h"
#include "tests/unit/video_make.h"

#define FRAMES_MOST 4096
#define COUNT_MOST 1000000

struct film {
    struct reel_packet frame[FRAMES_MOST];
    int frames, width, height;
};

static void frame_add(struct film *film, const struct picture *picture)
{
    uint8_t *copy = make_memory(picture->length);

    reel_check(film->frames < FRAMES_MOST, "adding one picture more");
    memcpy(copy, picture->bytes, picture->length);
    film->frame[film->frames++] =
        (struct reel_packet){.bytes = copy, .length = picture->length};
    film->width = picture->width;
    film->height = picture->height;
}

static void film_add(struct film *film, const char *path)
{
    struct capture_fault fault = {.text = ""};
    struct source *source = NULL;
    struct picture picture;

    reel_check(capture_video_open(path, &source, &fault) == 0, fault.text);
    while (capture_source_next(source, 1000, &picture, &fault) == CAPTURE_PICTURE) {
        frame_add(film, &picture);
        capture_source_release(source, &picture);
    }
    capture_source_destroy(&source);
}

static void still_add(struct film *film, const char *path)
{
    FILE *file = fopen(path, "rb");
    struct picture picture = {.length = 0};
    struct jpeg_info info;
    long length = -1;

    if (!file) {
        reel_check(false, path);
        return;
    }
    if (fseek(file, 0, SEEK_END) == 0)
        length = ftell(file);
    reel_check(length > 0, path);
    uint8_t *bytes = make_memory((size_t)length);
    rewind(file);
    reel_check(fread(bytes, 1, (size_t)length, file) == (size_t)length, path);
    fclose(file);
    reel_check(capture_jpeg_inspect(bytes, (size_t)length, &info, NULL) == 0, path);
    picture.bytes = bytes;
    picture.length = (size_t)length;
    picture.width = info.width;
    picture.height = info.height;
    frame_add(film, &picture);
    free(bytes);
}

static void film_write(const struct film *film, const char *path, int rate, int count)
{
    const struct reel reel = {.container = "matroska",
                              .path = path,
                              .width = film->width,
                              .height = film->height,
                              .tick_num = 1,
                              .tick_den = rate};
    struct reel_packet *packet = make_memory((size_t)count * sizeof *packet);

    for (int i = 0; i < count; i++) {
        packet[i] = film->frame[i % film->frames];
        packet[i].stamp = i;
    }
    reel_write(&reel, packet, count);
    free(packet);
}

int main(int argc, char **argv)
{
    static struct film film;
    long rate = argc > 4 ? strtol(argv[2], NULL, 10) : 0;
    long count = argc > 4 ? strtol(argv[3], NULL, 10) : 0;

    if (rate < 1 || rate > 1000 || count < 1 || count > COUNT_MOST) {
        fprintf(stderr, "usage: film OUT.mkv RATE COUNT FILE...\n");
        return 2;
    }
    for (int i = 4; i < argc; i++) {
        const char *kind = strrchr(argv[i], '.');
        if (kind && strcmp(kind, ".jpg") == 0)
            still_add(&film, argv[i]);
        else
            film_add(&film, argv[i]);
    }
    reel_check(film.frames > 0, "finding pictures");
    film_write(&film, argv[1], (int)rate, (int)count);
    for (int i = 0; i < film.frames; i++)
        free((void *)(uintptr_t)film.frame[i].bytes);
    return 0;
}
