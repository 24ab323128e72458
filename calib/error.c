#include "calib/error.h"

const char *calib_strerror(int error)
{
    switch ((enum calib_error)error) {
    case CALIB_OK:
        return "no error";
    case CALIB_E_ARGUMENT:
        return "a function was called against its contract";
    case CALIB_E_MEMORY:
        return "out of memory";
    case CALIB_E_OPEN:
        return "the file cannot be read";
    case CALIB_E_SYNTAX:
        return "not JSON, or not of the format wanted";
    case CALIB_E_VALUE:
        return "a value is missing, of the wrong kind or out of bounds";
    case CALIB_E_UNKNOWN:
        return "nothing built in has that name";
    case CALIB_E_SIZE:
        return "more than the format allows";
    case CALIB_E_GEOMETRY:
        return "these points determine nothing";
    }
    return error > 0 ? "no error" : "unknown error";
}
