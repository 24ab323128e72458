/* calib/mark.h: marks a text for the translators' lists (pubsub/po/README.md). It stays English
 * where it stands: only the program says it in another language, by cmd_text (referee/cmd_text.h). */
#ifndef CALIB_MARK_H
#define CALIB_MARK_H

#define N_(text) text

#endif
