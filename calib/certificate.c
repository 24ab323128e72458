/* calib/certificate.c: see certificate.h. */
#include "calib/certificate.h"

#include "calib/json.h"
#include "calib/mark.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* Below 20 px to a cell much is not read (README); some room for a seat's far corner. */
#define CELL_LEAST_PX 20.0
/* Under three px to a module a tag's corners are found to no better than its modules are. */
#define MODULE_LEAST_PX 3.0
/* An edge that takes up more of a cell than this runs into the next one of its symbol. */
#define EDGE_CELL_SHARE (1.0 / 6.0)
/* At 9 mm the reader refuses a seat (vision/pose.c); a table that is nearly there is not ready. */
#define SIGMA_MOST_MM 6.0
/* White paper under a quarter of full scale leaves few levels for colours. */
#define WHITE_LEAST_LEVEL 60.0
#define BURNT_MOST_SHARE 0.2
#define BANDED_MOST_SHARE 0.5
/* Light that falls off by more than two stops over the table. */
#define UNEVEN_MOST 4.0
/* "Fit to page" shrinks by three to six per cent; measuring by blocks is good to half a one. */
#define SCALE_MOST 0.02
#define TAG_SCALE_MOST 0.035
/* A claim is judged by when a layout came to rest, to a picture. */
#define RATE_LEAST 10.0

static const struct {
    const char *word, *text;
} says[CERTIFICATE_FAULTS] = {
    [CERTIFICATE_NO_MAT] = {"no_mat",
                            N_("too few of the mat's tags are seen: look that they are in "
                               "view and sharp, and that --mat names this mat")},
    [CERTIFICATE_MIRRORED] = {"mirrored",
                              N_("the picture is mirrored: turn that off at the camera, or "
                                 "give --mirrored")},
    [CERTIFICATE_SECOND_MAT] = {"second_mat", N_("the mat is seen twice: take the other one away")},
    [CERTIFICATE_BAD_POSE] = {"bad_pose",
                              N_("the tags do not lie as on this mat: is it flat, whole, "
                                 "and the one that --mat names?")},
    [CERTIFICATE_RIG_SIZE] = {"rig_size",
                              N_("the rig was made at another resolution: calibrate the "
                                 "camera at this one")},
    [CERTIFICATE_RIG_LENS] = {"rig_lens", N_("the rig's lens is not this picture's: calibrate the "
                                             "camera anew")},
    [CERTIFICATE_OTHER_CAMERA] = {"other_camera", N_("the rig was made for another camera")},
    [CERTIFICATE_COARSE] = {"coarse", N_("places are known too roughly: uncover more tags, or "
                                         "calibrate the camera")},
    [CERTIFICATE_OUT_OF_VIEW] = {"out_of_view", N_("a seat is not wholly in the picture: move the "
                                                   "camera or the mat")},
    [CERTIFICATE_CELLS_SMALL] = {"cells_small", N_("cells are too small in the picture: lower the "
                                                   "camera, or give it a higher resolution")},
    [CERTIFICATE_TAGS_SMALL] = {"tags_small",
        N_("the mat's tags are too small in the picture to be measured well: lower the camera, give "
           "it a higher resolution, or print larger tags")},
    [CERTIFICATE_BLURRED] = {"blurred",
                             N_("the picture is not sharp: focus the camera on the mat, and "
                                "clean its lens")},
    [CERTIFICATE_DARK] = {"dark", N_("it is too dark: more light, or a longer exposure")},
    [CERTIFICATE_BURNT] = {"burnt", N_("white is burnt out: less light, or a shorter exposure")},
    [CERTIFICATE_BANDING] = {"banding",
                             N_("lamps on the mains show as bands: give --mains, or an "
                                "exposure of whole flickers (10 ms at 50 Hz, 8.3 ms at 60)")},
    [CERTIFICATE_PRINT_SIZE] = {"print_size",
                                N_("the mat is not printed at its size: print it at 100 "
                                   "%, not fitted to the page")},
    [CERTIFICATE_TAG_SIZE] = {"tag_size",
                              N_("the tags are not as large as the mat says: they were "
                                 "printed at another size than the distances between them")},
    [CERTIFICATE_RATE_LOW] = {"rate_low",
                              N_("the camera gives too few pictures a second: more light, "
                                 "a shorter exposure, or a smaller picture")},
    [CERTIFICATE_COLOURS_CLOSE] = {"colours_close",
                                   N_("two symbols look alike in this light: another "
                                      "lamp, or more light")},
    [CERTIFICATE_TAGS_HIDDEN] = {"tags_hidden", N_("some of the mat's tags are not seen")},
    [CERTIFICATE_NO_RIG] = {"no_rig", N_("the lens is estimated; places are more exact with a "
                                         "calibrated camera")},
    [CERTIFICATE_GLARE] = {"glare", N_("a lamp is mirrored in the table: move it, or shade it")},
    [CERTIFICATE_UNEVEN] = {"uneven", N_("the light is very uneven over the table")},
    [CERTIFICATE_SIZE_UNKNOWN] = {"size_unknown",
                                  N_("the print's size cannot be known from the mat "
                                     "alone: lay a set of blocks into a seat, or "
                                     "measure the sheet's ruler and give --ruler")},
    [CERTIFICATE_LOST] = {"lost",
                          N_("pictures are lost on their way: is the machine busy, or the bus "
                             "shared?")},
    [CERTIFICATE_LIGHT_CHANGED] = {"light_changed",
                                   N_("the light is not what the rig's colours were "
                                      "taken in: take them again")},
    [CERTIFICATE_NO_COLOURS] = {"no_colours",
                                N_("the rig has no colours: no change of the light since "
                                   "then can be seen")},
};

bool calib_certificate_blocks(enum certificate_fault fault)
{
    return fault < CERTIFICATE_TAGS_HIDDEN;
}

const char *calib_certificate_word(enum certificate_fault fault)
{
    return (unsigned)fault < CERTIFICATE_FAULTS ? says[fault].word : "unknown";
}

const char *calib_certificate_text(enum certificate_fault fault)
{
    return (unsigned)fault < CERTIFICATE_FAULTS ? says[fault].text : "unknown";
}

/* ---- ruling ---- */

static uint32_t bit_if(bool found, enum certificate_fault fault)
{
    return found ? CERTIFICATE_BIT(fault) : 0;
}

static uint32_t seats_rule(const struct certificate *c)
{
    uint32_t faults = 0;

    for (int i = 0; i < c->seats; i++) {
        const struct certificate_seat *seat = &c->seat[i];
        faults |=
            bit_if(!seat->in_view, CERTIFICATE_OUT_OF_VIEW) |
            bit_if(seat->in_view && !(seat->sigma_mm < SIGMA_MOST_MM), CERTIFICATE_COARSE) |
            bit_if(seat->in_view && !(seat->cell_px >= CELL_LEAST_PX), CERTIFICATE_CELLS_SMALL) |
            bit_if(seat->in_view && !(c->edge_px < EDGE_CELL_SHARE * seat->cell_px),
                   CERTIFICATE_BLURRED);
    }
    return faults;
}

static uint32_t light_rule(const struct certificate *c)
{
    /* levels are gamma-coded: a stop is a factor of 2 in light, 2^(1/2.2) in level */
    double uneven = pow(c->white_most / fmax(c->white_least, 1.0), 2.2);

    return bit_if(!(c->white_least >= WHITE_LEAST_LEVEL), CERTIFICATE_DARK) |
           bit_if(!(c->burnt_share < BURNT_MOST_SHARE), CERTIFICATE_BURNT) |
           bit_if(c->banded_share >= BANDED_MOST_SHARE, CERTIFICATE_BANDING) |
           bit_if(c->glares > 0, CERTIFICATE_GLARE) |
           bit_if(uneven > UNEVEN_MOST, CERTIFICATE_UNEVEN);
}

static uint32_t print_rule(const struct certificate *c)
{
    bool known = c->size_by != CERTIFICATE_SIZE_NOT;

    return bit_if(!known, CERTIFICATE_SIZE_UNKNOWN) |
           bit_if(known && !(fabs(c->print_scale - 1.0) < SCALE_MOST), CERTIFICATE_PRINT_SIZE) |
           bit_if(c->tag_scale > 0 && !(fabs(c->tag_scale - 1.0) < TAG_SCALE_MOST),
                  CERTIFICATE_TAG_SIZE);
}

void calib_certificate_rule(struct certificate *c)
{
    c->faults = c->found | bit_if(!c->has_rig, CERTIFICATE_NO_RIG) |
                bit_if(c->rate > 0 && c->rate < RATE_LEAST, CERTIFICATE_RATE_LOW) |
                bit_if(c->lost > 0, CERTIFICATE_LOST);
    if (c->placed > 0) {
        c->faults |= bit_if(c->module_px > 0 && c->module_px < MODULE_LEAST_PX,
                            CERTIFICATE_TAGS_SMALL) |
                     seats_rule(c) | light_rule(c) | print_rule(c) |
                     bit_if(c->tags_seen < c->tags, CERTIFICATE_TAGS_HIDDEN);
    } else if (c->found == 0) {
        c->faults |= CERTIFICATE_BIT(CERTIFICATE_NO_MAT);
    }
    c->ready = (c->faults & (CERTIFICATE_BIT(CERTIFICATE_TAGS_HIDDEN) - 1)) == 0;
}

/* ---- writing ---- */

/* A number with a few decimals, so that a certificate can be read. */
static json_t *number(double value, double steps)
{
    return json_real(isfinite(value) ? round(value * steps) / steps : 0.0);
}

static json_t *words(uint32_t faults, bool blocking)
{
    json_t *list = json_array();

    for (int i = 0; i < CERTIFICATE_FAULTS; i++) {
        enum certificate_fault fault = (enum certificate_fault)i;
        if ((faults & CERTIFICATE_BIT(i)) && calib_certificate_blocks(fault) == blocking) {
            json_array_append_new(list, json_string(calib_certificate_word(fault)));
        }
    }
    return list;
}

static json_t *seats(const struct certificate *c)
{
    json_t *list = json_array();

    for (int i = 0; i < c->seats; i++) {
        const struct certificate_seat *s = &c->seat[i];
        json_array_append_new(list, json_pack("{s:i,s:b,s:o,s:o}", "seat", s->seat, "in_view",
                                              (int)s->in_view, "error_mm", number(s->sigma_mm, 1e2),
                                              "cell_px", number(s->cell_px, 10)));
    }
    return list;
}

static json_t *glares(const struct certificate *c)
{
    json_t *list = json_array();

    for (int i = 0; i < c->glares; i++) {
        const double *g = c->glare_mm[i];
        json_array_append_new(list, json_pack("{s:[o,o],s:o}", "at_mm", number(g[0], 1),
                                              number(g[1], 1), "width_mm", number(g[2], 1)));
    }
    return list;
}

static json_t *print(const struct certificate *c)
{
    static const char *const by[] = {[CERTIFICATE_SIZE_NOT] = NULL,
                                     [CERTIFICATE_SIZE_BLOCKS] = "blocks",
                                     [CERTIFICATE_SIZE_RULER] = "ruler"};
    bool known = c->size_by != CERTIFICATE_SIZE_NOT;

    return json_pack("{s:s?,s:o,s:o,s:o}", "by", by[c->size_by], "scale",
                     known ? number(c->print_scale, 1e4) : json_null(), "error",
                     known ? number(c->print_sigma, 1e4) : json_null(), "tags_scale",
                     c->tag_scale > 0 ? number(c->tag_scale, 1e4) : json_null());
}

static json_t *picture(const struct certificate *c)
{
    return json_pack("{s:o,s:[o,o],s:o,s:o,s:o,s:o,s:I}", "edge_px", number(c->edge_px, 1e2),
                     "white", number(c->white_least, 1), number(c->white_most, 1), "burnt",
                     number(c->burnt_share, 1e3), "banded", number(c->banded_share, 1e2), "glare",
                     glares(c), "rate", c->rate > 0 ? number(c->rate, 1e2) : json_null(), "lost",
                     (json_int_t)c->lost);
}

static json_t *place(const struct certificate *c)
{
    return json_pack("{s:i,s:i,s:o,s:o,s:o,s:o}", "tags_seen", c->tags_seen, "tags", c->tags,
                     "module_px", number(c->module_px, 10), "rms_px", number(c->rms_px, 1e3), "height_mm", number(c->height_mm, 1), "tilt_deg",
                     number(c->tilt_deg, 10));
}

int calib_certificate_write(const struct certificate *c, char **text)
{
    bool placed = c->placed > 0;
    json_t *root = json_pack(
        "{s:s,s:s,s:s?,s:[i,i],s:s,s:s,s:s?,s:b,s:o,s:o,s:i,s:o,s:o,s:o,s:o}", "format",
        "tableref-certificate/1", "made", c->made, "camera", c->camera[0] ? c->camera : NULL,
        "size", c->width, c->height, "mat", c->mat, "set", c->set, "rig",
        c->has_rig ? c->rig_made : NULL, "ready", (int)c->ready, "because", words(c->faults, true),
        "warnings", words(c->faults, false), "pictures", c->pictures, "place",
        placed ? place(c) : json_null(), "seats", placed ? seats(c) : json_null(), "picture",
        placed ? picture(c) : json_null(), "print", placed ? print(c) : json_null());

    *text = root ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(root);
    return *text ? CALIB_OK : CALIB_E_MEMORY;
}

/* ---- reading ---- */

static int words_read(const struct json_node *root, const char *key, uint32_t *faults)
{
    struct json_node list;
    char word[KIT_NAME_MAX];
    int count = calib_json_array(root, key, 0, 64, &list);

    for (size_t i = 0; (int)i < count; i++) {
        struct json_node item = calib_json_item(&list, i);
        int error = calib_json_text_of(&item, sizeof word, word);
        if (error) {
            return error;
        }
        for (int k = 0; k < CERTIFICATE_FAULTS; k++) {
            *faults |= bit_if(strcmp(word, says[k].word) == 0, (enum certificate_fault)k);
        }
    }
    return count < 0 ? count : CALIB_OK;
}

static int head_read(const struct json_node *root, struct certificate *out)
{
    struct json_node member;
    double size[2] = {0, 0};
    int error = calib_json_format(root, "tableref-certificate/1");

    if (error || (error = calib_json_text(root, "made", sizeof out->made, out->made)) ||
        (error = calib_json_numbers(root, "size", 2, 1.0, 65535.0, size)) ||
        (error = calib_json_text(root, "mat", sizeof out->mat, out->mat)) ||
        (error = calib_json_text(root, "set", sizeof out->set, out->set)) ||
        (error = words_read(root, "because", &out->faults)) ||
        (error = words_read(root, "warnings", &out->faults))) {
        return error;
    }
    out->width = (int)size[0];
    out->height = (int)size[1];
    if (calib_json_maybe(root, "camera", &member) && !json_is_null(member.value) &&
        (error = calib_json_text_of(&member, sizeof out->camera, out->camera))) {
        return error;
    }
    if (!calib_json_maybe(root, "ready", &member) || !json_is_boolean(member.value)) {
        return calib_json_fault(root, CALIB_E_VALUE, "\"ready\" is missing");
    }
    out->ready = json_is_true(member.value);
    return CALIB_OK;
}

int calib_certificate_parse(const char *json, size_t length, const char *name,
                            struct certificate *out, struct calib_fault *fault)
{
    struct json_doc doc;
    struct json_node root;
    int error = calib_json_open(&doc, json, length, name, NULL, fault, &root);

    memset(out, 0, sizeof *out);
    if (error) {
        return error;
    }
    error = head_read(&root, out);
    calib_json_close(&doc);
    return error;
}
