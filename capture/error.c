/* capture/error.c: error numbers as words. */
#include "capture/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "capture/fault.h"

const char *capture_strerror(int error)
{
    switch (error) {
    case CAPTURE_OK:
        return "no error";
    case CAPTURE_E_ARGUMENT:
        return "wrong argument";
    case CAPTURE_E_MEMORY:
        return "not enough memory";
    case CAPTURE_E_OPEN:
        return "the file cannot be read";
    case CAPTURE_E_EMPTY:
        return "the picture is empty";
    case CAPTURE_E_FORMAT:
        return "neither a JPEG nor a PNG picture";
    case CAPTURE_E_HEADER:
        return "the picture has no usable header";
    case CAPTURE_E_SIZE:
        return "the picture is too large";
    case CAPTURE_E_DAMAGED:
        return "the picture is damaged";
    case CAPTURE_E_UNSUPPORTED:
        return "this kind of picture is not supported";
    case CAPTURE_E_DECODER:
        return "the picture cannot be decoded";
    default:
        return "unknown error";
    }
}

int capture_fail(struct capture_fault *fault, int error, const char *format, ...)
{
    va_list list;

    if (!fault)
        return error;
    va_start(list, format);
    if (vsnprintf(fault->text, sizeof fault->text, format, list) < 0)
        fault->text[0] = '\0';
    va_end(list);
    return error;
}
