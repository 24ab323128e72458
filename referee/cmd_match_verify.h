/* referee/cmd_match_verify.h: `tableref match verify`: is everything in a match's folder still what was
 * put there? Program layer. */
#ifndef REFEREE_CMD_MATCH_VERIFY_H
#define REFEREE_CMD_MATCH_VERIFY_H

/* Prints a line of JSON for each part: {"part":..,"state":"sound|changed|missing|torn|absent",..}. An
 * exit status: CMD_UNUSABLE when a part is changed or missing. */
int cmd_match_verify(const char *folder, const char *journal);

#endif
