/* pubsub/lang.c: languages. */
#include "pubsub/lang.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CODE_MAX 16

const struct lang pubsub_langs[LANG_COUNT] = {
    {"en", "English", '.'},      {"sv", "Svenska", ','}, {"da", "Dansk", ','},
    {"nb", "Norsk bokmål", ','}, {"fi", "Suomi", ','},   {"fr", "Français", ','},
    {"de", "Deutsch", ','},      {"es", "Español", ','},
};

const struct lang *pubsub_lang_find(const char *code)
{
    for (int i = 0; i < LANG_COUNT; i++)
        if (strcmp(pubsub_langs[i].code, code) == 0)
            return &pubsub_langs[i];
    return NULL;
}

/* The letters before "_SE", ".UTF-8", "@euro", and before ":" in a list. */
static const struct lang *code_find(const char *text)
{
    static const char *const same[][2] = {{"no", "nb"}, {"nn", "nb"}, {"C", "en"}, {"POSIX", "en"}};
    char code[CODE_MAX];
    size_t length = strcspn(text, "_.@:-");

    if (length == 0 || length >= sizeof code)
        return NULL;
    memcpy(code, text, length);
    code[length] = 0;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (strcmp(code, same[i][0]) == 0)
            return pubsub_lang_find(same[i][1]);
    return pubsub_lang_find(code);
}

const struct lang *pubsub_lang_of_locale(const char *locale)
{
    return code_find(locale);
}

static bool given(const char *value)
{
    return value && value[0];
}

const struct lang *pubsub_lang_choose(const struct lang_wishes *wishes)
{
    const char *locale = given(wishes->lc_all)        ? wishes->lc_all
                         : given(wishes->lc_messages) ? wishes->lc_messages
                         : given(wishes->lang)        ? wishes->lang
                                                      : "C";
    const char *list = wishes->language;
    const struct lang *lang;

    if (strcmp(locale, "C") != 0 && strcmp(locale, "POSIX") != 0)
        while (given(list)) {
            if ((lang = code_find(list)))
                return lang;
            list += strcspn(list, ":");
            list += *list == ':';
        }
    lang = code_find(locale);
    return lang ? lang : &pubsub_langs[0];
}

static int file_open(const char *folder, const struct lang *lang, struct catalogue **out)
{
    char name[CODE_MAX + 16];

    *out = NULL;
    if (lang == &pubsub_langs[0])
        return PUBSUB_OK;
    snprintf(name, sizeof name, "%s%s.mo", folder, lang->code);
    for (size_t i = 0; i < pubsub_lang_file_count; i++)
        if (strcmp(pubsub_lang_files[i].name, name) == 0)
            return pubsub_catalogue_create(pubsub_lang_files[i].bytes, pubsub_lang_files[i].length,
                                           out);
    return PUBSUB_E_ARGUMENT;
}

int pubsub_lang_open(const struct lang *lang, struct catalogue **out)
{
    return file_open("", lang, out);
}

/* A text, or a list of forms; NULL for what is no UTF-8, or without memory. */
static json_t *forms_make(const struct catalogue_entry *entry)
{
    const char *text = entry->text;

    if (!entry->plural)
        return json_string(text);
    json_t *forms = json_array();
    for (int i = 0; i < entry->forms; i++, text += strlen(text) + 1)
        if (json_array_append_new(forms, json_string(text)) != 0) {
            json_decref(forms);
            return NULL;
        }
    return forms;
}

/* The first entry is the header. */
static json_t *strings_make(const struct catalogue *catalogue)
{
    json_t *strings = json_object();
    struct catalogue_entry entry;

    for (size_t i = 1; catalogue && i < pubsub_catalogue_count(catalogue); i++) {
        pubsub_catalogue_entry(catalogue, i, &entry);
        if (json_object_set_new(strings, entry.message, forms_make(&entry)) != 0) {
            json_decref(strings);
            return NULL;
        }
    }
    return strings;
}

int pubsub_lang_json(const struct lang *lang, char **out, size_t *length)
{
    struct catalogue *catalogue = NULL;
    int error = file_open("pages/", lang, &catalogue);

    *out = NULL;
    if (error != PUBSUB_OK)
        return error;
    json_t *root = json_pack("{s:s, s:s, s:o}", "lang", lang->code, "name", lang->name, "strings",
                             strings_make(catalogue));
    if (root)
        *out = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    pubsub_catalogue_destroy(&catalogue);
    *length = *out ? strlen(*out) : 0;
    return *out ? PUBSUB_OK : PUBSUB_E_MEMORY;
}
