/* pubsub/access.c: the keys of a run. */
#include "pubsub/access.h"

#include "calib/mark.h"

#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

static int fail(struct wire_fault *fault, const char *text)
{
    if (fault)
        snprintf(fault->text, sizeof fault->text, "%s", text);
    return PUBSUB_E_ARGUMENT;
}

static bool key_fits(const char *key)
{
    return strnlen(key, ACCESS_KEY_DIGITS + 1) == ACCESS_KEY_DIGITS &&
           strspn(key, "0123456789abcdef") == ACCESS_KEY_DIGITS;
}

static bool key_read(const json_t *value, char out[ACCESS_KEY_DIGITS + 1])
{
    const char *key = json_string_value(value);

    if (!key || json_string_length(value) != ACCESS_KEY_DIGITS || !key_fits(key))
        return false;
    memcpy(out, key, ACCESS_KEY_DIGITS + 1);
    return true;
}

static int seats_read(const json_t *seats, struct access_keys *out, struct wire_fault *fault)
{
    size_t count = json_array_size(seats);

    if (!json_is_array(seats) || count > ACCESS_SEATS_MAX)
        return fail(fault, N_("\"seats\" is no list of at most 8 seats"));
    for (size_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(seats, i);
        json_int_t seat = json_integer_value(json_object_get(item, "seat"));
        if (seat < 1 || seat > 99 || pubsub_access_seat(out, (int)seat))
            return fail(fault, N_("a seat without a number of its own from 1 to 99"));
        if (!key_read(json_object_get(item, "key"), out->seat[out->seats].key))
            return fail(fault, N_("a seat's key that is not 32 hexadecimal digits"));
        out->seat[out->seats++].seat = (int)seat;
    }
    return PUBSUB_OK;
}

int pubsub_access_parse(const char *bytes, size_t length, struct access_keys *out,
                        struct wire_fault *fault)
{
    memset(out, 0, sizeof *out);
    if (length >= ACCESS_TEXT_MAX)
        return fail(fault, N_("longer than keys are"));
    json_t *root = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, NULL);
    int error = PUBSUB_OK;
    if (!json_is_object(root))
        error = fail(fault, "no JSON object");
    else if (!key_read(json_object_get(root, "operator"), out->operator_key))
        error = fail(fault, N_("\"operator\" is not 32 hexadecimal digits"));
    else
        error = seats_read(json_object_get(root, "seats"), out, fault);
    json_decref(root);
    if (error != PUBSUB_OK)
        memset(out, 0, sizeof *out);
    return error;
}

int pubsub_access_print(const struct access_keys *keys, char out[ACCESS_TEXT_MAX])
{
    int at = snprintf(out, ACCESS_TEXT_MAX, "{\"operator\":\"%s\",\"seats\":[", keys->operator_key);
    bool fit = key_fits(keys->operator_key) && keys->seats >= 0 && keys->seats <= ACCESS_SEATS_MAX;

    for (int i = 0; fit && i < keys->seats; i++) {
        fit = key_fits(keys->seat[i].key) && keys->seat[i].seat > 0 && keys->seat[i].seat < 100;
        if (fit)
            at += snprintf(out + at, ACCESS_TEXT_MAX - (size_t)at, "%s{\"seat\":%d,\"key\":\"%s\"}",
                           i ? "," : "", keys->seat[i].seat, keys->seat[i].key);
    }
    if (!fit)
        return PUBSUB_E_ARGUMENT;
    snprintf(out + at, ACCESS_TEXT_MAX - (size_t)at, "]}\n");
    return PUBSUB_OK;
}

/* Every key is looked at, whether or not one was found. */
int pubsub_access_whose(const struct access_keys *keys, const char *key)
{
    int whose = ACCESS_NOBODY;

    if (!key || !key_fits(key))
        return ACCESS_NOBODY;
    for (int i = 0; i < keys->seats && i < ACCESS_SEATS_MAX; i++)
        if (sodium_memcmp(keys->seat[i].key, key, ACCESS_KEY_DIGITS) == 0)
            whose = keys->seat[i].seat;
    if (sodium_memcmp(keys->operator_key, key, ACCESS_KEY_DIGITS) == 0)
        whose = ACCESS_OPERATOR;
    return whose;
}

const char *pubsub_access_seat(const struct access_keys *keys, int seat)
{
    for (int i = 0; i < keys->seats && i < ACCESS_SEATS_MAX; i++)
        if (keys->seat[i].seat == seat)
            return keys->seat[i].key;
    return NULL;
}
