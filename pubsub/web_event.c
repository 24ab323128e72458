/* pubsub/web_event.c: server-sent events. */
#include "pubsub/web_event.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD_MAX 128

static const char field[] = "data: ", late_member[] = "{\"late\":true,";

static size_t lines_count(const char *data)
{
    size_t lines = 1;

    for (; *data; data++)
        lines += *data == '\n' || *data == '\r';
    return lines;
}

/* A line ends at CR, LF or both; each begins with the field's name. */
static char *data_write(char *to, const char *data)
{
    while (*data) {
        if (*data != '\n' && *data != '\r') {
            *to++ = *data++;
            continue;
        }
        data += data[0] == '\r' && data[1] == '\n' ? 2 : 1;
        *to++ = '\n';
        memcpy(to, field, sizeof field - 1);
        to += sizeof field - 1;
    }
    return to;
}

struct web_event *pubsub_web_event_make(const char *name, const char *data, bool late,
                                        int64_t epoch, uint64_t number)
{
    char head[HEAD_MAX];
    int head_length = snprintf(head, sizeof head, "id: %" PRId64 "-%" PRIu64 "\nevent: %s\n%s",
                               epoch, number, name, field);

    if (head_length < 0 || head_length >= (int)sizeof head)
        return NULL;
    size_t most = (size_t)head_length + sizeof late_member + strlen(data) +
                  lines_count(data) * sizeof field + 3;
    struct web_event *event = malloc(sizeof *event + most);
    if (!event)
        return NULL;
    *event = (struct web_event){.holders = 1, .number = number};
    char *to = event->bytes;
    memcpy(to, head, (size_t)head_length);
    to += head_length;
    if (late) {
        /* An object without members has no comma before its end. */
        bool empty = data[1 + strspn(data + 1, " \t\r\n")] == '}';
        size_t length = sizeof late_member - 1 - empty;
        memcpy(to, late_member, length);
        to += length;
        data++;
    }
    to = data_write(to, data);
    *to++ = '\n';
    *to++ = '\n';
    *to = 0;
    event->length = (size_t)(to - event->bytes);
    return event;
}

struct web_event *pubsub_web_event_hold(struct web_event *event)
{
    event->holders++;
    return event;
}

void pubsub_web_event_drop(struct web_event **event)
{
    if (*event && --(*event)->holders == 0)
        free(*event);
    *event = NULL;
}
