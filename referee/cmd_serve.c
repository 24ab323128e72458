/* referee/cmd_serve.c: `tableref referee --rundir DIR`: the referee of a run. */
#include "calib/kit.h"
#include "referee/cmd_record.h"
#include "referee/cmd_table.h"
#include "referee/digest.h"
#include "referee/loop_referee.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cmd_option options[] = {
    CMD_TABLE_OPTIONS,
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb verb = {
    .name = "referee",
    .arguments = "--rundir DIR --record DIR",
    .about =
        "Hears what the eyes of the same --rundir see, keeps the match on record and says what is\n"
        "decided. `tableref run` starts and watches it. Takes run's options.",
    .options = options,
};

/* The very files that the match is played with. */
static void digest_take(const char *folder, const char *name, char out[DIGEST_TEXT_MAX])
{
    char *bytes = NULL;
    size_t length = 0;

    if (name && calib_kit_read(folder, name, &bytes, &length, NULL) == CALIB_OK)
        referee_digest(bytes, length, out);
    free(bytes);
}

static int serve(const struct cmd_table *table, const struct cmd_kit *kit)
{
    char journal[PATH_MAX + 16];
    struct referee_service service = {
        .rundir = table->rundir,
        .journal = journal,
        .table = table->name,
        .publish = table->publish,
        .requests = table->requests,
        .keys = table->keys,
        .game = &table->game,
        .text = table->text,
        .recorded = !table->no_record && !table->images,
        .start_after = table->start_after,
        .no_word = table->claim_keys != NULL,
    };
    const struct cmd_source *source = &table->source;

    snprintf(journal, sizeof journal, "%s/journal.jsonl", table->record);
    cmd_record_header(journal, &service.header);
    snprintf(service.header.table, sizeof service.header.table, "%s", table->name);
    memcpy(service.header.deck, table->game.setup.setup.digest, sizeof service.header.deck);
    digest_take("sets", source->set ? source->set : kit->set->name, service.header.set);
    digest_take("mats", source->mat ? source->mat : kit->mat->name, service.header.mat);
    digest_take("rigs", source->rig, service.header.rig);
    return loop_referee_run(&service, &cmd_stopped);
}

int cmd_referee_serve(int argc, char **argv)
{
    struct cmd_table table;
    struct cmd_kit kit;
    int status;

    if (!cmd_table_take(&verb, argc, argv, &table, &status)) {
        cmd_table_free(&table);
        return status;
    }
    if (table.rundir[0] == 0 || table.record[0] == 0) {
        cmd_error("%s: --rundir and --record are needed; see tableref %s --help", verb.name,
                  verb.name);
        status = CMD_WRONG_USE;
    } else {
        cmd_stop_on_signals();
        status = cmd_kit_load(&table.source, &kit) &&
                         cmd_game_finish(&table.game, &kit, table.source.deck)
                     ? serve(&table, &kit)
                     : CMD_UNUSABLE;
        cmd_kit_free(&kit);
    }
    cmd_table_free(&table);
    return status;
}
