/* capture/cmd_devices.c: `tableref devices`: the cameras and buttons here, and why one cannot be
 * used. */
#include "capture/cmd_devices_buttons.h"
#include "capture/devices.h"
#include "referee/cmd_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_ALL = CMD_KEY_OWN, KEY_QUICK };

static const struct cmd_option options[] = {
    {"all", NULL, KEY_ALL, "video devices, too, that are no cameras"},
    {"quick", NULL, KEY_QUICK, "do not start cameras; a lack of bandwidth stays unseen"},
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb verb = {
    .name = "devices",
    .arguments = "[DEVICE]...",
    .about =
        "Prints a line of JSON for each camera and each button, or each DEVICE named: its names,\n"
        "a camera's formats, sizes and rates, a button's keys, and why it cannot be used, if it\n"
        "cannot. Cameras that are free are started for a moment.",
    .options = options,
};

struct listing {
    bool all, quick;
    char left_out[512]; /* what is here but no camera */
};

static void print_sizes(struct json_text *json, const struct device_mode *mode)
{
    const struct device_size *size = &mode->size;

    vision_json_open(json, "size", '[');
    vision_json_int(json, NULL, size->width);
    vision_json_int(json, NULL, size->height);
    vision_json_close(json, ']');
    if (size->stepped) {
        vision_json_open(json, "size_max", '[');
        vision_json_int(json, NULL, size->width_max);
        vision_json_int(json, NULL, size->height_max);
        vision_json_close(json, ']');
    }
}

static void print_mode(struct json_text *json, const struct device_mode *mode)
{
    char text[5];

    capture_v4l2_fourcc_text(mode->fourcc, text);
    vision_json_open(json, NULL, '{');
    vision_json_string(json, "format", capture_picture_format_name(mode->format));
    vision_json_string(json, "fourcc", text);
    if (mode->size.width > 0)
        print_sizes(json, mode);
    else
        vision_json_null(json, "size");
    vision_json_open(json, "rates", '[');
    for (int i = 0; i < mode->rate_count; i++)
        vision_json_fixed(json, NULL, mode->rate_milli[i], 3);
    vision_json_close(json, ']');
    vision_json_close(json, '}');
}

/* A text that may lack. */
static void print_text(struct json_text *json, const char *key, const char *text)
{
    if (text[0])
        vision_json_string(json, key, text);
    else
        vision_json_null(json, key);
}

static bool print_entry(const struct device_entry *entry)
{
    bool usable = entry->why == DEVICE_USABLE;
    struct json_text json;

    vision_json_init(&json);
    vision_json_open(&json, NULL, '{');
    vision_json_string(&json, "device", entry->node);
    vision_json_string(&json, "kind", "camera");
    print_text(&json, "name", entry->about.card);
    print_text(&json, "driver", entry->about.driver);
    print_text(&json, "bus", entry->about.bus);
    print_text(&json, "by_path", entry->by_path);
    print_text(&json, "by_id", entry->by_id);
    print_text(&json, "place", entry->place);
    vision_json_bool(&json, "usable", usable);
    if (usable)
        vision_json_null(&json, "reason");
    else
        vision_json_string(&json, "reason",
                           capture_devices_why_name(entry->why, entry->about.role));
    print_text(&json, "explanation", entry->explained.text);
    vision_json_open(&json, "modes", '[');
    for (int i = 0; i < entry->modes.count; i++)
        print_mode(&json, &entry->modes.mode[i]);
    vision_json_close(&json, ']');
    print_text(&json, "other_formats", entry->modes.others);
    vision_json_close(&json, '}');
    return cmd_print(&json);
}

/* Can it be told that this is no camera? One that cannot be opened may be one. */
static bool is_no_camera(const struct device_entry *entry)
{
    return entry->why == DEVICE_NO_CAMERA || entry->why == DEVICE_NOT_VIDEO ||
           (entry->why == DEVICE_NO_FORMAT && entry->modes.others[0] == '\0');
}

static void leave_out(struct listing *listing, const struct device_entry *entry)
{
    size_t used = strlen(listing->left_out), room = sizeof listing->left_out - used;

    snprintf(listing->left_out + used, room, "%s%s (%s)", used ? ", " : "", entry->node,
             capture_devices_why_name(entry->why, entry->about.role));
}

/* False when standard output is gone, or there is no memory. */
static bool list_node(struct listing *listing, const char *node, bool named, bool *unusable)
{
    struct device_entry *entry = malloc(sizeof *entry);
    bool done = true;

    if (!entry) {
        cmd_error("devices: out of memory");
        return false;
    }
    capture_devices_look(&capture_system_calls, node, !listing->quick, entry);
    *unusable = *unusable || entry->why != DEVICE_USABLE;
    if (named || listing->all || !is_no_camera(entry))
        done = print_entry(entry);
    else
        leave_out(listing, entry);
    free(entry);
    return done;
}

static int list_named(struct listing *listing, char **names, int count)
{
    bool unusable = false;

    for (int i = 0; i < count; i++)
        if (!(cmd_devices_is_button(names[i]) ? cmd_devices_button(names[i], &unusable)
                                              : list_node(listing, names[i], true, &unusable)))
            return CMD_UNUSABLE;
    return unusable ? CMD_UNUSABLE : CMD_DONE;
}

static int list_all(struct listing *listing)
{
    char **nodes = NULL;
    int count = capture_devices_nodes(&nodes);
    bool done = count >= 0, unusable = false;

    if (!done)
        cmd_error("devices: out of memory");
    for (int i = 0; i < count && done; i++)
        done = list_node(listing, nodes[i], false, &unusable);
    capture_devices_nodes_free(&nodes, count);
    if (done && count == 0)
        cmd_error("devices: no camera is here: there is no /dev/video*; plug one in");
    else if (done && listing->left_out[0])
        cmd_error("devices: no cameras are %s; --all lists them too", listing->left_out);
    done = done && cmd_devices_buttons() >= 0;
    return done ? CMD_DONE : CMD_UNUSABLE;
}

int cmd_devices(int argc, char **argv)
{
    struct listing listing = {.all = false};
    const char *value;
    int first = 0, key;

    while ((key = cmd_options_next(&verb, argc, argv, &first, &value)) > 0) {
        if (key == KEY_ALL)
            listing.all = true;
        else
            listing.quick = true;
    }
    if (key == CMD_OPTION_HELP)
        return CMD_DONE;
    if (key == CMD_OPTION_WRONG)
        return CMD_WRONG_USE;
    return first < argc ? list_named(&listing, argv + first, argc - first) : list_all(&listing);
}
