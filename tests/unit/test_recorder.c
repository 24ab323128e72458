/* The recorder: what comes in lies in the folder, byte for byte and findable, whatever the disk
 * does. */
#define _GNU_SOURCE /* nftw */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "capture/frame_index.h"
#include "capture/picture.h"
#include "capture/recorder.h"
#include "tests/unit/still_make.h"

#define COUNT 12
#define WIDTH 48
#define HEIGHT 32
#define INTERVAL_NS 33333333

struct desk {
    char folder[64];
    struct bytes jpegs[COUNT];
    struct recorder_options options;
};

static int setup(void **state)
{
    struct desk *desk = calloc(1, sizeof *desk);

    if (!desk)
        return -1;
    snprintf(desk->folder, sizeof desk->folder, "/tmp/tableref-recorder-XXXXXX");
    if (!mkdtemp(desk->folder))
        return -1;
    for (int i = 0; i < COUNT; i++) {
        struct recipe recipe = {WIDTH, HEIGHT, JCS_YCbCr, .luma_h = 2, .restart_interval = i};
        desk->jpegs[i] = make_jpeg(&recipe);
    }
    desk->options = (struct recorder_options){.folder = desk->folder,
                                              .title = "final",
                                              .width = WIDTH,
                                              .height = HEIGHT,
                                              .interval_ns = INTERVAL_NS,
                                              .space_bytes = 1048576};
    *state = desk;
    return 0;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

static int teardown(void **state)
{
    struct desk *desk = *state;
    int failed = nftw(desk->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);

    for (int i = 0; i < COUNT; i++)
        bytes_free(&desk->jpegs[i]);
    free(desk);
    return failed;
}

static struct picture picture_of(const struct desk *desk, int i)
{
    return (struct picture){.format = PICTURE_MJPEG,
                            .width = WIDTH,
                            .height = HEIGHT,
                            .bytes = desk->jpegs[i % COUNT].data,
                            .length = desk->jpegs[i % COUNT].length,
                            .sequence = (uint64_t)i + 5,
                            .time_ns = 7000000123 + (int64_t)i * INTERVAL_NS};
}

static struct recorder *opened(const struct desk *desk)
{
    struct capture_fault fault = {""};
    struct recorder *recorder = NULL;

    if (capture_recorder_open(&desk->options, &recorder, &fault) != CAPTURE_OK)
        fail_msg("%s", fault.text);
    return recorder;
}

static char *file_read(const struct desk *desk, const char *name, size_t *length)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", desk->folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = calloc(1, 1 << 20);
    assert_non_null(bytes);
    *length = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void file_write(const struct desk *desk, const char *name, const char *bytes, size_t length)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", desk->folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

/* The index's lines of frames; -1 when it is damaged, with *damaged_at. */
static int index_read(const char *bytes, size_t length, struct frame_line *out, int most,
                      size_t *damaged_at)
{
    char check[FRAME_CHECK_MAX] = "";
    struct capture_fault fault;
    struct frame_line line;
    size_t at = 0, used;
    int count = 0, error;

    while ((error = capture_frame_line_read(bytes + at, length - at, check, &line, &used,
                                            &fault)) == CAPTURE_OK) {
        at += used;
        if (line.kind == FRAME_LINE_FRAME && count < most)
            out[count++] = line;
    }
    *damaged_at = at;
    return error == CAPTURE_E_EMPTY ? count : -1;
}

static int index_of(const struct desk *desk, struct frame_line *out, int most)
{
    size_t length, at;
    char *bytes = file_read(desk, "frames.idx", &length);
    int count = index_read(bytes, length, out, most, &at);

    free(bytes);
    return count;
}

/* What lies in a video file are these pictures. */
static void video_check(const struct desk *desk, const char *name, int from, int count)
{
    struct capture_fault fault = {""};
    struct source *source = NULL;
    struct picture got;
    char path[128];

    snprintf(path, sizeof path, "%s/%s", desk->folder, name);
    if (capture_video_open(path, &source, &fault) != CAPTURE_OK)
        fail_msg("%s: %s", path, fault.text);
    for (int i = 0; i < count; i++) {
        const struct bytes *jpeg = &desk->jpegs[(from + i) % COUNT];
        assert_int_equal(capture_source_next(source, 1000, &got, &fault), CAPTURE_PICTURE);
        assert_int_equal(got.length, jpeg->length);
        assert_memory_equal(got.bytes, jpeg->data, jpeg->length);
        capture_source_release(source, &got);
    }
    assert_int_equal(capture_source_next(source, 1000, &got, &fault), CAPTURE_END);
    capture_source_destroy(&source);
}

static void should_keep_every_picture_as_it_came_with_its_exact_time(void **state)
{
    const struct desk *desk = *state;
    struct recorder *recorder = opened(desk);
    struct frame_line line[COUNT + 1];
    char digest[FRAME_DIGEST_MAX];

    for (int i = 0; i < COUNT; i++) {
        struct picture picture = picture_of(desk, i);
        assert_int_equal(capture_recorder_picture(recorder, &picture, RECORDER_LOOKED), CAPTURE_OK);
    }
    capture_recorder_text(recorder, 7100000000, 2000000000, "Ada: MATCH");
    capture_recorder_chapter(recorder, 7000000123, "Round 1");
    capture_recorder_close(&recorder);
    assert_null(recorder);
    video_check(desk, "video-0001.mkv", 0, COUNT);
    assert_int_equal(index_of(desk, line, COUNT + 1), COUNT);
    for (int i = 0; i < COUNT; i++) {
        struct picture picture = picture_of(desk, i);
        capture_frame_digest(picture.bytes, picture.length, digest);
        assert_int_equal(line[i].sequence, picture.sequence);
        assert_int_equal(line[i].time_ns, picture.time_ns);
        assert_int_equal(line[i].segment, 1);
        assert_int_equal(line[i].place, i);
        assert_int_equal(line[i].length, picture.length);
        assert_string_equal(line[i].digest, digest);
    }
}

/* Whoever watches again must not look at what nobody looked at. */
static void should_say_what_was_passed_over(void **state)
{
    const struct desk *desk = *state;
    struct recorder *recorder = opened(desk);
    struct frame_line line[COUNT + 1];

    for (int i = 0; i < COUNT; i++) {
        struct picture picture = picture_of(desk, i);
        capture_recorder_picture(recorder, &picture, i % 3 ? RECORDER_PASSED : RECORDER_LOOKED);
    }
    capture_recorder_close(&recorder);
    video_check(desk, "video-0001.mkv", 0, COUNT);
    assert_int_equal(index_of(desk, line, COUNT + 1), COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(line[i].passed, i % 3 != 0);
        assert_int_equal(line[i].sequence, picture_of(desk, i).sequence);
    }
}

static void should_store_a_picture_up_to_its_true_end(void **state)
{
    const struct desk *desk = *state;
    struct picture picture = picture_of(desk, 0);
    size_t length = picture.length, capacity = 0, stored = 0;
    uint8_t *longer = calloc(1, length + 100), *bytes = NULL;

    assert_non_null(longer);
    memcpy(longer, picture.bytes, length);
    picture.bytes = longer;
    picture.length = length + 100;
    assert_int_equal(capture_picture_stored(NULL, &picture, &bytes, &capacity, &stored, NULL),
                     CAPTURE_OK);
    assert_int_equal(stored, length);
    assert_memory_equal(bytes, longer, length);
    picture.length = length / 2;
    assert_true(capture_picture_stored(NULL, &picture, &bytes, &capacity, &stored, NULL) < 0);
    picture.format = PICTURE_STILL;
    assert_int_equal(capture_picture_stored(NULL, &picture, &bytes, &capacity, &stored, NULL),
                     CAPTURE_E_UNSUPPORTED);
    free(bytes);
    free(longer);
}

static void should_count_what_came_damaged_and_take_only_stored_pictures(void **state)
{
    const struct desk *desk = *state;
    struct recorder *recorder = opened(desk);
    struct recorder_status status;
    struct picture picture = picture_of(desk, 1);

    picture.damaged = true;
    assert_int_equal(capture_recorder_picture(recorder, &picture, RECORDER_KEEP), CAPTURE_NOTHING);
    picture = picture_of(desk, 1);
    picture.length = 0;
    assert_int_equal(capture_recorder_picture(recorder, &picture, RECORDER_KEEP), CAPTURE_NOTHING);
    picture = picture_of(desk, 1);
    picture.format = PICTURE_NV12;
    assert_int_equal(capture_recorder_picture(recorder, &picture, RECORDER_KEEP),
                     CAPTURE_E_ARGUMENT);
    capture_recorder_status(recorder, &status);
    assert_int_equal(status.damaged, 2);
    assert_false(status.faulted);
    capture_recorder_close(&recorder);
}

static void should_begin_a_new_file_by_time_and_go_on_behind_an_old_recording(void **state)
{
    struct desk *desk = *state;
    struct frame_line line[2 * COUNT];

    desk->options.segment_ns = 6 * (int64_t)INTERVAL_NS;
    for (int run = 0; run < 2; run++) {
        struct recorder *recorder = opened(desk);
        uint64_t last = 0;
        assert_int_equal(capture_recorder_last(recorder, &last), run == 1);
        assert_int_equal(last, run == 1 ? COUNT - 1 + 5 : 0);
        for (int i = 0; i < COUNT; i++) {
            struct picture picture = picture_of(desk, i);
            capture_recorder_picture(recorder, &picture, RECORDER_LOOKED);
        }
        capture_recorder_close(&recorder);
    }
    video_check(desk, "video-0001.mkv", 0, 6);
    video_check(desk, "video-0002.mkv", 6, 6);
    video_check(desk, "video-0003.mkv", 0, 6);
    assert_int_equal(index_of(desk, line, 2 * COUNT), 2 * COUNT);
    assert_int_equal(line[COUNT].segment, 3);
    assert_int_equal(line[COUNT + 7].segment, 4);
    assert_int_equal(line[COUNT + 7].place, 1);
}

static void should_begin_a_new_file_by_size(void **state)
{
    struct desk *desk = *state;
    struct frame_line line[COUNT];
    int64_t bytes = 0;

    for (int i = 0; i < COUNT / 2; i++)
        bytes += (int64_t)desk->jpegs[i].length;
    desk->options.segment_bytes = bytes;
    struct recorder *recorder = opened(desk);
    for (int i = 0; i < COUNT; i++) {
        struct picture picture = picture_of(desk, i);
        capture_recorder_picture(recorder, &picture, RECORDER_LOOKED);
    }
    capture_recorder_close(&recorder);
    assert_int_equal(index_of(desk, line, COUNT), COUNT);
    int first = 0;
    while (first < COUNT && line[first].segment == 1)
        first++;
    /* So small ones share a cluster, which is on its way when the size is looked at. */
    assert_in_range(first, COUNT / 2 - 1, COUNT - 2);
    assert_int_equal(line[first].segment, 2);
    video_check(desk, "video-0001.mkv", 0, first);
}

static void should_store_raw_pictures_as_they_are_seen(void **state)
{
    uint8_t yuyv[WIDTH * HEIGHT * 2], *bytes = NULL;
    struct picture raw = {.format = PICTURE_YUYV,
                          .width = WIDTH,
                          .height = HEIGHT,
                          .bytes = yuyv,
                          .length = sizeof yuyv,
                          .stride = WIDTH * 2};
    struct picture kept = {.format = PICTURE_MJPEG, .width = WIDTH, .height = HEIGHT};
    struct decoder *decoder = capture_decoder_create(), *other = capture_decoder_create();
    const struct frame *before, *after;
    size_t capacity = 0;

    (void)state;
    for (size_t i = 0; i < sizeof yuyv; i++)
        yuyv[i] = (uint8_t)(i % 4 == 1 ? 90 : i % 4 == 3 ? 160 : 60 + i / 64);
    assert_int_equal(capture_picture_stored(decoder, &raw, &bytes, &capacity, &kept.length, NULL),
                     CAPTURE_OK);
    kept.bytes = bytes;
    assert_int_equal(capture_decoder_decode(decoder, &kept, 1, true, &after, NULL), CAPTURE_OK);
    assert_int_equal(capture_decoder_decode(other, &raw, 1, true, &before, NULL), CAPTURE_OK);
    assert_int_equal(after->cx_shift, 1);
    assert_int_equal(after->cy_shift, 0);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            assert_in_range(after->y[(size_t)y * after->y_stride + (size_t)x] + 4 -
                                before->y[(size_t)y * before->y_stride + (size_t)x],
                            0, 8);
    capture_decoder_destroy(&decoder);
    capture_decoder_destroy(&other);
    free(bytes);
}

static void should_notice_any_changed_byte_of_the_index(void **state)
{
    const struct desk *desk = *state;
    struct recorder *recorder = opened(desk);
    struct frame_line line[COUNT];
    size_t length, at;

    for (int i = 0; i < 3; i++) {
        struct picture picture = picture_of(desk, i);
        capture_recorder_picture(recorder, &picture, i == 1 ? RECORDER_PASSED : RECORDER_LOOKED);
    }
    capture_recorder_close(&recorder);
    char *bytes = file_read(desk, "frames.idx", &length);
    assert_int_equal(index_read(bytes, length, line, COUNT, &at), 3);
    for (size_t i = 0; i < length; i++) {
        bytes[i] = (char)(bytes[i] ^ 1);
        assert_int_equal(index_read(bytes, length, line, COUNT, &at), -1);
        assert_true(at <= i);
        bytes[i] = (char)(bytes[i] ^ 1);
    }
    free(bytes);
}

static void should_cut_a_torn_line_off_and_refuse_a_damaged_index(void **state)
{
    const struct desk *desk = *state;
    struct recorder *recorder = opened(desk);
    struct capture_fault fault = {""};
    struct frame_line line[COUNT];
    struct picture picture = picture_of(desk, 0);
    size_t length;

    capture_recorder_picture(recorder, &picture, RECORDER_LOOKED);
    capture_recorder_close(&recorder);
    char *bytes = file_read(desk, "frames.idx", &length);
    file_write(desk, "frames.idx", bytes, length - 9);
    recorder = opened(desk);
    picture = picture_of(desk, 1);
    capture_recorder_picture(recorder, &picture, RECORDER_LOOKED);
    capture_recorder_close(&recorder);
    assert_int_equal(index_of(desk, line, COUNT), 1);
    assert_int_equal(line[0].sequence, picture.sequence);
    bytes[4] = 'x';
    file_write(desk, "frames.idx", bytes, length);
    free(bytes);
    assert_int_equal(capture_recorder_open(&desk->options, &recorder, &fault), CAPTURE_E_OPEN);
    assert_non_null(strstr(fault.text, "frames.idx is damaged"));
}

static void should_be_the_only_one_to_record_there(void **state)
{
    const struct desk *desk = *state;
    struct recorder *recorder = opened(desk), *other = NULL;
    struct capture_fault fault = {""};

    assert_int_equal(capture_recorder_open(&desk->options, &other, &fault), CAPTURE_E_OPEN);
    assert_non_null(strstr(fault.text, "another process records"));
    assert_null(other);
    capture_recorder_close(&recorder);
}

static void should_keep_evidence_whole_and_never_replace_it(void **state)
{
    const struct desk *desk = *state;
    struct recorder *recorder = opened(desk);
    size_t length;

    capture_recorder_evidence(recorder, "000012-seat2.jpg", (const uint8_t *)"first", 5);
    capture_recorder_close(&recorder);
    recorder = opened(desk);
    capture_recorder_evidence(recorder, "000012-seat2.jpg", (const uint8_t *)"other", 5);
    assert_int_equal(capture_recorder_evidence(recorder, "../up", (const uint8_t *)"x", 1),
                     CAPTURE_E_ARGUMENT);
    assert_int_equal(capture_recorder_evidence(recorder, "", (const uint8_t *)"x", 1),
                     CAPTURE_E_ARGUMENT);
    capture_recorder_close(&recorder);
    char *bytes = file_read(desk, "evidence/000012-seat2.jpg", &length);
    assert_int_equal(length, 5);
    assert_memory_equal(bytes, "first", 5);
    free(bytes);
}

static void wait_until(struct recorder *recorder, bool faulted)
{
    const struct timespec nap = {.tv_nsec = 20000000};
    struct recorder_status status;

    do {
        nanosleep(&nap, NULL);
        capture_recorder_status(recorder, &status);
    } while (status.faulted != faulted);
}

/* A file may not grow beyond a bound: to a program that is what a full disk is. */
static void should_go_on_in_a_new_file_when_the_disk_takes_again(void **state)
{
    const struct desk *desk = *state;
    struct rlimit before, tight;
    struct recorder_status status;
    struct frame_line line[400];
    int offered = 0;

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    tight = before;
    tight.rlim_cur = 6000;
    struct recorder *recorder = opened(desk);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    do {
        struct picture picture = picture_of(desk, offered++);
        capture_recorder_picture(recorder, &picture, RECORDER_LOOKED);
        const struct timespec nap = {.tv_nsec = 2000000};
        nanosleep(&nap, NULL);
        capture_recorder_status(recorder, &status);
    } while (!status.faulted);
    assert_true(status.text[0] != 0);
    struct picture lost = picture_of(desk, offered++);
    capture_recorder_picture(recorder, &lost, RECORDER_LOOKED);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    wait_until(recorder, false);
    struct picture after = picture_of(desk, offered++);
    capture_recorder_picture(recorder, &after, RECORDER_LOOKED);
    capture_recorder_close(&recorder);
    int count = index_of(desk, line, 400);
    assert_in_range(count, 1, 399);
    assert_int_equal(line[count - 1].sequence, after.sequence);
    assert_int_equal(line[count - 1].place, 0);
}

static void should_say_so_when_too_little_is_free(void **state)
{
    struct desk *desk = *state;

    desk->options.space_bytes = INT64_MAX;
    struct recorder *recorder = opened(desk);
    struct recorder_status status;
    wait_until(recorder, true);
    capture_recorder_status(recorder, &status);
    assert_non_null(strstr(status.text, "almost full"));
    capture_recorder_close(&recorder);
}

static void should_drop_what_was_not_read_first_when_memory_is_full(void **state)
{
    struct desk *desk = *state;
    struct frame_line line[400];
    struct recorder_status status;
    int kept = 0;

    desk->options.queue_bytes = 8000; /* a few pictures */
    struct recorder *recorder = opened(desk);
    for (int i = 0; i < 300; i++) {
        struct picture picture = picture_of(desk, i);
        capture_recorder_picture(recorder, &picture,
                                 i % 100 == 50 ? RECORDER_KEEP : RECORDER_LOOKED);
    }
    capture_recorder_status(recorder, &status);
    assert_true(status.queued_bytes <= 12000);
    capture_recorder_close(&recorder);
    int count = index_of(desk, line, 400);
    for (int i = 0; i < count; i++)
        kept += (line[i].sequence - 5) % 100 == 50;
    assert_int_equal(kept, 3);
}

static void should_wait_for_room_when_its_source_does(void **state)
{
    struct desk *desk = *state;
    struct frame_line line[400];

    desk->options.queue_bytes = 8000;
    desk->options.patient = true;
    struct recorder *recorder = opened(desk);
    for (int i = 0; i < 300; i++) {
        struct picture picture = picture_of(desk, i);
        assert_int_equal(capture_recorder_picture(recorder, &picture, RECORDER_LOOKED), CAPTURE_OK);
    }
    capture_recorder_restart(recorder);
    capture_recorder_close(&recorder);
    assert_int_equal(index_of(desk, line, 400), 300);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(should_keep_every_picture_as_it_came_with_its_exact_time),
        TEST(should_say_what_was_passed_over),
        TEST(should_store_a_picture_up_to_its_true_end),
        TEST(should_count_what_came_damaged_and_take_only_stored_pictures),
        TEST(should_begin_a_new_file_by_time_and_go_on_behind_an_old_recording),
        TEST(should_begin_a_new_file_by_size),
        TEST(should_store_raw_pictures_as_they_are_seen),
        TEST(should_notice_any_changed_byte_of_the_index),
        TEST(should_cut_a_torn_line_off_and_refuse_a_damaged_index),
        TEST(should_be_the_only_one_to_record_there),
        TEST(should_keep_evidence_whole_and_never_replace_it),
        TEST(should_go_on_in_a_new_file_when_the_disk_takes_again),
        TEST(should_say_so_when_too_little_is_free),
        TEST(should_drop_what_was_not_read_first_when_memory_is_full),
        TEST(should_wait_for_room_when_its_source_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
