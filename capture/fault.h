/* capture/fault.h: filling a struct capture_fault; for the files of this room. */
#ifndef CAPTURE_FAULT_H
#define CAPTURE_FAULT_H

#include "capture/error.h"

/* Writes the line to `fault` (NULL: nowhere), cut to its room, and returns `error`. */
int capture_fail(struct capture_fault *fault, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
