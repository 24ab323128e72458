#!/bin/sh
# The checks over the source are shown to fail: a small tree with every fault they look for.
set -u
here=$PWD
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/calib" "$dir/capture" "$dir/vision" "$dir/referee" "$dir/pubsub" "$dir/tests/draw" \
    "$dir/b" || exit 1
cp -r "$here/tests/checks" "$dir/tests/checks"
cd "$dir" || exit 1

# expect SCRIPT NAME FILE FAULT: the script must fail that test in this tree, naming the file.
expect() {
    # $1 may have arguments.
    # shellcheck disable=SC2086
    if B=b JOBS=${JOBS:-2} sh tests/checks/$1 >out 2>&1; grep -qF "not ok - $2" out && grep -qF "$3" out; then
        echo "ok - $1 should find: $4"
    else
        echo "not ok - $1 should find: $4"
        sed 's/^/# /' out | head -n 30
    fi
}
layer='each room should include only what stands before it'
file() { # path, then its text on standard input
    cat >"$1"
}

file calib/a.h </dev/null
file calib/cv.cpp </dev/null
echo '#include "vision/a.h"' | file calib/up.c
echo '#include "calib/a.h"' | file vision/a.h
echo '#include "capture/cmd_b.h"' | file capture/down.c
echo '#include <vision/a.h>' | file capture/brackets.c
echo '#include "vision/pose.h"' | file referee/deep.c
echo '#include "vision/json_text.h"' | file referee/teller.c
echo '#include "vision/a.h"' | file tests/draw/peek.c
expect layers.sh "$layer" 'calib/up.c: may not include' 'an include of a room above'
expect layers.sh "$layer" 'capture/brackets.c: may not include' 'an include of a room above in angle brackets'
expect layers.sh "$layer" 'capture/down.c: a library includes' 'a library that includes a program file'
expect layers.sh "$layer" 'referee/deep.c: may not include' 'rules that know how a layout was read'
expect layers.sh "$layer" 'referee/teller.c: may not include' 'rules that write JSON'
expect layers.sh "$layer" 'tests/draw/peek.c: may not include' 'a drawer that knows the reader'
expect layers.sh 'every include should name' 'capture/down.c' 'an include of nothing'
file calib/second.cpp </dev/null
expect layers.sh 'calib/cv.cpp should be the one' 'second.cpp' 'a second C++ file'
rm calib/second.cpp
file capture/third.cc </dev/null
expect layers.sh 'calib/cv.cpp should be the one' 'third.cc' 'a C++ file by another ending'
rm capture/third.cc
for library in 'linux/videodev2.h V4L2' 'opencv2/core/core.hpp OpenCV'; do
    printf '#include <%s>\n' "${library% *}" | tee vision/one.c >vision/two.c
    expect layers.sh "one file should know ${library#* }" 'two.c' "a second file that knows ${library#* }"
done
rm vision/one.c vision/two.c
printf '#include <apriltag/tag36h11.h>\n' | tee vision/one.c calib/one.c >vision/two.c
expect layers.sh 'two files should know libapriltag' 'two.c' 'a third file that knows libapriltag'
rm vision/one.c vision/two.c calib/one.c
printf '#include <zmq.h>\n' | tee pubsub/one.c >pubsub/two.c
expect layers.sh 'one file should know ZeroMQ' 'two.c' 'a second file that knows ZeroMQ'

cat >vision/calls.c <<'END'
/* strcpy(a, b) in a comment is none */
const char *text = "strcat(a, b) in a string neither";
void f(void)
{
    sprintf(a, "x");
    fprintf(stderr, "x");
}
END
expect layers.sh 'no file should make a banned call' 'vision/calls.c:5: ' 'a banned call'
expect layers.sh 'no file should make a banned call' 'vision/calls.c:6: ' 'a library that prints'
if grep -q 'vision/calls.c:[12]:' out; then
    echo "not ok - layers.sh should not look into comments and strings"
else
    echo "ok - layers.sh should not look into comments and strings"
fi

echo 'unknown_type x;' | file calib/lonely.h
expect headers.sh 'calib/lonely.h should compile alone' 'lonely' 'a header that does not stand alone'

{ echo 'int long_one(void)'; echo '{'; seq -f '    f(%g);' 100; echo '}'; } | file calib/long.c
expect sizes.sh 'no function should be longer' 'long_one has 103 lines' 'a function of 103 lines'
seq -f '/* %g */' 801 | file calib/big.c
expect sizes.sh 'no file should be longer' 'calib/big.c: 801' 'a file of 801 lines'

# The tests under sanitizers are worth nothing where these are not in, or find nothing.
mkdir -p tests/unit b/asan/tests/unit
cp "$here/tests/program.sh" tests
sanitized() { # name, statement: a test that does this and prints that all is well
    cat >"tests/unit/test_$1.c" <<END
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    volatile int n = argc;
    char *volatile p = malloc(4);
    (void)argv;
    if (!p) return 1;
    $2
    puts("1..1\nok 1 - done");
    return 0;
}
END
    gcc -g -fsanitize=address,undefined -fno-sanitize-recover=all -o "b/asan/tests/unit/test_$1" \
        "tests/unit/test_$1.c" || echo "not ok - test_$1.c should compile"
}
sanitized sound 'free(p);'
sanitized leak 'p = NULL;'
sanitized overrun 'p[3 + n] = 0; free(p);'
sanitized overflow 'n += 0x7fffffff; free(p);'
for fault in leak overrun overflow; do
    expect 'units.sh b/asan/tests/unit 60' "test_$fault: ended with status" "test_$fault" "a test with a $fault"
done
if grep -q '^ok - test_sound: done' out && ! grep -q '^not ok - test_sound' out; then
    echo "ok - units.sh should pass a sound test"
else
    echo "not ok - units.sh should pass a sound test"
fi
rm -r tests/unit

# Objects: each library of this tree compiled as it stands.
rm -f ./*/*.c ./*/*.cpp calib/lonely.h
mkdir -p b/calib b/vision b/referee b/capture
cat >calib/state.c <<'END'
int counter;
static int hidden = 3;
int *calib_state(void) { return &hidden; }
END
cat >vision/names.c <<'END'
static const char *const name[] = {"a", "b"};
const char *vision_name(int i) { return name[i]; }
END
cat >vision/clock.c <<'END'
#include <time.h>
#include <stdio.h>
long vision_now(void) { puts("now"); return (long)time(0) + (fopen("x", "r") != 0); }
END
cat >referee/dice.c <<'END'
#include <stdlib.h>
int referee_dice(void) { return rand() + (malloc(4) != 0); }
END
cat >referee/half.c <<'END'
float referee_half(int points);
float referee_half(int points) { return (float)points / 2; }
END
cat >referee/tell_json.c <<'END'
#include <stdlib.h>
void *referee_tell(void) { return malloc(4); }
END
cat >referee/teller.c <<'END'
void *referee_tell(void);
void *referee_teller(void);
void *referee_teller(void) { return referee_tell(); }
END
cat >calib/above.c <<'END'
int vision_name(int i);
int calib_above(void);
int calib_above(void) { return vision_name(1); }
END
cat >capture/program.c <<'END'
void cmd_error(const char *text);
void capture_program(void);
void capture_program(void) { cmd_error("x"); }
END
cat >capture/naked.c <<'END'
int frame_count(void);
int frame_count(void) { return 1; }
END
for c in */*.c; do
    gcc -O2 -c -o "b/${c%.c}.o" "$c" || echo "not ok - $c should compile"
done
expect objects.sh 'each library should call only' 'calib/above.c: calls vision_name' 'a call of a room above'
expect objects.sh 'each library should call only' 'capture/program.c: calls cmd_error' 'a call of the program'
expect objects.sh 'every name that a library shows' 'capture/naked.c: shows frame_count' 'a name without prefix'
expect objects.sh 'no library should hold a writable global' 'calib/state.c: counter' 'a writable global'
expect objects.sh 'no library should hold a writable global' 'calib/state.c: hidden' 'a hidden writable global'
if grep -q 'vision/names.c' out; then
    echo "not ok - objects.sh should allow constant tables of pointers"
else
    echo "ok - objects.sh should allow constant tables of pointers"
fi
expect objects.sh 'no library should have a random source' 'referee/dice.c: calls rand' 'dice in the rules'
expect objects.sh 'the rules should call nothing but' 'referee/dice.c: calls malloc' 'memory from the heap in the rules'
expect objects.sh 'the rules should have whole numbers only' 'referee/half.c' 'a float in the rules'
expect objects.sh 'the rules should call only rules' 'referee/teller.c: calls referee_tell' 'rules that call what is around them'
expect objects.sh 'parsers, pictures, reading' 'vision/clock.c: calls time' 'a clock in the reading'
expect objects.sh 'vision should have no files' 'vision/clock.c: calls fopen' 'a file in the reading'
expect objects.sh 'no library should print' 'vision/clock.c: calls puts' 'a library that prints'
rm b/vision/clock.o
expect objects.sh 'vision/clock.c should have an object' 'clock' 'a file that was not built'
