/* Recorded video: every picture comes out as it went in, in its time, and nothing else does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/picture.h"
#include "capture/source.h"
#include "tests/unit/video_make.h"

#define COUNT 12
#define WIDTH 48
#define HEIGHT 32

struct table {
    char path[64];
    struct bytes jpegs[COUNT]; /* each of another picture */
    struct reel_packet packets[COUNT];
    struct reel reel; /* Matroska at 25 a second, stamps in ms */
};

static int setup(void **state)
{
    struct table *table = calloc(1, sizeof *table);
    int fd;

    if (!table)
        return -1;
    snprintf(table->path, sizeof table->path, "/tmp/tableref-video-XXXXXX");
    fd = mkstemp(table->path);
    if (fd < 0)
        return -1;
    close(fd);
    for (int i = 0; i < COUNT; i++) {
        struct recipe recipe = {WIDTH, HEIGHT, JCS_YCbCr, .luma_h = 2, .restart_interval = i};

        table->jpegs[i] = make_jpeg(&recipe);
        table->packets[i] =
            (struct reel_packet){table->jpegs[i].data, table->jpegs[i].length, 40 * i, 0};
    }
    table->reel = (struct reel){"matroska",    table->path,      .width = WIDTH, .height = HEIGHT,
                                .tick_num = 1, .tick_den = 1000, .no_rate = true};
    *state = table;
    return 0;
}

static int teardown(void **state)
{
    struct table *table = *state;
    int failed = unlink(table->path);

    for (int i = 0; i < COUNT; i++)
        bytes_free(&table->jpegs[i]);
    free(table);
    return failed;
}

static struct source *open_video(const struct table *table)
{
    struct source *source = NULL;
    struct capture_fault fault;
    int error = capture_video_open(table->path, &source, &fault);

    if (error)
        print_message("%s\n", fault.text);
    assert_int_equal(error, CAPTURE_OK);
    return source;
}

static struct bytes load(const struct table *table)
{
    FILE *file = fopen(table->path, "rb");
    struct bytes bytes = {make_memory(1 << 20), 0};

    assert_non_null(file);
    bytes.length = fread(bytes.data, 1, 1 << 20, file);
    assert_int_equal(fclose(file), 0);
    return bytes;
}

static void store(const struct table *table, struct bytes bytes)
{
    FILE *file = fopen(table->path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes.data, 1, bytes.length, file), bytes.length);
    assert_int_equal(fclose(file), 0);
}

static struct picture next(struct source *source)
{
    struct capture_fault fault;
    struct picture out;
    int got = capture_source_next(source, 0, &out, &fault);

    if (got < 0)
        print_message("%s\n", fault.text);
    assert_int_equal(got, CAPTURE_PICTURE);
    return out;
}

static void expect_end(struct source **source)
{
    struct picture out;

    assert_int_equal(capture_source_next(*source, 0, &out, NULL), CAPTURE_END);
    assert_int_equal(capture_source_next(*source, 0, &out, NULL), CAPTURE_END);
    capture_source_destroy(source);
}

static void expect_jpeg(const struct picture *picture, struct bytes jpeg)
{
    assert_int_equal(picture->format, PICTURE_MJPEG);
    assert_int_equal(picture->length, jpeg.length);
    assert_memory_equal(picture->bytes, jpeg.data, jpeg.length);
}

/* A constant rate is what AVI can say: 25 a second, stamps in pictures. */
static void use_constant_rate(struct table *table, const char *container)
{
    table->reel.container = container;
    table->reel.tick_den = 25;
    table->reel.no_rate = false;
    for (int i = 0; i < COUNT; i++)
        table->packets[i].stamp = i;
}

static void check_container(struct table *table)
{
    struct source_about about;
    struct source *source;

    reel_write(&table->reel, table->packets, COUNT);
    source = open_video(table);
    for (int i = 0; i < COUNT; i++) {
        struct picture out = next(source);

        expect_jpeg(&out, table->jpegs[i]);
        assert_int_equal(out.width, WIDTH);
        assert_int_equal(out.height, HEIGHT);
        assert_int_equal(out.sequence, i);
        assert_int_equal(out.time_ns, i * 40000000LL);
        assert_false(out.damaged);
        assert_false(out.time_doubtful);
        assert_int_equal(out.lost, 0);
        capture_source_release(source, &out);
    }
    capture_source_about(source, &about);
    assert_int_equal(about.format, PICTURE_MJPEG);
    assert_int_equal(about.width, WIDTH);
    assert_int_equal(about.height, HEIGHT);
    assert_int_equal(about.interval_ns, 40000000);
    assert_false(about.live);
    assert_string_equal(about.place, table->path);
    expect_end(&source);
}

static void should_give_each_picture_of_every_container_as_it_went_in(void **state)
{
    struct table *table = *state;
    static const char *const containers[] = {"matroska", "avi", "mp4", "mov"};

    check_container(table);
    for (int i = 0; i < 4; i++) {
        use_constant_rate(table, containers[i]);
        check_container(table);
    }
}

static void should_keep_uneven_times(void **state)
{
    struct table *table = *state;
    static const int64_t stamps[4] = {1000, 1033, 1070, 4000};
    struct source *source;

    for (int i = 0; i < 4; i++)
        table->packets[i].stamp = stamps[i];
    reel_write(&table->reel, table->packets, 4);
    source = open_video(table);
    for (int i = 0; i < 4; i++)
        assert_int_equal(next(source).time_ns, (stamps[i] - 1000) * 1000000);
    expect_end(&source);
}

static void should_decode_a_recording_without_huffman_tables(void **state)
{
    struct table *table = *state;
    struct decoder *decoder = capture_decoder_create();
    struct source *source;

    use_constant_rate(table, "avi");
    for (int i = 0; i < COUNT; i++)
        while (bytes_find_marker(table->jpegs[i], 0xc4, 0) < table->jpegs[i].length) {
            struct bytes bare = bytes_drop_segment(table->jpegs[i], 0xc4, 0);

            bytes_free(&table->jpegs[i]);
            table->jpegs[i] = bare;
            table->packets[i].bytes = bare.data;
            table->packets[i].length = bare.length;
        }
    reel_write(&table->reel, table->packets, COUNT);
    source = open_video(table);
    for (int i = 0; i < COUNT; i++) {
        struct picture out = next(source);
        const struct frame *frame;

        expect_jpeg(&out, table->jpegs[i]);
        assert_int_equal(capture_decoder_decode(decoder, &out, 1, true, &frame, NULL), CAPTURE_OK);
        assert_int_equal(frame->width, WIDTH);
        assert_int_equal(frame->time_ns, out.time_ns);
        capture_source_release(source, &out);
    }
    expect_end(&source);
    capture_decoder_destroy(&decoder);
}

/* AVI fills gaps with empty chunks, which libavformat passes over: the stamps tell. */
static void should_count_the_dropped_pictures_of_avi_as_lost(void **state)
{
    struct table *table = *state;
    static const int64_t stamps[4] = {0, 1, 4, 5};
    struct source *source;

    use_constant_rate(table, "avi");
    for (int i = 0; i < 4; i++)
        table->packets[i].stamp = stamps[i];
    reel_write(&table->reel, table->packets, 4);
    source = open_video(table);
    for (int i = 0; i < 4; i++) {
        struct picture out = next(source);

        expect_jpeg(&out, table->jpegs[i]);
        assert_int_equal(out.sequence, stamps[i]);
        assert_int_equal(out.lost, i == 2 ? 2 : 0);
        assert_int_equal(out.time_ns, stamps[i] * 40000000);
        capture_source_release(source, &out);
    }
    expect_end(&source);
}

static void should_take_several_pictures_out_of_one_packet(void **state)
{
    struct table *table = *state;
    static const uint8_t padding[5];
    struct bytes padded = bytes_splice(table->jpegs[0], table->jpegs[0].length, 0, padding, 5);
    struct bytes both =
        bytes_splice(padded, padded.length, 0, table->jpegs[1].data, table->jpegs[1].length);
    struct source *source;
    struct picture out[3];

    table->packets[0] = (struct reel_packet){both.data, both.length, 0, 0};
    table->packets[1] = table->packets[2];
    reel_write(&table->reel, table->packets, 2);
    source = open_video(table);
    for (int i = 0; i < 3; i++) {
        out[i] = next(source);
        assert_int_equal(out[i].sequence, i);
        assert_int_equal(out[i].time_doubtful, i == 1);
    }
    for (int i = 0; i < 3; i++)
        expect_jpeg(&out[i], table->jpegs[i]);
    assert_true(out[1].time_ns > 0 && out[1].time_ns < out[2].time_ns);
    assert_int_equal(out[2].time_ns, 80000000);
    expect_end(&source);
    bytes_free(&padded);
    bytes_free(&both);
}

static void should_pass_over_a_preview_behind_a_picture(void **state)
{
    struct table *table = *state;
    struct bytes preview = make_jpeg(&(struct recipe){16, 16, JCS_YCbCr, .luma_h = 1});
    struct bytes both =
        bytes_splice(table->jpegs[0], table->jpegs[0].length, 0, preview.data, preview.length);
    struct source *source;
    struct picture out;

    table->packets[0] = (struct reel_packet){both.data, both.length, 0, 0};
    reel_write(&table->reel, table->packets, 2);
    source = open_video(table);
    out = next(source);
    expect_jpeg(&out, table->jpegs[0]);
    out = next(source);
    expect_jpeg(&out, table->jpegs[1]);
    expect_end(&source);
    bytes_free(&preview);
    bytes_free(&both);
}

static void should_refuse_interlaced_video(void **state)
{
    struct table *table = *state;
    struct bytes both = bytes_splice(table->jpegs[0], table->jpegs[0].length, 0,
                                     table->jpegs[1].data, table->jpegs[1].length);
    struct capture_fault fault;
    struct source *source;
    struct picture out;

    table->packets[0] = (struct reel_packet){both.data, both.length, 0, 0};
    table->reel.height = 2 * HEIGHT;
    reel_write(&table->reel, table->packets, 1);
    source = open_video(table);
    assert_int_equal(capture_source_next(source, 0, &out, &fault), CAPTURE_E_UNSUPPORTED);
    assert_non_null(strstr(fault.text, "interlaced"));
    expect_end(&source);
    bytes_free(&both);
}

static void should_give_damaged_pictures_as_such(void **state)
{
    struct table *table = *state;
    struct decoder *decoder = capture_decoder_create();
    struct source *source;

    table->packets[1].length /= 2;
    table->packets[2] = (struct reel_packet){(const uint8_t *)"no picture", 10, 80, 0};
    reel_write(&table->reel, table->packets, 4);
    source = open_video(table);
    for (int i = 0; i < 4; i++) {
        struct picture out = next(source);
        const struct frame *frame;
        bool whole = i == 0 || i == 3;

        assert_int_equal(out.damaged, !whole);
        assert_int_equal(out.time_ns, i * 40000000LL);
        assert_int_equal(capture_decoder_decode(decoder, &out, 4, true, &frame, NULL),
                         whole ? CAPTURE_OK : CAPTURE_E_DAMAGED);
        capture_source_release(source, &out);
    }
    expect_end(&source);
    capture_decoder_destroy(&decoder);
}

/* A Matroska block says its stamp, relative to its cluster, in the three bytes before its data. */
static void set_block_stamp(struct bytes file, struct bytes jpeg, int stamp)
{
    for (size_t i = 3; i + jpeg.length <= file.length; i++)
        if (memcmp(file.data + i, jpeg.data, jpeg.length) == 0) {
            file.data[i - 3] = (uint8_t)(stamp >> 8);
            file.data[i - 2] = (uint8_t)stamp;
            return;
        }
    fail_msg("the picture is not in the file");
}

static void should_doubt_stamps_that_run_back_or_stand_still(void **state)
{
    struct table *table = *state;
    static const bool doubtful[6] = {false, false, true, false, true, false};
    static const int64_t times_ms[6] = {0, 40, 80, 120, 140, 200};
    struct source *source;
    struct bytes file;

    reel_write(&table->reel, table->packets, 6);
    file = load(table);
    set_block_stamp(file, table->jpegs[2], 7);
    set_block_stamp(file, table->jpegs[4], 120 - 160); /* a cluster starts with it, at 160 */
    store(table, file);
    bytes_free(&file);
    source = open_video(table);
    for (int i = 0; i < 6; i++) {
        struct picture out = next(source);

        expect_jpeg(&out, table->jpegs[i]);
        assert_int_equal(out.time_doubtful, doubtful[i]);
        assert_int_equal(out.time_ns, times_ms[i] * 1000000);
        capture_source_release(source, &out);
    }
    expect_end(&source);
}

static void should_doubt_a_rate_that_no_camera_has(void **state)
{
    struct table *table = *state;
    struct source *source;
    struct picture out;

    use_constant_rate(table, "avi");
    table->reel.tick_den = 600;
    reel_write(&table->reel, table->packets, 4);
    source = open_video(table);
    (void)next(source);
    out = next(source);
    assert_true(out.time_doubtful);
    capture_source_destroy(&source);
}

static void should_pass_over_sound(void **state)
{
    struct table *table = *state;
    static const uint8_t sound[640];
    struct reel_packet packets[2 * COUNT];
    struct source *source;

    for (int i = 0; i < COUNT; i++) {
        packets[2 * i] = table->packets[i];
        packets[2 * i + 1] = (struct reel_packet){sound, sizeof sound, 40 * i, 1};
    }
    table->reel.sound = true;
    reel_write(&table->reel, packets, 2 * COUNT);
    source = open_video(table);
    for (int i = 0; i < COUNT; i++) {
        struct picture out = next(source);

        expect_jpeg(&out, table->jpegs[i]);
        capture_source_release(source, &out);
    }
    expect_end(&source);
}

static void should_lend_several_and_say_when_too_many(void **state)
{
    struct table *table = *state;
    struct picture out[CAPTURE_LENT_MAX], more;
    struct source *source;

    reel_write(&table->reel, table->packets, COUNT);
    source = open_video(table);
    for (int i = 0; i < CAPTURE_LENT_MAX; i++)
        out[i] = next(source);
    assert_int_equal(capture_source_next(source, 0, &more, NULL), CAPTURE_E_ARGUMENT);
    for (int i = 0; i < CAPTURE_LENT_MAX; i++)
        expect_jpeg(&out[i], table->jpegs[i]);
    capture_source_release(source, &out[5]);
    capture_source_release(source, &out[5]);
    more = next(source);
    expect_jpeg(&more, table->jpegs[CAPTURE_LENT_MAX]);
    capture_source_destroy(&source);
}

/* How many whole pictures come; none that is damaged is called whole. */
static int count_whole(const struct table *table, int *ended_with)
{
    struct source *source = NULL;
    struct picture out;
    int whole = 0, got;

    *ended_with = capture_video_open(table->path, &source, NULL);
    if (*ended_with)
        return 0;
    while ((got = capture_source_next(source, 0, &out, NULL)) == CAPTURE_PICTURE) {
        if (!out.damaged) {
            assert_true(whole < COUNT);
            expect_jpeg(&out, table->jpegs[whole]);
            whole++;
        }
        capture_source_release(source, &out);
    }
    *ended_with = got;
    capture_source_destroy(&source);
    return whole;
}

static void should_end_where_a_recording_was_cut_short(void **state)
{
    struct table *table = *state;
    static const char *const containers[] = {"matroska", "avi"};

    for (int c = 0; c < 2; c++) {
        struct bytes file;
        int ended, before = COUNT;

        use_constant_rate(table, containers[c]);
        reel_write(&table->reel, table->packets, COUNT);
        file = load(table);
        for (size_t length = file.length; length > file.length / 2; length -= 97) {
            int whole;

            store(table, (struct bytes){file.data, length});
            whole = count_whole(table, &ended);
            assert_int_equal(ended, CAPTURE_END);
            assert_true(whole <= before);
            before = whole;
        }
        assert_in_range(before, 1, COUNT / 2 + 1);
        bytes_free(&file);
    }
}

static void should_need_no_index(void **state)
{
    struct table *table = *state;
    struct bytes file;
    size_t at = 0;
    int ended;

    use_constant_rate(table, "avi");
    reel_write(&table->reel, table->packets, COUNT);
    file = load(table);
    for (size_t i = 0; i + 4 <= file.length; i++)
        if (memcmp(file.data + i, "idx1", 4) == 0)
            at = i;
    assert_true(at > 0);
    /* Every entry of the index is nonsense, and it claims to be far longer than the file. */
    memset(file.data + at + 4, 0x7f, file.length - at - 4);
    store(table, file);
    bytes_free(&file);
    assert_int_equal(count_whole(table, &ended), COUNT);
    assert_int_equal(ended, CAPTURE_END);
}

static void expect_refusal(const char *path, int error, const char *word)
{
    struct source *source = NULL;
    struct capture_fault fault = {""};

    assert_int_equal(capture_video_open(path, &source, &fault), error);
    assert_null(source);
    if (!strstr(fault.text, word))
        fail_msg("\"%s\" does not say \"%s\"", fault.text, word);
}

static void should_refuse_other_codecs_and_containers_by_name(void **state)
{
    struct table *table = *state;

    table->reel.codec = AV_CODEC_ID_VP8;
    reel_write(&table->reel, table->packets, 2);
    expect_refusal(table->path, CAPTURE_E_UNSUPPORTED, "vp8");
    table->reel.codec = 0;
    table->reel.container = "nut";
    reel_write(&table->reel, table->packets, 2);
    expect_refusal(table->path, CAPTURE_E_UNSUPPORTED, "nut");
    store(table, table->jpegs[0]);
    expect_refusal(table->path, CAPTURE_E_UNSUPPORTED, "single picture");
}

static void should_refuse_what_is_no_recording(void **state)
{
    struct table *table = *state;

    store(table, (struct bytes){(uint8_t *)table->path, strlen(table->path)});
    expect_refusal(table->path, CAPTURE_E_FORMAT, "not a recording");
    store(table, (struct bytes){(uint8_t *)table->path, 0});
    expect_refusal(table->path, CAPTURE_E_EMPTY, "empty");
    expect_refusal("/tmp", CAPTURE_E_OPEN, "directory");
    expect_refusal("/nowhere/at/all", CAPTURE_E_OPEN, "cannot be opened");
    expect_refusal(NULL, CAPTURE_E_ARGUMENT, "");
}

#define WITH_TABLE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TABLE(should_give_each_picture_of_every_container_as_it_went_in),
        WITH_TABLE(should_keep_uneven_times),
        WITH_TABLE(should_decode_a_recording_without_huffman_tables),
        WITH_TABLE(should_count_the_dropped_pictures_of_avi_as_lost),
        WITH_TABLE(should_take_several_pictures_out_of_one_packet),
        WITH_TABLE(should_pass_over_a_preview_behind_a_picture),
        WITH_TABLE(should_refuse_interlaced_video),
        WITH_TABLE(should_give_damaged_pictures_as_such),
        WITH_TABLE(should_doubt_stamps_that_run_back_or_stand_still),
        WITH_TABLE(should_doubt_a_rate_that_no_camera_has),
        WITH_TABLE(should_pass_over_sound),
        WITH_TABLE(should_lend_several_and_say_when_too_many),
        WITH_TABLE(should_end_where_a_recording_was_cut_short),
        WITH_TABLE(should_need_no_index),
        WITH_TABLE(should_refuse_other_codecs_and_containers_by_name),
        WITH_TABLE(should_refuse_what_is_no_recording),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
