/* referee/loop_answers.c: what a referee answers to questions. */
#include "referee/loop_service.h"

/* An answer is at most a message of the wire's size; the state and the layouts need little of it.
 */
#define DECISIONS_SIZE_MAX ((size_t)3 << 20)
#define DECISIONS_MOST 1000
#define HISTORY_MOST 500
#define HISTORY_USUAL 100

static void hello_answer(struct service *service, struct json_text *out)
{
    loop_publish_names(service->publisher, out);
    vision_json_string(out, "program", TABLEREF_VERSION);
    vision_json_string(out, "build", service->desk.build);
    vision_json_bool(out, "recording", service->asked->recorded);
    vision_json_bool(out, "live", service->live);
    vision_json_bool(out, "replay", service->replay != NULL);
    loop_publish_addresses(service->publisher, out);
}

static void time_answer(struct service *service, struct reply *reply)
{
    if (service->replay) {
        loop_reply_refuse(reply, REQUEST_E_REPLAY,
                          "a replay has no time to go by: look at its state");
        return;
    }
    if (!service->greeted) {
        loop_reply_refuse(reply, REQUEST_E_NOT_READY, "the eyes have not begun");
        return;
    }
    /* Until then it stands still, and would mislead who reckons with it. */
    if (service->known > 0) {
        loop_reply_refuse(reply, REQUEST_E_NOT_READY,
                          "the recording is not yet where the match's record ends");
        return;
    }
    vision_json_int(&reply->members, "t_ns", loop_match_ns(service));
    vision_json_int(&reply->members, "epoch", loop_epoch(service));
}

static void snapshot_answer(struct service *service, struct json_text *out)
{
    const struct told_range newest = {
        .most = DECISIONS_MOST, .most_size = DECISIONS_SIZE_MAX, .newest = true};

    loop_publish_names(service->publisher, out);
    loop_publish_snapshot(service->publisher, out);
    loop_publish_state_members(service->publisher, referee_record_state(service->record),
                               loop_match_ns(service), out);
    loop_told_decisions(service->told, &newest, out);
}

/* "from" and "most" of a request, within bounds. */
static struct told_range range_take(const struct request *request, int64_t usual, int64_t most)
{
    int64_t from = pubsub_request_whole(request, "from", 0);
    int64_t wanted = pubsub_request_whole(request, "most", usual);

    if (from < 0)
        from = 0;
    if (wanted < 0)
        wanted = 0;
    if (wanted > most)
        wanted = most;
    return (struct told_range){
        .from = (uint64_t)from, .most = (size_t)wanted, .most_size = DECISIONS_SIZE_MAX};
}

static void keys_answer(struct service *service, struct json_text *out)
{
    const struct access_keys *keys = &service->desk.keys;

    vision_json_open(out, "seats", '[');
    for (int i = 0; i < keys->seats; i++) {
        vision_json_open(out, NULL, '{');
        vision_json_int(out, "seat", keys->seat[i].seat);
        vision_json_string(out, "key", keys->seat[i].key);
        vision_json_close(out, '}');
    }
    vision_json_close(out, ']');
}

void loop_answer(struct service *service, const struct request *request, struct reply *reply)
{
    struct told_range range;

    switch (request->what) {
    case REQUEST_HELLO:
        hello_answer(service, &reply->members);
        break;
    case REQUEST_TIME:
        time_answer(service, reply);
        break;
    case REQUEST_SNAPSHOT:
        snapshot_answer(service, &reply->members);
        break;
    case REQUEST_DECISIONS:
        range = range_take(request, DECISIONS_MOST, DECISIONS_MOST);
        loop_told_decisions(service->told, &range, &reply->members);
        break;
    case REQUEST_KEYS:
        keys_answer(service, &reply->members);
        break;
    case REQUEST_HISTORY:
        range = range_take(request, HISTORY_USUAL, HISTORY_MOST);
        loop_told_history(service->told, service->record, &range, &reply->members);
        break;
    default:
        loop_reply_refuse(reply, REQUEST_E_BAD_REQUEST, "this is no question");
    }
}
