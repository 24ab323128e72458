/* referee/cmd_listen.c: where the scoreboard's pages are to be had. */
#include "referee/cmd_listen.h"

#include "pubsub/web_listen.h"

#include <unistd.h>

bool cmd_listen_check(const struct cmd_verb *verb, const char *text)
{
    struct wire_fault fault = {.text = ""};
    struct web_address address;

    if (!pubsub_web_address_parse(text, &address)) {
        cmd_error("%s: --listen %s: like 127.0.0.1:8080 or [::1]:8080 is needed", verb->name, text);
        return false;
    }
    int file = pubsub_web_listen(&address, &fault);
    if (file < 0) {
        cmd_error("%s: --listen %s", verb->name, fault.text);
        return false;
    }
    close(file);
    return true;
}
