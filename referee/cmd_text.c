/* referee/cmd_text.c: the process's language. */
#include "referee/cmd_text.h"

#include "pubsub/phrase.h"
#include "referee/cmd_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the system says when a file cannot be opened and the like: strerror speaks English where, as
 * here, nobody has chosen a locale. The others stay in English. */
static const char *const of_the_system[] __attribute__((unused)) = {
    N_("Operation not permitted"),
    N_("No such file or directory"),
    N_("Interrupted system call"),
    N_("Input/output error"),
    N_("No such device or address"),
    N_("Resource temporarily unavailable"),
    N_("Cannot allocate memory"),
    N_("Permission denied"),
    N_("Device or resource busy"),
    N_("File exists"),
    N_("No such device"),
    N_("Not a directory"),
    N_("Is a directory"),
    N_("Invalid argument"),
    N_("Too many open files"),
    N_("File too large"),
    N_("No space left on device"),
    N_("Read-only file system"),
    N_("Broken pipe"),
    N_("File name too long"),
    N_("Too many levels of symbolic links"),
    N_("Address already in use"),
    N_("Cannot assign requested address"),
    N_("Connection refused"),
    N_("Connection timed out"),
};

static struct {
    const struct lang *lang;
    struct catalogue *catalogue; /* NULL: English */
    bool given;
} spoken = {.lang = &pubsub_langs[0]};

/* A catalogue that cannot be had is no reason not to referee: English is spoken then. */
static void lang_speak(const struct lang *lang)
{
    pubsub_catalogue_destroy(&spoken.catalogue);
    spoken.lang = pubsub_lang_open(lang, &spoken.catalogue) == PUBSUB_OK ? lang : &pubsub_langs[0];
}

void cmd_lang_begin(int argc, char **argv)
{
    static const char option[] = "--lang";
    const struct lang_wishes wishes = {getenv("LANGUAGE"), getenv("LC_ALL"), getenv("LC_MESSAGES"),
                                       getenv("LANG")};
    const struct lang *lang = pubsub_lang_choose(&wishes), *asked;

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *behind = argv[i] + sizeof option - 1;
        if (strncmp(argv[i], option, sizeof option - 1) != 0)
            continue;
        if (*behind == '=')
            asked = pubsub_lang_find(behind + 1);
        else
            asked = *behind == 0 && i + 1 < argc ? pubsub_lang_find(argv[i + 1]) : NULL;
        lang = asked ? asked : lang;
    }
    lang_speak(lang);
}

bool cmd_lang_set(const char *verb, const char *code)
{
    const struct lang *lang = pubsub_lang_find(code);
    char codes[64] = "";
    size_t used = 0;

    if (lang) {
        lang_speak(lang);
        spoken.given = true;
        return true;
    }
    for (int i = 0; i < LANG_COUNT; i++)
        used += (size_t)snprintf(codes + used, sizeof codes - used, "%s%s", i ? ", " : "",
                                 pubsub_langs[i].code);
    if (verb)
        cmd_error("%s: --lang %s: one of these is needed: %s", verb, code, codes);
    else
        cmd_error("--lang %s: one of these is needed: %s", code, codes);
    return false;
}

const struct lang *cmd_lang(void)
{
    return spoken.lang;
}

bool cmd_lang_given(void)
{
    return spoken.given;
}

const char *cmd_text(const char *message)
{
    const char *text = spoken.catalogue ? pubsub_catalogue_text(spoken.catalogue, message) : NULL;

    return text ? text : message;
}

const char *cmd_text_n(const char *one, const char *many, unsigned long n)
{
    const char *text = spoken.catalogue ? pubsub_catalogue_text_n(spoken.catalogue, one, n) : NULL;

    return text ? text : n == 1 ? one : many;
}

void cmd_text_line(const char *format, const char *line, char *out, size_t size)
{
    if (spoken.catalogue)
        pubsub_phrase_translate(spoken.catalogue, format, line, out, size);
    else
        snprintf(out, size, "%s", line);
}

int cmd_text_width(const char *text)
{
    int width = 0;

    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

int cmd_text_pad(const char *text, int columns)
{
    return columns + (int)strlen(text) - cmd_text_width(text);
}
