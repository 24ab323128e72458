/* tests/v4l2/grab_main.c: takes pictures from a camera as the program does, and prints what came.
 *
 *   grab DEVICE SECONDS [name=value ...]
 *     format=mjpeg|yuyv|uyvy|nv12|grey  size=WxH  rate=N  mains=N  exposure=N  white=N  focus=N
 *     pictures=N   ends after so many
 *     save=PREFIX  writes the bytes of each as PREFIX000001 and so on
 *     decode=1     decodes each, at half its size
 *
 * A line for each picture, each change of state and each notice; last "pictures=.. lost=.. ..".
 * Exit status: 0 when a picture came, 1 when none did or the camera cannot be opened. */
#include "capture/picture.h"
#include "capture/source.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct grab {
    struct camera_wish wish;
    const char *device, *save;
    double seconds;
    long most;
    bool decode;
    struct decoder *decoder;
    long pictures, damaged, doubtful, undecoded;
    unsigned long lost, backward;
    int64_t last_ns;
    double interval_s;
};

static volatile sig_atomic_t ended;

static void note_end(int signal_number)
{
    (void)signal_number;
    ended = 1;
}

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void print_notice(void *context, const char *text)
{
    (void)context;
    printf("notice %s\n", text);
}

static int format_of(const char *name)
{
    for (int i = 0; i < PICTURE_FORMATS; i++)
        if (strcmp(capture_picture_format_name((enum picture_format)i), name) == 0)
            return i;
    return -1;
}

static bool take_option(struct grab *grab, const char *text)
{
    const char *is = strchr(text, '=');
    size_t length = is ? (size_t)(is - text) : 0;
    const char *value = is ? is + 1 : "";
    char *rest;
    int number = (int)strtol(value, &rest, 10);
    static const struct {
        const char *name;
        size_t at;
    } numbers[] = {
        {"rate", offsetof(struct camera_wish, rate)},
        {"mains", offsetof(struct camera_wish, mains_hz)},
        {"exposure", offsetof(struct camera_wish, exposure_100us)},
        {"white", offsetof(struct camera_wish, white_balance_k)},
        {"focus", offsetof(struct camera_wish, focus)},
    };

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strlen(numbers[i].name) == length && strncmp(numbers[i].name, text, length) == 0) {
            memcpy((char *)&grab->wish + numbers[i].at, &number, sizeof number);
            return true;
        }
    if (strncmp(text, "format=", 7) == 0)
        return (grab->wish.format = format_of(value)) >= 0;
    if (strncmp(text, "size=", 5) == 0 && *rest == 'x') {
        grab->wish.width = number;
        grab->wish.height = (int)strtol(rest + 1, NULL, 10);
        return true;
    }
    if (strncmp(text, "pictures=", 9) == 0)
        return (grab->most = number) > 0;
    if (strncmp(text, "save=", 5) == 0)
        return (grab->save = value) != NULL;
    return strncmp(text, "decode=", 7) == 0 && (grab->decode = number != 0, true);
}

static void save_picture(const struct grab *grab, const struct picture *picture)
{
    char path[512];
    FILE *file;

    snprintf(path, sizeof path, "%s%06ld", grab->save, grab->pictures);
    file = fopen(path, "wb");
    if (!file || fwrite(picture->bytes, 1, picture->length, file) != picture->length)
        printf("error cannot write %s\n", path);
    if (file)
        fclose(file);
}

static void take_picture(struct grab *grab, struct source *source, const struct picture *picture)
{
    const struct frame *frame = NULL;

    grab->pictures++;
    grab->lost += (unsigned long)picture->lost;
    grab->damaged += picture->damaged;
    grab->doubtful += picture->time_doubtful;
    grab->backward += grab->pictures > 1 && picture->time_ns <= grab->last_ns;
    grab->last_ns = picture->time_ns;
    printf("picture sequence=%llu lost=%llu time_ms=%lld late_ms=%lld bytes=%zu%s%s\n",
           (unsigned long long)picture->sequence, (unsigned long long)picture->lost,
           (long long)(picture->time_ns / 1000000),
           (long long)((picture->arrived_ns - picture->time_ns) / 1000000), picture->length,
           picture->damaged ? " damaged" : "", picture->time_doubtful ? " doubtful" : "");
    if (grab->save)
        save_picture(grab, picture);
    if (grab->decode && !picture->damaged &&
        capture_decoder_decode(grab->decoder, picture, 2, true, &frame, NULL) != 0)
        grab->undecoded++;
    capture_source_release(source, picture);
}

static void print_state(const struct source_about *about)
{
    static const char *const names[] = {"running", "warming_up", "away"};

    printf("state %s starts=%u name=\"%s\" place=\"%s\" format=%s size=%dx%d\n",
           names[about->state], about->starts, about->name, about->place,
           capture_picture_format_name(about->format), about->width, about->height);
}

static int run(struct grab *grab, struct source *source)
{
    double end_s = now_s() + grab->seconds;
    struct source_about about, before = {.state = SOURCE_RUNNING};

    before.starts = 0;
    while (!ended && now_s() < end_s && (grab->most == 0 || grab->pictures < grab->most)) {
        struct picture picture;
        struct capture_fault fault;
        int got = capture_source_next(source, 200, &picture, &fault);

        capture_source_about(source, &about);
        if (about.state != before.state || about.starts != before.starts)
            print_state(&about);
        before = about;
        grab->interval_s = (double)about.interval_ns * 1e-9;
        if (got == CAPTURE_PICTURE)
            take_picture(grab, source, &picture);
        else if (got < 0) {
            printf("error %s\n", fault.text);
            return 1;
        }
    }
    printf("pictures=%ld lost=%lu damaged=%ld doubtful=%ld backward=%lu undecoded=%ld starts=%u "
           "rate=%.1f\n",
           grab->pictures, grab->lost, grab->damaged, grab->doubtful, grab->backward,
           grab->undecoded, before.starts, grab->interval_s > 0 ? 1 / grab->interval_s : 0);
    return grab->pictures > 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct grab grab = {.wish = {.format = -1,
                                 .exposure_100us = -1,
                                 .white_balance_k = -1,
                                 .focus = -1,
                                 .notice = print_notice}};
    struct source *source = NULL;
    struct capture_fault fault;
    int status = 1;

    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 3; i < argc; i++)
        if (!take_option(&grab, argv[i]))
            argc = 0;
    if (argc < 3) {
        fprintf(stderr, "usage: grab DEVICE SECONDS [name=value ...]; see its source\n");
        return 2;
    }
    grab.device = argv[1];
    grab.seconds = strtod(argv[2], NULL);
    signal(SIGTERM, note_end);
    signal(SIGINT, note_end);
    grab.decoder = capture_decoder_create();
    if (!grab.decoder || capture_camera_open(grab.device, &grab.wish, &source, &fault) != 0)
        printf("error %s\n", grab.decoder ? fault.text : "not enough memory");
    else
        status = run(&grab, source);
    capture_source_destroy(&source);
    capture_decoder_destroy(&grab.decoder);
    return status;
}
