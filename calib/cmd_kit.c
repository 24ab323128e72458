/* calib/cmd_kit.c: `tableref kit`: what is printed, and what that takes. */
#include "calib/cmd_kit.h"

#include "calib/file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define FILE_MODE 0644

static const struct {
    const char *word;
    int (*run)(int argc, char **argv);
    const struct cmd_verb *verb;
} words[] = {
    {"print", cmd_kit_print, &cmd_kit_print_verb},
    {"mat", cmd_kit_mat, &cmd_kit_mat_verb},
};

#define WORDS (sizeof words / sizeof words[0])

bool cmd_press_format(const struct cmd_verb *verb, const char *path, enum press_format *format)
{
    static const char *const ending[] = {
        [PRESS_PDF] = ".pdf", [PRESS_SVG] = ".svg", [PRESS_PNG] = ".png"};
    size_t length = path ? strlen(path) : 0;

    for (int i = 0; i <= PRESS_PNG; i++) {
        if (length > 4 && strcmp(path + length - 4, ending[i]) == 0) {
            *format = (enum press_format)i;
            return true;
        }
    }
    cmd_error("%s: --out %s: a name that ends in .pdf, .svg or .png is needed", verb->name,
              path ? path : N_("was not given"));
    return false;
}

bool cmd_file_write(const char *path, const void *bytes, size_t length, bool say)
{
    struct json_text json;

    if (calib_file_put(path, bytes, length, FILE_MODE, true) != 0) {
        cmd_error("%s: cannot be written: %s; give another place by --out", path, strerror(errno));
        return false;
    }
    if (!say) {
        return true;
    }
    vision_json_init(&json);
    vision_json_open(&json, NULL, '{');
    vision_json_string(&json, "file", path);
    vision_json_int(&json, "bytes", (long long)length);
    vision_json_close(&json, '}');
    return cmd_print(&json);
}

bool cmd_press_write(struct press *press, const char *path)
{
    int error = calib_press_finish(press), files = calib_press_files(press);
    size_t stem = strlen(path) - 4;
    char name[PATH_MAX];

    if (error) {
        cmd_error("%s: %s; with .png a smaller --dpi takes less", path, calib_strerror(error));
        return false;
    }
    for (int i = 0; i < files; i++) {
        size_t length;
        const unsigned char *bytes = calib_press_file(press, i, &length);
        int used = files > 1 ? snprintf(name, sizeof name, "%.*s-%d%s", (int)stem, path, i + 1,
                                        path + stem)
                             : snprintf(name, sizeof name, "%s", path);
        if (used < 0 || (size_t)used >= sizeof name) {
            cmd_error("%s: the name is too long", path);
            return false;
        }
        if (!cmd_file_write(name, bytes, length, true)) {
            return false;
        }
    }
    return true;
}

static int kit_usage(const char *word)
{
    if (!word || strcmp(word, "--help") != 0) {
        cmd_error("kit: %s: print or mat is needed; see tableref kit --help",
                  word ? word : N_("nothing was asked"));
        return CMD_WRONG_USE;
    }
    fputs(cmd_text("Usage: tableref kit WORD [OPTION]... ARGUMENT...\n"
                   "What a table needs on paper. `tableref kit WORD --help` says more of each.\n"),
          stdout);
    for (size_t i = 0; i < WORDS; i++) {
        printf("\n%s:\n", words[i].word);
        for (const struct cmd_option *o = words[i].verb->options; o->name; o++) {
            printf("  --%s %s  %s\n", o->name, o->value ? o->value : "", cmd_text(o->help));
        }
    }
    return CMD_DONE;
}

int cmd_kit(int argc, char **argv)
{
    for (size_t i = 0; i < WORDS && argc > 1; i++) {
        if (strcmp(argv[1], words[i].word) == 0) {
            return words[i].run(argc - 1, argv + 1);
        }
    }
    return kit_usage(argc > 1 ? argv[1] : NULL);
}
