/* pubsub/lang.h: the languages that the program and its pages speak, and which one is meant.
 *
 * Messages are English in the code; pubsub/po has their translations, which stand inside the
 * program (pubsub/catalogue.h says why). Texts are in UTF-8 whatever the locale's own set of
 * characters is, as names of players are. No I/O: the environment is asked by the program. */
#ifndef PUBSUB_LANG_H
#define PUBSUB_LANG_H

#include "pubsub/catalogue.h"

#include <stddef.h>

/* English is the first: it is what the messages are written in, and has no catalogue. */
#define LANG_COUNT 8

struct lang {
    const char *code; /* "nb": of ISO 639-1 */
    const char *name; /* "Norsk bokmål": as it calls itself */
    char point;       /* of 3.5 */
};

extern const struct lang pubsub_langs[LANG_COUNT];

/* The catalogues' files, embedded: "sv.mo" has all messages, "pages/sv.mo" those of the pages. */
struct lang_file {
    const char *name;
    const unsigned char *bytes;
    size_t length;
};
extern const struct lang_file pubsub_lang_files[];
extern const size_t pubsub_lang_file_count;

/* The language of exactly that code; NULL: there is none. */
const struct lang *pubsub_lang_find(const char *code);

/* The language of a locale's name, "sv_SE.UTF-8" or "sv"; Norwegian is meant by "no" and "nn", too,
 * and English by "C" and "POSIX". NULL: one that is not spoken. */
const struct lang *pubsub_lang_of_locale(const char *locale);

/* The language that an environment asks for, as gettext has it: the locale is the first of LC_ALL,
 * LC_MESSAGES and LANG that is not empty; unless it is C, the list LANGUAGE ("sv:da:en") goes
 * before it. The values may be NULL. English when nothing that is spoken is asked for. */
struct lang_wishes {
    const char *language, *lc_all, *lc_messages, *lang;
};
const struct lang *pubsub_lang_choose(const struct lang_wishes *wishes);

/* The catalogue of all messages; for English *out is NULL. The caller destroys it. The errors of
 * pubsub_catalogue_create; PUBSUB_E_ARGUMENT, too, when the program was built without it. */
int pubsub_lang_open(const struct lang *lang, struct catalogue **out);

/* The pages' catalogue as JSON: {"lang":"sv","name":"Svenska","strings":{message: text, or a list
 * with the text for each form}}; English has no strings. The caller frees *out. Errors as above. */
int pubsub_lang_json(const struct lang *lang, char **out, size_t *length);

#endif
