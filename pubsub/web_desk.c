/* pubsub/web_desk.c: errands between two threads. */
#include "pubsub/web_desk.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS_PER_S 1000000000
#define NS_PER_MS 1000000

struct web_desk {
    pthread_mutex_t lock;
    pthread_cond_t come;
    struct web_errand *first, *last;
    int count;
    bool closed;
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* On the clock that nobody sets. */
static bool condition_make(pthread_cond_t *condition)
{
    pthread_condattr_t how;

    if (pthread_condattr_init(&how) != 0)
        return false;
    bool made = pthread_condattr_setclock(&how, CLOCK_MONOTONIC) == 0 &&
                pthread_cond_init(condition, &how) == 0;
    pthread_condattr_destroy(&how);
    return made;
}

struct web_desk *pubsub_web_desk_create(void)
{
    struct web_desk *desk = calloc(1, sizeof *desk);

    if (!desk)
        return NULL;
    if (pthread_mutex_init(&desk->lock, NULL) != 0) {
        free(desk);
        return NULL;
    }
    if (!condition_make(&desk->come)) {
        pthread_mutex_destroy(&desk->lock);
        free(desk);
        return NULL;
    }
    return desk;
}

void pubsub_web_desk_destroy(struct web_desk **desk)
{
    if (!desk || !*desk)
        return;
    pubsub_web_desk_close(*desk);
    pthread_cond_destroy(&(*desk)->come);
    pthread_mutex_destroy(&(*desk)->lock);
    free(*desk);
    *desk = NULL;
}

bool pubsub_web_desk_put(struct web_desk *desk, struct web_errand *errand)
{
    pthread_mutex_lock(&desk->lock);
    bool taken = !desk->closed && desk->count < WEB_DESK_MAX;
    if (taken) {
        errand->put_ns = now_ns();
        errand->next = NULL;
        if (desk->last)
            desk->last->next = errand;
        else
            desk->first = errand;
        desk->last = errand;
        desk->count++;
        pthread_cond_signal(&desk->come);
    }
    pthread_mutex_unlock(&desk->lock);
    return taken;
}

struct web_errand *pubsub_web_desk_take(struct web_desk *desk, int timeout_ms)
{
    int64_t until_ns = now_ns() + (int64_t)timeout_ms * NS_PER_MS;
    const struct timespec until = {.tv_sec = (time_t)(until_ns / NS_PER_S),
                                   .tv_nsec = (long)(until_ns % NS_PER_S)};

    pthread_mutex_lock(&desk->lock);
    while (!desk->first && !desk->closed)
        if (pthread_cond_timedwait(&desk->come, &desk->lock, &until) != 0)
            break;
    struct web_errand *errand = desk->first;
    if (errand) {
        desk->first = errand->next;
        desk->count--;
        if (!desk->first)
            desk->last = NULL;
    }
    pthread_mutex_unlock(&desk->lock);
    return errand;
}

void pubsub_web_errand_finish(struct web_errand *errand)
{
    errand->done = true;
    errand->wake(errand->context);
}

bool pubsub_web_errand_late(const struct web_errand *errand, int most_ms)
{
    return now_ns() - errand->put_ns > (int64_t)most_ms * NS_PER_MS;
}

void pubsub_web_errand_clear(struct web_errand *errand)
{
    free(errand->request);
    free(errand->answer);
    free(errand->picture);
    memset(errand, 0, sizeof *errand);
}

void pubsub_web_desk_close(struct web_desk *desk)
{
    pthread_mutex_lock(&desk->lock);
    struct web_errand *errand = desk->first;
    desk->first = desk->last = NULL;
    desk->count = 0;
    desk->closed = true;
    pthread_cond_broadcast(&desk->come);
    pthread_mutex_unlock(&desk->lock);
    while (errand) {
        struct web_errand *next = errand->next;
        pubsub_web_errand_finish(errand);
        errand = next;
    }
}
