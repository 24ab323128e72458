/* calib/rig_write.c: a rig as the text that calib_rig_parse reads. */
#include "calib/rig.h"

#include <jansson.h>
#include <string.h>

/* A hundredth of a millionth: pixels and millimetres are kept far finer than they are known. */
#define DIGITS 9

/* A list of numbers in rows of three. */
static json_t *matrix(const double m[9])
{
    return json_pack("[[f,f,f],[f,f,f],[f,f,f]]", m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7],
                     m[8]);
}

/* False when there is no memory. */
static bool member_set(json_t *root, const char *key, json_t *value)
{
    return value != NULL && json_object_set_new(root, key, value) == 0;
}

static bool camera_set(json_t *root, const struct camera *camera)
{
    const double k[9] = {camera->fx, 0, camera->cx, 0, camera->fy, camera->cy, 0, 0, 1};
    const double *d = camera->dist;

    return member_set(root, "size", json_pack("[i,i]", camera->width, camera->height)) &&
           member_set(root, "K", matrix(k)) &&
           member_set(root, "dist", json_pack("[f,f,f,f,f]", d[0], d[1], d[2], d[3], d[4]));
}

static json_t *colours(const struct rig_colours *c)
{
    json_t *list = json_array();

    for (int i = 0; i < c->symbols; i++) {
        const char label[2] = {c->symbol[i].label, 0};
        const double *r = c->symbol[i].ratio;
        json_array_append_new(
            list, json_pack("{s:s,s:[f,f,f]}", "symbol", label, "ratio", r[0], r[1], r[2]));
    }
    return json_pack("{s:s,s:s,s:s,s:[f,f,f],s:o}", "set", c->set, "made", c->made, "from", c->from,
                     "white", c->white[0], c->white[1], c->white[2], "symbols", list);
}

static bool rig_set(json_t *root, const struct rig *rig)
{
    const double *t = rig->pose.t_mm;

    return member_set(root, "format", json_string("tableref-rig/1")) &&
           camera_set(root, &rig->camera) &&
           (!rig->has_pose || (member_set(root, "R", matrix(rig->pose.r)) &&
                               member_set(root, "t_mm", json_pack("[f,f,f]", t[0], t[1], t[2])))) &&
           (!rig->identity[0] || member_set(root, "camera", json_string(rig->identity))) &&
           (!rig->made[0] || member_set(root, "made", json_string(rig->made))) &&
           (!rig->colours.known || member_set(root, "colours", colours(&rig->colours)));
}

int calib_rig_write(const struct rig *rig, char **text)
{
    json_t *root = json_object();

    *text = root != NULL && rig_set(root, rig)
                ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS))
                : NULL;
    json_decref(root);
    return *text != NULL ? CALIB_OK : CALIB_E_MEMORY;
}
