/* referee/loop_desk.c: the request sockets of a referee. Every request gets one answer; nobody is
 * waited for. */
#include "pubsub/rundir.h"
#include "referee/cmd_build.h"
#include "referee/loop_keys.h"
#include "referee/loop_service.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many are answered in a row before the eyes are heard again. */
#define TURN_MOST 16
#define ADDRESS_SIZE 160

static bool sockets_open(struct service *service)
{
    struct desk *desk = &service->desk;
    struct wire_fault fault = {.text = ""};
    char address[ADDRESS_SIZE];

    if (pubsub_rundir_address(service->asked->rundir, "requests", address, sizeof address) != 0 ||
        pubsub_wire_bind(service->wire, WIRE_REP, address, &desk->near, &fault) != 0) {
        cmd_error("%s: %s", service->asked->rundir,
                  fault.text[0] ? fault.text : N_("a full path of a folder is needed"));
        return false;
    }
    if (service->asked->requests &&
        pubsub_wire_bind_keys(service->wire, WIRE_REP, service->asked->requests, service->keys,
                              &desk->far, &fault) != 0) {
        cmd_error("--requests %s", fault.text);
        return false;
    }
    return true;
}

bool loop_desk_open(struct service *service)
{
    struct desk *desk = &service->desk;

    desk->acts.per_s = REQUEST_ACTS_PER_S;
    desk->questions.per_s = REQUEST_QUESTIONS_PER_S;
    desk->room = malloc(REQUEST_SIZE_MAX + 1);
    desk->memory = pubsub_memory_create();
    if (!desk->room || !desk->memory) {
        cmd_error("out of memory");
        return false;
    }
    cmd_build_find(desk->build);
    return loop_keys_load(service->asked->rundir, &service->asked->game->setup.setup,
                          &desk->keys) &&
           sockets_open(service);
}

void loop_desk_close(struct service *service)
{
    struct desk *desk = &service->desk;

    pubsub_wire_close(&desk->near);
    pubsub_wire_close(&desk->far);
    pubsub_memory_destroy(&desk->memory);
    sodium_memzero(&desk->keys, sizeof desk->keys);
    free(desk->room);
    desk->room = NULL;
}

/* ---- who may ---- */

static int maker_seat(const struct service *service)
{
    const struct match_state *state = referee_record_state(service->record);
    int maker = state->ramp.maker;

    if (state->game != GAME_MAKE5 || maker < 0 || maker >= state->players)
        return ACCESS_NOBODY;
    return state->player[maker].seat;
}

static bool key_allows(const struct service *service, const struct request *request,
                       struct reply *reply)
{
    enum request_right right = pubsub_request_right(request->what);
    int whose = pubsub_access_whose(&service->desk.keys, request->key);
    int64_t seat = pubsub_request_whole(request, "seat", 0);

    if (right == REQUEST_ANYBODY || whose == ACCESS_OPERATOR)
        return true;
    if (right == REQUEST_OPERATOR || whose == ACCESS_NOBODY)
        loop_reply_refuse(reply, REQUEST_E_BAD_KEY, "this needs %s key",
                          right == REQUEST_OPERATOR ? N_("the operator's")
                          : right == REQUEST_MAKER  ? N_("MAKER's or the operator's")
                                                    : N_("that seat's or the operator's"));
    else if (whose != (right == REQUEST_MAKER ? maker_seat(service) : seat))
        loop_reply_refuse(reply, REQUEST_E_BAD_KEY, "this key is seat %d's", whose);
    return reply->error == REQUEST_OK;
}

/* What comes without a key that allows it does not use up what is left for acts. */
static bool rate_allows(struct service *service, bool act, struct reply *reply)
{
    struct desk *desk = &service->desk;
    struct request_bucket *bucket = act ? &desk->acts : &desk->questions;

    if (pubsub_bucket_take(bucket, 1, loop_now_ns()))
        return true;
    loop_reply_refuse(reply, REQUEST_E_TOO_MANY, "more than are answered; ask again in a second");
    return false;
}

static bool epoch_fits(const struct service *service, const struct request *request,
                       struct reply *reply)
{
    int64_t epoch = loop_epoch(service);

    /* Whoever winds a replay makes epochs faster than pages hear of them, and changes no match. */
    if (request->epoch == 0 || request->epoch == epoch || service->replay)
        return true;
    loop_reply_refuse(reply, REQUEST_E_RESTARTED,
                      "the match was taken up again since, for epoch %lld; look what stands first",
                      (long long)epoch);
    return false;
}

/* ---- answers ---- */

static void answer_send(struct wire_socket *socket, const char *text, size_t length)
{
    pubsub_wire_send(socket, NULL, text, length, 0);
}

/* Sends the reply; the text of it is the caller's to free. */
static char *reply_send(struct wire_socket *socket, const struct request *request,
                        const struct reply *reply, size_t *length)
{
    const char *members = reply->members.bytes ? reply->members.bytes : "";
    char *text = NULL;
    int error;

    if (reply->members.failed)
        error = pubsub_answer_refuse(request->id, REQUEST_E_NOT_READY, "out of memory", "", &text,
                                     length);
    else if (reply->error == REQUEST_OK)
        error = pubsub_answer_make(request->id, members, &text, length);
    else
        error =
            pubsub_answer_refuse(request->id, reply->error, reply->text, members, &text, length);
    if (error != PUBSUB_OK)
        answer_send(socket, "{}", 2);
    else
        answer_send(socket, text, *length);
    return text;
}

/* An act: its answer is remembered, but for those that say that it was not tried. */
static void act_serve(struct service *service, struct wire_socket *socket,
                      const struct request *request, struct reply *reply)
{
    const char *before = NULL;
    size_t length = 0;

    switch (pubsub_memory_find(service->desk.memory, request, &before, &length)) {
    case REQUEST_AGAIN:
        answer_send(socket, before, length);
        return;
    case REQUEST_OTHER:
        loop_reply_refuse(reply, REQUEST_E_BAD_REQUEST,
                          "this \"id\" stands for another act; give each its own");
        break;
    case REQUEST_NEW:
        if (epoch_fits(service, request, reply))
            loop_act(service, request, reply);
    }
    char *text = reply_send(socket, request, reply, &length);
    if (text && (reply->error == REQUEST_OK || reply->error == REQUEST_E_REFUSED))
        pubsub_memory_keep(service->desk.memory, request, text, length);
    free(text);
}

static void request_serve(struct service *service, struct wire_socket *socket,
                          const struct request *request, struct reply *reply)
{
    bool act = reply->error == REQUEST_OK &&
               pubsub_request_sort(request->what) != REQUEST_QUESTION &&
               key_allows(service, request, reply);
    size_t length = 0;

    if (rate_allows(service, act, reply) && act) {
        act_serve(service, socket, request, reply);
        return;
    }
    if (reply->error == REQUEST_OK && key_allows(service, request, reply))
        loop_answer(service, request, reply);
    free(reply_send(socket, request, reply, &length));
    pubsub_bucket_owe(&service->desk.questions, length / REQUEST_ANSWER_PART);
}

/* False when nothing waits. */
static bool socket_serve(struct service *service, struct wire_socket *socket)
{
    struct desk *desk = &service->desk;
    struct reply reply = {.error = REQUEST_OK};
    struct request request = {.id = ""};
    struct wire_fault fault = {.text = ""};
    int64_t length = pubsub_wire_receive(socket, NULL, desk->room, REQUEST_SIZE_MAX + 1, 0);

    if (length < 0 && length != PUBSUB_E_SIZE)
        return false;
    if (length < 0)
        loop_reply_refuse(&reply, REQUEST_E_TOO_LARGE, "more than %d bytes, or not one part",
                          (int)REQUEST_SIZE_MAX);
    else if ((reply.error = pubsub_request_parse(desk->room, (size_t)length, &request, &fault)) !=
             REQUEST_OK)
        loop_reply_refuse(&reply, reply.error, "%s", fault.text);
    vision_json_init(&reply.members);
    request_serve(service, socket, &request, &reply);
    vision_json_free(&reply.members);
    pubsub_request_free(&request);
    return true;
}

void loop_desk_serve(struct service *service)
{
    for (int i = 0; i < TURN_MOST; i++)
        if (!socket_serve(service, service->desk.near))
            break;
    for (int i = 0; i < TURN_MOST && service->desk.far; i++)
        if (!socket_serve(service, service->desk.far))
            break;
}
