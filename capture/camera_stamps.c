/* capture/camera_stamps.c: times and numbers of pictures, as far as the driver's can be believed.
 */
#include "capture/camera.h"

#define NS_PER_MS 1000000LL

/* A stamp is taken before its picture is handed over and after the stream was started. Drivers that
 * work it out from the camera's own clock are some ms off either way, and one that stamps the end
 * of a picture it is still sending is ahead by up to an interval (of a slow camera, in dim light);
 * what is further off is of another clock or a wrong origin. */
#define STAMP_SLACK_NS (150 * NS_PER_MS)

/* No camera here gives more pictures a second: a count that ran further ahead was set anew. */
#define RATE_MOST 1000

/* The rate is measured over windows of at least that long and that many pictures. */
#define WINDOW_NS (1000 * NS_PER_MS)
#define WINDOW_PICTURES 8

void capture_camera_stamps_start(struct camera_stamps *stamps, int64_t now_ns)
{
    stamps->running = false;
    stamps->started_ns = stamps->arrived_ns = now_ns;
    stamps->raw_ns = 0;
    stamps->lost = 0;
    stamps->window_ns = 0;
    stamps->window_pictures = 0;
    stamps->interval_ns = 0;
}

/* Pictures since the last one, this one included. The driver's count has 32 bits and wraps. */
static uint32_t count_since(const struct camera_stamps *stamps, uint32_t raw, int64_t arrived_ns)
{
    uint32_t step = raw - stamps->raw_sequence;
    int64_t most = (arrived_ns - stamps->arrived_ns) * RATE_MOST / (1000 * NS_PER_MS) + RATE_MOST;

    if (!stamps->running)
        return 1;
    /* Standing still, backward or far ahead: this driver does not count, or began anew. */
    if (step == 0 || step > INT32_MAX || (int64_t)step > most)
        return 1;
    return step;
}

static void measure(struct camera_stamps *stamps, uint32_t step, int64_t time_ns)
{
    int64_t elapsed = time_ns - stamps->window_ns;

    stamps->window_pictures += step;
    if (stamps->window_ns != 0 && elapsed > 0 &&
        (elapsed < WINDOW_NS || stamps->window_pictures < WINDOW_PICTURES))
        return;
    if (stamps->window_ns != 0 && elapsed > 0)
        stamps->interval_ns = elapsed / (int64_t)stamps->window_pictures;
    stamps->window_ns = time_ns;
    stamps->window_pictures = 0;
}

void capture_camera_stamp(struct camera_stamps *stamps, const struct device_filled *filled,
                          int64_t arrived_ns, struct picture *given)
{
    uint32_t step = count_since(stamps, filled->sequence, arrived_ns);
    bool good = filled->monotonic && filled->stamp_ns != INT64_MAX &&
                filled->stamp_ns >= stamps->started_ns - STAMP_SLACK_NS &&
                filled->stamp_ns <= arrived_ns + STAMP_SLACK_NS &&
                !(stamps->running && filled->stamp_ns <= stamps->raw_ns);
    int64_t time_ns = good ? filled->stamp_ns : arrived_ns;

    measure(stamps, step, time_ns);
    stamps->running = true;
    stamps->raw_sequence = filled->sequence;
    stamps->raw_ns = filled->stamp_ns;
    stamps->arrived_ns = arrived_ns;
    if (!given)
        return;
    /* After a picture that had to be taken at its arrival, a good stamp may lie before it. */
    if (time_ns <= stamps->given_ns) {
        time_ns = stamps->given_ns + 1;
        good = false;
    }
    stamps->lost += step - 1;
    given->lost = stamps->lost;
    given->sequence = stamps->given + 1 + stamps->lost;
    given->time_ns = time_ns;
    given->arrived_ns = arrived_ns;
    given->time_doubtful = !good;
    stamps->given = given->sequence;
    stamps->given_ns = time_ns;
    stamps->lost = 0;
}
