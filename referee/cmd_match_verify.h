/* referee/cmd_match_verify.h: `tableref match verify`: is everything in a match's folder still what
 * was put there? Program layer. */
#ifndef REFEREE_CMD_MATCH_VERIFY_H
#define REFEREE_CMD_MATCH_VERIFY_H

/* Hears of a part; `text` may be NULL. Texts are lent. States: "sound"; "absent": it is not there,
 * and need not be; "torn": it breaks off where a process died; "changed"; "missing". */
typedef void cmd_match_part(void *context, const char *part, const char *state, const char *text);

/* Looks at all of it. 0; 1 when a part is changed or missing; -1 for no memory. */
int cmd_match_check(const char *folder, cmd_match_part *say, void *context);

/* Prints a line of JSON for each part: {"part":..,"state":..,"text":..}. An exit status:
 * CMD_UNUSABLE when a part is changed or missing. */
int cmd_match_verify(const char *folder);

#endif
