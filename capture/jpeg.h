/* capture/jpeg.h: the JPEG gate and the decoder.
 *
 * The gate walks the markers without decoding and says what the picture is and where it truly
 * ends; every refusal that can be known from the markers is made there, before anything is
 * allocated. What the gate lets through, libjpeg decodes to planes without colour conversion. A
 * picture with no warning but "extraneous bytes" is good; any other warning makes it damaged. */
#ifndef CAPTURE_JPEG_H
#define CAPTURE_JPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/error.h"
#include "capture/frame.h"

#define CAPTURE_JPEG_COMPONENTS_MAX 4
/* Two bytes of marker, two of length, two tables of 12 values and two of 162, 17 bytes before
 * each: what capture_jpeg_with_tables() can add. */
#define CAPTURE_JPEG_TABLES_BYTES 420

enum jpeg_process {
    JPEG_UNKNOWN = 0,
    JPEG_BASELINE,     /* SOF0 */
    JPEG_EXTENDED,     /* SOF1 */
    JPEG_PROGRESSIVE,  /* SOF2 */
    JPEG_LOSSLESS,     /* SOF3 and its kin */
    JPEG_HIERARCHICAL, /* SOF5, SOF6, SOF7 */
    JPEG_ARITHMETIC    /* SOF9 and above */
};

struct jpeg_component {
    int id;
    int h, v; /* sampling factors, 1..4 */
};

/* What the markers say. After an error it holds what was read up to there. */
struct jpeg_info {
    int width, height;
    int precision_bits;
    enum jpeg_process process;
    int component_count;
    struct jpeg_component components[CAPTURE_JPEG_COMPONENTS_MAX];
    int scan_count;
    int restart_interval; /* in MCUs; 0: none */
    int orientation;      /* by EXIF, 1..8; 1 if it says nothing or is broken */
    /* Huffman tables that a scan of a sequential picture uses before they are defined: bit
     * 4 * class + slot, class 0 DC, 1 AC. 0: all there. */
    unsigned missing_tables;
    size_t first_scan; /* where the first SOS marker starts; 0: none */
    size_t end;        /* after the EOI that ends the scans; 0: none, cut off */
    size_t junk_bytes; /* between segments, harmless */
};

/* Walks the markers. CAPTURE_OK: the picture is whole by its markers and of a kind that
 * capture_jpeg_decode() takes. Reads nothing but bytes[0..length), allocates nothing. */
int capture_jpeg_inspect(const uint8_t *bytes, size_t length, struct jpeg_info *info,
                         struct capture_fault *fault);

/* Copies the picture that `info` describes, cut at its true end, to `out`, with the standard
 * Huffman tables (ITU T.81 K.3) put before the first scan where the picture lacks them, and only
 * those. `capacity` is at least info->end + CAPTURE_JPEG_TABLES_BYTES. */
int capture_jpeg_with_tables(const uint8_t *bytes, const struct jpeg_info *info, uint8_t *out,
                             size_t capacity, size_t *out_length);

/* The standard table of class 0 (DC) or 1 (AC) and slot 0 or 1: 16 counts, then the values. */
const uint8_t *capture_jpeg_standard_table(int class, int slot, size_t *length);

/* Reads the coded data of the sequential picture that `info` describes to the last bit: every
 * code valid, every block in its bounds, the end and each restart marker where the blocks end.
 * This finds much of the small damage that libjpeg passes without a word (not all of it can be
 * found so), for about half the time of decoding; stills are always read so. A progressive
 * picture is let through. */
int capture_jpeg_verify(const uint8_t *bytes, const struct jpeg_info *info,
                        struct capture_fault *fault);

/* A plane for one component at an eighth: a sample for each of its blocks, the block's mean. */
struct jpeg_eighth {
    uint8_t *data; /* the caller's, height rows of `stride` bytes, width of them used */
    size_t stride;
    int width, height;
};

/* Reads as capture_jpeg_verify() does and keeps each block's mean on the way, so that a picture at
 * an eighth of its size costs no more than reading it, which is less than what libjpeg takes for
 * it. `planes` are as many as the picture has components; they stand for what the file calls them.
 * The picture is sequential. A reader keeps its tables from picture to picture, so that nothing is
 * allocated; one for each thread. NULL when there is no memory. */
struct jpeg_reader;
struct jpeg_reader *capture_jpeg_reader_create(void);
void capture_jpeg_reader_destroy(struct jpeg_reader **reader);
int capture_jpeg_eighth(struct jpeg_reader *reader, const uint8_t *bytes,
                        const struct jpeg_info *info, const struct jpeg_eighth *planes,
                        struct capture_fault *fault);

/* Bytes to a frame as it is stored (not turned upright), at 1/scale_denominator (1, 2, 4 or 8)
 * of its size, rounded up. The chroma keeps its own resolution where struct frame can say it;
 * at a smaller scale it comes out finer against the luma, as libjpeg scales it less. The caller
 * owns the frame. `info` may be NULL. */
int capture_jpeg_decode(const uint8_t *bytes, size_t length, int scale_denominator,
                        struct frame **out, struct jpeg_info *info, struct capture_fault *fault);

#endif
