/* pubsub/loop_buttons.c: buttons, pedals and the keyboard as a process. */
#include "pubsub/loop_buttons.h"

#include "capture/button.h"
#include "referee/cmd_common.h"
#include "referee/cmd_text.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000
/* A device that was unplugged is tried for so often. What became of a claim is told as quickly. */
#define LOOK_MS 200
#define PRESSES_MOST 16

struct buttons {
    const struct buttons_service *asked;
    struct claims *claims;
    struct button *button[BUTTONS_MOST]; /* one for each path */
    bool away[BUTTONS_MOST];
    int buttons;
    int input; /* the keyboard; -1: none */
    bool raw;
    struct termios before;
    int status;
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t loop_buttons_key_error_ns(void)
{
    return getenv("SSH_CONNECTION") ? CLAIMS_FAR_KEY_ERROR_NS : CLAIMS_KEY_ERROR_NS;
}

/* ---- devices ---- */

static bool devices_begin(struct buttons *buttons)
{
    const struct buttons_service *asked = buttons->asked;

    for (int i = 0; i < asked->maps; i++) {
        bool known = false;
        for (int b = 0; b < buttons->buttons; b++)
            known =
                known || strcmp(capture_button_path(buttons->button[b]), asked->map[i].path) == 0;
        if (known)
            continue;
        struct button *made = capture_button_create(&capture_button_system, asked->map[i].path);
        if (!made) {
            cmd_error("buttons: %s: too long a path", asked->map[i].path);
            return false;
        }
        buttons->button[buttons->buttons++] = made;
    }
    return true;
}

/* What came, and what is away, each said once. */
static void devices_look(struct buttons *buttons)
{
    struct capture_fault fault;

    for (int i = 0; i < buttons->buttons; i++) {
        enum button_change change = capture_button_look(buttons->button[i], &fault);
        if (change == BUTTON_LOST)
            cmd_error("buttons: %s", fault.text);
        else if (change == BUTTON_CAME && buttons->away[i])
            cmd_error("buttons: %s: it is here again", capture_button_path(buttons->button[i]));
        if (change != BUTTON_SAME)
            buttons->away[i] = change == BUTTON_LOST;
    }
}

static int seat_of(const struct buttons *buttons, const char *path, int code)
{
    const struct buttons_service *asked = buttons->asked;

    for (int i = 0; i < asked->maps; i++)
        if (strcmp(asked->map[i].path, path) == 0 &&
            (asked->map[i].code == 0 || asked->map[i].code == code))
            return asked->map[i].seat;
    return 0;
}

/* A line of JSON for a press that is only tried. */
static void press_print(struct buttons *buttons, const char *path, const struct button_press *press,
                        int seat)
{
    struct json_text line;

    vision_json_init(&line);
    vision_json_open(&line, NULL, '{');
    vision_json_string(&line, "device", path);
    vision_json_int(&line, "code", press->code);
    vision_json_int(&line, "at_ns", press->at_ns);
    vision_json_int(&line, "ago_ns", now_ns() - press->at_ns);
    if (seat)
        vision_json_int(&line, "seat", seat);
    else
        vision_json_null(&line, "seat");
    vision_json_close(&line, '}');
    if (!cmd_print(&line) || fflush(stdout) != 0)
        buttons->status = CMD_UNUSABLE;
}

static void device_take(struct buttons *buttons, const struct button *button,
                        const struct button_press *press)
{
    const char *path = capture_button_path(button);
    int seat = seat_of(buttons, path, press->code);
    int64_t now = now_ns();

    if (buttons->asked->only_try) {
        press_print(buttons, path, press, seat);
    } else if (seat) {
        /* A driver that dates an event in the future is not believed. */
        const struct claims_press claim = {.seat = seat,
                                           .at_ns = press->at_ns < now ? press->at_ns : now,
                                           .error_ns = BUTTON_ERROR_NS,
                                           .by = "button"};
        loop_claims_press(buttons->claims, &claim);
    }
}

/* ---- the keyboard ---- */

/* Keys come one by one and are not shown; interrupts stay what they are. */
static void keyboard_begin(struct buttons *buttons)
{
    struct termios raw;

    buttons->input = buttons->asked->claim_keys ? STDIN_FILENO : -1;
    if (buttons->input < 0 || tcgetattr(STDIN_FILENO, &buttons->before) != 0)
        return;
    raw = buttons->before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    buttons->raw = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
}

static void keyboard_end(const struct buttons *buttons)
{
    if (buttons->raw)
        (void)tcsetattr(STDIN_FILENO, TCSANOW, &buttons->before);
}

static void key_take(struct buttons *buttons, char key, int64_t at_ns)
{
    const char *keys = buttons->asked->claim_keys;
    const char *found = key ? strchr(keys, key) : NULL;
    int seats[ACCESS_SEATS_MAX];
    int count = loop_claims_seats(buttons->asked->claims.access, seats);

    if (key == '\n' || key == ' ') {
        loop_claims_start(buttons->claims);
    } else if (found && found - keys < count) {
        const struct claims_press claim = {.seat = seats[found - keys],
                                           .at_ns = at_ns,
                                           .error_ns = loop_buttons_key_error_ns(),
                                           .by = "keyboard"};
        loop_claims_press(buttons->claims, &claim);
    }
}

static void keyboard_take(struct buttons *buttons)
{
    char keys[64];
    int64_t at_ns = now_ns();
    ssize_t got = read(buttons->input, keys, sizeof keys);

    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN))
        buttons->input = -1;
    for (ssize_t i = 0; i < got; i++)
        key_take(buttons, keys[i], at_ns);
}

/* ---- the process ---- */

static void told_say(struct buttons *buttons)
{
    struct claims_told told;

    while (buttons->claims && loop_claims_told(buttons->claims, &told))
        if (!told.well && told.seat)
            cmd_error("buttons: seat %d: the claim does not count: %s", told.seat, told.text);
        else if (!told.well)
            cmd_error("buttons: the start: %s", told.text);
}

static void turn(struct buttons *buttons)
{
    struct pollfd files[BUTTONS_MOST + 1];
    struct button_press press[PRESSES_MOST];
    int count = buttons->buttons;

    devices_look(buttons);
    for (int i = 0; i < count; i++)
        files[i] = (struct pollfd){.fd = capture_button_file(buttons->button[i]), .events = POLLIN};
    files[count] = (struct pollfd){.fd = buttons->input, .events = POLLIN};
    if (poll(files, (nfds_t)count + 1, LOOK_MS) > 0) {
        if (files[count].revents)
            keyboard_take(buttons);
        for (int i = 0; i < count; i++) {
            int presses =
                files[i].revents ? capture_button_take(buttons->button[i], press, PRESSES_MOST) : 0;
            for (int p = 0; p < presses; p++)
                device_take(buttons, buttons->button[i], &press[p]);
        }
    }
    told_say(buttons);
}

int loop_buttons_run(const struct buttons_service *asked, const volatile bool *stop)
{
    struct buttons buttons = {.asked = asked, .input = -1, .status = CMD_DONE};

    if (!devices_begin(&buttons) ||
        (!asked->only_try && !loop_claims_open(&asked->claims, &buttons.claims)))
        buttons.status = CMD_UNUSABLE;
    if (buttons.status == CMD_DONE)
        keyboard_begin(&buttons);
    while (buttons.status == CMD_DONE && !*stop)
        turn(&buttons);
    keyboard_end(&buttons);
    loop_claims_close(&buttons.claims);
    for (int i = 0; i < buttons.buttons; i++)
        capture_button_destroy(&buttons.button[i]);
    return buttons.status;
}
