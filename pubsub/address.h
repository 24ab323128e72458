/* pubsub/address.h: addresses of the wire, taken apart with no room for surprises. No I/O.
 *
 * libzmq knows more forms than these (a source address before a semicolon, abstract sockets, other
 * transports); whatever has another form is refused, so that what looks local is local. */
#ifndef PUBSUB_ADDRESS_H
#define PUBSUB_ADDRESS_H

#include "pubsub/error.h"

#include <stdbool.h>

#define ADDRESS_MAX 160 /* of the whole, with its 0 */

enum address_reach {
    ADDRESS_FILE, /* ipc:///path */
    ADDRESS_HERE, /* tcp on 127.0.0.1, [::1] or localhost */
    ADDRESS_FAR   /* tcp that other machines may reach, or on another machine */
};

struct address {
    enum address_reach reach;
    char host[ADDRESS_MAX]; /* without brackets; "*": all of this machine's; a path for ADDRESS_FILE
                             */
    bool six;               /* it was in brackets: IPv6 */
    int port;               /* 0: any, when binding */
};

/* ipc:///path of at most 107 bytes; tcp://HOST:PORT with a name, an address, or an IPv6 address in
 * brackets. When binding, HOST may be * or a network interface's name, PORT may be * or 0.
 * PUBSUB_E_ADDRESS with `fault`. */
int pubsub_address_parse(const char *text, bool binding, struct address *out,
                         struct wire_fault *fault);

/* These ask the system (address_look.c). Does somebody listen there on this machine? */
bool pubsub_address_loopback_answers(bool six, int port);
/* Has that name only IPv6 addresses? libzmq tries but one family. May take as long as names take.
 */
bool pubsub_address_name_is_six(const char *host);

#endif
