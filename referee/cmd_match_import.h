/* referee/cmd_match_import.h: archives of matches, as the verbs use them. Program layer. */
#ifndef REFEREE_CMD_MATCH_IMPORT_H
#define REFEREE_CMD_MATCH_IMPORT_H

/* `tableref match export --archive FILE`: an exit status. */
int cmd_match_archive(const char *folder, const char *file);

/* `tableref match verify FILE`: unpacks beside other things that are only for now, looks at all of
 * it as cmd_match_verify does, and removes it again. An exit status. */
int cmd_match_verify_archive(const char *file);

#endif
