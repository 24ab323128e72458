/* tests/unit/kit_text.h: texts for the parsers' tests: a built-in with one place changed, and the
 * table of what must then be said. Include after cmocka.h. */
#ifndef TESTS_KIT_TEXT_H
#define TESTS_KIT_TEXT_H

#include "calib/error.h"
#include "calib/kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bad_text {
    const char *from, *to; /* the first `from` in the good text becomes `to` */
    int error;
    int line; /* 0: any */
    const char *says;
};

static inline char *text_room(size_t size)
{
    char *text = malloc(size);

    if (!text) {
        abort(); /* not cmocka's fail: the compiler must see that it never returns */
    }
    return text;
}

/* `text` with its first `from` replaced; it fails the test when there is none. The caller frees. */
static inline char *text_change(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);

    assert_non_null(at);
    size_t before = (size_t)(at - text), length = strlen(text) - strlen(from) + strlen(to);
    char *changed = text_room(length + 1);
    snprintf(changed, length + 1, "%.*s%s%s", (int)before, text, to, at + strlen(from));
    return changed;
}

/* A built-in's text with a closing 0. The caller frees. */
static inline char *kit_text(const char *path)
{
    const struct kit_file *file = calib_kit_find(path);

    assert_non_null(file);
    char *text = text_room(file->length + 1);
    memcpy(text, file->bytes, file->length);
    text[file->length] = 0;
    return text;
}

static inline void fault_expect(const struct calib_fault *fault, int error, int wanted_error,
                                int wanted_line, const char *says)
{
    if (error != wanted_error || !strstr(fault->text, says) ||
        (wanted_line && fault->line != wanted_line)) {
        fail_msg("error %d (wanted %d), line %d (wanted %d), \"%s\" (wanted \"%s\")", error,
                 wanted_error, fault->line, wanted_line, fault->text, says);
    }
    assert_null(strchr(fault->text, '\n'));
}

/* A sink that counts the warnings and keeps the last. */
struct warned {
    int count;
    struct calib_fault last;
};

static inline void warned_take(void *context, const struct calib_fault *fault)
{
    struct warned *warned = context;

    warned->count++;
    warned->last = *fault;
}

#endif
