/* Options of a table from a file, and lines of claims. */
#include "referee/cmd_config.h"
#include "referee/cmd_game.h"
#include "referee/cmd_table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct cmd_option options[] = {
    CMD_TABLE_OPTIONS,
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb verb = {.name = "run", .options = options};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct calib_fault fault = {.line = 0};
    struct game_claim claim;
    struct cmd_config config;

    if (cmd_config_parse(&verb, (const char *)data, size, "fuzz", &config, &fault) >= 0)
        for (int i = 1; i < config.count; i++)
            if (strncmp(config.argument[i], "--", 2) != 0 || config.line[i] < 1)
                abort();
    cmd_config_free(&config);
    if (cmd_claim_parse((const char *)data, size, &claim, &fault) &&
        (claim.seat < 1 || claim.slot < 0 || claim.t_ms < 0))
        abort();
    return 0;
}
