/* pubsub/keys_tls.c: a certificate that a table's pages sign for themselves. */
#include "pubsub/keys.h"
#include "pubsub/keys_file.h"
#include "pubsub/message.h"

#include <arpa/inet.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define DAY_S ((time_t)24 * 60 * 60)
/* Phones' clocks may be behind. */
#define BEFORE_S DAY_S
#define SERIAL_BYTES 16
#define PEM_MAX 16384
#define NAMES_MOST 64

/* What the certificate stands for. */
struct names {
    char *name[NAMES_MOST];
    int count;
};

static void names_free(struct names *names)
{
    for (int i = 0; i < names->count; i++)
        free(names->name[i]);
}

/* Letters, digits, '-' and '.'; with ':' only as an address. */
static bool name_fits(const char *name)
{
    struct in6_addr address;
    size_t length = strlen(name);

    if (inet_pton(AF_INET6, name, &address) == 1)
        return true;
    return length > 0 && length < 254 && name[0] != '-' && name[0] != '.' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.") ==
               length;
}

/* One that is there already, or for which there is no room, is passed over. */
static void name_add(struct names *names, const char *name)
{
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name) == 0)
            return;
    if (names->count == NAMES_MOST || !name_fits(name))
        return;
    names->name[names->count] = strdup(name);
    names->count += names->name[names->count] != NULL;
}

/* An address that another machine could call; a link's own would need the link's name. */
static void address_add(struct names *names, const struct sockaddr *address)
{
    const struct sockaddr_in *four = (const void *)address;
    const struct sockaddr_in6 *six = (const void *)address;
    char text[INET6_ADDRSTRLEN] = "";

    if (address->sa_family == AF_INET)
        inet_ntop(AF_INET, &four->sin_addr, text, sizeof text);
    else if (address->sa_family == AF_INET6 && !IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr))
        inet_ntop(AF_INET6, &six->sin6_addr, text, sizeof text);
    if (text[0])
        name_add(names, text);
}

static void names_gather(struct names *names, char *const *more, int count)
{
    char host[256] = "", local[264];
    struct ifaddrs *all = NULL;

    for (int i = 0; i < count; i++)
        name_add(names, more[i]);
    if (gethostname(host, sizeof host - 1) == 0 && host[0]) {
        name_add(names, host);
        snprintf(local, sizeof local, "%s.local", host);
        if (!strchr(host, '.'))
            name_add(names, local);
    }
    name_add(names, "localhost");
    name_add(names, "127.0.0.1");
    name_add(names, "::1");
    if (getifaddrs(&all) != 0)
        return;
    for (const struct ifaddrs *at = all; at; at = at->ifa_next)
        if (at->ifa_addr && (at->ifa_flags & IFF_UP))
            address_add(names, at->ifa_addr);
    freeifaddrs(all);
}

static int name_set(gnutls_x509_crt_t certificate, const char *name)
{
    unsigned char address[sizeof(struct in6_addr)];

    if (inet_pton(AF_INET, name, address) == 1)
        return gnutls_x509_crt_set_subject_alt_name(certificate, GNUTLS_SAN_IPADDRESS, address, 4,
                                                    GNUTLS_FSAN_APPEND);
    if (inet_pton(AF_INET6, name, address) == 1)
        return gnutls_x509_crt_set_subject_alt_name(certificate, GNUTLS_SAN_IPADDRESS, address, 16,
                                                    GNUTLS_FSAN_APPEND);
    return gnutls_x509_crt_set_subject_alt_name(certificate, GNUTLS_SAN_DNSNAME, name,
                                                (unsigned)strlen(name), GNUTLS_FSAN_APPEND);
}

/* Who it is, and for how long. */
static int identity_set(gnutls_x509_crt_t certificate, gnutls_x509_privkey_t key,
                        const struct names *names, time_t now, time_t until)
{
    unsigned char serial[SERIAL_BYTES];
    /* A subject's common name has at most 64 characters. */
    unsigned subject = (unsigned)strnlen(names->name[0], 64);
    int error = 0;

    randombytes_buf(serial, sizeof serial);
    serial[0] = (unsigned char)((serial[0] & 0x3f) | 0x40); /* positive, and of this length */
    error |= gnutls_x509_crt_set_version(certificate, 3);
    error |= gnutls_x509_crt_set_key(certificate, key);
    error |= gnutls_x509_crt_set_serial(certificate, serial, sizeof serial);
    error |= gnutls_x509_crt_set_activation_time(certificate, now - BEFORE_S);
    error |= gnutls_x509_crt_set_expiration_time(certificate, until);
    error |= gnutls_x509_crt_set_dn_by_oid(certificate, GNUTLS_OID_X520_COMMON_NAME, 0,
                                           names->name[0], subject);
    for (int i = 0; i < names->count; i++)
        error |= name_set(certificate, names->name[i]);
    return error;
}

/* What it may be used for. */
static int use_set(gnutls_x509_crt_t certificate)
{
    unsigned char id[64];
    size_t size = sizeof id;
    int error = 0;

    error |= gnutls_x509_crt_set_basic_constraints(certificate, 0, -1);
    error |= gnutls_x509_crt_set_key_usage(certificate, GNUTLS_KEY_DIGITAL_SIGNATURE);
    error |= gnutls_x509_crt_set_key_purpose_oid(certificate, GNUTLS_KP_TLS_WWW_SERVER, 0);
    error |= gnutls_x509_crt_get_key_id(certificate, GNUTLS_KEYID_USE_SHA1, id, &size);
    if (error == 0)
        error = gnutls_x509_crt_set_subject_key_id(certificate, id, size);
    return error;
}

static int digest_print(gnutls_x509_crt_t certificate, char *out, size_t size)
{
    unsigned char digest[32];
    size_t length = sizeof digest;
    int error = gnutls_x509_crt_get_fingerprint(certificate, GNUTLS_DIG_SHA256, digest, &length);

    out[0] = 0;
    for (size_t i = 0, used = 0; error == 0 && i < length && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%02X", i ? ":" : "", digest[i]);
    return error;
}

struct pem {
    char certificate[PEM_MAX], key[PEM_MAX];
    size_t certificate_length, key_length;
};

static int certificate_make(gnutls_x509_crt_t certificate, gnutls_x509_privkey_t key,
                            const struct names *names, struct keys_tls *out, struct pem *pem)
{
    time_t now = time(NULL);
    int error = gnutls_x509_privkey_generate(key, GNUTLS_PK_ECDSA,
                                             GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0);

    if (error == 0)
        error = identity_set(certificate, key, names, now, (time_t)out->until_s);
    if (error == 0)
        error = use_set(certificate);
    if (error == 0)
        error = gnutls_x509_crt_sign2(certificate, certificate, key, GNUTLS_DIG_SHA256, 0);
    pem->certificate_length = sizeof pem->certificate;
    pem->key_length = sizeof pem->key;
    if (error == 0)
        error = gnutls_x509_crt_export(certificate, GNUTLS_X509_FMT_PEM, pem->certificate,
                                       &pem->certificate_length);
    if (error == 0)
        error = gnutls_x509_privkey_export_pkcs8(key, GNUTLS_X509_FMT_PEM, NULL, GNUTLS_PKCS_PLAIN,
                                                 pem->key, &pem->key_length);
    if (error == 0)
        error = digest_print(certificate, out->digest, sizeof out->digest);
    return error;
}

static int pem_make(const struct names *names, struct keys_tls *out, struct pem *pem,
                    struct wire_fault *fault)
{
    gnutls_x509_crt_t certificate = NULL;
    gnutls_x509_privkey_t key = NULL;
    int error = gnutls_x509_crt_init(&certificate);

    if (error == 0)
        error = gnutls_x509_privkey_init(&key);
    if (error == 0)
        error = certificate_make(certificate, key, names, out, pem);
    if (key)
        gnutls_x509_privkey_deinit(key);
    if (certificate)
        gnutls_x509_crt_deinit(certificate);
    return error == 0 ? PUBSUB_OK
                      : pubsub_keys_fail(fault, PUBSUB_E_SYSTEM, "no certificate can be made: %s",
                                         gnutls_strerror(error));
}

static int paths_take(const char *folder, struct keys_tls *out, struct wire_fault *fault)
{
    int certificate = snprintf(out->certificate, sizeof out->certificate, "%s/tls.crt", folder);
    int key = snprintf(out->key, sizeof out->key, "%s/tls.key", folder);

    if (certificate < 0 || (size_t)certificate >= sizeof out->certificate || key < 0)
        return pubsub_keys_fail(fault, PUBSUB_E_ARGUMENT, "%.80s..: too long a path", folder);
    if (access(out->certificate, F_OK) == 0 || access(out->key, F_OK) == 0)
        return pubsub_keys_fail(fault, PUBSUB_E_IN_USE,
                                "%.150s: it is there already; take both files away for new ones",
                                out->certificate);
    return PUBSUB_OK;
}

static void names_print(const struct names *names, char *out, size_t size)
{
    out[0] = 0;
    for (int i = 0; i < names->count; i++) {
        size_t used = strlen(out);
        if (used + strlen(names->name[i]) + 2 > size)
            return;
        snprintf(out + used, size - used, "%s%s", i ? " " : "", names->name[i]);
    }
}

static int pem_write(const char *folder, const struct pem *pem, struct wire_fault *fault)
{
    int error = pubsub_keys_write(folder, "tls.key", 0600, pem->key, pem->key_length, fault);

    return error == PUBSUB_OK ? pubsub_keys_write(folder, "tls.crt", 0644, pem->certificate,
                                                  pem->certificate_length, fault)
                              : error;
}

static int names_check(char *const *more, int count, struct wire_fault *fault)
{
    for (int i = 0; i < count; i++)
        if (!name_fits(more[i]))
            return pubsub_keys_fail(fault, PUBSUB_E_ARGUMENT, "%.80s: no host's name or address",
                                    more[i]);
    return PUBSUB_OK;
}

int pubsub_keys_tls(const char *folder, char *const *more, int count, int days,
                    struct keys_tls *out, struct wire_fault *fault)
{
    struct names names = {.count = 0};
    int error =
        days > 0 && days <= KEYS_TLS_DAYS_MOST ? paths_take(folder, out, fault) : PUBSUB_E_ARGUMENT;

    if (error == PUBSUB_OK)
        error = names_check(more, count, fault);
    if (error == PUBSUB_OK)
        error = pubsub_keys_folder_make(folder, fault);
    if (error != PUBSUB_OK)
        return error;
    out->until_s = (int64_t)time(NULL) + days * (int64_t)DAY_S;
    names_gather(&names, more, count);
    names_print(&names, out->names, sizeof out->names);
    struct pem *pem = calloc(1, sizeof *pem);
    if (pem && names.count > 0 && sodium_init() >= 0) {
        error = pem_make(&names, out, pem, fault);
        if (error == PUBSUB_OK)
            error = pem_write(folder, pem, fault);
        sodium_memzero(pem, sizeof *pem);
    } else {
        error = pubsub_keys_fail(fault, PUBSUB_E_MEMORY, "out of memory");
    }
    free(pem);
    names_free(&names);
    return error;
}
