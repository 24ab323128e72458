/* Whatever bytes a line of verify's outcomes holds: refused with words, or read within bounds; and its
 * readings packed again are read as the same. */
#include "tests/fuzz/fuzz_kit.h"
#include "vision/cmd_verify_run.h"

#include <string.h>

static void check(bool holds)
{
    if (!holds)
        abort();
}

/* The same line with the readings packed anew. */
static void check_again(const struct verify_outcome *outcome)
{
    struct json_text packed;
    struct verify_outcome again;
    char why[160] = "";

    vision_json_init(&packed);
    vision_json_raw(&packed, "{\"v\":1,\"build\":\"\",\"number\":0,\"of\":1,\"list_faults\":0,"
                             "\"kind\":\"picture\",\"path\":\"\",\"digest\":\"\",\"said\":\"\","
                             "\"fault\":false,\"crashed\":false,\"readings\":[");
    for (int i = 0; i < outcome->readings; i++)
        verify_result_pack(&outcome->reading[i], &packed);
    vision_json_raw(&packed, "]}");
    check(verify_outcome_parse(packed.bytes, packed.length, &again, why, sizeof why));
    check(again.readings == outcome->readings);
    for (int i = 0; i < again.readings; i++) {
        check(memcmp(&again.reading[i].tally, &outcome->reading[i].tally,
                     sizeof again.reading[i].tally) == 0);
        check(again.reading[i].findings == outcome->reading[i].findings);
    }
    verify_outcome_free(&again);
    vision_json_free(&packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct verify_outcome outcome;
    char why[160] = "";

    if (verify_outcome_parse((const char *)data, size, &outcome, why, sizeof why)) {
        check(outcome.number >= 0 && outcome.number < outcome.of && outcome.readings <= 2);
        check_again(&outcome);
    } else {
        check(why[0] != 0);
    }
    verify_outcome_free(&outcome);
    return 0;
}
