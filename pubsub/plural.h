/* pubsub/plural.h: which of a language's plural forms goes with a number: the line "Plural-Forms"
 * of a gettext catalogue. Pure: no I/O, no memory from the heap. */
#ifndef PUBSUB_PLURAL_H
#define PUBSUB_PLURAL_H

#include <stdbool.h>

#define PLURAL_FORMS_MAX 6 /* Arabic has these; none has more */
#define PLURAL_STEPS_MAX 96

/* The rule as steps over a stack. */
struct plural {
    int forms;
    int steps;
    struct plural_step {
        char kind;           /* an operator, '#': the constant, 'n': the number */
        unsigned long value; /* of '#' */
    } step[PLURAL_STEPS_MAX];
};

/* "nplurals=2; plural=(n != 1);": C's operators ?: || && == != < > <= >= + - * / % ! and
 * parentheses over n and whole numbers. False: anything else, or longer than a rule is. */
bool pubsub_plural_parse(const char *text, struct plural *out);

/* The form for a number, 0 to forms - 1; a rule that names another gives 0. */
int pubsub_plural_form(const struct plural *plural, unsigned long n);

#endif
