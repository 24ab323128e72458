/* capture/error.h: what can go wrong when a picture is taken in.
 *
 * Every function of this room that can fail returns 0 on success and one of these negative
 * numbers otherwise, or NULL where it makes something. Nothing here prints or exits. */
#ifndef CAPTURE_ERROR_H
#define CAPTURE_ERROR_H

enum capture_error {
    CAPTURE_OK = 0,
    CAPTURE_E_ARGUMENT = -1,    /* a caller broke the contract of the header */
    CAPTURE_E_MEMORY = -2,      /* no memory */
    CAPTURE_E_OPEN = -3,        /* the file cannot be opened or read */
    CAPTURE_E_EMPTY = -4,       /* no bytes */
    CAPTURE_E_FORMAT = -5,      /* neither JPEG nor PNG */
    CAPTURE_E_HEADER = -6,      /* no usable header, or a size of 0 */
    CAPTURE_E_SIZE = -7,        /* more pixels than CAPTURE_PIXELS_MAX */
    CAPTURE_E_DAMAGED = -8,     /* cut off or corrupt: never judged */
    CAPTURE_E_UNSUPPORTED = -9, /* CMYK, 12 bit, lossless, arithmetic: named in the fault */
    CAPTURE_E_DECODER = -10     /* the decoder gave up for another reason */
};

/* A short sentence for one of the numbers above; never NULL. */
const char *capture_strerror(int error);

/* One line for people: what is wrong, without the file's name. */
struct capture_fault {
    char text[256];
};

#endif
