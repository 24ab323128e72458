/* Files that are written whole or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "calib/file.h"

struct place {
    char folder[64], path[96];
};

static int setup(void **state)
{
    struct place *place = calloc(1, sizeof *place);

    if (!place)
        return -1;
    snprintf(place->folder, sizeof place->folder, "/tmp/tableref-file-XXXXXX");
    if (!mkdtemp(place->folder))
        return -1;
    snprintf(place->path, sizeof place->path, "%s/a.json", place->folder);
    *state = place;
    return 0;
}

static int teardown(void **state)
{
    struct place *place = *state;
    int failed = (unlink(place->path) != 0 && errno != ENOENT) || rmdir(place->folder) != 0;

    free(place);
    return failed;
}

static void check_holds(const struct place *place, const char *text)
{
    char got[64] = "";
    FILE *file = fopen(place->path, "rb");

    assert_non_null(file);
    assert_int_equal(fread(got, 1, sizeof got, file), strlen(text));
    fclose(file);
    assert_string_equal(got, text);
}

static void should_write_all_of_it_with_that_mode(void **state)
{
    const struct place *place = *state;
    struct stat about;

    assert_int_equal(calib_file_put(place->path, "one", 3, 0600, false), 0);
    check_holds(place, "one");
    assert_int_equal(stat(place->path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
}

static void should_replace_only_when_asked_to(void **state)
{
    const struct place *place = *state;

    assert_int_equal(calib_file_put(place->path, "one", 3, 0600, false), 0);
    assert_int_equal(calib_file_put(place->path, "two", 3, 0600, false), -1);
    assert_int_equal(errno, EEXIST);
    check_holds(place, "one");
    assert_int_equal(calib_file_put(place->path, "two", 3, 0600, true), 0);
    check_holds(place, "two");
}

/* teardown's rmdir shows that nothing else lies there. */
static void should_leave_what_was_there_when_it_cannot_write(void **state)
{
    const struct place *place = *state;
    struct rlimit before, tight;

    assert_int_equal(calib_file_put(place->path, "one", 3, 0600, false), 0);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    tight = before;
    tight.rlim_cur = 2;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    int put = calib_file_put(place->path, "two", 3, 0600, true);
    int why = errno;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(put, -1);
    assert_int_equal(why, EFBIG);
    check_holds(place, "one");
}

static void should_say_why_a_folder_takes_nothing(void **state)
{
    char path[160];
    const struct place *place = *state;

    snprintf(path, sizeof path, "%s/none/a.json", place->folder);
    assert_int_equal(calib_file_put(path, "one", 3, 0600, false), -1);
    assert_int_equal(errno, ENOENT);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(should_write_all_of_it_with_that_mode),
        TEST(should_replace_only_when_asked_to),
        TEST(should_leave_what_was_there_when_it_cannot_write),
        TEST(should_say_why_a_folder_takes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
