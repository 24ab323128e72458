#include "calib/shape_kit.h"

#include "calib/kit.h"

#include <stdio.h>
#include <string.h>

int calib_shapes_open(struct json_doc *doc, struct json_node *shapes, struct calib_fault *fault)
{
    const struct kit_file *file = calib_kit_find("shapes.json");
    struct json_node root;

    if (!file) {
        return calib_fault_set(fault, "shapes.json", 0, CALIB_E_UNKNOWN, "not built in");
    }
    int error = calib_json_open(doc, (const char *)file->bytes, file->length, file->name, NULL,
                                fault, &root);
    if (error) {
        return error;
    }
    error = calib_json_format(&root, "tableref-shapes/1");
    error = error ? error : calib_json_object(&root, "shapes", shapes);
    if (error) {
        calib_json_close(doc);
        return error;
    }
    shapes->up = NULL; /* `root` ends here, and no fault is told by a way through it */
    return CALIB_OK;
}

static int path_read(const struct json_node *node, const char *path, size_t length, bool even_odd,
                     struct shape *shape)
{
    const char *why;
    int error = calib_shape_parse(path, length, even_odd, shape, &why);

    return error ? calib_json_fault(node, error, "no shape: %s", why) : CALIB_OK;
}

static int object_read(const struct json_node *node, struct shape *shape)
{
    static const char *const known[] = {"path", "fill_rule", NULL};
    struct json_node member;
    bool even_odd = false;

    calib_json_known(node, known);
    if (calib_json_maybe(node, "fill_rule", &member)) {
        const char *rule = json_is_string(member.value) ? json_string_value(member.value) : "";
        even_odd = strcmp(rule, "evenodd") == 0;
        if (!even_odd && strcmp(rule, "nonzero") != 0) {
            return calib_json_fault(&member, CALIB_E_VALUE, "nonzero or evenodd is wanted");
        }
    }
    if (!calib_json_maybe(node, "path", &member) || !json_is_string(member.value)) {
        return calib_json_fault(node, CALIB_E_VALUE, "\"path\" is missing, or no text");
    }
    return path_read(&member, json_string_value(member.value), json_string_length(member.value),
                     even_odd, shape);
}

/* A path begins with M and goes on with a number; a name may begin with m, too. */
static bool is_path(const char *text)
{
    text += strspn(text, " \t\r\n");
    return (*text == 'M' || *text == 'm') && text[1] && strchr("+-.0123456789 \t\r\n,", text[1]);
}

static int name_fault(const struct json_node *node, const struct json_node *shapes,
                      const char *name)
{
    char names[160] = "";
    const char *key;
    json_t *value;
    size_t at = 0;

    json_object_foreach(shapes->value, key, value)
    {
        int wrote = snprintf(names + at, sizeof names - at, "%s%s", at > 0 ? " " : "", key);
        if (wrote < 0 || (size_t)wrote >= sizeof names - at) {
            names[at] = 0;
            break;
        }
        at += (size_t)wrote;
    }
    return calib_json_fault(node, CALIB_E_VALUE,
                            "\"%.20s\" is no shape; use an SVG path or one of %s", name, names);
}

int calib_shape_read(const struct json_node *node, const struct json_node *shapes,
                     struct shape *shape)
{
    struct json_node entry;

    if (json_is_object(node->value)) {
        return object_read(node, shape);
    }
    if (!json_is_string(node->value)) {
        return calib_json_fault(node, CALIB_E_VALUE, "a shape's name or an SVG path is wanted");
    }
    const char *text = json_string_value(node->value);
    if (calib_json_maybe(shapes, text, &entry)) {
        if (!json_is_object(entry.value)) {
            return calib_json_fault(&entry, CALIB_E_VALUE, "an object in {} is wanted");
        }
        return object_read(&entry, shape);
    }
    if (is_path(text)) {
        return path_read(node, text, json_string_length(node->value), false, shape);
    }
    return name_fault(node, shapes, text);
}
