/* Errands between two threads: in their order, bounded, and given back at the end. */
#include "pubsub/web_desk.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void wake_count(void *context)
{
    ++*(int *)context;
}

static void errands_should_be_taken_in_their_order(void **state)
{
    struct web_desk *desk = pubsub_web_desk_create();
    struct web_errand errand[3] = {{.next = NULL}};
    (void)state;
    assert_non_null(desk);
    assert_null(pubsub_web_desk_take(desk, 0));
    assert_null(pubsub_web_desk_take(desk, 20));
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 3; i++)
            assert_true(pubsub_web_desk_put(desk, &errand[i]));
        for (int i = 0; i < 3; i++)
            assert_ptr_equal(pubsub_web_desk_take(desk, 0), &errand[i]);
        assert_null(pubsub_web_desk_take(desk, 0));
    }
    pubsub_web_desk_destroy(&desk);
    assert_null(desk);
}

static void only_so_many_should_wait(void **state)
{
    struct web_desk *desk = pubsub_web_desk_create();
    struct web_errand errand[WEB_DESK_MAX + 1] = {{.next = NULL}};
    int woken = 0;
    (void)state;
    for (int i = 0; i <= WEB_DESK_MAX; i++) {
        errand[i].wake = wake_count;
        errand[i].context = &woken;
        assert_true(pubsub_web_desk_put(desk, &errand[i]) == (i < WEB_DESK_MAX));
    }
    assert_ptr_equal(pubsub_web_desk_take(desk, 0), &errand[0]);
    assert_true(pubsub_web_desk_put(desk, &errand[WEB_DESK_MAX]));
    pubsub_web_desk_close(desk);
    assert_int_equal(woken, WEB_DESK_MAX);
    assert_true(errand[1].done);
    assert_false(errand[0].done); /* who took it finishes it */
    assert_false(pubsub_web_desk_put(desk, &errand[1]));
    assert_null(pubsub_web_desk_take(desk, 1000));
    pubsub_web_desk_destroy(&desk);
}

static void an_errand_should_know_how_long_it_waited(void **state)
{
    struct web_desk *desk = pubsub_web_desk_create();
    struct web_errand errand = {.next = NULL};
    (void)state;
    assert_true(pubsub_web_desk_put(desk, &errand));
    assert_false(pubsub_web_errand_late(&errand, 60000));
    usleep(2000);
    assert_true(pubsub_web_errand_late(&errand, 1));
    assert_ptr_equal(pubsub_web_desk_take(desk, 0), &errand);
    errand.request = strdup("x");
    errand.answer = strdup("y");
    errand.picture = malloc(1);
    pubsub_web_errand_clear(&errand);
    assert_null(errand.answer);
    pubsub_web_desk_destroy(&desk);
}

static void *desk_take(void *desk)
{
    return pubsub_web_desk_take(desk, 20000);
}

static void who_waits_should_be_woken(void **state)
{
    struct web_desk *desk = pubsub_web_desk_create();
    struct web_errand errand = {.next = NULL};
    pthread_t thread;
    void *got = NULL;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, desk_take, desk), 0);
    assert_true(pubsub_web_desk_put(desk, &errand));
    pthread_join(thread, &got);
    assert_ptr_equal(got, &errand);
    assert_int_equal(pthread_create(&thread, NULL, desk_take, desk), 0);
    pubsub_web_desk_close(desk);
    pthread_join(thread, &got);
    assert_null(got);
    pubsub_web_desk_destroy(&desk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errands_should_be_taken_in_their_order),
        cmocka_unit_test(only_so_many_should_wait),
        cmocka_unit_test(an_errand_should_know_how_long_it_waited),
        cmocka_unit_test(who_waits_should_be_woken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
