#!/bin/sh
# What the compiled libraries call, show and hold, by nm and objdump on the plain build's objects.
#
# Each library calls only those before it (a declaration of one's own gets past the check over the
# includes) and shows only names with its room's prefix, by which this is seen. No library holds a
# writable global. The rules call nothing but memory and text functions of
# bounded length. Parsers and the reading itself have no I/O, clock or random source; files are
# opened where a room says so, in one place.
set -u
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

sources=$(ls calib/*.c calib/*.cpp capture/*.c vision/*.c referee/*.c pubsub/*.c 2>/dev/null |
    grep -v -e '/cmd_' -e '/loop_' -e '/main\.c$')
for source in $sources; do
    object=$B/${source%.*}.o
    if [ ! -f "$object" ]; then
        echo "not ok - $source should have an object"
        continue
    fi
    # object, what it calls that is not in itself
    nm -u "$object" | awk -v s="$source" '{ sub(/@.*/, "", $NF); print s, $NF }' >>"$tmp/calls"
    # object, what it shows to others; weak names are the compiler's copies of C++ templates
    nm -g --defined-only "$object" | awk -v s="$source" '$2 !~ /^[VvWwu]$/ { print s, $3 }' >>"$tmp/shows"
    # Variables in writable sections. Constant tables of pointers (.data.rel.ro) are made read-only
    # before main runs; the start of C++'s streams and its references for exceptions (DW.ref) are the
    # compiler's and OpenCV's headers' doing.
    objdump -t "$object" |
        awk -v s="$source" '/ \.(data|bss|tdata|tbss)|\*COM\*/ && !/ \.data\.rel\.ro/ && !/ d  / \
            && $NF !~ /^(_ZStL8__ioinit$|DW\.ref\.)/ && $NF !~ /^\.(data|bss)/ { print s ": " $NF }' >>"$tmp/globals"
done
[ -f "$tmp/calls" ] || { echo "not ok - there should be objects in $B"; exit 1; }

report() { # findings in $tmp/found
    if [ -s "$tmp/found" ]; then
        echo "not ok - $1"
        sed 's/^/# /' "$tmp/found"
    else
        echo "ok - $1"
    fi
}

awk '{ room = $1; sub(/\/.*/, "", room); if ($2 !~ "^" room "_") print $1 ": shows " $2 }' \
    "$tmp/shows" >"$tmp/found"
report "every name that a library shows should have its room's prefix"

# The rules have a stricter list below.
awk 'BEGIN {
        before["calib"] = "calib"
        before["capture"] = "calib|capture"
        before["vision"] = "calib|capture|vision"
        before["referee"] = "calib|vision|referee"
        before["pubsub"] = "calib|vision|referee|pubsub"
    }
    $2 ~ /^(calib|capture|vision|referee|pubsub|cmd|loop)_/ {
        room = $1
        sub(/\/.*/, "", room)
        if ($2 !~ "^(" before[room] ")_") print $1 ": calls " $2
    }' "$tmp/calls" >"$tmp/found"
report "each library should call only what stands before it"

cp "$tmp/globals" "$tmp/found"
report "no library should hold a writable global"

# What stands around the rules: formats, the record of a match, results. Everything else in referee/ is
# rules: new files are, until they are named here.
around='^referee/([a-z0-9_]*_json|record|history|journal|journal_read|digest|results|results_csv)\.c$'

# The rules: a list of what they may call. Everything else of libc would be a way out.
awk -v around="$around" '$1 ~ /^referee\// && $1 !~ around &&
    $2 !~ /^(mem(cpy|move|set|cmp|chr)|str(n?len|n?cmp|chr)|snprintf|__stack_chk_fail)$/ &&
    $2 !~ /^(referee_|vision_(reason|seat_state|slot_state)_name$|calib_(grid|deck_find|blockset_(find|cells))|_GLOBAL_OFFSET_TABLE_$)/ \
    { print $1 ": calls " $2 }' "$tmp/calls" >"$tmp/found"
report "the rules should call nothing but memory and text functions"

# Nor do they step out by way of their own room: what they call of it is rules too.
awk -v around="$around" '$1 ~ around { print $2 }' "$tmp/shows" >"$tmp/outside"
awk -v around="$around" 'FNR == NR { outside[$1] = 1; next }
    $1 ~ /^referee\// && $1 !~ around && $2 in outside { print $1 ": calls " $2 }' \
    "$tmp/outside" "$tmp/calls" >"$tmp/found"
report "the rules should call only rules"

# Whole numbers only: without the floating point registers gcc refuses every float.
: >"$tmp/found"
for source in $(echo "$sources" | grep '^referee/' | grep -Ev "$around"); do
    gcc -std=gnu11 -O2 -I. -mgeneral-regs-only -c -o "$tmp/whole.o" "$source" >"$tmp/log" 2>&1 ||
        echo "$source: $(grep -m 1 'error' "$tmp/log")" >>"$tmp/found"
done
report "the rules should have whole numbers only"

clock='time|times|ftime|clock|clock_gettime|gettimeofday|clock_nanosleep|nanosleep|usleep|sleep|localtime|localtime_r|gmtime|timespec_get'
random='rand|rand_r|random|srand|srandom|drand48|erand48|lrand48|arc4random|getrandom|getentropy'
leave='exit|_exit|abort|__assert_fail|system|popen|fork|vfork|execv|execve|execvp|posix_spawn|posix_spawnp'
print='printf|__v?f?printf_chk|vprintf|puts|putchar|putchar_unlocked|perror|stdout|stderr'
files='open|open64|openat|creat|fopen|fopen64|fdopen|freopen|read|pread|write|pwrite|fread|fwrite|fputs|fputc|fprintf|fgets|fgetc|getc|mmap|mmap64|ioctl|opendir|readdir|stat|fstat|lstat|unlink|rename|mkstemp|socket|connect|send|recv|__open_2|__open64_2|pread64|pwrite64|lseek|lseek64|fseek|fseeko|tmpfile|getline|getdelim|fscanf|mkdir|rmdir|truncate|ftruncate|syscall|dlopen|json_load_file|json_dump_file|json_loadf|json_dumpf|jpeg_stdio_src|jpeg_stdio_dest|png_init_io|cairo_surface_write_to_png|cairo_image_surface_create_from_png'
environment='getenv|secure_getenv|setenv|putenv|setlocale'
# forbid NAME SOURCES WORDS EXCEPT: no call of WORDS in objects of SOURCES, but those of EXCEPT.
forbid() {
    awk -v sources="$2" -v words="^($3)$" -v except="${4:-^$}" \
        '$1 ~ sources && $1 !~ except && $2 ~ words { print $1 ": calls " $2 }' "$tmp/calls" >"$tmp/found"
    report "$1"
}
forbid "no library should end the program" '.' "$leave"
forbid "no library should print" '.' "$print"
forbid "no library should ask the environment" '.' "$environment"
forbid "no library should have a random source" '.' "$random"
forbid "parsers, pictures, reading and rules should have no clock" '^(calib|vision|referee)/|^capture/(exif|jpeg|png|still|frame)' "$clock"
# Where files are opened: calib reads kit files and writes small ones for all, capture has pictures.
awk -v words="^($files)$" '$1 ~ /^calib\// && $2 ~ words { print $1 }' "$tmp/calls" | sort -u >"$tmp/found"
grep -v -e '^calib/load\.c$' -e '^calib/file\.c$' "$tmp/found" >"$tmp/others"
mv "$tmp/others" "$tmp/found"
report "in calib only load.c should read files, and only file.c write them"
forbid "the decoders should work on bytes" '^capture/(exif|jpeg|frame)' "$files"
forbid "vision should have no files" '^vision/' "$files"
forbid "in referee only the journal should have files" '^referee/' "$files" '^referee/journal(_read)?\.c$'
# Nor by way of a library below: what loads a file by its name is for the program.
forbid "vision and rules should load nothing" '^(vision|referee)/' '(calib_[a-z_]*|capture_still)_(load|read)'
# libapriltag is known to one file, OpenCV to the C++ wrapper.
forbid "only tags.c, and for their pictures tag_picture.c, should link libapriltag" '.' \
    'apriltag_detector_[a-z_]*|tag36h11_[a-z]*' '^(vision/tags|calib/tag_picture)\.c$'
forbid "only cv.cpp should link OpenCV" '.' '_ZN?K?2cv.*' '^calib/cv\.cpp$'
