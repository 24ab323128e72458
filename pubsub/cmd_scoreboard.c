/* pubsub/cmd_scoreboard.c: `tableref scoreboard`: the pages of a run, or its board in a terminal.
 */
#include "calib/kit.h"
#include "pubsub/cmd_terminal.h"
#include "pubsub/loop_scoreboard.h"
#include "pubsub/rundir.h"
#include "referee/cmd_table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LISTEN_USUAL "127.0.0.1:8080"
/* A chain of certificates is a few kB. */
#define PEM_MAX ((size_t)256 << 10)

static const struct cmd_option options[] = {
    {"terminal", NULL, CMD_KEY_TERMINAL, "show the board in this terminal; no pages are served"},
    {"connect", "PUB,REQ", CMD_KEY_CONNECT,
     "with --terminal: a table elsewhere, whose addresses these are"},
    {"access", "FILE", CMD_KEY_ACCESS,
     "with --claim-keys: the keys.json of that table, for its players to claim"},
    {"quiet", NULL, CMD_KEY_QUIET, "with --terminal: no bell"},
    CMD_TABLE_OPTIONS,
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb verb = {
    .name = "scoreboard",
    .arguments = "(--rundir DIR | --terminal)",
    .about =
        "Shows the match of the run in --rundir to everybody, as pages for browsers: / is the\n"
        "board, /overlay is for streams, /operator and /claim are for those who have a key.\n"
        "`tableref run` starts and watches it. Takes run's options; of the kit, --set and\n"
        "--mat say how cards and layouts are drawn. With --terminal the board is shown in this\n"
        "terminal: of the run in --rundir, of the only one under way, or, with --connect and this\n"
        "display's key in --keys, of a table on another machine.",
    .options = options,
};

enum { KIT_SET, KIT_SHAPES, KIT_STYLE, KIT_MAT, KIT_RAMP, KIT_PARTS };

/* The texts that the pages draw from. */
struct kit_texts {
    char *set, *mat;
    struct web_kit_part part[KIT_PARTS];
};

/* ---- the kit ---- */

static void part_embedded(struct web_kit_part *part, const char *member, const char *path)
{
    const struct kit_file *file = calib_kit_find(path);

    part->member = member;
    if (file) {
        part->bytes = (const char *)file->bytes;
        part->length = file->length;
    }
}

static bool part_named(struct web_kit_part *part, const char *member, const char *folder,
                       const char *name, char **text)
{
    struct calib_fault fault = {.text = ""};

    part->member = member;
    int error = calib_kit_read(folder, name, text, &part->length, &fault);
    if (error != CALIB_OK)
        cmd_fault(member, name, error, &fault);
    part->bytes = *text;
    return error == CALIB_OK;
}

static bool kit_texts_load(const struct cmd_table *table, const struct cmd_kit *kit,
                           struct kit_texts *out)
{
    const struct cmd_source *source = &table->source;

    part_embedded(&out->part[KIT_SHAPES], "shapes", "shapes.json");
    part_embedded(&out->part[KIT_STYLE], "cardstyle", "cardstyle.json");
    part_embedded(&out->part[KIT_RAMP], "ramp", "ramps/make5.json");
    return part_named(&out->part[KIT_SET], "set", "sets",
                      source->set ? source->set : kit->set->name, &out->set) &&
           part_named(&out->part[KIT_MAT], "mat", "mats",
                      source->mat ? source->mat : kit->mat->name, &out->mat);
}

static void kit_texts_free(struct kit_texts *texts)
{
    free(texts->set);
    free(texts->mat);
}

/* ---- TLS ---- */

/* A PEM file as a text, which the caller frees; NULL after saying what is wrong. */
static char *pem_read(const char *path, bool secret)
{
    struct stat status;
    char *text = NULL;
    size_t length = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);

    if (file < 0 || fstat(file, &status) != 0) {
        cmd_error("%s: %s", path, strerror(errno));
    } else if (secret && (status.st_mode & 077) != 0) {
        cmd_error("%s: others can read this key; chmod 600 it", path);
    } else if ((text = malloc(PEM_MAX + 1))) {
        ssize_t got;
        while (length < PEM_MAX && (got = read(file, text + length, PEM_MAX - length)) > 0)
            length += (size_t)got;
        text[length] = 0;
    }
    if (file >= 0)
        close(file);
    if (text && (length == 0 || length == PEM_MAX || strlen(text) != length)) {
        cmd_error("%s: no PEM file", path);
        free(text);
        text = NULL;
    }
    return text;
}

static bool tls_load(const struct cmd_table *table, char **cert, char **key)
{
    if (!table->tls_cert && !table->tls_key)
        return true;
    if (!table->tls_cert || !table->tls_key) {
        cmd_error("%s: --tls-cert and --tls-key go together", verb.name);
        return false;
    }
    *cert = pem_read(table->tls_cert, false);
    *key = *cert ? pem_read(table->tls_key, true) : NULL;
    return *key != NULL;
}

/* ---- languages ---- */

/* The catalogues as the pages take them. */
struct lang_texts {
    const char *code[LANG_COUNT], *json[LANG_COUNT];
    char *own[LANG_COUNT];
};

/* Without one the pages speak English. */
static void lang_texts_make(struct lang_texts *out)
{
    size_t length;

    for (int i = 0; i < LANG_COUNT; i++) {
        out->code[i] = pubsub_langs[i].code;
        if (pubsub_lang_json(&pubsub_langs[i], &out->own[i], &length) != PUBSUB_OK)
            cmd_error("%s: the catalogue %s cannot be used", verb.name, out->code[i]);
        out->json[i] = out->own[i];
    }
}

static void lang_texts_free(struct lang_texts *texts)
{
    for (int i = 0; i < LANG_COUNT; i++)
        free(texts->own[i]);
}

/* ---- the verb ---- */

static int show(const struct cmd_table *table, const struct kit_texts *texts, const char *cert,
                const char *key)
{
    struct lang_texts langs = {.code = {NULL}};
    struct scoreboard_service service = {
        .rundir = table->rundir,
        .record = table->record[0] ? table->record : NULL,
        .kit = texts->part,
        .kit_parts = KIT_PARTS,
        .langs = langs.code,
        .catalogues = langs.json,
        .lang_count = LANG_COUNT,
        .lang = cmd_lang()->code,
        .lang_given = cmd_lang_given(),
        .web = {.next_free = table->listen == NULL,
                .names = table->host,
                .name_count = table->hosts,
                .tls_cert = cert,
                .tls_key = key,
                .assets = pubsub_web_assets,
                .asset_count = pubsub_web_asset_count},
    };
    const char *listen = table->listen ? table->listen : LISTEN_USUAL;

    if (!pubsub_web_address_parse(listen, &service.web.listen)) {
        cmd_error("%s: --listen %s: like 127.0.0.1:8080 or [::1]:8080 is needed", verb.name,
                  listen);
        return CMD_WRONG_USE;
    }
    lang_texts_make(&langs);
    int status = loop_scoreboard_run(&service, &cmd_stopped);
    lang_texts_free(&langs);
    return status;
}

static int kit_show(const struct cmd_table *table, const struct cmd_kit *kit)
{
    struct kit_texts texts = {.set = NULL};
    char *cert = NULL, *key = NULL;
    int status = CMD_UNUSABLE;

    if (kit_texts_load(table, kit, &texts) && tls_load(table, &cert, &key))
        status = show(table, &texts, cert, key);
    free(cert);
    free(key);
    kit_texts_free(&texts);
    return status;
}

/* The pages. */
static int pages_serve(const struct cmd_table *table)
{
    struct wire_fault fault = {.text = ""};
    struct cmd_kit kit;

    if (table->rundir[0] == 0) {
        cmd_error("%s: --rundir is needed; see tableref %s --help", verb.name, verb.name);
        return CMD_WRONG_USE;
    }
    if (pubsub_rundir_look(table->rundir, &fault) != PUBSUB_OK) {
        cmd_error("%s", fault.text);
        return CMD_UNUSABLE;
    }
    cmd_stop_on_signals();
    int status = cmd_kit_load(&table->source, &kit) ? kit_show(table, &kit) : CMD_UNUSABLE;
    cmd_kit_free(&kit);
    return status;
}

/* The options that are this verb's own; all of them were found well before. */
static void own_take(int argc, char **argv, struct cmd_terminal *out)
{
    const char *value;
    int first = 0, key;

    /* Without --config there is no second list. */
    while (argv && (key = cmd_options_next(&verb, argc, argv, &first, &value)) > 0)
        cmd_terminal_take(out, key, value);
}

int cmd_scoreboard(int argc, char **argv)
{
    struct cmd_terminal terminal = {.wanted = false};
    struct cmd_table table;
    int status;

    if (cmd_table_read(&verb, argc, argv, &table, &status)) {
        own_take(table.config.count, table.config.argument, &terminal);
        own_take(argc, argv, &terminal);
        terminal.source = table.source;
        terminal.to.rundir = table.rundir;
        terminal.keys = table.keys;
        terminal.claim_keys = table.claim_keys;
        status = terminal.wanted ? cmd_terminal_show(&verb, &terminal) : pages_serve(&table);
    }
    cmd_table_free(&table);
    return status;
}
