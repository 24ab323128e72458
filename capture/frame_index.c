/* capture/frame_index.c: the lines of frames.idx. */
#include "capture/frame_index.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium/core.h>
#include <sodium/crypto_generichash.h>
#include <sodium/utils.h>

#include "capture/fault.h"

#define HASH_BYTES 32
#define CHECK_BYTES 8
#define CHECK_DIGITS (FRAME_CHECK_MAX - 1)
#define FORMAT "tableref-frames/1"
#define SEGMENTS_MAX 9999 /* what the files' names have room for */

_Static_assert(FRAME_DIGEST_MAX == 2 * HASH_BYTES + 1, "two digits a byte");
_Static_assert(FRAME_CHECK_MAX == 2 * CHECK_BYTES + 1, "two digits a byte");

void capture_frame_digest_begin(void)
{
    int ready = sodium_init();

    (void)ready; /* it looks for random numbers, too, which digests need none of */
}

void capture_frame_digest(const void *bytes, size_t length, char out[FRAME_DIGEST_MAX])
{
    unsigned char hash[HASH_BYTES];

    crypto_generichash(hash, sizeof hash, bytes, length, NULL, 0);
    sodium_bin2hex(out, FRAME_DIGEST_MAX, hash, sizeof hash);
}

static void check_move(char check[FRAME_CHECK_MAX], const char *line, size_t length)
{
    crypto_generichash_state state;
    unsigned char hash[HASH_BYTES];

    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    crypto_generichash_update(&state, (const unsigned char *)check, strlen(check));
    crypto_generichash_update(&state, (const unsigned char *)line, length);
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_bin2hex(check, FRAME_CHECK_MAX, hash, CHECK_BYTES);
}

/* The line up to its check, with the space before that. */
static int line_text(const struct frame_line *line, char *out, size_t size)
{
    switch (line->kind) {
    case FRAME_LINE_HEADER:
        return snprintf(out, size, FORMAT " ");
    case FRAME_LINE_START:
        return snprintf(out, size, "start %" PRId64 " %" PRId64 " ", line->time_ns,
                        line->interval_ns);
    case FRAME_LINE_RESTART:
        return snprintf(out, size, "restart ");
    case FRAME_LINE_LOST:
        return snprintf(out, size, "lost %" PRIu64 " ", line->lost);
    case FRAME_LINE_FRAME:
        break;
    }
    return snprintf(out, size, "%s %" PRIu64 " %" PRId64 " %d %" PRId64 " %zu %s ",
                    line->passed ? "passed" : "frame", line->sequence, line->time_ns, line->segment,
                    line->place, line->length, line->digest);
}

size_t capture_frame_line_write(const struct frame_line *line, char check[FRAME_CHECK_MAX],
                                char out[FRAME_LINE_MAX])
{
    int length = line_text(line, out, FRAME_LINE_MAX);

    check_move(check, out, (size_t)length);
    length += snprintf(out + length, FRAME_LINE_MAX - (size_t)length, "%s\n", check);
    return (size_t)length;
}

/* A whole number and the space behind it; moves *at. */
static bool number_take(const char **at, bool negative_allowed, int64_t most, int64_t *out)
{
    char *end;

    if (!isdigit((unsigned char)**at) &&
        !(negative_allowed && **at == '-' && isdigit((unsigned char)(*at)[1])))
        return false;
    errno = 0;
    long long value = strtoll(*at, &end, 10);
    if (errno != 0 || *end != ' ' || value > most)
        return false;
    *at = end + 1;
    *out = value;
    return true;
}

static bool digest_take(const char **at, char out[FRAME_DIGEST_MAX])
{
    size_t digits = strspn(*at, "0123456789abcdef");

    if (digits != FRAME_DIGEST_MAX - 1 || (*at)[digits] != ' ')
        return false;
    memcpy(out, *at, digits);
    out[digits] = 0;
    *at += digits + 1;
    return true;
}

static bool frame_take(const char **at, struct frame_line *out)
{
    int64_t sequence, segment, length;

    out->kind = FRAME_LINE_FRAME;
    if (!number_take(at, false, INT64_MAX, &sequence) ||
        !number_take(at, true, INT64_MAX, &out->time_ns) ||
        !number_take(at, false, SEGMENTS_MAX, &segment) ||
        !number_take(at, false, INT64_MAX, &out->place) ||
        !number_take(at, false, INT32_MAX, &length) || !digest_take(at, out->digest) || segment < 1)
        return false;
    out->sequence = (uint64_t)sequence;
    out->segment = (int)segment;
    out->length = (size_t)length;
    return true;
}

static bool words_take(const char **at, struct frame_line *out)
{
    static const char header[] = FORMAT " ", start[] = "start ", restart[] = "restart ",
                      frame[] = "frame ", passed[] = "passed ", lost[] = "lost ";
    int64_t count;

    if (strncmp(*at, header, sizeof header - 1) == 0) {
        *at += sizeof header - 1;
        out->kind = FRAME_LINE_HEADER;
        return true;
    }
    if (strncmp(*at, frame, sizeof frame - 1) == 0) {
        *at += sizeof frame - 1;
        return frame_take(at, out);
    }
    if (strncmp(*at, passed, sizeof passed - 1) == 0) {
        *at += sizeof passed - 1;
        out->passed = true;
        return frame_take(at, out);
    }
    if (strncmp(*at, start, sizeof start - 1) == 0) {
        *at += sizeof start - 1;
        out->kind = FRAME_LINE_START;
        return number_take(at, true, INT64_MAX, &out->time_ns) &&
               number_take(at, false, INT64_MAX, &out->interval_ns);
    }
    if (strncmp(*at, restart, sizeof restart - 1) == 0) {
        *at += sizeof restart - 1;
        out->kind = FRAME_LINE_RESTART;
        return true;
    }
    if (strncmp(*at, lost, sizeof lost - 1) != 0)
        return false;
    *at += sizeof lost - 1;
    out->kind = FRAME_LINE_LOST;
    if (!number_take(at, false, INT64_MAX, &count))
        return false;
    out->lost = (uint64_t)count;
    return true;
}

int capture_frame_line_read(const char *bytes, size_t length, char check[FRAME_CHECK_MAX],
                            struct frame_line *out, size_t *used, struct capture_fault *fault)
{
    char text[FRAME_LINE_MAX];
    const char *at = text;
    bool first = check[0] == 0;

    if (length == 0)
        return CAPTURE_E_EMPTY;
    size_t most = length < sizeof text ? length : sizeof text;
    const char *newline = memchr(bytes, '\n', most);
    if (!newline)
        return capture_fail(fault, CAPTURE_E_DAMAGED, "the line breaks off or is too long");
    memcpy(text, bytes, (size_t)(newline - bytes));
    text[newline - bytes] = 0;
    memset(out, 0, sizeof *out);
    if (memchr(bytes, 0, (size_t)(newline - bytes)) || !words_take(&at, out) ||
        (out->kind == FRAME_LINE_HEADER) != first)
        return capture_fail(fault, CAPTURE_E_DAMAGED, "no line of an index of frames");
    check_move(check, text, (size_t)(at - text));
    if (strcmp(check, at) != 0)
        return capture_fail(fault, CAPTURE_E_DAMAGED,
                            "its check is another: this line or one before it was changed");
    *used = (size_t)(newline - bytes) + 1;
    return CAPTURE_OK;
}
