#include "calib/tags.h"

#include <math.h>
#include <string.h>

#define TAG36H11_LAST 586 /* the family has 587 codes */

static int tag_read(const struct json_node *node, const double size_mm[2], struct mat_tag *tag)
{
    static const char *const known[] = {"id", "family", "center_mm", "size_mm", "turn_deg", NULL};
    struct json_node member;
    double corner[4][2];
    char family[KIT_NAME_MAX];
    int error;

    calib_json_known(node, known);
    if ((error = calib_json_text(node, "family", sizeof family, family))) {
        return error;
    }
    if (strcmp(family, "tag36h11") != 0) {
        return calib_json_fault(node, CALIB_E_VALUE, "family \"%.20s\"; only tag36h11 is read",
                                family);
    }
    tag->family = TAG_FAMILY_36H11;
    if ((error = calib_json_integer(node, "id", 0, TAG36H11_LAST, &tag->id)) ||
        (error = calib_json_numbers(node, "center_mm", 2, 0.0, JSON_SIZE_MAX_MM, tag->center_mm)) ||
        (error = calib_json_size_mm(node, "size_mm", &tag->size_mm))) {
        return error;
    }
    if (calib_json_maybe(node, "turn_deg", &member) &&
        (error = calib_json_number(node, "turn_deg", -360.0, 360.0, &tag->turn_deg))) {
        return error;
    }
    calib_mat_tag_corners(tag, corner);
    for (int i = 0; i < 4; i++) {
        for (int axis = 0; axis < 2; axis++) {
            double at = corner[i][axis];
            if (at < -1e-6 || at > size_mm[axis] + 1e-6) { /* a tag may touch the edge */
                return calib_json_fault(node, CALIB_E_VALUE,
                                        "tag %d does not lie whole on the sheet of %g x %g mm",
                                        tag->id, size_mm[0], size_mm[1]);
            }
        }
    }
    return CALIB_OK;
}

int calib_tags_read(const struct json_node *object, const double size_mm[2],
                    struct mat_tag tag[MAT_TAGS_MAX])
{
    struct json_node tags;
    int count = calib_json_array(object, "tags", 1, MAT_TAGS_MAX, &tags);

    for (int i = 0; i < count; i++) {
        struct json_node node;
        int error = calib_json_item_object(&tags, (size_t)i, &node);
        error = error ? error : tag_read(&node, size_mm, &tag[i]);
        if (error) {
            return error;
        }
        for (int j = 0; j < i; j++) {
            if (tag[j].id == tag[i].id) {
                return calib_json_fault(&node, CALIB_E_VALUE, "a second tag of id %d", tag[i].id);
            }
        }
    }
    return count;
}
