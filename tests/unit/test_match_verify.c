/* Verifying a match's folder: whichever byte of it is changed, the file is named. */
#define _GNU_SOURCE /* nftw, memmem */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ftw.h>

#include "capture/recorder.h"
#include "referee/cmd_match_case.h"
#include "referee/cmd_match_entry.h"
#include "referee/cmd_match_scan.h"
#include "referee/cmd_match_verify.h"
#include "referee/digest.h"
#include "tests/unit/record_scene.h"
#include "tests/unit/still_make.h"

/* Under sanitizers everything takes ten times as long. */
#ifdef __SANITIZE_ADDRESS__
#define JOURNAL_STEP 13
#define VIDEO_STEP 97
#else
#define JOURNAL_STEP 1
#define VIDEO_STEP 11
#endif
#define FRAMES 8
#define ERROR_FRAME 3 /* that Bo's claim is judged by, and Ada's */
#define WIN_FRAME 6
#define PARTS_MAX 64
#define NOTE_SIZE 320

static const char *const kit_texts[] = {"{\"set\":1}\n", "{\"mat\":22}\n", "{\"deck\":333}\n"};
static const char *const kit_names[] = {"set.json", "mat.json", "deck.json"};
static const char about[] = "{\"format\":\"tableref-match/1\",\"program\":\"0\",\"source\":\"x\","
                            "\"live\":false,\"mirrored\":false,\"settle_frames\":3}\n";

struct made {
    char folder[64];
    struct bytes jpeg[FRAMES];
    char digest[FRAMES][DIGEST_TEXT_MAX];
    int parts;
    char part[PARTS_MAX][64], state[PARTS_MAX][16], text[PARTS_MAX][NOTE_SIZE];
};

static void path_in(const struct made *made, const char *name, char out[192])
{
    snprintf(out, 192, "%s/%s", made->folder, name);
}

static void put_in(const struct made *made, const char *name, const void *bytes, size_t length)
{
    char path[192];

    path_in(made, name, path);
    file_put(path, bytes, length);
}

/* ---- a match ---- */

static void video_make(struct made *made)
{
    struct recorder_options options = {.folder = made->folder,
                                       .title = "final",
                                       .width = 48,
                                       .height = 32,
                                       .interval_ns = 33333333,
                                       .space_bytes = 1048576,
                                       .patient = true};
    struct capture_fault fault = {.text = ""};
    struct recorder *recorder = NULL;

    for (int i = 0; i < 3; i++)
        options.attachment[options.attachments++] = (struct recorder_attachment){
            kit_names[i], "text/plain", (const uint8_t *)kit_texts[i], strlen(kit_texts[i])};
    assert_int_equal(capture_recorder_open(&options, &recorder, &fault), CAPTURE_OK);
    for (int i = 0; i < FRAMES; i++) {
        const struct picture picture = {.format = PICTURE_MJPEG,
                                        .width = 48,
                                        .height = 32,
                                        .bytes = made->jpeg[i].data,
                                        .length = made->jpeg[i].length,
                                        .sequence = (uint64_t)i,
                                        .time_ns = 1000000000 + (int64_t)i * 33333333};
        assert_int_equal(capture_recorder_picture(recorder, &picture, true), CAPTURE_OK);
    }
    capture_recorder_close(&recorder);
}

static void layout_put(struct record *record, const struct made *made, int seat, const char *t_ms,
                       const char *grid, int frame)
{
    char text[400];

    snprintf(text, sizeof text,
             "{\"t_ms\":%s,\"event\":\"layout\",\"seat\":%d,\"state\":\"complete\",\"grid\":\"%s\","
             "\"frame\":%d,\"digest\":\"%s\"}",
             t_ms, seat, grid, frame, made->digest[frame]);
    assert_int_equal(put(record, text, 0), REFEREE_OK);
}

static void journal_make(struct made *made)
{
    struct record_header header = {.match = "final", .made = "2026-11-30T18:05:09Z"};
    struct calib_fault fault = {.line = 0};
    struct record *record = NULL;
    char path[192];

    referee_digest(kit_texts[0], strlen(kit_texts[0]), header.set);
    referee_digest(kit_texts[1], strlen(kit_texts[1]), header.mat);
    referee_digest(kit_texts[2], strlen(kit_texts[2]), header.deck);
    path_in(made, MATCH_JOURNAL, path);
    assert_int_equal(referee_record_open(path, &header, NULL, NULL, &record, &fault), REFEREE_OK);
    for (size_t i = 0; i < QUICK_EVENTS; i++)
        if (i == 2)
            layout_put(record, made, 2, "8000", "x*#/x#*/o../++*", ERROR_FRAME);
        else if (i == 5)
            layout_put(record, made, 1, "13000", "xx/oo/++/##/**", WIN_FRAME);
        else
            assert_int_equal(put(record, quick_match[i], 0), REFEREE_OK);
    /* A last line that no decision rests on. */
    assert_int_equal(put(record, "{\"t_ms\":17000,\"event\":\"tick\"}", 0), REFEREE_OK);
    assert_int_equal(referee_record_sync(record, &fault), REFEREE_OK);
    referee_record_close(&record);
    assert_true(cmd_match_seal(path));
}

static int setup(void **state)
{
    struct made *made = calloc(1, sizeof *made);
    char path[192];

    assert_non_null(made);
    *state = made;
    snprintf(made->folder, sizeof made->folder, "/tmp/tableref-verify-XXXXXX");
    assert_non_null(mkdtemp(made->folder));
    for (int i = 0; i < FRAMES; i++) {
        struct recipe recipe = {48, 32, JCS_YCbCr, .luma_h = 2, .restart_interval = i};
        made->jpeg[i] = make_jpeg(&recipe);
        referee_digest(made->jpeg[i].data, made->jpeg[i].length, made->digest[i]);
    }
    path_in(made, "kit", path);
    assert_int_equal(mkdir(path, 0755), 0);
    path_in(made, "evidence", path);
    assert_int_equal(mkdir(path, 0755), 0);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "kit/%s", kit_names[i]);
        put_in(made, path, kit_texts[i], strlen(kit_texts[i]));
    }
    put_in(made, "match.json", about, strlen(about));
    put_in(made, "evidence/000003-seat2.jpg", made->jpeg[ERROR_FRAME].data,
           made->jpeg[ERROR_FRAME].length);
    put_in(made, "evidence/000006-seat1.jpg", made->jpeg[WIN_FRAME].data,
           made->jpeg[WIN_FRAME].length);
    video_make(made);
    journal_make(made);
    return 0;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

static int teardown(void **state)
{
    struct made *made = *state;
    int failed = nftw(made->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);

    for (int i = 0; i < FRAMES; i++)
        bytes_free(&made->jpeg[i]);
    free(made);
    return failed;
}

/* ---- looking at it ---- */

static void part_note(void *context, const char *part, const char *state, const char *text)
{
    struct made *made = context;

    assert_true(made->parts < PARTS_MAX);
    snprintf(made->part[made->parts], 64, "%s", part);
    snprintf(made->state[made->parts], 16, "%s", state);
    snprintf(made->text[made->parts++], NOTE_SIZE, "%s", text ? text : "");
}

static int look(struct made *made)
{
    made->parts = 0;
    return cmd_match_check(made->folder, part_note, made);
}

/* The first line about that part that is not all well, or NULL. */
static const char *ill(const struct made *made, const char *part)
{
    for (int i = 0; i < made->parts; i++)
        if (strcmp(made->part[i], part) == 0 && strcmp(made->state[i], "sound") != 0 &&
            strcmp(made->state[i], "absent") != 0)
            return made->text[i];
    return NULL;
}

/* A byte of a file changed, for as long as `look` takes. Says whether any of both parts is named.
 */
static bool named(struct made *made, const char *file, long place, int bits, const char *part,
                  const char *other)
{
    char path[192];
    int byte;

    path_in(made, file, path);
    FILE *stream = fopen(path, "r+b");
    assert_non_null(stream);
    assert_int_equal(fseek(stream, place, SEEK_SET), 0);
    assert_int_not_equal(byte = fgetc(stream), EOF);
    assert_int_equal(fseek(stream, place, SEEK_SET), 0);
    assert_int_equal(fputc(byte ^ bits, stream), byte ^ bits);
    assert_int_equal(fflush(stream), 0);
    int wrong = look(made);
    assert_int_equal(fseek(stream, place, SEEK_SET), 0);
    assert_int_equal(fputc(byte, stream), byte);
    assert_int_equal(fclose(stream), 0);
    bool found = ill(made, part) || (other && (ill(made, MATCH_JOURNAL) || ill(made, other)));
    if (!found || wrong < 0)
        print_error("%s: byte %ld of %d changed by %02x is not named\n", file, place, byte, bits);
    return found && wrong >= 0;
}

static long size_of(const struct made *made, const char *file)
{
    char path[192];
    struct stat info;

    path_in(made, file, path);
    assert_int_equal(stat(path, &info), 0);
    return (long)info.st_size;
}

static void every_byte(struct made *made, const char *file, int step, const char *other)
{
    long size = size_of(made, file);

    assert_true(size > 0);
    for (long place = 0; place < size; place += step)
        assert_true(named(made, file, place, place % 2 ? 0x01 : 0x20, file, other));
    assert_true(named(made, file, size - 1, 0x01, file, other));
}

static void gone(const struct made *made, const char *file)
{
    char path[192];

    path_in(made, file, path);
    assert_int_equal(remove(path), 0);
}

/* Without the video each look is short. */
static void video_gone(struct made *made)
{
    gone(made, "video-0001.mkv");
    gone(made, "frames.idx");
    put_in(made, MATCH_GONE, "2026-12-24T18:00:00Z\n", 21);
}

/* ---- the tests ---- */

static void test_sound(void **state)
{
    struct made *made = *state;

    assert_int_equal(look(made), 0);
    for (int i = 0; i < made->parts; i++)
        assert_true(strcmp(made->state[i], "sound") == 0 || strcmp(made->state[i], "absent") == 0);
    assert_true(made->parts > 8);
    video_gone(made);
    assert_int_equal(look(made), 0);
    assert_null(ill(made, "frames.idx"));
}

static void test_journal(void **state)
{
    struct made *made = *state;

    video_gone(made);
    every_byte(made, MATCH_JOURNAL, JOURNAL_STEP, NULL);
    /* Which of two that do not fit was changed nobody can tell: the other may be named. */
    every_byte(made, MATCH_SEAL, 1, "match.json");
    assert_int_equal(look(made), 0);
}

static void test_small_files(void **state)
{
    struct made *made = *state;

    video_gone(made);
    /* What is wrong in match.json is said on stderr, too. */
    int kept = dup(STDERR_FILENO);
    assert_non_null(freopen("/dev/null", "w", stderr));
    every_byte(made, "match.json", 1, NULL);
    fflush(stderr);
    assert_true(dup2(kept, STDERR_FILENO) >= 0);
    close(kept);
    every_byte(made, "kit/set.json", 1, NULL);
    every_byte(made, "kit/mat.json", 1, NULL);
    every_byte(made, "kit/deck.json", 1, NULL);
    every_byte(made, "evidence/000003-seat2.jpg", 5, NULL);
    every_byte(made, "evidence/000006-seat1.jpg", 5, NULL);
    assert_int_equal(look(made), 0);
}

static void test_index(void **state)
{
    every_byte(*state, "frames.idx", JOURNAL_STEP, NULL);
}

/* Every byte of the attachments, and pictures here and there. */
static void test_video(void **state)
{
    struct made *made = *state;
    char path[192];
    size_t length;

    path_in(made, "video-0001.mkv", path);
    char *video = file_bytes(path, &length);
    for (int i = 0; i < 3; i++) {
        const char *at = memmem(video, length, kit_texts[i], strlen(kit_texts[i]));
        assert_non_null(at);
        for (size_t k = 0; k < strlen(kit_texts[i]); k++)
            assert_true(named(made, "video-0001.mkv", (long)(at - video) + (long)k, 0x01,
                              "video-0001.mkv", NULL));
    }
    for (int i = 0; i < FRAMES; i++) {
        const char *at = memmem(video, length, made->jpeg[i].data, made->jpeg[i].length);
        assert_non_null(at);
        for (size_t k = 0; k < made->jpeg[i].length; k += VIDEO_STEP)
            assert_true(named(made, "video-0001.mkv", (long)(at - video) + (long)k, 0x40,
                              "video-0001.mkv", NULL));
    }
    free(video);
    assert_int_equal(look(made), 0);
}

/* What is lost, and what is sound all the same. */
static void test_lost(void **state)
{
    struct made *made = *state;

    gone(made, "evidence/000003-seat2.jpg");
    assert_int_equal(look(made), 1);
    assert_non_null(strstr(ill(made, "evidence/000003-seat2.jpg"), "can be shown all the same"));
    assert_null(ill(made, "rulings"));
    gone(made, "video-0001.mkv");
    assert_int_equal(look(made), 1);
    assert_non_null(strstr(ill(made, "evidence/000003-seat2.jpg"), "only the journal"));
    assert_non_null(
        strstr(ill(made, "rulings"), "2 rulings on pictures: 1 shown by their evidence"));
    gone(made, "frames.idx");
    assert_int_equal(look(made), 1);
    assert_non_null(ill(made, "frames.idx"));
    gone(made, MATCH_JOURNAL);
    assert_int_equal(look(made), 1);
    assert_non_null(ill(made, MATCH_JOURNAL));
}

/* A match whose process died has an older seal, or none; that alone is no damage. */
static void test_seal(void **state)
{
    struct made *made = *state;
    struct calib_fault fault = {.line = 0};
    struct record *record = NULL;
    struct match_seal seal;
    struct match_entry entry;
    char path[192];

    assert_true(cmd_match_entry_read(made->folder, true, &entry));
    assert_int_equal(entry.standing, MATCH_UNFINISHED);
    path_in(made, MATCH_JOURNAL, path);
    assert_int_equal(referee_record_open(path, &(struct record_header){.match = ""}, NULL, NULL,
                                         &record, &fault),
                     REFEREE_OK);
    assert_int_equal(put(record, "{\"t_ms\":18000,\"event\":\"abandon\"}", 0), REFEREE_OK);
    referee_record_close(&record);
    assert_int_equal(cmd_match_seal_read(made->folder, &seal), 1);
    assert_false(seal.over);
    assert_int_equal(look(made), 0);
    assert_true(cmd_match_entry_read(made->folder, true, &entry));
    assert_int_equal(entry.standing, MATCH_FINISHED);
    assert_false(entry.sealed);
    assert_true(cmd_match_seal(path));
    assert_true(cmd_match_entry_read(made->folder, true, &entry));
    assert_int_equal(entry.standing, MATCH_FINISHED);
    assert_true(entry.sealed);
    assert_int_equal(look(made), 0);
    gone(made, MATCH_SEAL);
    assert_int_equal(look(made), 0);
    put_in(made, MATCH_SEAL, "{}", 2);
    assert_int_equal(look(made), 1);
    assert_non_null(ill(made, MATCH_SEAL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sound, setup, teardown),
        cmocka_unit_test_setup_teardown(test_journal, setup, teardown),
        cmocka_unit_test_setup_teardown(test_small_files, setup, teardown),
        cmocka_unit_test_setup_teardown(test_index, setup, teardown),
        cmocka_unit_test_setup_teardown(test_video, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lost, setup, teardown),
        cmocka_unit_test_setup_teardown(test_seal, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
