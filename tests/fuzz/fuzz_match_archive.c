/* Fuzzes archives of matches: whatever comes, only files of a match come out, in their folder, and
 * no more bytes than the archive has. */
#include "referee/cmd_match_archive.h"
#include "referee/cmd_match_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
}

/* All that came out, which is removed. */
static void look(int folder, size_t size)
{
    struct match_files files;
    int64_t bytes = 0;

    cmd_match_files_read(folder, &files);
    if (files.failed || cmd_match_stranger(&files))
        abort();
    for (size_t i = 0; i < files.count; i++) {
        bytes += files.item[i].size;
        if (unlinkat(folder, files.item[i].name, 0) != 0)
            abort();
    }
    if (bytes > (int64_t)size)
        abort();
    unlinkat(folder, "evidence", AT_REMOVEDIR);
    unlinkat(folder, "kit", AT_REMOVEDIR);
    cmd_match_files_free(&files);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char archive[] = "/tmp/tableref-fuzz-XXXXXX", path[64];
    struct archive_digest digest;
    struct case_fault fault = {.text = ""};

    if (!mkdtemp(archive))
        abort();
    snprintf(path, sizeof path, "%s/in", archive);
    int outer = cmd_match_open(archive);
    if (outer < 0 || mkdirat(outer, "out", 0755) != 0)
        abort();
    put(path, data, size);
    int folder = openat(outer, "out", O_RDONLY | O_DIRECTORY);
    bool well = cmd_archive_unpack(path, folder, NULL, &digest, &fault);
    if (!well && fault.text[0] == 0)
        abort();
    look(folder, size);
    close(folder);
    if (unlinkat(outer, "in", 0) != 0 || unlinkat(outer, "out", AT_REMOVEDIR) != 0)
        abort();
    close(outer);
    if (rmdir(archive) != 0)
        abort();
    return 0;
}
