/* referee/cmd_certificate.h: is this table what it was when it was looked over, and is this the
 * camera that the rig was made for? Program layer. */
#ifndef REFEREE_CMD_CERTIFICATE_H
#define REFEREE_CMD_CERTIFICATE_H

#include "capture/source.h"
#include "referee/cmd_table.h"

/* False when the rig is another camera's, which is said: its lens would put everything elsewhere. A
 * camera that is plugged in at another place is warned about. */
bool cmd_rig_fits(const struct rig *rig, const struct source_about *about);

/* Says what there is to say about the certificate that was named: that it is old, of another
 * camera, size, mat or set, or that the table was not ready. False when it cannot be read. Nothing
 * when none was named. */
bool cmd_certificate_look(const struct cmd_table *table, const struct cmd_kit *kit,
                          const struct source_about *about);

#endif
