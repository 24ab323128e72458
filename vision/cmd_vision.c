/* vision/cmd_vision.c: `tableref vision`: the eyes of a run. */
#include "pubsub/rundir.h"
#include "referee/cmd_certificate.h"
#include "referee/cmd_common.h"
#include "referee/cmd_folder.h"
#include "referee/cmd_table.h"
#include "vision/loop_vision.h"

#include <string.h>

static const struct cmd_option options[] = {
    CMD_TABLE_OPTIONS,
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb verb = {
    .name = "vision",
    .arguments = "--rundir DIR",
    .about =
        "Watches a table and tells the referee of the same --rundir what it sees. `tableref run`\n"
        "starts and watches it; by itself it is for trying things out. Takes run's options.",
    .options = options,
};

/* A folder of pictures lies there already; a live table and a video are kept. */
static bool keeps(const struct cmd_table *table)
{
    return table->record[0] && !table->no_record && !table->images;
}

/* The match's folder gets what the recording is read with; false after saying what is wrong. */
static bool folder_fill(const struct cmd_table *table, const struct cmd_kit *kit,
                        const struct source *source, struct cmd_folder_kit *files)
{
    struct cmd_folder_about about = {.mirrored = table->source.mirrored,
                                     .settle_frames =
                                         table->game.setup.setup.rules.value[OPTION_SETTLE_FRAMES]};
    struct source_about camera;

    capture_source_about(source, &camera);
    about.live = camera.live;
    memcpy(about.source, camera.name, sizeof about.source);
    return cmd_folder_kit_read(&table->source, kit, files) &&
           cmd_folder_write(table->record, files, &about);
}

/* Is this the camera, and the table, that was calibrated? */
static bool calibrated(const struct cmd_table *table, const struct cmd_kit *kit,
                       const struct source *source)
{
    struct source_about about;

    capture_source_about(source, &about);
    return cmd_rig_fits(kit->rig, &about) && cmd_certificate_look(table, kit, &about);
}

static int watch(const struct cmd_table *table, const struct cmd_kit *kit)
{
    const struct table_kit lying = {
        .mat = kit->mat, .set = kit->set, .deck = kit->deck, .style = kit->style, .rig = kit->rig};
    struct source *source = cmd_table_source(table);
    struct recorder_options recorder = {.folder = table->record, .title = table->name};
    struct cmd_folder_kit files = {.length = {0}};
    bool kept = keeps(table);
    int status = CMD_UNUSABLE;

    if (source && calibrated(table, kit, source) && (!kept || folder_fill(table, kit, source, &files))) {
        cmd_folder_attach(&files, &recorder);
        const struct vision_service service = {
            .rundir = table->rundir,
            .kit = &lying,
            .source = source,
            .settle_frames = table->game.setup.setup.rules.value[OPTION_SETTLE_FRAMES],
            .mirrored = table->source.mirrored,
            .paced = table->paced,
            .recorder = kept ? &recorder : NULL,
        };
        status = loop_vision_run(&service, &cmd_stopped);
    }
    capture_source_destroy(&source);
    cmd_folder_kit_free(&files);
    return status;
}

int cmd_vision(int argc, char **argv)
{
    struct cmd_table table;
    struct cmd_kit kit;
    struct wire_fault fault = {.text = ""};
    int status;

    if (!cmd_table_take(&verb, argc, argv, &table, &status)) {
        cmd_table_free(&table);
        return status;
    }
    if (table.rundir[0] == 0) {
        cmd_error("%s: --rundir is needed; see tableref %s --help", verb.name, verb.name);
        status = CMD_WRONG_USE;
    } else if (pubsub_rundir_look(table.rundir, &fault) != PUBSUB_OK) {
        cmd_error("%s; a referee's run must hold it", fault.text);
        status = CMD_UNUSABLE;
    } else {
        cmd_stop_on_signals();
        status = cmd_kit_load(&table.source, &kit) ? watch(&table, &kit) : CMD_UNUSABLE;
        cmd_kit_free(&kit);
    }
    cmd_table_free(&table);
    return status;
}
