/* capture/cmd_devices_buttons.c: buttons, as `tableref devices` lists them. */
#include "capture/cmd_devices_buttons.h"

#include "capture/button.h"
#include "referee/cmd_common.h"

#include <stdlib.h>
#include <string.h>

/* A text that may lack. */
static void text_put(struct json_text *json, const char *key, const char *text)
{
    if (text[0])
        vision_json_string(json, key, text);
    else
        vision_json_null(json, key);
}

static bool entry_print(const struct button_entry *entry)
{
    bool usable = entry->why == BUTTON_USABLE;
    struct json_text json;

    vision_json_init(&json);
    vision_json_open(&json, NULL, '{');
    vision_json_string(&json, "device", entry->node);
    vision_json_string(&json, "kind", "button");
    text_put(&json, "name", entry->name);
    text_put(&json, "by_path", entry->by_path);
    text_put(&json, "by_id", entry->by_id);
    vision_json_int(&json, "keys", entry->keys);
    vision_json_bool(&json, "usable", usable);
    text_put(&json, "reason", usable ? "" : capture_button_why_name(entry->why));
    text_put(&json, "explanation", entry->explained.text);
    vision_json_close(&json, '}');
    return cmd_print(&json);
}

bool cmd_devices_is_button(const char *path)
{
    return strncmp(path, "/dev/input/", strlen("/dev/input/")) == 0;
}

bool cmd_devices_button(const char *node, bool *unusable)
{
    struct button_entry entry;

    capture_button_examine(&capture_button_system, node, &entry);
    *unusable = *unusable || entry.why != BUTTON_USABLE;
    return entry_print(&entry);
}

int cmd_devices_buttons(void)
{
    struct button_entry entry;
    char **nodes = NULL;
    int count = capture_button_nodes(&nodes), listed = 0;

    if (count < 0)
        cmd_error("devices: out of memory");
    for (int i = 0; i < count && listed >= 0; i++) {
        capture_button_examine(&capture_button_system, nodes[i], &entry);
        /* A switch of the lid or a plug of headphones is none. */
        if (entry.keys == 0 || entry.why == BUTTON_NO_KEYS)
            continue;
        listed = entry_print(&entry) ? listed + 1 : -1;
    }
    capture_button_nodes_free(&nodes, count);
    return count < 0 ? -1 : listed;
}
