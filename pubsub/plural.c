/* pubsub/plural.c: plural rules, read by precedence with a stack of their own. */
#include "pubsub/plural.h"

#include <ctype.h>
#include <string.h>

/* Operators of two characters go by one that is no operator else. */
#define OR 'o'
#define AND 'a'
#define EQUAL 'e'
#define UNEQUAL 'u'
#define AT_MOST 'l'
#define AT_LEAST 'g'
#define CHOOSE ':' /* a ?: that is whole */
#define NUMBER_MAX 1000000000UL

struct reading {
    const char *at;
    struct plural *out;
    char waiting[PLURAL_STEPS_MAX]; /* operators whose right side is not read yet */
    int count;
    bool operand; /* the next thing must be one */
};

static int precedence(char operator)
{
    static const char *const rising[] = {"?:", "o", "a", "eu", "<>lg", "+-", "*/%", "!"};

    for (int p = 0; p < (int)(sizeof rising / sizeof *rising); p++)
        if (strchr(rising[p], operator))
            return p;
    return -1; /* "(" */
}

static bool step_add(struct reading *reading, char kind, unsigned long value)
{
    struct plural *out = reading->out;

    if (out->steps == PLURAL_STEPS_MAX)
        return false;
    out->step[out->steps++] = (struct plural_step){kind, value};
    return true;
}

static bool wait_add(struct reading *reading, char operator)
{
    if (reading->count == PLURAL_STEPS_MAX)
        return false;
    reading->waiting[reading->count++] = operator;
    return true;
}

/* What binds tighter than `least` is done. A "?" without its ":" never is. */
static bool waiting_do(struct reading *reading, int least)
{
    while (reading->count > 0 && precedence(reading->waiting[reading->count - 1]) >= least) {
        char operator= reading->waiting[reading->count - 1];
        if (operator== '?' || !step_add(reading, operator, 0))
            return false;
        reading->count--;
    }
    return true;
}

static char operator_read(struct reading *reading)
{
    static const struct {
        char text[3], operator;
    } twos[] = {{"||", OR},      {"&&", AND},     {"==", EQUAL},
                {"!=", UNEQUAL}, {"<=", AT_MOST}, {">=", AT_LEAST}};

    for (size_t i = 0; i < sizeof twos / sizeof *twos; i++)
        if (strncmp(reading->at, twos[i].text, 2) == 0) {
            reading->at += 2;
            return twos[i].operator;
        }
    return *reading->at && strchr("<>+-*/%?:)", *reading->at) ? *reading->at++ : 0;
}

static bool operand_take(struct reading *reading)
{
    unsigned long value = 0;

    if (*reading->at == '(' || *reading->at == '!')
        return wait_add(reading, *reading->at++);
    reading->operand = false;
    if (*reading->at == 'n') {
        reading->at++;
        return step_add(reading, 'n', 0);
    }
    if (!isdigit((unsigned char)*reading->at))
        return false;
    for (; isdigit((unsigned char)*reading->at); reading->at++)
        if ((value = 10 * value + (unsigned long)(*reading->at - '0')) > NUMBER_MAX)
            return false;
    return step_add(reading, '#', value);
}

/* Does what waits down to the operator `open`, which is left on top. */
static bool open_find(struct reading *reading, char open)
{
    while (reading->count > 0 && reading->waiting[reading->count - 1] != open) {
        char operator= reading->waiting[--reading->count];
        if (operator== '?' || operator== '(' || !step_add(reading, operator, 0))
            return false;
    }
    return reading->count > 0;
}

static bool operator_take(struct reading *reading)
{
    char operator= operator_read(reading);

    if (operator== 0)
        return false;
    if (operator== ')') {
        if (!open_find(reading, '('))
            return false;
        reading->count--;
        return true;
    }
    reading->operand = true;
    if (operator== ':') {
        if (!open_find(reading, '?'))
            return false;
        reading->waiting[reading->count - 1] = CHOOSE;
        return true;
    }
    /* ?: binds from the right, all else from the left. */
    return waiting_do(reading, precedence(operator) + (operator== '?')) &&
           wait_add(reading, operator);
}

static bool rule_read(struct reading *reading)
{
    for (;;) {
        while (*reading->at == ' ')
            reading->at++;
        if (*reading->at == 0 || *reading->at == ';' || *reading->at == '\n')
            break;
        if (reading->operand ? !operand_take(reading) : !operator_take(reading))
            return false;
    }
    while (reading->count > 0) {
        char operator= reading->waiting[--reading->count];
        if (operator== '?' || operator== '(' || !step_add(reading, operator, 0))
            return false;
    }
    return !reading->operand;
}

bool pubsub_plural_parse(const char *text, struct plural *out)
{
    static const char forms[] = "nplurals=", rule[] = "plural=";
    struct reading reading = {.out = out, .operand = true};

    memset(out, 0, sizeof *out);
    const char *at = strstr(text, forms);
    if (!at)
        return false;
    at += sizeof forms - 1;
    if (*at < '1' || *at > '0' + PLURAL_FORMS_MAX || at[1] != ';')
        return false;
    out->forms = *at - '0';
    at = strstr(at, rule);
    if (!at)
        return false;
    reading.at = at + sizeof rule - 1;
    return rule_read(&reading);
}

static unsigned long two_do(char operator, unsigned long left, unsigned long right)
{
    switch (operator) {
    case OR:
        return left || right;
    case AND:
        return left && right;
    case EQUAL:
        return left == right;
    case UNEQUAL:
        return left != right;
    case AT_MOST:
        return left <= right;
    case AT_LEAST:
        return left >= right;
    case '<':
        return left < right;
    case '>':
        return left > right;
    case '+':
        return left + right;
    case '-':
        return left - right;
    case '*':
        return left * right;
    case '/':
        return right ? left / right : 0;
    default: /* % */
        return right ? left % right : 0;
    }
}

int pubsub_plural_form(const struct plural *plural, unsigned long n)
{
    unsigned long stack[PLURAL_STEPS_MAX] = {0};
    int count = 0;

    /* The parser let through only what finds its operands here; an operand adds one at most. */
    for (int i = 0; i < plural->steps; i++) {
        const struct plural_step *step = &plural->step[i];
        int taken = step->kind == '#' || step->kind == 'n' ? 0
                    : step->kind == '!'                    ? 1
                    : step->kind == CHOOSE                 ? 3
                                                           : 2;
        if (count < taken)
            return 0;
        count -= taken;
        unsigned long *top = &stack[count++];
        if (taken == 0)
            *top = step->kind == 'n' ? n : step->value;
        else if (taken == 1)
            *top = !*top;
        else if (taken == 3)
            *top = top[0] ? top[1] : top[2];
        else
            *top = two_do(step->kind, top[0], top[1]);
    }
    return count == 1 && stack[0] < (unsigned long)plural->forms ? (int)stack[0] : 0;
}
