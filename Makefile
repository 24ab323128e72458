# tableref: see README.md.
#
# For people:     all (the default), demo, check, check-long, bench, fuzz, po, install, clean
# For one piece:  check-v4l2, check-one SUITE=units, units, tools, stats, replays, lint
#
# Variables:      V=1 (whole commands)  OPT=-O2  B=build (folder for everything that is made)  JOBS=(processors)
#                 SAN=-fsanitize=.. (give it a B of its own)  CFLAGS, CXXFLAGS, LDFLAGS (added)
CC = gcc
CXX = g++
B ?= build
OPT ?= -O2
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local

WERROR ?= -Werror
WARN = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
       -Wcast-qual -Wwrite-strings -Wundef -Wvla -Wformat=2 $(WERROR)
CXXWARN = -Wall -Wextra -Wshadow -Wundef -Wformat=2 $(WERROR)
# OpenCV's headers count as the system's, so that our warnings do not fall on them; only its three
# modules are linked, not everything opencv4.pc names. -ffp-contract=off: the same numbers on
# machines with and without fused multiply-add.
OPENCV_CFLAGS = -isystem /usr/include/opencv4
# Cairo, and Pango beside it, whose headers want GLib's and HarfBuzz's.
CAIRO_CFLAGS = -isystem /usr/include/cairo -isystem /usr/include/pango-1.0 -isystem /usr/include/harfbuzz \
               -isystem /usr/include/glib-2.0 \
               -isystem /usr/lib/$(shell gcc -print-multiarch)/glib-2.0/include
OPENCV_LIBS = -lopencv_calib3d -lopencv_imgproc -lopencv_core
CFLAGS_ALL = -std=gnu11 $(OPT) -g -fno-omit-frame-pointer -ffp-contract=off $(WARN) -I. $(CAIRO_CFLAGS) \
             $(SAN) $(CFLAGS)
CXXFLAGS_ALL = -std=gnu++17 $(OPT) -g -fno-omit-frame-pointer -ffp-contract=off $(CXXWARN) -I. \
               $(OPENCV_CFLAGS) $(SAN) $(CXXFLAGS)
# --as-needed: a program loads at its start only the libraries that it calls.
LINK = $(CXX) $(SAN) $(LDFLAGS) -Wl,--as-needed
LIBS = $(OPENCV_LIBS) -lapriltag -ljansson -lpng -lz -ljpeg -lcairo -lpangocairo-1.0 -lpango-1.0 -lgobject-2.0 -lglib-2.0 -larchive -lsodium -lzmq -lmicrohttpd -lgnutls -lqrencode -lncursesw -ltinfo -lpthread -lm

# Debian's packages: what the program is built from, and what checking it takes besides.
BUILD_PACKAGES = gcc g++ libc6-dev libopencv-core-dev libopencv-imgproc-dev libopencv-calib3d-dev \
                 libapriltag-dev libjansson-dev libpng-dev zlib1g-dev libjpeg62-turbo-dev libcairo2-dev libsodium-dev \
                 libavformat-dev libavcodec-dev libavutil-dev libzmq3-dev libmicrohttpd-dev \
                 libgnutls28-dev libqrencode-dev libncurses-dev libpango1.0-dev libarchive-dev gettext \
                 fonts-dejavu-core
CHECK_PACKAGES = libcmocka-dev clang libclang-rt-14-dev clang-tidy cppcheck jq mandoc curl openssl ffmpeg \
                 parallel python3-zmq poppler-utils

# The browser that pages are tried in. (A node that is not Debian's has npm of its own.)
PAGES_PACKAGES = chromium nodejs $(if $(shell command -v npm),,npm)

# The machine in which cameras are tried (it fetches its kernel by itself).
V4L2_PACKAGES = qemu-system-x86 cpio xz-utils v4l-utils
say = $(if $(V),,@echo "  $(1)" $(patsubst $(B)/%,%,$@);)

# What looks at every px or sample is compiled to do several at once. Another OPT counts for all. (Private: the note of flags is no part of this.)
$(B)/vision/%.o: private OPT := $(OPT:-O2=-O3)

# --- What there is, found by name ---------------------------------------------------------------
# ROOM/*.c is library code, but main.c, cmd_*.c (verbs) and loop_*.c (process loops), which may use
# every library. A test program is one file; files beside it without its prefix are shared by all.
rooms = calib capture vision referee pubsub
prog_src = $(wildcard $(rooms:%=%/cmd_*.c) $(rooms:%=%/loop_*.c))
lib_src = $(filter-out %/main.c $(prog_src),$(wildcard $(rooms:%=%/*.c)))
cxx_src = $(wildcard calib/*.cpp)
unit_src = $(wildcard tests/unit/test_*.c)
stat_src = $(wildcard tests/stat/stat_*.c)
tool_src = $(wildcard tests/tools/*_main.c tests/v4l2/*_main.c)
fuzz_src = $(wildcard tests/fuzz/fuzz_*.c)
bench_src = $(wildcard tests/bench/bench_*.c)
aid_src = $(wildcard tests/draw/*.c) \
          $(filter-out $(unit_src) $(stat_src) $(tool_src),$(wildcard tests/unit/*.c tests/stat/*.c tests/tools/*.c))
kit_data = $(sort $(wildcard calib/kit/*.json calib/kit/*/*.json))
# What a page may be made of; pubsub/web_asset.c knows the kinds.
web_kinds = html js css svg png wav ogg
web_data = $(sort $(foreach kind,$(web_kinds),$(wildcard pubsub/web/*.$(kind))))

# Languages: each has a catalogue of all messages, and one of those that stand in the pages.
po_data = $(sort $(wildcard pubsub/po/*.po))
mo_data = $(po_data:pubsub/po/%.po=$(B)/po/%.mo) $(po_data:pubsub/po/%.po=$(B)/po/pages/%.mo)

lib_obj = $(lib_src:%.c=$(B)/%.o) $(prog_src:%.c=$(B)/%.o) $(cxx_src:%.cpp=$(B)/%.o) $(B)/calib/kit_data.o \
          $(B)/pubsub/web_data.o $(B)/pubsub/po_data.o
aid_obj = $(aid_src:%.c=$(B)/%.o)
test_src = $(unit_src) $(stat_src) $(tool_src) $(fuzz_src) $(bench_src) $(wildcard tests/fuzz/replay_main.c)
c_src = $(lib_src) $(prog_src) $(wildcard referee/main.c) $(aid_src) $(test_src)
c_obj = $(c_src:%.c=$(B)/%.o)

unit_bin = $(unit_src:%.c=$(B)/%)
stat_bin = $(stat_src:%.c=$(B)/%)
tool_bin = $(tool_src:%_main.c=$(B)/%)
fuzz_bin = $(fuzz_src:%.c=$(B)/%)
bench_bin = $(bench_src:%.c=$(B)/%)
# The program stands at the top of the tree; that of any other build in its own folder.
prog = $(if $(filter build,$(B)),tableref,$(B)/tableref)

all: $(prog)
units: $(unit_bin)
stats: $(stat_bin)
tools: $(tool_bin)
replays: $(fuzz_bin)
benches: $(bench_bin)
everything: all units stats tools benches

$(prog): $(B)/referee/main.o $(B)/libtableref.a
	$(call say,LINK)$(LINK) -o $@ $^ $(LIBS)

# An archive is made anew, so that a file that is gone leaves it.
$(B)/libtableref.a: $(lib_obj) $(B)/names
	@rm -f $@
	$(call say,AR  )ar rcs $@ $(lib_obj)

$(B)/libaids.a: $(aid_obj) $(B)/names
	@rm -f $@
	$(call say,AR  )ar rcs $@ $(aid_obj)

archives = $(B)/libaids.a $(B)/libtableref.a

$(unit_bin): $(B)/%: $(B)/%.o $(archives)
	$(call say,LINK)$(LINK) -o $@ $^ $(LIBS) -lcmocka

$(stat_bin) $(bench_bin): $(B)/%: $(B)/%.o $(archives)
	$(call say,LINK)$(LINK) -o $@ $^ $(LIBS)

$(tool_bin): $(B)/%: $(B)/%_main.o $(archives)
	$(call say,LINK)$(LINK) -o $@ $^ $(LIBS)

# A fuzzer links libFuzzer (FUZZER=-fsanitize=fuzzer, with clang) or, by default, the plain main
# that replays its corpus.
FUZZER = $(B)/tests/fuzz/replay_main.o
$(fuzz_bin): $(B)/%: $(B)/%.o $(archives) $(filter %.o,$(FUZZER))
	$(call say,LINK)$(LINK) -o $@ $< $(FUZZER) $(archives) $(LIBS)

$(B)/%.o: %.c $(B)/flags | $(B)/packages
	@mkdir -p $(@D)
	$(call say,CC  )$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(B)/%.o: %.cpp $(B)/flags | $(B)/packages
	@mkdir -p $(@D)
	$(call say,CXX )$(CXX) $(CXXFLAGS_ALL) -MMD -MP -c -o $@ $<

# The kit's files stand inside the program, so that a built-in name works anywhere.
$(B)/calib/kit_data.c: $(kit_data) calib/embed.sh $(B)/names
	@mkdir -p $(@D)
	$(call say,DATA)sh calib/embed.sh calib/kit calib/kit.h kit_file calib_kit_files calib_kit_count json > $@.tmp && mv $@.tmp $@

# So do the pages' files.
$(B)/pubsub/web_data.c: $(web_data) calib/embed.sh $(B)/names
	@mkdir -p $(@D)
	$(call say,DATA)sh calib/embed.sh pubsub/web pubsub/web_asset.h web_asset pubsub_web_assets pubsub_web_asset_count $(web_kinds) > $@.tmp && mv $@.tmp $@

# And the catalogues.
$(B)/po/%.mo: pubsub/po/%.po | $(B)/packages
	@mkdir -p $(@D)
	$(call say,MO  )msgfmt --check-format -o $@ $<
$(B)/po/pages.pot: $(filter %.js,$(web_data)) pubsub/po/extract.sh | $(B)/packages
	@mkdir -p $(@D)
	$(call say,POT )sh pubsub/po/extract.sh pages > $@.tmp && mv $@.tmp $@
$(B)/po/pages/%.mo: pubsub/po/%.po $(B)/po/pages.pot
	@mkdir -p $(@D)
	$(call say,MO  )msgmerge --quiet --no-fuzzy-matching -o - $^ | msgattrib --no-obsolete | msgfmt -o $@ -
$(B)/pubsub/po_data.c: $(mo_data) calib/embed.sh $(B)/names
	@mkdir -p $(@D)
	$(call say,DATA)sh calib/embed.sh $(B)/po pubsub/lang.h lang_file pubsub_lang_files pubsub_lang_file_count mo > $@.tmp && mv $@.tmp $@

$(B)/calib/kit_data.o $(B)/pubsub/web_data.o $(B)/pubsub/po_data.o: %.o: %.c $(B)/flags
	$(call say,CC  )$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

# Two notes that change only when what they hold does: the flags (every object hangs on them) and
# the names of all sources (archives and embedded data do).
$(B)/flags: FORCE
	@mkdir -p $(B); echo '$(CC) $(CFLAGS_ALL) $(CXX) $(CXXFLAGS_ALL)' | cmp -s - $@ || \
	echo '$(CC) $(CFLAGS_ALL) $(CXX) $(CXXFLAGS_ALL)' > $@
$(B)/names: FORCE
	@mkdir -p $(B); echo '$(c_src) $(cxx_src) $(kit_data) $(web_data) $(po_data)' | cmp -s - $@ || \
	echo '$(c_src) $(cxx_src) $(kit_data) $(web_data) $(po_data)' > $@

# Missing packages are installed, once; afterwards this costs nothing.
$(B)/packages: Makefile .ci/packages
	@mkdir -p $(B)
	@sh .ci/packages $(BUILD_PACKAGES)
	@touch $@
$(B)/packages-check: Makefile .ci/packages
	@mkdir -p $(B)
	@sh .ci/packages $(BUILD_PACKAGES) $(CHECK_PACKAGES) $(V4L2_PACKAGES) $(PAGES_PACKAGES)
	@touch $@
# The package that the example for Node needs, likewise; its library is in it, so nothing is built.
$(B)/examples/installed: $(B)/packages-check $(wildcard pubsub/examples/*)
	@mkdir -p $(@D)
	@cp pubsub/examples/* $(@D)
	@cd $(@D) && npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@
# Real photographs to calibrate with: of a package that is unpacked there, and not installed.
$(B)/opencv-doc/unpacked: tests/opencv_doc.sh | $(B)/packages-check
	@sh tests/opencv_doc.sh $(@D)
	@touch $@
# What drives the browser: exactly what the lock file names.
$(B)/browser/installed: $(B)/packages-check tests/browser/package.json tests/browser/package-lock.json
	@mkdir -p $(@D)
	@cp tests/browser/package.json tests/browser/package-lock.json $(@D)
	@cd $(@D) && npm ci --no-audit --no-fund --silent
	@touch $@

# --- Looking at it ------------------------------------------------------------------------------
demo: all
	@sh tests/demo.sh ./$(prog) $(B)/demo

# --- Checking it (the suites are in tests/run.sh) -----------------------------------------------
RUN = B='$(B)' JOBS='$(JOBS)' MAKE='$(MAKE)' sh tests/run.sh
check: $(B)/packages-check $(B)/browser/installed $(B)/examples/installed $(B)/opencv-doc/unpacked
	@$(RUN) short
check-long: $(B)/packages-check $(B)/browser/installed $(B)/examples/installed $(B)/opencv-doc/unpacked
	@$(RUN) long
check-one: $(B)/packages-check $(B)/browser/installed $(B)/examples/installed $(B)/opencv-doc/unpacked
	@$(RUN) one $(SUITE)
# Cameras against real V4L2 devices, at length; a short part of it is in make check.
check-v4l2: $(B)/packages-check all tools
	@$(RUN) one v4l2-long

# A file is linted when its object was made anew. A stamp that is missing afterwards is a finding.
lint_src = $(lib_src) $(prog_src) $(wildcard referee/main.c) $(wildcard tests/draw/*.c)
lint: $(lint_src:%.c=$(B)/lint/%.tidy)
$(B)/lint/%.tidy: $(B)/%.o .clang-tidy
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,TIDY)clang-tidy --quiet $*.c -- -std=gnu11 -I. $(CAIRO_CFLAGS) > $@.log 2>&1
	@touch $@

bench: all benches $(B)/browser/installed
	@for b in $(bench_bin); do $$b ./$(prog) fixtures || exit 1; done
	@B='$(B)' node tests/browser/bench.mjs

SANITIZERS = -fsanitize=address,undefined -fno-sanitize-recover=all
SECONDS = 600
fuzz: $(B)/packages-check
	@mkdir -p $(B)/check
	@B='$(B)' JOBS='$(JOBS)' MAKE='$(MAKE)' sh tests/checks/fuzzers.sh $(SECONDS) | tee $(B)/check/fuzz.log
	@! grep -q '^not ok' $(B)/check/fuzz.log
# clang warns about other things than gcc; gcc's opinion is the one that stops a build.
fuzzers:
	$(MAKE) B=$(B)/fuzz CC=clang CXX=clang++ OPT=-O1 WERROR= \
	  SAN='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all' \
	  FUZZER=-fsanitize=fuzzer replays
# The build that make check runs its tests in a second time. gcc's warnings about sizes are wrong
# where sanitizers rewrite the code, so here they stop nothing.
asan:
	$(MAKE) B=$(B)/asan OPT=-O1 WERROR= SAN='$(SANITIZERS)' all units replays

# New and changed messages into the catalogues; pubsub/po/README.md says what is to be done then.
po: $(B)/packages
	@sh pubsub/po/extract.sh > pubsub/po/tableref.pot
	@for po in $(po_data); do msgmerge --quiet --update --backup=none --no-fuzzy-matching --sort-output --no-wrap $$po pubsub/po/tableref.pot && msgattrib --no-obsolete --no-wrap --sort-output -o $$po $$po || exit 1; done

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(prog) $(DESTDIR)$(PREFIX)/bin/tableref
	install -m 644 referee/tableref.1 $(DESTDIR)$(PREFIX)/share/man/man1/tableref.1

clean:
	rm -rf build tableref

-include $(c_obj:.o=.d) $(cxx_src:%.cpp=$(B)/%.d)
.PHONY: FORCE all everything units stats tools replays benches demo check check-long check-one check-v4l2 lint \
        bench fuzz fuzzers asan po install clean
.SECONDARY:
.DELETE_ON_ERROR:
