/* Replays a fuzzer's corpus in the ordinary test run: every file of the folders (or every file)
 * named on the command line goes through LLVMFuzzerTestOneInput. A finding ends the program, as
 * it ends the fuzzer. Nothing to replay is a failure: a test that tests nothing must not pass. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PATH_SIZE = 4096 };

/* The bytes lie in a block of exactly their size, so that reading beyond it is noticed. */
static int file_replay(const char *path)
{
    struct stat status;
    uint8_t *data = NULL;
    int result = -1;
    FILE *stream = fopen(path, "rb");

    if (!stream || fstat(fileno(stream), &status) != 0) {
        goto out;
    }
    size_t size = (size_t)status.st_size;
    data = malloc(size > 0 ? size : 1);
    if (data && fread(data, 1, size, stream) == size) {
        (void)LLVMFuzzerTestOneInput(data, size);
        result = 0;
    }
out:
    if (result) {
        perror(path);
    }
    free(data);
    if (stream) {
        fclose(stream);
    }
    return result;
}

/* Files replayed, or -1. */
static int folder_replay(const char *folder)
{
    struct dirent **entry = NULL;
    int replayed = 0, entries = scandir(folder, &entry, NULL, alphasort);

    if (entries < 0) {
        perror(folder);
        return -1;
    }
    for (int i = 0; i < entries; i++) {
        char path[PATH_SIZE];
        struct stat status;
        int wrote = snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        if (wrote < 0 || wrote >= PATH_SIZE || stat(path, &status) != 0) {
            fprintf(stderr, "%s/%s: cannot be reached\n", folder, entry[i]->d_name);
            replayed = -1;
        } else if (S_ISREG(status.st_mode) && replayed >= 0) {
            replayed = file_replay(path) ? -1 : replayed + 1;
        }
        free(entry[i]);
    }
    free(entry);
    return replayed;
}

int main(int argc, char **argv)
{
    int count = 0;

    for (int i = 1; i < argc; i++) {
        struct stat status;
        if (stat(argv[i], &status) != 0) {
            perror(argv[i]);
            return 1;
        }
        int replayed =
            S_ISDIR(status.st_mode) ? folder_replay(argv[i]) : (file_replay(argv[i]) ? -1 : 1);
        if (replayed < 0) {
            return 1;
        }
        count += replayed;
    }
    printf("%d inputs replayed\n", count);
    return count > 0 ? 0 : 1;
}
