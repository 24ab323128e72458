/* referee/cmd_match_archive.c: a match as one file. */
#include "referee/cmd_match_archive.h"

#include "calib/file.h"
#include "referee/cmd_match_files.h"
#include "referee/cmd_match_scan.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BLOCK ((size_t)256 << 10)
#define PREFIX_MAX 64
/* Where a tar header has "ustar". */
#define MAGIC_AT 257

/* ---- writing ---- */

struct writing {
    struct archive *archive;
    struct file_part part;
    crypto_hash_sha256_state sum;
    int64_t bytes;
    char prefix[PREFIX_MAX];
    time_t made;
    int folder;
    unsigned char *block;
    struct case_fault *fault;
};

/* libarchive asks for no less than all of it to be taken. */
static la_ssize_t bytes_take(struct archive *archive, void *context, const void *bytes,
                             size_t length)
{
    struct writing *writing = context;

    if (calib_bytes_write(writing->part.file, bytes, length) != 0) {
        archive_set_error(archive, errno, "%s", strerror(errno));
        return -1;
    }
    crypto_hash_sha256_update(&writing->sum, bytes, length);
    writing->bytes += (int64_t)length;
    return (la_ssize_t)length;
}

/* What people call the match, as a name of a folder anywhere. */
static void prefix_make(const char *name, char out[PREFIX_MAX])
{
    static const char fine[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";

    snprintf(out, PREFIX_MAX, "%s", name[0] ? name : "match");
    for (char *c = out; *c; c++)
        if (!strchr(fine, *c) || (c == out && *c == '.'))
            *c = '_';
}

static bool archive_failed(struct writing *writing, const char *name)
{
    return cmd_case_fail(writing->fault, "%s: %s cannot be written: %s", writing->part.path, name,
                         archive_error_string(writing->archive));
}

static bool content_add(struct writing *writing, const struct match_file *file, int from)
{
    int64_t left = file->size;

    while (left > 0) {
        size_t want = left < (int64_t)BLOCK ? (size_t)left : BLOCK;
        ssize_t got = read(from, writing->block, want);
        if (got <= 0)
            return cmd_case_fail(writing->fault, "%s: %s", file->name,
                                 got < 0 ? strerror(errno) : N_("became shorter meanwhile"));
        if (archive_write_data(writing->archive, writing->block, (size_t)got) != got)
            return archive_failed(writing, file->name);
        left -= got;
    }
    return true;
}

static bool file_add(struct writing *writing, const struct match_file *file)
{
    struct archive_entry *entry = archive_entry_new();
    int from = openat(writing->folder, file->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    char name[PREFIX_MAX + MATCH_NAME_MAX];
    bool well = false;

    snprintf(name, sizeof name, "%s/%s", writing->prefix, file->name);
    if (entry && from >= 0) {
        archive_entry_set_pathname(entry, name);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_size(entry, file->size);
        archive_entry_set_mtime(entry, writing->made, 0);
        well = archive_write_header(writing->archive, entry) == ARCHIVE_OK
                   ? content_add(writing, file, from)
                   : archive_failed(writing, file->name);
    } else {
        cmd_case_fail(writing->fault, "%s: %s", file->name,
                      entry ? strerror(errno) : "out of memory");
    }
    if (from >= 0)
        close(from);
    archive_entry_free(entry);
    return well;
}

/* Marks and pieces are of this machine, not of the match. */
static bool files_add(struct writing *writing, const struct match_files *files, long *count)
{
    for (size_t i = 0; i < files->count; i++) {
        if (files->item[i].kind == MATCH_FILE_KEPT || files->item[i].kind == MATCH_FILE_PIECE)
            continue;
        if (!file_add(writing, &files->item[i]))
            return false;
        ++*count;
    }
    return true;
}

static void sum_text(crypto_hash_sha256_state *sum, char out[DIGEST_TEXT_MAX])
{
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256_final(sum, hash);
    sodium_bin2hex(out, DIGEST_TEXT_MAX, hash, sizeof hash);
}

/* libarchive's settings are those that leave nothing to chance: no compression, no padding of the
 * last block that would depend on where the archive goes. */
static bool archive_fill(struct writing *writing, const struct match_files *files,
                         struct archive_digest *out)
{
    struct archive *archive = archive_write_new();

    writing->archive = archive;
    writing->block = malloc(BLOCK);
    if (!archive || !writing->block)
        return cmd_case_fail(writing->fault, "out of memory");
    if (archive_write_set_format_pax_restricted(archive) != ARCHIVE_OK ||
        archive_write_add_filter_none(archive) != ARCHIVE_OK ||
        archive_write_set_bytes_in_last_block(archive, 512) != ARCHIVE_OK ||
        archive_write_open(archive, writing, NULL, bytes_take, NULL) != ARCHIVE_OK)
        return archive_failed(writing, N_("the archive"));
    if (!files_add(writing, files, &out->files))
        return false;
    if (archive_write_close(archive) != ARCHIVE_OK)
        return archive_failed(writing, N_("its end"));
    out->bytes = writing->bytes;
    sum_text(&writing->sum, out->sha256);
    return true;
}

/* "2026-11-30T18:05:09Z"; 1970 for anything else. */
static time_t date_read(const char *text)
{
    static const char form[] = "0000-00-00T00:00:00Z";
    int part[6] = {0}, at = 0;

    for (size_t i = 0; i < sizeof form; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        if (digit != (form[i] == '0') || (!digit && text[i] != form[i]))
            return 0;
        if (digit)
            part[at] = 10 * part[at] + (text[i] - '0');
        else if (at < 5)
            at++;
    }
    struct tm parts = {.tm_year = part[0] - 1900,
                       .tm_mon = part[1] - 1,
                       .tm_mday = part[2],
                       .tm_hour = part[3],
                       .tm_min = part[4],
                       .tm_sec = part[5]};
    return timegm(&parts);
}

static void header_take(struct writing *writing, const char *folder)
{
    char journal[PATH_MAX + 16];
    struct calib_fault fault;
    struct match_scan scan;

    snprintf(journal, sizeof journal, "%s/" MATCH_JOURNAL, folder);
    (void)cmd_match_scan(journal, &scan, &fault); /* a damaged match is archived, too */
    prefix_make(scan.header.match, writing->prefix);
    writing->made = date_read(scan.header.made);
}

static bool digest_read(const char *path, char out[DIGEST_TEXT_MAX], struct case_fault *fault)
{
    crypto_hash_sha256_state sum;
    unsigned char *block = malloc(BLOCK);
    FILE *file = block ? fopen(path, "rbe") : NULL;
    size_t got;

    crypto_hash_sha256_init(&sum);
    while (file && (got = fread(block, 1, BLOCK, file)) > 0)
        crypto_hash_sha256_update(&sum, block, got);
    bool well = file && !ferror(file);
    if (file)
        fclose(file);
    free(block);
    sum_text(&sum, out);
    return well || cmd_case_fail(fault, "%s: cannot be read: %s", path, strerror(errno));
}

/* Under its own name only once all of it is there; then read again from there. */
static bool archive_put(struct writing *writing, const struct match_files *files,
                        struct archive_digest *out, const char *path)
{
    char again[DIGEST_TEXT_MAX];

    if (access(path, F_OK) == 0)
        return cmd_case_fail(writing->fault, "%s: is there already and stays; name another", path);
    if (calib_file_begin(path, 0644, &writing->part) != 0)
        return cmd_case_fail(writing->fault, "%s: %s", path, strerror(errno));
    bool filled = archive_fill(writing, files, out);
    archive_write_free(writing->archive);
    free(writing->block);
    if (!filled) {
        calib_file_drop(&writing->part);
        return false;
    }
    if (calib_file_end(&writing->part, false) != 0)
        return cmd_case_fail(writing->fault, "%s: %s", path, strerror(errno));
    if (!digest_read(path, again, writing->fault))
        return false;
    return strcmp(again, out->sha256) == 0 ||
           cmd_case_fail(writing->fault, "%s: the disk does not give back what was written", path);
}

bool cmd_archive_write(const char *folder, const char *file, struct archive_digest *out,
                       struct case_fault *fault)
{
    struct writing writing = {.fault = fault, .folder = cmd_match_open(folder)};
    struct match_files files = {.item = NULL};
    const struct match_file *stranger;
    int lock = -1;
    bool well = false;

    memset(out, 0, sizeof *out);
    crypto_hash_sha256_init(&writing.sum);
    if (writing.folder < 0 || !cmd_match_files_read(writing.folder, &files))
        cmd_case_fail(fault, "%s: is no match's folder", folder);
    else if ((stranger = cmd_match_stranger(&files)))
        cmd_case_fail(fault, "%s: holds %s, which no match has", folder, stranger->name);
    else if ((lock = openat(writing.folder, MATCH_JOURNAL, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)) <
                 0 ||
             flock(lock, LOCK_SH | LOCK_NB) != 0)
        cmd_case_fail(fault, "%s: the match is on: end it first", folder);
    else {
        header_take(&writing, folder);
        well = archive_put(&writing, &files, out, file);
    }
    if (lock >= 0)
        close(lock);
    if (writing.folder >= 0)
        close(writing.folder);
    cmd_match_files_free(&files);
    return well;
}

/* ---- reading ---- */

struct unpacking {
    struct archive *archive;
    int folder;
    int64_t left; /* bytes that may still be unpacked */
    long files;
    char prefix[PREFIX_MAX];
    const volatile bool *stop;
    struct case_fault *fault;
};

bool cmd_archive_is(const char *file)
{
    unsigned char head[MAGIC_AT + 5] = {0};
    struct stat about;
    FILE *stream = stat(file, &about) == 0 && S_ISREG(about.st_mode) ? fopen(file, "rbe") : NULL;
    bool is = stream && fread(head, 1, sizeof head, stream) == sizeof head &&
              memcmp(head + MAGIC_AT, "ustar", 5) == 0;

    if (stream)
        fclose(stream);
    return is;
}

/* The name in the match, behind the one folder that all lie in; NULL for a name that is refused. */
static const char *name_within(struct unpacking *unpacking, const char *path)
{
    const char *slash = path ? strchr(path, '/') : NULL;
    size_t length = slash ? (size_t)(slash - path) : 0;

    if (length == 0 || length >= PREFIX_MAX || path[0] == '.')
        return NULL;
    if (unpacking->prefix[0] == 0)
        memcpy(unpacking->prefix, path, length);
    if (strncmp(unpacking->prefix, path, length) != 0 || unpacking->prefix[length] != 0)
        return NULL;
    return slash + 1;
}

static bool entry_refuse(const struct unpacking *unpacking, const char *path, const char *why)
{
    char shown[128];

    snprintf(shown, sizeof shown, "%s", path ? path : "?");
    for (char *c = shown; *c; c++)
        if ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7f)
            *c = '?';
    return cmd_case_fail(unpacking->fault, "no match's archive: %s %s", shown, why);
}

/* A hole, or bytes out of their order, would make a file larger than what was sent. */
static bool content_take(struct unpacking *unpacking, int to, const char *path, int64_t size)
{
    int64_t at = 0;

    for (;;) {
        const void *bytes = NULL;
        size_t length = 0;
        la_int64_t place = 0;
        int got = archive_read_data_block(unpacking->archive, &bytes, &length, &place);
        if (got == ARCHIVE_EOF)
            break;
        if (got != ARCHIVE_OK)
            return entry_refuse(unpacking, path, N_("breaks off or is damaged"));
        if (unpacking->stop && *unpacking->stop)
            return cmd_case_fail(unpacking->fault, "stopped");
        if (place != at || (int64_t)length > size - at || (int64_t)length > unpacking->left)
            return entry_refuse(unpacking, path, N_("has holes, or is larger than it says"));
        if (calib_bytes_write(to, bytes, length) != 0)
            return cmd_case_fail(unpacking->fault, "%s: cannot be written: %s", path,
                                 strerror(errno));
        at += (int64_t)length;
        unpacking->left -= (int64_t)length;
    }
    return at == size || entry_refuse(unpacking, path, N_("is shorter than it says"));
}

static bool file_take(struct unpacking *unpacking, struct archive_entry *entry, const char *name)
{
    const char *path = archive_entry_pathname(entry);
    int64_t size = archive_entry_size(entry);

    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) ||
        archive_entry_symlink(entry))
        return entry_refuse(unpacking, path, N_("is a link, a device or the like"));
    if (cmd_match_file_kind(name) >= MATCH_FILE_PIECE)
        return entry_refuse(unpacking, path, N_("is no file of a match"));
    if (!archive_entry_size_is_set(entry) || size < 0 || size > unpacking->left ||
        ++unpacking->files > MATCH_FILES_MAX)
        return entry_refuse(unpacking, path, N_("is larger than the archive"));
    if (strchr(name, '/')) {
        mkdirat(unpacking->folder, "evidence", 0755);
        mkdirat(unpacking->folder, "kit", 0755);
    }
    int to =
        openat(unpacking->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (to < 0 && errno == EEXIST)
        return entry_refuse(unpacking, path, N_("comes twice"));
    if (to < 0)
        return cmd_case_fail(unpacking->fault, "%s: cannot be written: %s", name, strerror(errno));
    bool well = content_take(unpacking, to, path, size);
    if (close(to) != 0 && well)
        well = cmd_case_fail(unpacking->fault, "%s: cannot be written: %s", name, strerror(errno));
    return well;
}

/* Folders come in archives that others made. */
static bool folder_allowed(const char *name)
{
    return name[0] == 0 || strcmp(name, "evidence/") == 0 || strcmp(name, "kit/") == 0;
}

static bool entries_take(struct unpacking *unpacking)
{
    struct archive_entry *entry;
    int got;

    while ((got = archive_read_next_header(unpacking->archive, &entry)) == ARCHIVE_OK) {
        const char *path = archive_entry_pathname(entry), *name = name_within(unpacking, path);
        if (!name)
            return entry_refuse(unpacking, path, N_("does not lie in the one folder of a match"));
        if (archive_entry_filetype(entry) == AE_IFDIR && folder_allowed(name))
            continue;
        if (!file_take(unpacking, entry, name))
            return false;
    }
    if (got != ARCHIVE_EOF)
        return cmd_case_fail(unpacking->fault, "no match's archive: %s",
                             archive_error_string(unpacking->archive)
                                 ? archive_error_string(unpacking->archive)
                                 : N_("it is damaged"));
    return unpacking->files > 0 ||
           cmd_case_fail(unpacking->fault, "no match's archive: it is empty");
}

bool cmd_archive_unpack(const char *file, int folder, const volatile bool *stop,
                        struct archive_digest *out, struct case_fault *fault)
{
    struct unpacking unpacking = {.folder = folder, .stop = stop, .fault = fault};
    struct case_fault inner = {.text = ""};
    struct stat about;
    bool well = false;

    memset(out, 0, sizeof *out);
    if (stat(file, &about) != 0 || !S_ISREG(about.st_mode))
        return cmd_case_fail(fault, "%s: cannot be read", file);
    unpacking.fault = &inner;
    unpacking.left = out->bytes = about.st_size;
    unpacking.archive = archive_read_new();
    if (!unpacking.archive)
        return cmd_case_fail(fault, "out of memory");
    /* Tar alone: nothing that could be packed small and come out large. */
    if (archive_read_support_format_tar(unpacking.archive) != ARCHIVE_OK ||
        archive_read_open_filename(unpacking.archive, file, BLOCK) != ARCHIVE_OK)
        cmd_case_fail(&inner, "no match's archive: %s", archive_error_string(unpacking.archive));
    else
        well = entries_take(&unpacking) && digest_read(file, out->sha256, &inner);
    archive_read_free(unpacking.archive);
    out->files = unpacking.files;
    return well || cmd_case_fail(fault, "%s: %s", file, inner.text);
}
