/* pubsub/error.c: sentences for the errors of the wire. */
#include "pubsub/error.h"

const char *pubsub_strerror(int error)
{
    switch ((enum pubsub_error)error) {
    case PUBSUB_OK:
        return "no error";
    case PUBSUB_E_ARGUMENT:
        return "a function was called against its contract";
    case PUBSUB_E_MEMORY:
        return "out of memory";
    case PUBSUB_E_ADDRESS:
        return "this address cannot be used";
    case PUBSUB_E_IN_USE:
        return "another process holds this address";
    case PUBSUB_E_SYSTEM:
        return "the system refused";
    case PUBSUB_E_AGAIN:
        return "nothing in the time given";
    case PUBSUB_E_SIZE:
        return "a message larger than is taken";
    case PUBSUB_E_ENDED:
        return "the wire was closed";
    }
    return error > 0 ? "no error" : "unknown error";
}
