/* capture/jpeg_gate.c: what a JPEG is and where it ends, from its markers alone. */
#include <string.h>

#include "calib/mark.h"
#include "capture/exif.h"
#include "capture/fault.h"
#include "capture/jpeg.h"

enum marker {
    M_TEM = 0x01,
    M_SOF0 = 0xc0,
    M_DHT = 0xc4,
    M_JPG = 0xc8,
    M_DAC = 0xcc,
    M_SOF15 = 0xcf,
    M_RST0 = 0xd0,
    M_RST7 = 0xd7,
    M_SOI = 0xd8,
    M_EOI = 0xd9,
    M_SOS = 0xda,
    M_DRI = 0xdd,
    M_APP1 = 0xe1
};

#define COEFFICIENTS 64
#define UNSEEN (-1)
/* Progressive encoders write some ten scans, never more than one for each bit of each band; more
 * than that is a picture made to keep a decoder busy. */
#define SCANS_MAX 100
/* A scan walks every block even when it says nothing, in a few bytes; so many pixels times scans
 * are some seconds of work. A 12 megapixel photo may have 83 scans, a 64 megapixel one 15. */
#define SCAN_PIXELS_MAX ((int64_t)1000 * 1000 * 1000)
#define STANDARD_TABLES 0x33u /* DC 0, DC 1, AC 0, AC 1: what K.3 gives */

struct walk {
    const uint8_t *bytes;
    size_t length, at;
    size_t marker_at; /* the 0xff just before the last marker's code */
    struct jpeg_info *info;
    struct capture_fault *fault;
    bool has_exif;
    unsigned defined_tables;
    /* The lowest bit of each coefficient that the scans gave so far. */
    signed char low_bit[CAPTURE_JPEG_COMPONENTS_MAX][COEFFICIENTS];
};

struct segment {
    const uint8_t *bytes;
    size_t length;
};

static unsigned read_u16(const uint8_t *bytes)
{
    return (unsigned)bytes[0] << 8 | bytes[1];
}

static int walk_damaged(const struct walk *walk, const char *what)
{
    return capture_fail(walk->fault, CAPTURE_E_DAMAGED, "the JPEG is damaged: %s", what);
}

/* The next marker's code, or -1 at the end of the bytes. As in libjpeg, what is not a marker is
 * junk that is passed over. */
static int walk_marker(struct walk *walk)
{
    size_t start = walk->at;

    for (;;) {
        const uint8_t *found = walk->at < walk->length
                                   ? memchr(walk->bytes + walk->at, 0xff, walk->length - walk->at)
                                   : NULL;

        if (!found)
            return -1;
        walk->at = (size_t)(found - walk->bytes);
        walk->info->junk_bytes += walk->at - start;
        while (walk->at < walk->length && walk->bytes[walk->at] == 0xff)
            walk->at++;
        if (walk->at == walk->length)
            return -1;
        walk->marker_at = walk->at - 1;
        if (walk->bytes[walk->at++] != 0)
            return walk->bytes[walk->at - 1];
        walk->info->junk_bytes += 2;
        start = walk->at;
    }
}

static int walk_segment(struct walk *walk, struct segment *segment)
{
    size_t length;

    if (walk->length - walk->at < 2)
        return walk_damaged(walk, N_("cut off in its header"));
    length = read_u16(walk->bytes + walk->at);
    if (length < 2)
        return walk_damaged(walk, N_("a segment has an impossible length"));
    if (length > walk->length - walk->at)
        return walk_damaged(walk, N_("cut off in its header"));
    segment->bytes = walk->bytes + walk->at + 2;
    segment->length = length - 2;
    walk->at += length;
    return CAPTURE_OK;
}

/* To the marker that ends the coded data: stuffed zeros and restart markers belong to it. */
static void walk_coded_data(struct walk *walk)
{
    while (walk->at < walk->length) {
        const uint8_t *found = memchr(walk->bytes + walk->at, 0xff, walk->length - walk->at);
        size_t next;

        if (!found)
            break;
        walk->at = next = (size_t)(found - walk->bytes);
        while (next < walk->length && walk->bytes[next] == 0xff)
            next++;
        if (next == walk->length)
            break;
        if (walk->bytes[next] != 0 && (walk->bytes[next] < M_RST0 || walk->bytes[next] > M_RST7))
            return;
        walk->at = next + 1;
    }
    walk->at = walk->length;
}

static enum jpeg_process process_of(int marker)
{
    switch (marker) {
    case 0xc0:
        return JPEG_BASELINE;
    case 0xc1:
        return JPEG_EXTENDED;
    case 0xc2:
        return JPEG_PROGRESSIVE;
    case 0xc3:
        return JPEG_LOSSLESS;
    case 0xc5:
    case 0xc6:
    case 0xc7:
        return JPEG_HIERARCHICAL;
    case 0xc9:
    case 0xca:
    case 0xcb:
    case 0xcd:
    case 0xce:
    case 0xcf:
        return JPEG_ARITHMETIC;
    default:
        return JPEG_UNKNOWN;
    }
}

static int refuse_unsupported(const struct jpeg_info *info, struct capture_fault *fault)
{
    const char *what = NULL;

    if (info->process == JPEG_LOSSLESS)
        what = "lossless JPEG";
    else if (info->process == JPEG_HIERARCHICAL)
        what = "hierarchical JPEG";
    else if (info->process == JPEG_ARITHMETIC)
        what = "arithmetic-coded JPEG";
    else if (info->process == JPEG_UNKNOWN)
        what = N_("JPEG of an unknown process");
    else if (info->precision_bits == 12)
        what = "12-bit JPEG";
    else if (info->precision_bits != 8)
        what = N_("JPEG of other than 8 bits");
    else if (info->component_count == 4)
        what = "CMYK or YCCK JPEG";
    else if (info->component_count != 1 && info->component_count != 3)
        what = N_("JPEG of other than 1 or 3 components");
    if (!what)
        return CAPTURE_OK;
    return capture_fail(fault, CAPTURE_E_UNSUPPORTED, "%s is not supported", what);
}

static int refuse_size(const struct jpeg_info *info, struct capture_fault *fault)
{
    if (info->height == 0)
        return capture_fail(fault, CAPTURE_E_HEADER,
                            "the JPEG gives height 0 (DNL is not supported)");
    if (info->width == 0)
        return capture_fail(fault, CAPTURE_E_HEADER, "the JPEG gives width 0");
    if ((int64_t)info->width * info->height > CAPTURE_PIXELS_MAX)
        return capture_fail(fault, CAPTURE_E_SIZE,
                            "the JPEG claims %d x %d pixels; at most %ld megapixels are read",
                            info->width, info->height, CAPTURE_PIXELS_MAX / 1000000);
    return CAPTURE_OK;
}

static int read_components(const struct walk *walk, const uint8_t *bytes)
{
    struct jpeg_info *info = walk->info;

    for (int i = 0; i < info->component_count; i++, bytes += 3) {
        struct jpeg_component *component = &info->components[i];

        component->id = bytes[0];
        component->h = bytes[1] >> 4;
        component->v = bytes[1] & 15;
        if (component->h < 1 || component->h > 4 || component->v < 1 || component->v > 4)
            return capture_fail(walk->fault, CAPTURE_E_HEADER,
                                "the JPEG gives an impossible sampling factor");
    }
    return CAPTURE_OK;
}

static int walk_frame_header(struct walk *walk, int marker, struct segment segment)
{
    struct jpeg_info *info = walk->info;
    int error;

    if (info->process != JPEG_UNKNOWN)
        return walk_damaged(walk, N_("it has two frame headers"));
    if (segment.length < 6 || segment.length != 6 + 3 * (size_t)segment.bytes[5])
        return capture_fail(walk->fault, CAPTURE_E_HEADER,
                            "the JPEG's frame header has a wrong length");
    info->process = process_of(marker);
    info->precision_bits = segment.bytes[0];
    info->height = (int)read_u16(segment.bytes + 1);
    info->width = (int)read_u16(segment.bytes + 3);
    info->component_count = segment.bytes[5];
    error = refuse_unsupported(info, walk->fault);
    if (!error)
        error = refuse_size(info, walk->fault);
    if (!error)
        error = read_components(walk, segment.bytes + 6);
    return error;
}

static int walk_huffman(struct walk *walk, struct segment segment)
{
    const uint8_t *at = segment.bytes;
    size_t left = segment.length;

    while (left > 0) {
        size_t size = 17;

        if (left < 17)
            return walk_damaged(walk, N_("a Huffman table is cut off"));
        for (int i = 1; i <= 16; i++)
            size += at[i];
        if (size > 17 + 256 || size > left || (at[0] & ~0x13) != 0)
            return walk_damaged(walk, N_("a Huffman table is impossible"));
        walk->defined_tables |= 1u << (4 * (at[0] >> 4) + (at[0] & 3));
        at += size;
        left -= size;
    }
    return CAPTURE_OK;
}

/* Some writers give all components the same id: then they go by their order. */
static int find_component(const struct jpeg_info *info, int id, unsigned taken)
{
    for (int i = 0; i < info->component_count; i++)
        if (info->components[i].id == id && !(taken & 1u << i))
            return i;
    return -1;
}

static void note_table(struct walk *walk, int class, int slot)
{
    unsigned bit = 1u << (4 * class + slot);

    if (!(walk->defined_tables & bit))
        walk->info->missing_tables |= bit;
}

/* One component of a scan: `bytes` are its id and its table slots, `last` the scan's Ss, Se and
 * Ah/Al, `taken` the components that the scan has had. */
static int walk_scan_component(struct walk *walk, const uint8_t *bytes, const uint8_t *last,
                               unsigned *taken)
{
    bool progressive = walk->info->process == JPEG_PROGRESSIVE;
    int from = progressive ? last[0] : 0, to = progressive ? last[1] : COEFFICIENTS - 1;
    int component = find_component(walk->info, bytes[0], *taken);

    if (component < 0)
        return walk_damaged(walk, N_("a scan is of a component that is not there"));
    if (to >= COEFFICIENTS || from > to)
        return walk_damaged(walk, N_("a scan is of an impossible band"));
    *taken |= 1u << component;
    for (int k = from; k <= to; k++)
        walk->low_bit[component][k] = (signed char)(progressive ? last[2] & 15 : 0);
    if (progressive)
        return CAPTURE_OK;
    if ((bytes[1] & ~0x33) != 0)
        return walk_damaged(walk, N_("a scan uses an impossible Huffman table"));
    note_table(walk, 0, bytes[1] >> 4);
    note_table(walk, 1, bytes[1] & 15);
    return CAPTURE_OK;
}

static int walk_scan(struct walk *walk, struct segment segment)
{
    struct jpeg_info *info = walk->info;
    size_t count = segment.length > 0 ? segment.bytes[0] : 0;
    unsigned taken = 0;
    int error = CAPTURE_OK;

    if (info->process == JPEG_UNKNOWN)
        return capture_fail(walk->fault, CAPTURE_E_HEADER, "the JPEG has no frame header");
    if (count < 1 || count > 4 || segment.length != 4 + 2 * count)
        return walk_damaged(walk, N_("a scan header has a wrong length"));
    for (size_t i = 0; i < count && !error; i++)
        error = walk_scan_component(walk, segment.bytes + 1 + 2 * i, segment.bytes + 1 + 2 * count,
                                    &taken);
    if (error)
        return error;
    if (info->scan_count++ == 0)
        info->first_scan = walk->marker_at;
    if (info->scan_count > SCANS_MAX ||
        (int64_t)info->scan_count * info->width * info->height > SCAN_PIXELS_MAX)
        return capture_fail(walk->fault, CAPTURE_E_UNSUPPORTED,
                            "a JPEG of %d x %d pixels in %d or more scans is not supported",
                            info->width, info->height, info->scan_count);
    walk_coded_data(walk);
    return CAPTURE_OK;
}

static void walk_exif(struct walk *walk, struct segment segment)
{
    if (walk->has_exif || segment.length < 6 || memcmp(segment.bytes, "Exif\0", 6) != 0)
        return;
    walk->has_exif = true;
    walk->info->orientation = capture_exif_orientation(segment.bytes + 6, segment.length - 6);
}

static int walk_restart(struct walk *walk, struct segment segment)
{
    if (segment.length != 2)
        return walk_damaged(walk, N_("the restart interval has a wrong length"));
    walk->info->restart_interval = (int)read_u16(segment.bytes);
    return CAPTURE_OK;
}

static int walk_one(struct walk *walk, int marker)
{
    struct segment segment = {NULL, 0};
    int error;

    if (marker == M_TEM || (marker >= M_RST0 && marker <= M_RST7))
        return CAPTURE_OK;
    if (marker == M_SOI)
        return walk_damaged(walk, N_("another picture starts within it"));
    error = walk_segment(walk, &segment);
    if (error)
        return error;
    if (marker == M_DHT)
        return walk_huffman(walk, segment);
    if (marker == M_SOS)
        return walk_scan(walk, segment);
    if (marker == M_DRI)
        return walk_restart(walk, segment);
    if (marker == M_APP1)
        walk_exif(walk, segment);
    if (marker >= M_SOF0 && marker <= M_SOF15 && marker != M_DAC)
        return walk_frame_header(walk, marker, segment);
    return CAPTURE_OK;
}

/* A picture whose scans do not give all of it decodes without a warning, to something blurred or
 * without colour. */
static bool scans_complete(const struct walk *walk)
{
    for (int i = 0; i < walk->info->component_count; i++)
        for (int k = 0; k < COEFFICIENTS; k++)
            if (walk->low_bit[i][k] != 0)
                return false;
    return true;
}

static int walk_finish(struct walk *walk)
{
    if (walk->info->process == JPEG_UNKNOWN)
        return capture_fail(walk->fault, CAPTURE_E_HEADER, "the JPEG has no frame header");
    if (walk->info->scan_count == 0)
        return capture_fail(walk->fault, CAPTURE_E_HEADER, "the JPEG has no picture data");
    if (!scans_complete(walk))
        return walk_damaged(walk, N_("some of its scans are missing"));
    if (walk->info->missing_tables & ~STANDARD_TABLES)
        return walk_damaged(walk, N_("a scan uses a Huffman table that is not there"));
    walk->info->end = walk->at;
    return CAPTURE_OK;
}

int capture_jpeg_inspect(const uint8_t *bytes, size_t length, struct jpeg_info *info,
                         struct capture_fault *fault)
{
    struct walk walk = {.bytes = bytes, .length = length, .at = 2, .info = info, .fault = fault};

    if (!info || (!bytes && length > 0))
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "no picture was given");
    *info = (struct jpeg_info){.orientation = 1};
    if (length == 0)
        return capture_fail(fault, CAPTURE_E_EMPTY, "the picture is empty");
    if (length < 2 || bytes[0] != 0xff || bytes[1] != M_SOI)
        return capture_fail(fault, CAPTURE_E_FORMAT, "the picture does not start as a JPEG does");
    memset(walk.low_bit, UNSEEN, sizeof walk.low_bit);
    for (;;) {
        int marker = walk_marker(&walk), error;

        if (marker < 0)
            return walk_damaged(&walk, N_("cut off, it has no end of image"));
        if (marker == M_EOI)
            return walk_finish(&walk);
        error = walk_one(&walk, marker);
        if (error)
            return error;
    }
}
