/* referee/cmd_common.c: options, printing, and reading a picture. */
#include "referee/cmd_common.h"

#include "capture/source.h"
#include "capture/still.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS_MAX 96
#define OPTIONS_COMMON 3 /* --help, --lang, and the end */

/* Of the options that every verb has; no verb's own key is a letter. */
enum { KEY_HELP = 'h', KEY_LANG = 'l' };

/* Where what is wrong stands; NULL: in no file. */
static const char *error_file;
static int error_line;

void cmd_error_place(const char *file, int line)
{
    error_file = file;
    error_line = line;
}

void cmd_error(const char *format, ...)
{
    char english[2 * PATH_MAX], line[2 * PATH_MAX]; /* room for a path and what is wrong with it */
    va_list list;
    va_start(list, format);
    vsnprintf(english, sizeof english, format, list);
    va_end(list);
    cmd_text_line(format, english, line, sizeof line);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7F)
            *c = '?';
    if (error_file)
        fprintf(stderr, "tableref: %s:%d: %s\n", error_file, error_line, line);
    else
        fprintf(stderr, "tableref: %s\n", line);
}

/* ---- options ---- */

static void print_help(const struct cmd_verb *verb)
{
    printf(cmd_text("Usage: tableref %s [OPTION]... %s\n%s\n\nOptions:\n"), verb->name,
           verb->arguments, cmd_text(verb->about));
    for (const struct cmd_option *o = verb->options; o->name; o++) {
        char left[48];
        snprintf(left, sizeof left, "--%s%s%s", o->name, o->value ? " " : "",
                 o->value ? o->value : "");
        printf("  %-18s %s\n", left, cmd_text(o->help));
    }
    printf("  %-18s %s\n", "--lang CODE", cmd_text(CMD_LANG_HELP));
    printf("  %-18s %s\n", "--help", cmd_text("this text"));
}

static int build_options(const struct cmd_verb *verb,
                         struct option out[OPTIONS_MAX + OPTIONS_COMMON])
{
    int count = 0;
    for (const struct cmd_option *o = verb->options; o->name && count < OPTIONS_MAX; o++)
        out[count++] =
            (struct option){o->name, o->value ? required_argument : no_argument, NULL, o->key};
    out[count++] = (struct option){"help", no_argument, NULL, KEY_HELP};
    out[count++] = (struct option){"lang", required_argument, NULL, KEY_LANG};
    out[count] = (struct option){0};
    return count;
}

/* The argument that getopt stopped at. In the middle of letters run together ("-abc", also a
 * picture whose name begins so) it has not yet gone on to the next one. */
static const char *argument_stopped_at(int argc, char **argv)
{
    const char *next = optind < argc ? argv[optind] : "";
    bool inside = optopt != 0 && next[0] == '-' && next[1] == optopt;
    return inside ? next : argv[optind - 1];
}

/* getopt leaves optopt at 0 for an unknown long option, at the letter for an unknown short one. */
static int wrong_option(const struct cmd_verb *verb, const char *argument, bool value_missing)
{
    if (value_missing)
        cmd_error("%s: %s needs a value; see tableref %s --help", verb->name, argument, verb->name);
    else if (argument[0] == '-' && argument[1] != '-')
        cmd_error("%s: unknown option -%c; a file of that name is written ./%s", verb->name, optopt,
                  argument);
    else if (optopt != 0)
        cmd_error("%s: %s takes no value; see tableref %s --help", verb->name, argument,
                  verb->name);
    else
        cmd_error("%s: unknown or ambiguous option %s; see tableref %s --help", verb->name,
                  argument, verb->name);
    return CMD_OPTION_WRONG;
}

int cmd_options_next(const struct cmd_verb *verb, int argc, char **argv, int *first,
                     const char **value)
{
    struct option list[OPTIONS_MAX + OPTIONS_COMMON];
    build_options(verb, list);
    if (*first == 0) {
        optind = 0; /* glibc: start afresh */
        opterr = 0;
        *first = 1;
    }
    int key;
    while ((key = getopt_long(argc, argv, ":", list, NULL)) == KEY_LANG)
        if (!cmd_lang_set(verb->name, optarg))
            return CMD_OPTION_WRONG;
    *value = optarg;
    if (key == -1) {
        *first = optind;
        return CMD_OPTION_END;
    }
    if (key == KEY_HELP) {
        print_help(verb);
        return CMD_OPTION_HELP;
    }
    if (key == '?' || key == ':')
        return wrong_option(verb, argument_stopped_at(argc, argv), key == ':');
    return key;
}

bool cmd_number(const struct cmd_verb *verb, const char *option, const char *text, int least,
                int most, int *out)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end || errno || number < least || number > most) {
        cmd_error("%s: --%s %s: a whole number from %d to %d is needed", verb->name, option, text,
                  least, most);
        return false;
    }
    *out = (int)number;
    return true;
}

bool cmd_decimal(const struct cmd_verb *verb, const char *option, const char *text, double least,
                 double most, double *out)
{
    size_t length = strlen(text);
    char *end = NULL;
    /* digits only: no sign, no exponent, no "inf" */
    bool plain = length > 0 && strspn(text, "0123456789.") == length;
    double number = plain ? strtod(text, &end) : 0.0;
    if (!plain || *end || !(number >= least && number <= most)) {
        cmd_error("%s: --%s %s: a number from %g to %g is needed", verb->name, option, text, least,
                  most);
        return false;
    }
    *out = number;
    return true;
}

/* ---- printing ---- */

static bool output_failed(void)
{
    cmd_error("standard output: cannot write: %s; what was printed is not complete",
              strerror(errno ? errno : EIO));
    return false;
}

bool cmd_print(struct json_text *json)
{
    bool done = false;
    if (json->failed)
        cmd_error("out of memory while printing");
    else if (fwrite(json->bytes, 1, json->length, stdout) != json->length || putchar('\n') == EOF ||
             fflush(stdout) == EOF)
        done = output_failed();
    else
        done = true;
    vision_json_free(json);
    return done;
}

int cmd_finish(int status)
{
    /* cmd_print has already said so when the fault came there */
    bool failed_before = ferror(stdout);
    errno = 0;
    if (fflush(stdout) == EOF || ferror(stdout)) {
        if (!failed_before)
            output_failed();
        return status == CMD_WRONG_USE ? status : CMD_UNUSABLE;
    }
    return status;
}

/* ---- pictures ---- */

static enum reason reason_of_capture(int error)
{
    switch (error) {
    case CAPTURE_E_OPEN:
        return REASON_UNREADABLE_FILE;
    case CAPTURE_E_EMPTY:
        return REASON_EMPTY_FILE;
    case CAPTURE_E_FORMAT:
        return REASON_NOT_A_PICTURE;
    case CAPTURE_E_SIZE:
        return REASON_TOO_LARGE;
    case CAPTURE_E_UNSUPPORTED:
        return REASON_UNSUPPORTED;
    case CAPTURE_E_HEADER:
    case CAPTURE_E_DAMAGED:
    case CAPTURE_E_DECODER:
        return REASON_DAMAGED_FRAME;
    default:
        return REASON_INTERNAL;
    }
}

void cmd_camera_identity(const struct source_about *about, char *out, size_t size)
{
    snprintf(out, size, "%s%s%s", about->name, about->name[0] && about->place[0] ? " at " : "",
             about->place);
}

/* The name's length: up to the last " at ", behind which the place is. */
static size_t camera_name_length(const char *identity)
{
    const char *place = NULL;

    for (const char *at = identity; (at = strstr(at, " at ")); at++)
        place = at;
    return place ? (size_t)(place - identity) : strlen(identity);
}

enum cmd_camera_same cmd_camera_compare(const char *identity, const char *other)
{
    size_t length = camera_name_length(identity);

    if (strcmp(identity, other) == 0)
        return CMD_CAMERA_SAME;
    return length > 0 && length == camera_name_length(other) &&
                   strncmp(identity, other, length) == 0
               ? CMD_CAMERA_TWIN
               : CMD_CAMERA_OTHER;
}

enum reason cmd_vision_reason(int error)
{
    switch (error) {
    case VISION_E_RIG_SIZE:
        return REASON_RIG_SIZE;
    case VISION_E_RIG_LENS:
        return REASON_RIG_LENS;
    case VISION_E_NO_MAT:
        return REASON_NO_MAT;
    case VISION_E_MIRRORED:
        return REASON_MIRRORED;
    case VISION_E_TWO_MATS:
        return REASON_SECOND_MAT;
    case VISION_E_POSE:
        return REASON_BAD_POSE;
    default:
        return REASON_INTERNAL;
    }
}

static const char *advice_of_vision(int error, bool mirrored)
{
    switch (error) {
    case VISION_E_RIG_SIZE:
        return N_("give the rig of this resolution, or none");
    case VISION_E_RIG_LENS:
        return N_("give the rig of this camera, calibrated anew if its lens was moved, or none");
    case VISION_E_NO_MAT:
        return N_("look that the mat's tags are in the picture, and that --mat names this mat");
    case VISION_E_MIRRORED:
        return mirrored ? N_("leave out --mirrored")
                        : N_("turn mirroring off at the camera, or give --mirrored");
    case VISION_E_TWO_MATS:
        return N_("take the other mat, or its picture, out of view");
    case VISION_E_POSE:
        return N_("look that the mat lies flat, and that --mat and --rig are the right ones");
    case VISION_E_MEMORY:
        return N_("close other programs, or give a smaller picture");
    default:
        return N_("this should not happen");
    }
}

bool cmd_frame_load(const char *path, struct frame **out, enum reason *reason)
{
    struct capture_fault fault = {{0}};
    int error = capture_still_read(path, out, &fault);
    if (error == 0)
        return true;
    *out = NULL;
    *reason = reason_of_capture(error);
    cmd_error("%s: %s; it was left out", path,
              fault.text[0] ? fault.text : capture_strerror(error));
    return false;
}

void cmd_vision_error(const char *path, int error, bool mirrored)
{
    cmd_error("%s: %s; %s", path,
              error == VISION_E_MIRRORED && mirrored ? N_("the picture is not mirrored")
                                                     : vision_strerror(error),
              advice_of_vision(error, mirrored));
}

bool cmd_picture_read(struct table_reader *reader, const char *path, bool mirrored,
                      struct cmd_picture *out)
{
    memset(out, 0, sizeof *out);
    out->path = path;
    if (!cmd_frame_load(path, &out->frame, &out->reason))
        return false;
    struct frame *flipped = mirrored ? capture_frame_orient(out->frame, 2) : NULL;
    int error = VISION_E_MEMORY;
    if (flipped || !mirrored)
        error = vision_table_read(reader, flipped ? flipped : out->frame, mirrored, &out->layout,
                                  &out->pose);
    capture_frame_destroy(&flipped);
    if (error != 0) {
        out->reason = cmd_vision_reason(error);
        cmd_vision_error(path, error, mirrored);
        return false;
    }
    if (mirrored)
        vision_layout_mirror_px(&out->layout, out->frame->width);
    out->ok = true;
    return true;
}

void cmd_picture_free(struct cmd_picture *picture)
{
    capture_frame_destroy(&picture->frame);
}
