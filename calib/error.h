/* calib/error.h: what can go wrong in calib, and how a bad file is described.
 *
 * Every function of this room that can fail returns 0 (or a count) on success
 * and one of these negative numbers otherwise. Nothing here prints or exits. */
#ifndef CALIB_ERROR_H
#define CALIB_ERROR_H

enum calib_error {
    CALIB_OK = 0,
    CALIB_E_ARGUMENT = -1, /* a caller broke the contract of the header */
    CALIB_E_MEMORY = -2,   /* no memory */
    CALIB_E_OPEN = -3,     /* a file cannot be opened or read */
    CALIB_E_SYNTAX = -4,   /* not JSON, or not the format that was asked for */
    CALIB_E_VALUE = -5,    /* a value is missing, of the wrong kind or out of bounds */
    CALIB_E_UNKNOWN = -6,  /* no built-in of that name */
    CALIB_E_SIZE = -7,     /* more of something than the format allows */
    CALIB_E_GEOMETRY =
        -8 /* points that determine nothing (collinear, too few, behind the camera) */
};

/* A short sentence for one of the numbers above; never NULL. */
const char *calib_strerror(int error);

/* Where and why a text was refused, filled by the parsers.
 * `text` is one line without a newline, ready for "FILE:LINE: TEXT". */
struct calib_fault {
    char file[256]; /* name as the caller gave it */
    int line;       /* from 1; 0 where no line applies */
    char text[256];
};

/* Receives warnings (unknown keys and the like). `warn` may be NULL. */
struct calib_sink {
    void (*warn)(void *context, const struct calib_fault *fault);
    void *context;
};

#endif
