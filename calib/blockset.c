#include "calib/blockset.h"

#include "calib/json.h"
#include "calib/shape_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block may be longer than two cells by less than a rim, or cells would not lie on one grid. */
#define LENGTH_SLACK_CELLS 0.05
#define BLOCK_NUMBER_MAX 99
#define WIDTH_LEAST_MM 2.0 /* smaller blocks than these are a slip of units */
/* Two symbols are alike when their colours differ by less than two prints of one colour do, and
 * their shapes, turned by quarters, in less than a hundredth of the field. */
#define ALIKE_COLOUR 8 /* of 255, in each channel */
#define ALIKE_SHARE 0.01
#define ALIKE_SIDE 48 /* points along a side of the field at which shapes are compared */

static int symbol_read(const struct json_node *node, const struct json_node *shapes,
                       struct symbol *symbol)
{
    static const char *const known[] = {"name", "shape", "field", "ink", NULL};
    struct json_node member;
    int error = calib_json_label(node, node->key, &symbol->label);

    if (!error && !json_is_object(node->value)) {
        error = calib_json_fault(node, CALIB_E_VALUE, "an object in {} is wanted");
    }
    if (error) {
        return error;
    }
    calib_json_known(node, known);
    if (!calib_json_maybe(node, "name", &member)) {
        symbol->name[0] = symbol->label; /* better a label than no name before people */
    } else if ((error = calib_json_text(node, "name", sizeof symbol->name, symbol->name))) {
        return error;
    }
    if ((error = calib_json_colour(node, "field", &symbol->field)) ||
        (error = calib_json_colour(node, "ink", &symbol->ink))) {
        return error;
    }
    if (symbol->field.r == symbol->ink.r && symbol->field.g == symbol->ink.g &&
        symbol->field.b == symbol->ink.b) {
        return calib_json_fault(node, CALIB_E_VALUE,
                                "field and ink have the same colour: nobody could see the shape");
    }
    if (!calib_json_maybe(node, "shape", &member)) {
        return calib_json_fault(node, CALIB_E_VALUE, "\"shape\" is missing");
    }
    return calib_shape_read(&member, shapes, &symbol->shape);
}

static bool colour_alike(struct rgb8 a, struct rgb8 b)
{
    return abs(a.r - b.r) < ALIKE_COLOUR && abs(a.g - b.g) < ALIKE_COLOUR &&
           abs(a.b - b.b) < ALIKE_COLOUR;
}

/* The share of the field in which `a` differs from `b` turned by so many quarters. */
static double shape_difference(const struct shape *a, const struct shape *b, int quarters)
{
    int different = 0;

    for (int i = 0; i < ALIKE_SIDE * ALIKE_SIDE; i++) {
        int col = i % ALIKE_SIDE, row = i / ALIKE_SIDE;
        double u = (col + 0.5) / ALIKE_SIDE - 0.5, v = (row + 0.5) / ALIKE_SIDE - 0.5;
        double x = quarters == 1 ? -v : quarters == 2 ? -u : quarters == 3 ? v : u;
        double y = quarters == 1 ? u : quarters == 2 ? -v : quarters == 3 ? -u : v;

        different += calib_shape_covers(a, u, v) != calib_shape_covers(b, x, y);
    }
    return (double)different / (ALIKE_SIDE * ALIKE_SIDE);
}

/* A cell may lie in any quarter turn, so symbols that differ by one only are the same to all. */
static bool symbols_alike(const struct symbol *a, const struct symbol *b)
{
    if (!colour_alike(a->field, b->field) || !colour_alike(a->ink, b->ink)) {
        return false;
    }
    for (int quarters = 0; quarters < 4; quarters++) {
        if (shape_difference(&a->shape, &b->shape, quarters) < ALIKE_SHARE) {
            return true;
        }
    }
    return false;
}

/* Nobody could say which of two such symbols lies there: a set with them is refused. */
static int alike_refuse(const struct json_node *node, const struct blockset *set, int newest)
{
    const struct symbol *symbol = &set->symbol[newest];

    for (int i = 0; i < newest; i++) {
        if (symbols_alike(&set->symbol[i], symbol)) {
            return calib_json_fault(node, CALIB_E_VALUE,
                                    "looks like symbol \"%c\": nobody could tell them apart",
                                    set->symbol[i].label);
        }
    }
    return CALIB_OK;
}

static int symbols_read(const struct json_node *root, const struct json_node *shapes,
                        struct blockset *set)
{
    struct json_node symbols;
    const char *key;
    json_t *value;
    int error = calib_json_object(root, "symbols", &symbols);

    if (error) {
        return error;
    }
    size_t count = json_object_size(symbols.value);
    if (count < 1 || count > BLOCKSET_SYMBOLS_MAX) {
        return calib_json_fault(&symbols, count < 1 ? CALIB_E_VALUE : CALIB_E_SIZE,
                                "%zu symbols, 1 to %d are possible", count, BLOCKSET_SYMBOLS_MAX);
    }
    json_object_foreach(symbols.value, key, value)
    {
        struct json_node node = {root->doc, &symbols, key, 0, value};
        if ((error = symbol_read(&node, shapes, &set->symbol[set->symbols])) ||
            (error = alike_refuse(&node, set, set->symbols))) {
            return error;
        }
        set->symbols++;
    }
    return CALIB_OK;
}

static int face_read(const struct json_node *node, const struct blockset *set, char face[2])
{
    char labels[BLOCKSET_SYMBOLS_MAX + 1] = "";
    const char *text = json_is_string(node->value) ? json_string_value(node->value) : "";

    if (strlen(text) != 2) {
        return calib_json_fault(node, CALIB_E_VALUE,
                                "a face is a text of two symbols, as in \"%c%c\"",
                                set->symbol[0].label, set->symbol[set->symbols - 1].label);
    }
    for (int i = 0; i < set->symbols; i++) {
        labels[i] = set->symbol[i].label;
    }
    for (int i = 0; i < 2; i++) {
        if (calib_blockset_find(set, text[i]) < 0) {
            bool plain = text[i] > 0x20 && text[i] < 0x7f;
            return calib_json_fault(node, CALIB_E_VALUE,
                                    plain ? "\"%.*s\" is no symbol of this set; use one of %s"
                                          : "\"%.*s?\" is no symbol of this set; use one of %s",
                                    plain, text + i, labels);
        }
        face[i] = text[i];
    }
    return CALIB_OK;
}

static int block_read(const struct json_node *node, const struct blockset *set, struct block *block)
{
    static const char *const known[] = {"number", "faces", NULL};
    struct json_node faces;
    int error = calib_json_integer(node, "number", 1, BLOCK_NUMBER_MAX, &block->number);

    if (error) {
        return error;
    }
    calib_json_known(node, known);
    for (int i = 0; i < set->blocks; i++) {
        if (set->block[i].number == block->number) {
            return calib_json_fault(node, CALIB_E_VALUE, "a second block of number %d",
                                    block->number);
        }
    }
    block->faces = calib_json_array(node, "faces", 1, BLOCKSET_FACES_MAX, &faces);
    if (block->faces < 0) {
        return block->faces;
    }
    for (int i = 0; i < block->faces; i++) {
        struct json_node face = calib_json_item(&faces, (size_t)i);
        if ((error = face_read(&face, set, block->face[i]))) {
            return error;
        }
    }
    return CALIB_OK;
}

static int blocks_read(const struct json_node *root, struct blockset *set)
{
    struct json_node blocks;
    int count = calib_json_array(root, "blocks", 1, BLOCKSET_BLOCKS_MAX, &blocks);

    for (int i = 0; i < count; i++) {
        struct json_node node;
        int error = calib_json_item_object(&blocks, (size_t)i, &node);
        error = error ? error : block_read(&node, set, &set->block[set->blocks]);
        if (error) {
            return error;
        }
        set->blocks++;
    }
    return count < 0 ? count : CALIB_OK;
}

static int sizes_read(const struct json_node *root, struct blockset *set)
{
    static const char *const known[] = {"length_mm", "width_mm", "height_mm", NULL};
    struct json_node block;
    int error = calib_json_number(root, "rim", 0.0, RIM_MAX_CELLS, &set->rim);

    if (error || (error = calib_json_object(root, "block", &block))) {
        return error;
    }
    calib_json_known(&block, known);
    if ((error = calib_json_size_mm(&block, "length_mm", &set->length_mm)) ||
        (error = calib_json_size_mm(&block, "width_mm", &set->width_mm)) ||
        (error = calib_json_size_mm(&block, "height_mm", &set->height_mm))) {
        return error;
    }
    if (set->width_mm < WIDTH_LEAST_MM) {
        return calib_json_fault(&block, CALIB_E_VALUE, "width_mm %g: at least %g mm are wanted",
                                set->width_mm, WIDTH_LEAST_MM);
    }
    if (fabs(set->length_mm - 2.0 * set->width_mm) > LENGTH_SLACK_CELLS * set->width_mm) {
        return calib_json_fault(&block, CALIB_E_VALUE,
                                "length_mm %g is not twice width_mm %g: a face is two square cells",
                                set->length_mm, set->width_mm);
    }
    return CALIB_OK;
}

/* A symbol on no block is a slip more likely than a wish. */
static void unused_warn(const struct json_node *root, const struct blockset *set)
{
    for (int s = 0; s < set->symbols; s++) {
        bool used = false;
        for (int b = 0; b < set->blocks; b++) {
            for (int f = 0; f < set->block[b].faces; f++) {
                used = used || memchr(set->block[b].face[f], set->symbol[s].label, 2);
            }
        }
        if (!used) {
            calib_json_warn(root, "symbol \"%c\" is on no block", set->symbol[s].label);
        }
    }
}

static int set_read(const struct json_node *root, struct blockset *set, struct calib_fault *fault)
{
    static const char *const known[] = {"name", "rim", "block", "symbols", "blocks", NULL};
    struct json_doc shapes_doc;
    struct json_node shapes;
    int error = calib_json_format(root, "tableref-set/1");

    if (error) {
        return error;
    }
    calib_json_known(root, known);
    if ((error = calib_json_text(root, "name", sizeof set->name, set->name)) ||
        (error = sizes_read(root, set)) ||
        (error = calib_shapes_open(&shapes_doc, &shapes, fault))) {
        return error;
    }
    error = symbols_read(root, &shapes, set);
    calib_json_close(&shapes_doc);
    error = error ? error : blocks_read(root, set);
    if (!error) {
        unused_warn(root, set);
    }
    return error;
}

int calib_blockset_parse(const char *json, size_t length, const char *name,
                         const struct calib_sink *sink, struct blockset **out,
                         struct calib_fault *fault)
{
    struct json_doc doc;
    struct json_node root;
    struct blockset *set = NULL;
    int error;

    *out = NULL;
    if ((error = calib_json_open(&doc, json, length, name, sink, fault, &root))) {
        return error;
    }
    set = calloc(1, sizeof *set);
    error = set ? set_read(&root, set, fault)
                : calib_fault_set(fault, name, 0, CALIB_E_MEMORY, "out of memory");
    calib_json_close(&doc);
    if (error) {
        calib_blockset_destroy(&set);
        return error;
    }
    *out = set;
    return CALIB_OK;
}

void calib_blockset_destroy(struct blockset **set)
{
    if (set) {
        free(*set);
        *set = NULL;
    }
}

int calib_blockset_find(const struct blockset *set, char label)
{
    for (int i = 0; i < set->symbols; i++) {
        if (set->symbol[i].label == label) {
            return i;
        }
    }
    return -1;
}

int calib_blockset_cells(const struct blockset *set)
{
    return 2 * set->blocks;
}
