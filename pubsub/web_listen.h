/* pubsub/web_listen.h: the web server's address, as the system knows it. */
#ifndef PUBSUB_WEB_LISTEN_H
#define PUBSUB_WEB_LISTEN_H

#include "pubsub/error.h"
#include "pubsub/web_site.h"

struct sockaddr;

/* Listens there without waiting, and fills in the port that was got for port 0. The socket, which
 * the caller closes; PUBSUB_E_IN_USE, PUBSUB_E_ADDRESS (this machine has no such address, or it is
 * not for everybody), PUBSUB_E_SYSTEM with `fault` that begins with the address. */
int pubsub_web_listen(struct web_address *address, struct wire_fault *fault);

/* An IPv4 or IPv6 address of the system's; false for another. */
bool pubsub_web_address_from(const struct sockaddr *from, struct web_address *out);

#endif
