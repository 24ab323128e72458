/* referee/main.c: the table of verbs. */
#include "referee/cmd_common.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about;
} verbs[] = {
    {"read", cmd_read, "what lies on the table, as JSON, a line for each picture"},
    {"judge", cmd_judge, "compares what each player built with a card"},
    {"verify", cmd_verify, "reads pictures whose truth is known and counts what is right"},
    {"run", cmd_run, "referees a table through a camera or a recording"},
    {"vision", cmd_vision, "the eyes of a run"},
    {"referee", cmd_referee, "judges a match from its events, by the rules of the games"},
    {"scoreboard", cmd_scoreboard, "shows a run's match in browsers: board, overlay, operator, phones"},
    {"match", cmd_match, "looks at a recorded match, and corrects it"},
    {"replay", cmd_replay, "judges a recorded match again, from its pictures"},
    {"watch", cmd_watch, "prints what a table says to displays, and asks it"},
    {"keys", cmd_keys, "keys for tables and displays on different machines"},
    {"buttons", cmd_buttons, "claims by buttons, pedals and the keyboard"},
    {"calibrate", cmd_calibrate, "the camera's lens, the table, the colours: found before a match"},
    {"kit", cmd_kit, "prints mats, tags, cards and blocks, and makes mats"},
    {"deck", cmd_deck, "makes decks of cards, proves them, and shows how a card is built"},
    {"devices", cmd_devices, "the cameras and buttons here, and why one cannot be used"},
};

#define VERBS (sizeof verbs / sizeof verbs[0])

static void print_help(void)
{
    fputs(cmd_text("Usage: tableref VERB [OPTION]... ARGUMENT...\n"
                   "A referee for block games: reads pictures of the table and judges what was "
                   "built.\n\n"
                   "Verbs:\n"),
          stdout);
    for (size_t i = 0; i < VERBS; i++)
        printf("  %-10s %s\n", verbs[i].name, cmd_text(verbs[i].about));
    printf("\n%s\n", cmd_text("`tableref VERB --help` lists a verb's options."));
    printf("  --lang CODE  %s\n", cmd_text(CMD_LANG_HELP));
    printf("  --help       %s\n", cmd_text("this text"));
    printf("  --version    %s\n\n", cmd_text("the program's version"));
    fputs(cmd_text(
              "Exit status: 0 done (whatever the verdicts), 1 something given could not be used or "
              "a\ndifference was found, 2 wrong use.\n"),
          stdout);
}

/* "--lang sv VERB ..": the option may stand before the verb, too. How many arguments it took; -1:
 * its value is none. */
static int lang_take(int argc, char **argv)
{
    const char *value = NULL;
    int count = 0;

    if (argc > 1 && strncmp(argv[1], "--lang=", 7) == 0) {
        value = argv[1] + 7;
        count = 1;
    } else if (argc > 2 && strcmp(argv[1], "--lang") == 0) {
        value = argv[2];
        count = 2;
    }
    return count == 0 || cmd_lang_set(NULL, value) ? count : -1;
}

static int run(int argc, char **argv)
{
    int taken = lang_take(argc, argv);

    if (taken < 0)
        return CMD_WRONG_USE;
    argc -= taken;
    argv += taken;
    if (argc < 2) {
        cmd_error("a verb is needed; see tableref --help");
        return CMD_WRONG_USE;
    }
    if (strcmp(argv[1], "--help") == 0) {
        print_help();
        return CMD_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("tableref %s\n", TABLEREF_VERSION);
        return CMD_DONE;
    }
    for (size_t i = 0; i < VERBS; i++)
        if (strcmp(argv[1], verbs[i].name) == 0)
            return verbs[i].run(argc - 1, argv + 1);
    cmd_error("%s is no verb; see tableref --help", argv[1]);
    return CMD_WRONG_USE;
}

/* A file opened while 0, 1 or 2 is closed would take its number, and our lines would land in it.
 * False when standard output is closed: nothing could be said. */
static bool hold_standard_files(void)
{
    bool open_out = fcntl(STDOUT_FILENO, F_GETFD) != -1;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", O_RDWR) < 0)
            return false;
    return open_out;
}

int main(int argc, char **argv)
{
    cmd_lang_begin(argc, argv);
    if (!hold_standard_files()) {
        cmd_error("standard output is closed; give it a file, a pipe or a terminal");
        return CMD_UNUSABLE;
    }
    /* A closed pipe shall be a failed write that is reported, not a silent death. */
    signal(SIGPIPE, SIG_IGN);
    /* So shall a file that reaches the bound set on it. */
    signal(SIGXFSZ, SIG_IGN);
    return cmd_finish(run(argc, argv));
}
