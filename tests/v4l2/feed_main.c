/* tests/v4l2/feed_main.c: the producer of a v4l2loopback device.
 *
 *   feed DEVICE WIDTH HEIGHT RATE FILE...     writes the JPEG files in turn, until it is ended */
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define PICTURE_MAX_BYTES (4 * 1024 * 1024)

/* Without a start the driver would not know that this is the producer, and not let the next one in
 * after it. */
static int start(int fd)
{
    int type = V4L2_BUF_TYPE_VIDEO_OUTPUT;

    return ioctl(fd, VIDIOC_STREAMON, &type);
}

static int set_format(int fd, unsigned width, unsigned height)
{
    struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};

    format.fmt.pix.width = width;
    format.fmt.pix.height = height;
    format.fmt.pix.pixelformat = V4L2_PIX_FMT_MJPEG;
    format.fmt.pix.field = V4L2_FIELD_NONE;
    format.fmt.pix.colorspace = V4L2_COLORSPACE_JPEG;
    format.fmt.pix.sizeimage = width * height * 2;
    /* It is refused while a reader is trying to start. */
    for (int i = 0; i < 100; i++) {
        struct timespec pause = {0, 100000000};

        if (ioctl(fd, VIDIOC_S_FMT, &format) == 0)
            return 0;
        nanosleep(&pause, NULL);
    }
    return -1;
}

static int feed_file(int fd, const char *path, char *bytes)
{
    FILE *file = fopen(path, "rb");
    size_t length;

    if (!file) {
        fprintf(stderr, "feed: %s: %s\n", path, strerror(errno));
        return -1;
    }
    length = fread(bytes, 1, PICTURE_MAX_BYTES, file);
    fclose(file);
    if (write(fd, bytes, length) == (ssize_t)length)
        return 0;
    fprintf(stderr, "feed: cannot write: %s\n", strerror(errno));
    return -1;
}

int main(int argc, char **argv)
{
    char *bytes = malloc(PICTURE_MAX_BYTES);
    long rate = argc > 5 ? strtol(argv[4], NULL, 10) : 0;
    struct timespec interval = {0, rate > 0 ? 1000000000L / rate : 0};
    int fd;

    if (rate < 1 || !bytes) {
        fprintf(stderr, "usage: feed DEVICE WIDTH HEIGHT RATE FILE...\n");
        return 2;
    }
    fd = open(argv[1], O_RDWR);
    if (fd < 0 ||
        set_format(fd, (unsigned)strtoul(argv[2], NULL, 10),
                   (unsigned)strtoul(argv[3], NULL, 10)) != 0 ||
        start(fd) != 0) {
        fprintf(stderr, "feed: %s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    for (int i = 0; feed_file(fd, argv[5 + i % (argc - 5)], bytes) == 0; i++)
        nanosleep(&interval, NULL);
    return 1;
}
