/* referee/cmd_match_archive.h: a match as one file: a tar archive (pax where it must be), by
 * libarchive. The same match gives the same bytes: files in a fixed order, under NAME/, with the
 * match's date, and nobody's name. Program layer.
 *
 * An archive that comes from elsewhere is trusted in nothing: only the files that a match has are
 * taken out of it, each once, none larger together than the archive itself; links, devices, holes,
 * other names, ".." and full paths refuse the whole. Compressed ones are not read. */
#ifndef REFEREE_CMD_MATCH_ARCHIVE_H
#define REFEREE_CMD_MATCH_ARCHIVE_H

#include "referee/cmd_match_case.h"

struct archive_digest {
    char sha256[DIGEST_TEXT_MAX]; /* of the archive file */
    int64_t bytes;
    long files;
};

/* Writes FILE, which must not be there yet, and reads it again: the digest is of what lies on the
 * disk. The match must not be on. */
bool cmd_archive_write(const char *folder, const char *file, struct archive_digest *out,
                       struct case_fault *fault);

/* Is it a tar archive, by its first bytes? */
bool cmd_archive_is(const char *file);

/* Unpacks into a folder that is empty. `stop` ends it (may be NULL). What was unpacked before a
 * fault stays: the caller removes it. */
bool cmd_archive_unpack(const char *file, int folder, const volatile bool *stop,
                        struct archive_digest *out, struct case_fault *fault);

#endif
