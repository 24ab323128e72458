/* referee/error.c: sentences for the errors of a match's record. */
#include "referee/error.h"

const char *referee_strerror(int error)
{
    switch ((enum referee_error)error) {
    case REFEREE_OK:
        return "no error";
    case REFEREE_E_ARGUMENT:
        return "a function was called against its contract";
    case REFEREE_E_MEMORY:
        return "out of memory";
    case REFEREE_E_OPEN:
        return "the file cannot be opened";
    case REFEREE_E_WRITE:
        return "the journal cannot be written";
    case REFEREE_E_SYNTAX:
        return "not a line of a journal";
    case REFEREE_E_CHAIN:
        return "the chain is broken";
    case REFEREE_E_LOCKED:
        return "another process writes this journal";
    case REFEREE_E_UNKNOWN:
        return "there is nothing of that number to take back";
    case REFEREE_E_DIFFERS:
        return "judged again, it comes out otherwise";
    case REFEREE_E_VERSION:
        return "recorded under other rules";
    }
    return error > 0 ? "no error" : "unknown error";
}
