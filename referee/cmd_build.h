/* referee/cmd_build.h: which build of the program this is. Program layer. */
#ifndef REFEREE_CMD_BUILD_H
#define REFEREE_CMD_BUILD_H

#define CMD_BUILD_MAX 17 /* 16 hexadecimal digits and a 0 */

/* The digest of the program's own file: two that differ are two builds. */
void cmd_build_find(char out[CMD_BUILD_MAX]);

#endif
