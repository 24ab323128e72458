/* referee/cmd_certificate.c: see cmd_certificate.h. */
#define _GNU_SOURCE /* strptime, timegm */ // NOLINT
#include "referee/cmd_certificate.h"

#include "calib/certificate.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define HOUR_S 3600

bool cmd_rig_fits(const struct rig *rig, const struct source_about *about)
{
    char identity[sizeof rig->identity];

    if (!rig || !rig->identity[0] || !about->live)
        return true;
    cmd_camera_identity(about, identity, sizeof identity);
    switch (cmd_camera_compare(rig->identity, identity)) {
    case CMD_CAMERA_SAME:
        return true;
    case CMD_CAMERA_TWIN:
        cmd_error("warning: the rig is of %s, and this is %s: is it the same camera?",
                  rig->identity, identity);
        return true;
    default:
        break;
    }
    cmd_error("%s: this rig is of another camera (%s), and this is %s; calibrate this one, or leave "
              "the rig out",
              rig->name, rig->identity, identity);
    return false;
}

/* Seconds since "2024-05-01T18:30:00Z"; below 0 for a time to come, or no such text. */
static double age_s(const char *made)
{
    struct tm utc;

    memset(&utc, 0, sizeof utc);
    const char *end = strptime(made, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return end && *end == 0 ? difftime(time(NULL), timegm(&utc)) : -1.0;
}

static void age_say(const char *path, const struct certificate *c)
{
    double age = age_s(c->made);

    if (age < 0)
        cmd_error("warning: %s: made at %s, which is not in the past; look at this machine's clock, "
                  "and over the table again",
                  path, c->made);
    else if (age > CERTIFICATE_OLD_S)
        cmd_error("warning: %s: the table was looked over %.0f hours ago; do it again (tableref "
                  "calibrate table)",
                  path, age / HOUR_S);
}

static void ready_say(const char *path, const struct certificate *c)
{
    for (int i = 0; i < CERTIFICATE_FAULTS && !c->ready; i++) {
        enum certificate_fault fault = (enum certificate_fault)i;
        if ((c->faults & CERTIFICATE_BIT(i)) && calib_certificate_blocks(fault))
            cmd_error("warning: %s: the table was not ready: %s", path,
                      cmd_text(calib_certificate_text(fault)));
    }
}

bool cmd_certificate_look(const struct cmd_table *table, const struct cmd_kit *kit,
                          const struct source_about *about)
{
    const char *path = table->certificate;
    struct calib_fault fault = {.text = ""};
    struct certificate c;
    char identity[sizeof c.camera];

    if (!path)
        return true;
    int error = calib_certificate_load(path, &c, &fault);
    if (error) {
        cmd_fault("certificate", path, error, &fault);
        return false;
    }
    cmd_camera_identity(about, identity, sizeof identity);
    if (about->live && c.camera[0] && cmd_camera_compare(c.camera, identity) != CMD_CAMERA_SAME)
        cmd_error("warning: %s: made with another camera (%s), and this is %s", path, c.camera,
                  identity);
    if (about->width > 0 && (about->width != c.width || about->height != c.height))
        cmd_error("warning: %s: made with pictures of %dx%d, and these are %dx%d", path, c.width,
                  c.height, about->width, about->height);
    if (strcmp(c.mat, kit->mat->name) != 0 || strcmp(c.set, kit->set->name) != 0)
        cmd_error("warning: %s: made for mat %s and set %s, and these are %s and %s", path, c.mat,
                  c.set, kit->mat->name, kit->set->name);
    age_say(path, &c);
    ready_say(path, &c);
    return true;
}
