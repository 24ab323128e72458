/* tests/v4l2/gadget_main.c: a USB camera (Video Class 1.0, MJPEG by bulk transfers) out of a
 * program, by gadgetfs on dummy_hcd, so that the stock uvcvideo driver can be tried. Ending it
 * unplugs it.
 *
 *   gadget WIDTH HEIGHT RATE FILE...     gives the JPEG files in turn */
#include <errno.h>
#include <fcntl.h>
#include <linux/usb/ch9.h>
#include <linux/usb/gadgetfs.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FOLDER "/dev/gadget/"
#define PAYLOAD_MAX_BYTES 16384
#define PICTURE_MAX_BYTES (4 * 1024 * 1024)
#define CLOCK_HZ 48000000

/* Numbers of the class's specification. */
enum {
    REQUEST_CUR = 0x81,
    REQUEST_MIN,
    REQUEST_MAX,
    REQUEST_RES,
    REQUEST_LEN,
    REQUEST_INFO,
    REQUEST_DEF
};
enum { CONTROL_PROBE = 1, CONTROL_COMMIT = 2, UNIT_BRIGHTNESS = 2, UNIT_ID = 2 };
enum { PROBE_BYTES = 26, CONTROLS_BRIGHTNESS = 1 };

struct gadget {
    unsigned width, height, rate;
    char **files;
    int file_count;
    int control, bulk; /* descriptors of endpoints; bulk -1: not configured */
    volatile bool streaming;
    volatile unsigned interval_100ns;
    unsigned brightness;
};

/* ---- descriptors ---- */

struct blob {
    uint8_t bytes[1024];
    size_t length;
};

static void add(struct blob *blob, const uint8_t *bytes, size_t count)
{
    if (blob->length + count <= sizeof blob->bytes) {
        memcpy(blob->bytes + blob->length, bytes, count);
        blob->length += count;
    }
}

#define ADD(blob, ...)                                                                             \
    add(blob, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))
#define WORD(value) (uint8_t)((value)&0xff), (uint8_t)((value) >> 8 & 0xff)
#define LONG(value) WORD(value), (uint8_t)((value) >> 16 & 0xff), (uint8_t)((value) >> 24 & 0xff)

static void add_control_interface(struct blob *blob)
{
    ADD(blob, 8, 0x0b, 0, 2, 0x0e, 3, 0, 2); /* two interfaces that belong together */
    ADD(blob, 9, 4, 0, 0, 0, 0x0e, 1, 0, 2); /* video control */
    ADD(blob, 13, 0x24, 1, WORD(0x0100), WORD(51), LONG(CLOCK_HZ), 1, 1);
    ADD(blob, 18, 0x24, 2, 1, WORD(0x0201), 0, 0, WORD(0), WORD(0), WORD(0), 3, 0, 0, 0);
    ADD(blob, 11, 0x24, 5, UNIT_ID, 1, WORD(0), 2, CONTROLS_BRIGHTNESS, 0, 0);
    ADD(blob, 9, 0x24, 3, 3, WORD(0x0101), 0, UNIT_ID, 0);
}

static void add_stream_interface(struct blob *blob, const struct gadget *gadget, bool high_speed)
{
    unsigned size = gadget->width * gadget->height * 2;
    unsigned interval = 10000000 / gadget->rate;

    ADD(blob, 9, 4, 1, 0, 1, 0x0e, 2, 0, 0);
    ADD(blob, 14, 0x24, 1, 1, WORD(65), 0x81, 0, 3, 0, 0, 0, 1, 0);
    ADD(blob, 11, 0x24, 6, 1, 1, 0, 1, 0, 0, 0, 0); /* MJPEG */
    ADD(blob, 34, 0x24, 7, 1, 0, WORD(gadget->width), WORD(gadget->height), LONG(size * 40),
        LONG(size * 240), LONG(size), LONG(interval), 2, LONG(interval), LONG(2 * interval));
    ADD(blob, 6, 0x24, 0x0d, 1, 1, 4);
    ADD(blob, 7, 5, 0x81, 2, WORD(high_speed ? 512 : 64), 0);
}

static void add_configuration(struct blob *blob, const struct gadget *gadget, bool high_speed)
{
    size_t start = blob->length, length;

    ADD(blob, 9, 2, WORD(0), 2, 1, 0, 0xc0, 50);
    add_control_interface(blob);
    add_stream_interface(blob, gadget, high_speed);
    length = blob->length - start;
    blob->bytes[start + 2] = (uint8_t)length;
    blob->bytes[start + 3] = (uint8_t)(length >> 8);
}

/* What gadgetfs wants: a tag, the configuration at either speed, the device. */
static bool write_descriptors(const struct gadget *gadget)
{
    struct blob blob = {.length = 0};

    ADD(&blob, 0, 0, 0, 0);
    add_configuration(&blob, gadget, false);
    add_configuration(&blob, gadget, true);
    ADD(&blob, 18, 1, WORD(0x0200), 0xef, 2, 1, 64, WORD(0x1d6b), WORD(0x0102), WORD(0x0100), 1, 2,
        3, 1);
    return write(gadget->control, blob.bytes, blob.length) == (ssize_t)blob.length;
}

/* ---- pictures ---- */

static size_t load(const char *path, uint8_t *bytes)
{
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(bytes, 1, PICTURE_MAX_BYTES, file) : 0;

    if (file)
        fclose(file);
    else
        fprintf(stderr, "gadget: %s: %s\n", path, strerror(errno));
    return length;
}

/* A picture in payloads of a two-byte head each. A transfer ends with a short packet, so none but
 * the full ones may be a multiple of the packet. */
static bool send_picture(const struct gadget *gadget, const uint8_t *bytes, size_t length, int id)
{
    uint8_t payload[PAYLOAD_MAX_BYTES];

    for (size_t at = 0; at < length;) {
        size_t part = length - at;

        if (part > sizeof payload - 2)
            part = sizeof payload - 2;
        else if ((part + 2) % 512 == 0 && part + 2 < sizeof payload)
            part -= 7;
        payload[0] = 2;
        payload[1] = (uint8_t)(0x80 | id | (at + part == length ? 2 : 0));
        memcpy(payload + 2, bytes + at, part);
        if (write(gadget->bulk, payload, part + 2) != (ssize_t)(part + 2))
            return errno != ESHUTDOWN && errno != ENODEV;
        at += part;
    }
    return true;
}

static void *feed(void *context)
{
    struct gadget *gadget = context;
    uint8_t *bytes = malloc(PICTURE_MAX_BYTES);
    struct timespec pause = {0, 5000000};
    bool alive = bytes != NULL;

    for (int i = 0; alive; i++) {
        size_t length = load(gadget->files[i % gadget->file_count], bytes);

        while (!gadget->streaming)
            nanosleep(&pause, NULL);
        struct timespec interval = {0, (long)gadget->interval_100ns * 100};
        alive = length > 0 && send_picture(gadget, bytes, length, i % 2);
        nanosleep(&interval, NULL);
    }
    free(bytes);
    return NULL;
}

/* ---- control requests ---- */

static void acknowledge(const struct gadget *gadget)
{
    char nothing;

    if (read(gadget->control, &nothing, 0) != 0)
        fprintf(stderr, "gadget: cannot acknowledge: %s\n", strerror(errno));
}

/* The wrong direction on purpose: gadgetfs stalls then. */
static void stall(const struct gadget *gadget, bool in)
{
    char nothing = 0;
    ssize_t done = in ? read(gadget->control, &nothing, 0) : write(gadget->control, &nothing, 0);

    (void)done;
}

static void answer(const struct gadget *gadget, const void *bytes, size_t length, size_t wanted)
{
    size_t part = length < wanted ? length : wanted;

    if (write(gadget->control, bytes, part) != (ssize_t)part)
        fprintf(stderr, "gadget: cannot answer: %s\n", strerror(errno));
}

static void answer_string(const struct gadget *gadget, unsigned which, size_t wanted)
{
    static const char *const texts[] = {"", "tableref", "USB test camera", "0001"};
    uint8_t bytes[128] = {4, 3, 9, 4};
    size_t length = 4;

    if (which >= sizeof texts / sizeof texts[0]) {
        stall(gadget, true);
        return;
    }
    if (which > 0) {
        length = 2;
        for (const char *c = texts[which]; *c; c++, length += 2) {
            bytes[length] = (uint8_t)*c;
            bytes[length + 1] = 0;
        }
        bytes[0] = (uint8_t)length;
    }
    answer(gadget, bytes, length, wanted);
}

/* gadgetfs lets the host go on to its next request while we still read out the last one, and then
 * stalls it. So requests are answered before anything else is done; pictures are not. */
static void hurry(void)
{
    struct sched_param parameters = {.sched_priority = 50};

    if (sched_setscheduler(0, SCHED_FIFO, &parameters) != 0)
        fprintf(stderr, "gadget: no priority: %s\n", strerror(errno));
}

static bool start_feeding(struct gadget *gadget)
{
    struct sched_param parameters = {.sched_priority = 0};
    pthread_attr_t attributes;
    pthread_t thread;

    return pthread_attr_init(&attributes) == 0 &&
           pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED) == 0 &&
           pthread_attr_setschedpolicy(&attributes, SCHED_OTHER) == 0 &&
           pthread_attr_setschedparam(&attributes, &parameters) == 0 &&
           pthread_create(&thread, &attributes, feed, gadget) == 0;
}

static bool configure(struct gadget *gadget)
{
    static const char *const names[] = {"ep1in-bulk", "ep-a", "ep1in"};
    static const uint8_t endpoints[18] = {1,    0, 0, 0, 7, 5, 0x81, 2, 64, 0, 0, 7, 5 /* high */,
                                          0x81, 2, 0, 2, 0};

    acknowledge(gadget);
    if (gadget->bulk >= 0)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && gadget->bulk < 0; i++) {
        char path[64];

        snprintf(path, sizeof path, FOLDER "%s", names[i]);
        gadget->bulk = open(path, O_RDWR);
    }
    return gadget->bulk >= 0 &&
           write(gadget->bulk, endpoints, sizeof endpoints) == (ssize_t)sizeof endpoints &&
           start_feeding(gadget);
}

static bool standard_request(struct gadget *gadget, const struct usb_ctrlrequest *request)
{
    bool in = request->bRequestType & USB_DIR_IN;

    if (request->bRequest == USB_REQ_GET_DESCRIPTOR && request->wValue >> 8 == USB_DT_STRING)
        answer_string(gadget, request->wValue & 0xff, request->wLength);
    else if (request->bRequest == USB_REQ_SET_CONFIGURATION)
        return request->wValue == 0 || configure(gadget);
    else if (request->bRequest == USB_REQ_SET_INTERFACE)
        acknowledge(gadget);
    else if (request->bRequest == USB_REQ_GET_INTERFACE)
        answer(gadget, "", 1, request->wLength);
    else
        stall(gadget, in);
    return true;
}

/* What was agreed on: the one format and size, and one of two rates. */
static void fill_probe(const struct gadget *gadget, uint8_t probe[PROBE_BYTES])
{
    unsigned size = gadget->width * gadget->height * 2, interval = gadget->interval_100ns;
    struct blob blob = {.length = 0};

    ADD(&blob, WORD(1), 1, 1, LONG(interval), WORD(0), WORD(0), WORD(0), WORD(0), WORD(0),
        LONG(size), LONG(PAYLOAD_MAX_BYTES));
    memcpy(probe, blob.bytes, PROBE_BYTES);
}

static void take_probe(struct gadget *gadget, size_t length, bool commit)
{
    uint8_t bytes[64] = {0};
    unsigned interval = 10000000 / gadget->rate, asked;

    if (read(gadget->control, bytes, length < sizeof bytes ? length : sizeof bytes) < 0)
        return;
    asked =
        bytes[4] | (unsigned)bytes[5] << 8 | (unsigned)bytes[6] << 16 | (unsigned)bytes[7] << 24;
    gadget->interval_100ns = asked == 2 * interval ? asked : interval;
    if (commit)
        gadget->streaming = true;
}

static void stream_request(struct gadget *gadget, const struct usb_ctrlrequest *request)
{
    uint8_t probe[PROBE_BYTES];

    if (!(request->bRequestType & USB_DIR_IN)) {
        take_probe(gadget, request->wLength, request->wValue >> 8 == CONTROL_COMMIT);
    } else if (request->bRequest == REQUEST_LEN) {
        answer(gadget, (const uint8_t[]){PROBE_BYTES, 0}, 2, request->wLength);
    } else if (request->bRequest == REQUEST_INFO) {
        answer(gadget, (const uint8_t[]){3}, 1, request->wLength);
    } else {
        fill_probe(gadget, probe);
        answer(gadget, probe, sizeof probe, request->wLength);
    }
}

static void brightness_request(struct gadget *gadget, const struct usb_ctrlrequest *request)
{
    uint8_t bytes[2] = {0};
    unsigned value = gadget->brightness;

    if (!(request->bRequestType & USB_DIR_IN)) {
        if (read(gadget->control, bytes, sizeof bytes) == (ssize_t)sizeof bytes)
            gadget->brightness = bytes[0] | (unsigned)bytes[1] << 8;
        return;
    }
    switch (request->bRequest) {
    case REQUEST_LEN:
        value = 2;
        break;
    case REQUEST_INFO:
        value = 3;
        break;
    case REQUEST_MIN:
        value = 0;
        break;
    case REQUEST_MAX:
        value = 255;
        break;
    case REQUEST_RES:
        value = 1;
        break;
    case REQUEST_DEF:
        value = 128;
        break;
    default:
        break;
    }
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
    answer(gadget, bytes, request->bRequest == REQUEST_INFO ? 1 : 2, request->wLength);
}

static bool handle(struct gadget *gadget, const struct usb_ctrlrequest *request)
{
    unsigned control = request->wValue >> 8, interface = request->wIndex & 0xff;
    unsigned unit = request->wIndex >> 8;

    if ((request->bRequestType & USB_TYPE_MASK) == USB_TYPE_STANDARD)
        return standard_request(gadget, request);
    if (interface == 1 && (control == CONTROL_PROBE || control == CONTROL_COMMIT))
        stream_request(gadget, request);
    else if (interface == 0 && unit == UNIT_ID && control == UNIT_BRIGHTNESS)
        brightness_request(gadget, request);
    else
        stall(gadget, request->bRequestType & USB_DIR_IN);
    return true;
}

static int serve(struct gadget *gadget)
{
    for (;;) {
        struct usb_gadgetfs_event events[5];
        ssize_t got = read(gadget->control, events, sizeof events);

        /* The last two: the host went on before a request was read out, and has it stalled now. */
        if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == EIDRM || errno == EL2HLT))
            continue;
        if (got < 0) {
            fprintf(stderr, "gadget: %s\n", strerror(errno));
            return 1;
        }
        for (size_t i = 0; i < (size_t)got / sizeof events[0]; i++)
            if (events[i].type == GADGETFS_SETUP && !handle(gadget, &events[i].u.setup)) {
                fprintf(stderr, "gadget: cannot be configured: %s\n", strerror(errno));
                return 1;
            }
    }
}

int main(int argc, char **argv)
{
    static struct gadget gadget = {.bulk = -1, .brightness = 128};

    if (argc < 5) {
        fprintf(stderr, "usage: gadget WIDTH HEIGHT RATE FILE...\n");
        return 2;
    }
    gadget.width = (unsigned)strtoul(argv[1], NULL, 10);
    gadget.height = (unsigned)strtoul(argv[2], NULL, 10);
    gadget.rate = (unsigned)strtoul(argv[3], NULL, 10);
    gadget.files = argv + 4;
    gadget.file_count = argc - 4;
    gadget.interval_100ns = gadget.rate > 0 ? 10000000 / gadget.rate : 0;
    gadget.control = open(FOLDER "dummy_udc", O_RDWR);
    if (gadget.rate == 0 || gadget.control < 0 || !write_descriptors(&gadget)) {
        fprintf(stderr, "gadget: %sdummy_udc: %s\n", FOLDER, strerror(errno));
        return 1;
    }
    hurry();
    return serve(&gadget);
}
