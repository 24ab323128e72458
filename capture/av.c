/* capture/av.c: loading libavformat. */
#include "capture/av.h"

#include <dlfcn.h>
#include <string.h>

#include "capture/fault.h"

/* A corrupt index may ask for gigabytes. The largest honest one, of a day at 60 pictures a second,
 * takes 125 MB, and no picture comes near. */
#define BLOCK_MAX_BYTES ((size_t)256 * 1024 * 1024)

/* The version that the headers are of: another one's structs lie differently. */
#define TEXT_OF(number) #number
#define SO_NAME(name, major) name ".so." TEXT_OF(major)

static int refuse(struct capture_fault *fault, const char *what)
{
    return capture_fail(fault, CAPTURE_E_UNSUPPORTED,
                        "recordings need libavformat, which cannot be loaded (%s)", what);
}

/* By way of memcpy, as ISO C knows no conversion from data to functions. */
static int find_call(void *library, const char *name, void *call, size_t size)
{
    void *found = dlsym(library, name);

    if (!found)
        return -1;
    memcpy(call, &found, size);
    return 0;
}

static void *open_library(const char *name)
{
    return dlopen(name, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
}

#define FIND(call)                                                                                 \
    if (!missing && find_call(library, #call, &av->call, sizeof av->call) != 0)                    \
        missing = #call;

static const char *find_format(void *library, struct av *av)
{
    const char *missing = NULL;

    CAPTURE_AV_FORMAT_CALLS(FIND)
    return missing;
}

static const char *find_codec(void *library, struct av *av)
{
    const char *missing = NULL;

    CAPTURE_AV_CODEC_CALLS(FIND)
    return missing;
}

static const char *find_util(void *library, struct av *av)
{
    const char *missing = NULL;

    CAPTURE_AV_UTIL_CALLS(FIND)
    return missing;
}

int capture_av_load(struct av *av, struct capture_fault *fault)
{
    static const struct {
        const char *name;
        const char *(*find)(void *library, struct av *av);
    } libraries[] = {
        {SO_NAME("libavutil", LIBAVUTIL_VERSION_MAJOR), find_util},
        {SO_NAME("libavcodec", LIBAVCODEC_VERSION_MAJOR), find_codec},
        {SO_NAME("libavformat", LIBAVFORMAT_VERSION_MAJOR), find_format},
    };

    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        void *library = open_library(libraries[i].name);
        const char *missing, *why;

        if (!library) {
            why = dlerror();
            return refuse(fault, why ? why : libraries[i].name);
        }
        missing = libraries[i].find(library, av);
        dlclose(library); /* stays, as it was opened for good; only the count goes down */
        if (missing)
            return refuse(fault, missing);
    }
    av->av_log_set_level(AV_LOG_QUIET);
    av->av_max_alloc(BLOCK_MAX_BYTES);
    return CAPTURE_OK;
}
