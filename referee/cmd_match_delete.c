/* referee/cmd_match_delete.c: `tableref match delete` and `tableref match keep`. */
#include "calib/file.h"
#include "referee/cmd_match.h"
#include "referee/cmd_match_entry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_YES = CMD_KEY_OWN, KEY_OFF };

static const struct cmd_option delete_options[] = {
    {"yes", NULL, KEY_YES, "do not ask"},
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb delete_verb = {
    .name = "match delete",
    .arguments = "MATCH",
    .about =
        "Removes a match whole: its folder with everything in it, after asking. A folder that is\n"
        "no match's, or holds anything that no match has, stays as it is, and so does one whose\n"
        "match is on. Symbolic links are not followed.",
    .options = delete_options,
};

static const struct cmd_option keep_options[] = {
    {"off", NULL, KEY_OFF, "it may be removed again"},
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb keep_verb = {
    .name = "match keep",
    .arguments = "MATCH",
    .about = "Marks a match so that --keep-days and --keep-gib of tableref run never remove\n"
             "anything of it.",
    .options = keep_options,
};

/* The one argument, with *flag set when the verb's option was given; NULL with *status. */
static const char *match_take(const struct cmd_verb *verb, int argc, char **argv, bool *flag,
                              int *status)
{
    const char *value;
    int first = 0, key;

    while ((key = cmd_options_next(verb, argc, argv, &first, &value)) > 0)
        *flag = true;
    *status = key == CMD_OPTION_HELP ? CMD_DONE : CMD_WRONG_USE;
    if (key == CMD_OPTION_END && argc - first != 1)
        cmd_error("%s: one MATCH is needed; see tableref %s --help", verb->name, verb->name);
    return key == CMD_OPTION_END && argc - first == 1 ? argv[first] : NULL;
}

/* ---- delete ---- */

/* What is about to be lost, and whether a person says yes to it. */
static bool person_agrees(const char *folder)
{
    struct match_entry *entry = malloc(sizeof *entry);
    char answer[16] = "", players[512] = "", size[32] = "";
    const char *standing = N_("not a match");

    if (entry && cmd_match_entry_read(folder, false, entry)) {
        standing = cmd_match_standing_name(entry->standing);
        cmd_match_players(&entry->scan, players, sizeof players);
        cmd_match_size_text(entry->bytes, size);
    }
    free(entry);
    fprintf(stderr, cmd_text("%s: %s, %s%s%s. Remove it for good? yes or no: "), folder,
            cmd_text(standing), size, players[0] ? ", " : "", players);
    fflush(stderr);
    return fgets(answer, sizeof answer, stdin) && strcmp(answer, "yes\n") == 0;
}

static int delete_match(int argc, char **argv)
{
    bool yes = false;
    int status;
    const char *match = match_take(&delete_verb, argc, argv, &yes, &status);

    if (!match)
        return status;
    if (!yes && !isatty(STDIN_FILENO)) {
        cmd_error("%s: nobody can be asked; say --yes to remove it; nothing was removed", match);
        return CMD_UNUSABLE;
    }
    if (!yes && !person_agrees(match)) {
        cmd_error("%s: nothing was removed", match);
        return CMD_UNUSABLE;
    }
    if (!cmd_match_remove(match, MATCH_REMOVE_ALL))
        return CMD_UNUSABLE;
    cmd_error("%s: removed", match);
    return CMD_DONE;
}

const struct cmd_match_word cmd_match_delete = {&delete_verb, delete_match};

/* ---- keep ---- */

static bool mark_set(const char *match, bool off)
{
    struct match_files files = {.item = NULL};
    char path[PATH_MAX + 8];
    int folder = cmd_match_open(match);
    bool is_match = folder >= 0 && cmd_match_files_read(folder, &files), well = false;

    snprintf(path, sizeof path, "%s/" MATCH_KEPT, match);
    if (is_match && off)
        well = unlinkat(folder, MATCH_KEPT, 0) == 0 || errno == ENOENT;
    else if (is_match)
        well = calib_file_put(path, "", 0, 0644, true) == 0;
    if (!is_match)
        cmd_error("%s: is no match's folder", match);
    else if (!well)
        cmd_error("%s: %s", path, strerror(errno));
    cmd_match_files_free(&files);
    if (folder >= 0)
        close(folder);
    return well;
}

static int keep_match(int argc, char **argv)
{
    bool off = false;
    int status;
    const char *match = match_take(&keep_verb, argc, argv, &off, &status);

    if (!match)
        return status;
    return mark_set(match, off) ? CMD_DONE : CMD_UNUSABLE;
}

const struct cmd_match_word cmd_match_keep = {&keep_verb, keep_match};
