/* referee/error.h: what can go wrong with a match's record. The rules themselves never fail. */
#ifndef REFEREE_ERROR_H
#define REFEREE_ERROR_H

enum referee_error {
    REFEREE_OK = 0,
    REFEREE_E_ARGUMENT = -1, /* a caller broke the contract of the header */
    REFEREE_E_MEMORY = -2,   /* no memory */
    REFEREE_E_OPEN = -3,     /* a file cannot be opened, read or made */
    REFEREE_E_WRITE = -4,    /* a journal could not be written or synced: nothing of it counts */
    REFEREE_E_SYNTAX = -5,   /* a line is not of the format */
    REFEREE_E_CHAIN = -6,    /* a line does not follow the one before it: it was changed or lost */
    REFEREE_E_LOCKED = -7,   /* another process writes this journal */
    REFEREE_E_UNKNOWN = -8,  /* there is no such event or decision to take back */
    REFEREE_E_DIFFERS = -9,  /* judged again, a recorded decision comes out otherwise */
    REFEREE_E_VERSION = -10  /* recorded under other rules than this program's */
};

/* A short sentence for one of these; never NULL. */
const char *referee_strerror(int error);

#endif
