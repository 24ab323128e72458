/* capture/jpeg_verify.c: the coded data of a sequential JPEG, read to the last bit.
 *
 * libjpeg does not notice when a picture's coded data holds a few more bits than its blocks use,
 * nor coefficients beyond a block's last: of pictures out of which 16 bytes were cut it passes
 * four in ten without a word, with all below the cut moved or darkened. So the codes are walked
 * here once more, without a transform, and everything must come out even. That finds four in ten
 * of those; in the others the blocks come out even by chance, which no reading of the codes can
 * tell. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "calib/mark.h"
#include "capture/fault.h"
#include "capture/jpeg.h"

#define LOOK_BITS 10 /* nearly all codes are no longer */
/* Several whole AC coefficients are taken at once by the next so many bits. */
#define MANY_BITS 12
#define MANY_BLOCKS_LEAST 512 /* for fewer than that the table is not worth making */
#define MANY_TAKEN 31u        /* how many bits that is .. */
#define MANY_PLACES 5         /* .. and from this bit on, how many places */
#define MANY_END (128u << MANY_PLACES)
#define MANY_NONE (127u << MANY_PLACES)
#define FILLED 56                    /* bits that a plain filling leaves at least .. */
#define MANY_TAKEN_MOST (FILLED / 3) /* .. which are enough for three steps */
#define CODE_BITS_MAX 16
#define BLOCK_SIDE 8
#define COEFFICIENTS 64
/* Of 8-bit samples: differences of DC have at most 11 bits, AC coefficients at most 10. */
#define DC_BITS_MAX 11
#define AC_BITS_MAX 10
/* A block's DC is 8 times its mean, so within 1024; a quarter more for encoders that sharpen. */
#define DC_MAX ((int64_t)1280)

struct codes {
    uint8_t counts[16]; /* of codes of each length; all 0: nothing is built */
    uint8_t values[256];
    /* By the next LOOK_BITS bits: symbol << 8 | bits of code and number; 0: longer, or none. */
    uint16_t look[1 << LOOK_BITS];
    /* By the next MANY_BITS bits: bits of all whole coefficients in them (or of one that reaches
     * beyond them) | places that they take << MANY_PLACES | MANY_END when the last is the end of
     * the block, which counts as a place; MANY_NONE: to be taken one by one. The last two count as
     * more places than any block has. */
    uint16_t many[1 << MANY_BITS];
    bool has_many;
    long last[CODE_BITS_MAX + 1];  /* the largest code of each length, -1 if there is none */
    int offset[CODE_BITS_MAX + 1]; /* from a code of that length to its value's place */
};

struct part {
    int h, v;
    const struct jpeg_eighth *plane; /* where its means go; NULL: nowhere */
    int dc, ac;                      /* table slots */
    int64_t quantiser;               /* of DC */
    int64_t mean;                    /* the DC so far .. */
    int64_t mean_most;               /* .. and how far from 0 it may lie */
};

struct reader {
    const uint8_t *bytes;
    size_t at, end;
    uint64_t bits; /* the next `count` of them on top */
    int count;
};

/* A table as it stands in the picture, or the standard one. */
struct table {
    const uint8_t *counts, *values;
    size_t value_count;
};

struct jpeg_reader {
    const struct jpeg_info *info;
    const struct jpeg_eighth *planes; /* of the components; NULL: only read */
    struct capture_fault *fault;
    struct reader reader;
    struct table tables[2][4]; /* of this picture; counts NULL: none */
    struct codes codes[2][4];  /* as they were built last, maybe for a picture before */
    long quantisers[4];
    int quantiser_slots[CAPTURE_JPEG_COMPONENTS_MAX];
    struct part parts[CAPTURE_JPEG_COMPONENTS_MAX];
    int part_count;
    int restart_interval;
};

static int verify_damaged(const struct jpeg_reader *verify, const char *what)
{
    return capture_fail(verify->fault, CAPTURE_E_DAMAGED, "the JPEG is damaged: %s", what);
}

/* Is one of the eight bytes 0xff? (The usual search for a zero byte, in the complement.) */
static bool has_ff(uint64_t eight)
{
    return ((~eight - 0x0101010101010101U) & eight & 0x8080808080808080U) != 0;
}

/* Takes as many of the next eight bytes as there is room for, so that FILLED bits are there; false
 * where they need a closer look. Below the bits that count stand the first of those that follow,
 * which the next filling lays over them once more. */
static inline bool fill_plain(struct reader *reader)
{
    uint64_t eight;

    if (reader->end - reader->at < 8 || reader->count > 63)
        return false;
    memcpy(&eight, reader->bytes + reader->at, sizeof eight);
    eight = be64toh(eight);
    if (has_ff(eight))
        return false;
    reader->bits |= eight >> reader->count;
    reader->at += (size_t)(63 - reader->count) >> 3;
    reader->count |= FILLED;
    return true;
}

/* Fills byte by byte, up to the next marker. By value: a reader whose address nobody takes is kept
 * in registers. */
static struct reader fill_careful(struct reader reader)
{
    while (reader.count <= 56 && reader.at < reader.end) {
        uint8_t byte = reader.bytes[reader.at];
        size_t next = reader.at + 1;

        if (byte == 0xff) {
            while (next < reader.end && reader.bytes[next] == 0xff)
                next++;
            if (next == reader.end || reader.bytes[next] != 0)
                break;
            next++;
        }
        reader.at = next;
        reader.bits |= (uint64_t)byte << (56 - reader.count);
        reader.count += 8;
    }
    return reader;
}

static inline void reader_fill(struct reader *reader)
{
    if (!fill_plain(reader))
        *reader = fill_careful(*reader);
}

static inline void reader_skip(struct reader *reader, int count)
{
    reader->bits = count < 64 ? reader->bits << count : 0;
    reader->count -= count;
}

/* As look_up() gives it, for a code that is too long for the table. */
static int look_far(uint64_t bits, const struct codes *codes)
{
    for (int length = LOOK_BITS + 1; length <= CODE_BITS_MAX; length++) {
        long code = (long)(bits >> (64 - length));

        if (code <= codes->last[length]) {
            int symbol = codes->values[(code + codes->offset[length]) & 255];
            return symbol << 8 | (length + (symbol & 15));
        }
    }
    return -1;
}

/* The next code: its symbol << 8 | how many bits it takes with the number behind it, whose size
 * is the symbol's low half. -1 when there is no such code or the data ends within it. */
static inline int look_up(struct reader *reader, const struct codes *codes)
{
    int look;

    if (reader->count < CODE_BITS_MAX + 15)
        reader_fill(reader);
    look = codes->look[reader->bits >> (64 - LOOK_BITS)];
    if (look == 0)
        look = look_far(reader->bits, codes);
    return (look & 255) <= reader->count ? look : -1;
}

static inline bool read_dc(struct reader *reader, struct part *part, const struct codes *codes)
{
    int look = look_up(reader, codes), size = look >> 8 & 15;

    if (look < 0 || look >> 8 > DC_BITS_MAX)
        return false;
    reader_skip(reader, (look & 255) - size);
    /* numbers with a leading 0 are negative */
    uint64_t low = ((UINT64_C(1) << size) - 1) & (0 - (~(uint64_t)reader->bits >> 63));
    part->mean += (int64_t)((reader->bits >> 1 >> (63 - size)) - low);
    reader_skip(reader, size);
    return part->mean <= part->mean_most && part->mean >= -part->mean_most;
}

/* One AC coefficient, or the end of the block, which counts as one; false when there is none. */
static inline bool read_one(struct reader *reader, const struct codes *codes, int *k, bool *end)
{
    int look = look_up(reader, codes), symbol = look >> 8, size = symbol & 15;

    if (look < 0)
        return false;
    reader_skip(reader, look & 255); /* 31 at most */
    *end = symbol == 0;
    if (!*end && (size > AC_BITS_MAX || (size == 0 && symbol != 0xf0)))
        return false;
    *k += (symbol >> 4) + 1;
    /* Sixteen zeros are only written when something follows them. */
    return *k <= COEFFICIENTS && !(symbol == 0xf0 && *k == COEFFICIENTS);
}

static inline void take_many(struct reader *reader, unsigned many, int *k)
{
    *k += (int)(many >> MANY_PLACES & 127);
    reader->bits <<= many & MANY_TAKEN;
    reader->count -= (int)(many & MANY_TAKEN);
}

/* As many AC coefficients as the table knows at once. False, with nothing taken, where they end the
 * block or may reach beyond it. */
static inline bool step_many(struct reader *reader, const struct codes *codes, int *k,
                             unsigned *many)
{
    *many = codes->many[reader->bits >> (64 - MANY_BITS)];
    if (*k + (int)(*many >> MANY_PLACES) >= COEFFICIENTS)
        return false;
    take_many(reader, *many, k);
    return true;
}

/* The other coefficients: that they are there is all that matters. */
static inline bool read_ac(struct reader *reader, const struct codes *codes)
{
    bool end = false;

    for (int k = 1; k < COEFFICIENTS && !end;) {
        unsigned many = MANY_NONE;
        if (fill_plain(reader)) {
            if (step_many(reader, codes, &k, &many) && step_many(reader, codes, &k, &many) &&
                step_many(reader, codes, &k, &many))
                continue;
            if (k + (int)(many >> MANY_PLACES & 127) <= COEFFICIENTS) {
                take_many(reader, many, &k);
                return true;
            }
        }
        if (!read_one(reader, codes, &k, &end))
            return false;
    }
    return true;
}

/* Works on a copy of the reader, which the compiler can keep in registers, and hands back what
 * changed, piece by piece: two pieces written apart and read at once would have to be waited for.
 */
static inline bool read_block(struct reader *reader, struct part *part, const struct codes *dc,
                              const struct codes *ac)
{
    struct reader own = {reader->bytes, reader->at, reader->end, reader->bits, reader->count};
    bool good = read_dc(&own, part, dc) && read_ac(&own, ac);

    reader->at = own.at;
    reader->bits = own.bits;
    reader->count = own.count;
    return good;
}

/* The mean of a block, as libjpeg rounds it when it makes one sample of a block. */
static void keep_mean(const struct part *part, long x, long y)
{
    const struct jpeg_eighth *plane = part->plane;
    int64_t mean = ((part->mean * part->quantiser + 4) >> 3) + 128;

    if (x < plane->width && y < plane->height)
        plane->data[(size_t)y * plane->stride + (size_t)x] = (uint8_t)(mean < 0     ? 0
                                                                       : mean > 255 ? 255
                                                                                    : mean);
}

/* The unit (MCU) at that place of the picture, counted in units. */
static bool read_unit(struct jpeg_reader *verify, long unit_x, long unit_y)
{
    for (int i = 0; i < verify->part_count; i++) {
        struct part *part = &verify->parts[i];
        /* A scan of one component has its blocks one by one. */
        int blocks = verify->part_count == 1 ? 1 : part->h * part->v;

        for (int k = 0; k < blocks; k++) {
            if (!read_block(&verify->reader, part, &verify->codes[0][part->dc],
                            &verify->codes[1][part->ac]))
                return false;
            if (part->plane && verify->part_count == 1)
                keep_mean(part, unit_x, unit_y);
            else if (part->plane)
                keep_mean(part, unit_x * part->h + k % part->h, unit_y * part->v + k / part->h);
        }
    }
    return true;
}

static int most_of(const struct jpeg_info *info, bool across)
{
    int most = 1;

    for (int i = 0; i < info->component_count; i++) {
        int factor = across ? info->components[i].h : info->components[i].v;

        most = factor > most ? factor : most;
    }
    return most;
}

static long units_along(const struct jpeg_reader *verify, bool across)
{
    const struct jpeg_info *info = verify->info;
    long size = across ? info->width : info->height, most = most_of(info, across);
    long own = across ? verify->parts[0].h : verify->parts[0].v;

    if (verify->part_count > 1)
        return (size + BLOCK_SIDE * most - 1) / (BLOCK_SIDE * most);
    return ((size * own + most - 1) / most + BLOCK_SIDE - 1) / BLOCK_SIDE;
}

/* After the last block before a marker: what fills up the last byte may be anything, whole bytes
 * must be filling, all 0 or all 1, as some cameras send it. */
static bool read_filling(struct reader *reader)
{
    reader_skip(reader, reader->count % 8);
    for (int first = -1;; reader_skip(reader, 8)) {
        int byte;

        reader_fill(reader);
        if (reader->count == 0)
            return true;
        byte = (int)(reader->bits >> 56);
        first = first < 0 ? byte : first;
        if (byte != first || (byte != 0 && byte != 0xff))
            return false;
    }
}

/* The reader stands before a marker; it is restart marker number `number`. */
static bool read_restart(struct reader *reader, long number)
{
    while (reader->at < reader->end && reader->bytes[reader->at] == 0xff)
        reader->at++;
    if (reader->at == reader->end || reader->bytes[reader->at] != 0xd0 + number % 8)
        return false;
    reader->at++;
    return true;
}

/* What of the codes of AC fits into MANY_BITS bits: see struct codes. */
static unsigned many_of(const struct codes *codes, unsigned next)
{
    int bits = 0, places = 0;

    while (bits < MANY_BITS) {
        unsigned left = next << bits & ((1u << MANY_BITS) - 1);
        int look = codes->look[left >> (MANY_BITS - LOOK_BITS)];
        int symbol = look >> 8, size = symbol & 15, all = look & 255;

        /* no code, or one that is not all there, or one with rules of its own */
        if (look == 0 || all - size > MANY_BITS - bits || (bits > 0 && all > MANY_BITS - bits) ||
            bits + all > MANY_TAKEN_MOST || size > AC_BITS_MAX || (size == 0 && symbol != 0))
            break;
        bits += all;
        places += (symbol >> 4) + 1;
        if (symbol == 0)
            return (unsigned)bits | (unsigned)places << MANY_PLACES | MANY_END;
    }
    return bits ? (unsigned)bits | (unsigned)places << MANY_PLACES : MANY_NONE;
}

static void build_many(struct codes *codes)
{
    for (unsigned next = 0; next < 1u << MANY_BITS; next++)
        codes->many[next] = (uint16_t)many_of(codes, next);
    codes->has_many = true;
}

static int verify_scan(struct jpeg_reader *verify)
{
    long across = units_along(verify, true), units = across * units_along(verify, false);
    long interval = verify->restart_interval ? verify->restart_interval : units;

    verify->reader.bits = 0;
    verify->reader.count = 0;
    for (int i = 0; i < verify->part_count && units >= MANY_BLOCKS_LEAST; i++)
        if (!verify->codes[1][verify->parts[i].ac].has_many)
            build_many(&verify->codes[1][verify->parts[i].ac]);
    for (long unit = 0; unit < units; unit++) {
        if (unit > 0 && unit % interval == 0) {
            if (!read_filling(&verify->reader) ||
                !read_restart(&verify->reader, unit / interval - 1))
                return verify_damaged(verify,
                                      N_("its coded data does not end at a restart marker"));
            for (int i = 0; i < verify->part_count; i++)
                verify->parts[i].mean = 0;
        }
        if (!read_unit(verify, unit % across, unit / across))
            return verify_damaged(verify, N_("its coded data is broken"));
    }
    if (!read_filling(&verify->reader))
        return verify_damaged(verify, N_("its coded data does not end with the picture"));
    return CAPTURE_OK;
}

static void take_quantisers(struct jpeg_reader *verify, const uint8_t *bytes, size_t length)
{
    while (length > 0) {
        size_t wide = bytes[0] >> 4 ? 2 : 1, size = 1 + COEFFICIENTS * wide;

        if (length < size)
            return;
        verify->quantisers[bytes[0] & 3] =
            wide == 2 ? (long)bytes[1] << 8 | bytes[2] : (long)bytes[1];
        bytes += size;
        length -= size;
    }
}

/* One table of `counts` codes of each length with their values, in order of the codes. */
static void build_codes(struct codes *codes, const uint8_t *counts, const uint8_t *values,
                        size_t value_count)
{
    long code = 0;
    size_t at = 0;

    memset(codes, 0, sizeof *codes);
    memcpy(codes->counts, counts, sizeof codes->counts);
    for (unsigned next = 0; next < 1u << MANY_BITS; next++)
        codes->many[next] = MANY_NONE;
    memcpy(codes->values, values, value_count);
    for (int length = 1; length <= CODE_BITS_MAX; length++) {
        codes->offset[length] = (int)((long)at - code);
        for (int i = 0; i < counts[length - 1]; i++, code++, at++) {
            if (length > LOOK_BITS || code >= 1L << length)
                continue;
            for (long k = code << (LOOK_BITS - length); k < (code + 1) << (LOOK_BITS - length);
                 k++) {
                codes->look[k] = (uint16_t)(values[at] << 8 | (length + (values[at] & 15)));
            }
        }
        codes->last[length] = counts[length - 1] > 0 ? code - 1 : -1;
        code <<= 1;
    }
}

static void take_codes(struct jpeg_reader *verify, const uint8_t *bytes, size_t length)
{
    while (length > 17) {
        size_t count = 0;

        for (int i = 1; i <= 16; i++)
            count += bytes[i];
        if (count > 256 || 17 + count > length)
            return;
        verify->tables[bytes[0] >> 4 & 1][bytes[0] & 3] =
            (struct table){bytes + 1, bytes + 17, count};
        bytes += 17 + count;
        length -= 17 + count;
    }
}

/* What is looked up for a scan. Cameras send the same tables with every picture, or none: what was
 * built for the picture before serves again. */
static bool use_table(struct jpeg_reader *verify, int class, int slot)
{
    const struct table *table = &verify->tables[class][slot];
    struct codes *codes = &verify->codes[class][slot];

    if (!table->counts)
        return false;
    if (memcmp(codes->counts, table->counts, sizeof codes->counts) != 0 ||
        memcmp(codes->values, table->values, table->value_count) != 0)
        build_codes(codes, table->counts, table->values, table->value_count);
    return true;
}

static void take_components(struct jpeg_reader *verify, const uint8_t *bytes, size_t length)
{
    for (int i = 0; i < verify->info->component_count && length >= 9 + 3 * (size_t)i; i++)
        verify->quantiser_slots[i] = bytes[6 + 3 * i + 2] & 3;
}

static bool take_parts(struct jpeg_reader *verify, const uint8_t *bytes, size_t length)
{
    const struct jpeg_info *info = verify->info;
    unsigned taken = 0;

    verify->part_count = length > 0 ? bytes[0] : 0;
    if (verify->part_count < 1 || verify->part_count > info->component_count ||
        length < 1 + 2 * (size_t)verify->part_count)
        return false;
    for (int i = 0; i < verify->part_count; i++) {
        int k = 0;

        while (k < info->component_count &&
               (info->components[k].id != bytes[1 + 2 * i] || (taken & 1u << k)))
            k++;
        if (k == info->component_count)
            return false;
        taken |= 1u << k;
        int64_t quantiser = verify->quantisers[verify->quantiser_slots[k]];
        verify->parts[i] =
            (struct part){.h = info->components[k].h,
                          .v = info->components[k].v,
                          .plane = verify->planes ? &verify->planes[k] : NULL,
                          .dc = bytes[2 + 2 * i] >> 4 & 3,
                          .ac = bytes[2 + 2 * i] & 3,
                          .quantiser = quantiser,
                          /* a quantiser of 0 takes all */
                          .mean_most = quantiser ? DC_MAX / quantiser + 1 : INT64_MAX};
        if (!use_table(verify, 0, verify->parts[i].dc) ||
            !use_table(verify, 1, verify->parts[i].ac))
            return false;
    }
    return true;
}

static int take_segment(struct jpeg_reader *verify, int marker, const uint8_t *bytes, size_t length)
{
    if (marker == 0xdb)
        take_quantisers(verify, bytes, length);
    else if (marker == 0xc4)
        take_codes(verify, bytes, length);
    else if (marker == 0xc0 || marker == 0xc1)
        take_components(verify, bytes, length);
    else if (marker == 0xdd && length >= 2)
        verify->restart_interval = bytes[0] << 8 | bytes[1];
    if (marker != 0xda)
        return CAPTURE_OK;
    if (!take_parts(verify, bytes, length))
        return verify_damaged(verify, N_("a scan cannot be followed"));
    return verify_scan(verify);
}

/* The gate has been here before, so that whatever does not fit ends the walk. */
static int walk_segments(struct jpeg_reader *verify)
{
    struct reader *reader = &verify->reader;
    int error = CAPTURE_OK;

    while (!error && reader->at + 1 < reader->end) {
        const uint8_t *here = reader->bytes + reader->at;
        size_t left = reader->end - reader->at, length;

        if (here[0] != 0xff || here[1] == 0 || here[1] == 0xff || here[1] == 0x01 ||
            (here[1] >= 0xd0 && here[1] <= 0xd8)) {
            reader->at += here[0] == 0xff && here[1] != 0xff ? 2 : 1;
            continue;
        }
        if (here[1] == 0xd9)
            return CAPTURE_OK;
        length = left >= 4 ? (size_t)here[2] << 8 | here[3] : 0;
        if (length < 2 || length > left - 2)
            return verify_damaged(verify, N_("a segment has an impossible length"));
        reader->at += 2 + length;
        error = take_segment(verify, here[1], here + 4, length - 2);
    }
    return error;
}

/* Nothing but the built tables stays from the picture before. */
static void start_picture(struct jpeg_reader *verify, const uint8_t *bytes,
                          const struct jpeg_info *info, struct capture_fault *fault)
{
    verify->info = info;
    verify->fault = fault;
    verify->planes = NULL;
    verify->reader = (struct reader){.bytes = bytes, .end = info->end};
    memset(verify->tables, 0, sizeof verify->tables);
    memset(verify->quantisers, 0, sizeof verify->quantisers);
    memset(verify->quantiser_slots, 0, sizeof verify->quantiser_slots);
    memset(verify->parts, 0, sizeof verify->parts);
    verify->part_count = 0;
    verify->restart_interval = 0;
    for (int slot = 0; slot < 2; slot++) {
        for (int class = 0; class < 2; class ++) {
            size_t length;
            const uint8_t *table = capture_jpeg_standard_table(class, slot, &length);

            verify->tables[class][slot] = (struct table){table, table + 16, length - 16};
        }
    }
}

static bool is_sequential(const struct jpeg_info *info)
{
    return info->process == JPEG_BASELINE || info->process == JPEG_EXTENDED;
}

struct jpeg_reader *capture_jpeg_reader_create(void)
{
    return calloc(1, sizeof(struct jpeg_reader));
}

void capture_jpeg_reader_destroy(struct jpeg_reader **reader)
{
    if (!reader)
        return;
    free(*reader);
    *reader = NULL;
}

int capture_jpeg_eighth(struct jpeg_reader *reader, const uint8_t *bytes,
                        const struct jpeg_info *info, const struct jpeg_eighth *planes,
                        struct capture_fault *fault)
{
    if (!reader || !bytes || !info || info->end == 0 || !planes || !is_sequential(info))
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "no sequential picture was given");
    start_picture(reader, bytes, info, fault);
    reader->planes = planes;
    return walk_segments(reader);
}

int capture_jpeg_verify(const uint8_t *bytes, const struct jpeg_info *info,
                        struct capture_fault *fault)
{
    struct jpeg_reader *verify;
    int error;

    if (!bytes || !info || info->end == 0)
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "no picture was given");
    if (!is_sequential(info))
        return CAPTURE_OK;
    verify = capture_jpeg_reader_create();
    if (!verify)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the JPEG");
    start_picture(verify, bytes, info, fault);
    error = walk_segments(verify);
    capture_jpeg_reader_destroy(&verify);
    return error;
}
