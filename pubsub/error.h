/* pubsub/error.h: what can go wrong on the wire.
 *
 * Every function of this room that can fail returns 0 (or a count) on success and one of these
 * negative numbers otherwise, with a struct wire_fault that says it in a line. */
#ifndef PUBSUB_ERROR_H
#define PUBSUB_ERROR_H

enum pubsub_error {
    PUBSUB_OK = 0,
    PUBSUB_E_ARGUMENT = -1, /* a caller broke the contract of the header */
    PUBSUB_E_MEMORY = -2,   /* no memory */
    PUBSUB_E_ADDRESS = -3,  /* an address that cannot be used, or may not be without keys */
    PUBSUB_E_IN_USE = -4,   /* another process holds it */
    PUBSUB_E_SYSTEM = -5,   /* the system said no: the fault has its words */
    PUBSUB_E_AGAIN = -6,    /* nothing came, or nothing could be sent, in the time given */
    PUBSUB_E_SIZE = -7,     /* a message larger than is taken; it was dropped */
    PUBSUB_E_ENDED = -8     /* the wire was closed */
};

/* A short sentence for one of these; never NULL. */
const char *pubsub_strerror(int error);

/* One line for people. */
struct wire_fault {
    char text[256];
};

#endif
