/* capture/exif.h: which way up a picture is. */
#ifndef CAPTURE_EXIF_H
#define CAPTURE_EXIF_H

#include <stddef.h>
#include <stdint.h>

/* The orientation 1..8 that a TIFF block (EXIF without the "Exif\0\0" before it) gives in its
 * first directory. 1 if it gives none or is broken. Never reads outside bytes[0..length). */
int capture_exif_orientation(const uint8_t *bytes, size_t length);

#endif
