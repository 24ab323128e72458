# tableref: see README.md. The targets people use: all, demo, check, check-long, bench, clean.
CC ?= gcc
CXX ?= g++
B ?= build
OPT ?= -O2
WARN = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
       -Wcast-qual -Wwrite-strings -Wundef -Wvla -Wformat=2 -Werror
CXXWARN = -Wall -Wextra -Wshadow -Wundef -Wformat=2 -Werror
PKGS = opencv4 apriltag jansson libpng libjpeg cairo
# OpenCV's headers count as the system's, so that our warnings do not fall on them; only its three
# modules are linked, not everything opencv4.pc names.
OPENCV_CFLAGS = -isystem /usr/include/opencv4
OPENCV_LIBS = -lopencv_calib3d -lopencv_imgproc -lopencv_core
CFLAGS_ALL = -std=gnu11 $(OPT) -g -fno-omit-frame-pointer -ffp-contract=off $(WARN) -I. $(SAN) $(CFLAGS)
CXXFLAGS_ALL = -std=gnu++17 $(OPT) -g -fno-omit-frame-pointer $(CXXWARN) -I. $(OPENCV_CFLAGS) $(SAN) $(CXXFLAGS)
LIBS = $(OPENCV_LIBS) -lapriltag -ljansson -lpng -ljpeg -lcairo -lpthread -lm

rooms = calib capture vision referee pubsub
lib_src = $(filter-out %/main.c $(wildcard $(rooms:%=%/cmd_*.c)),$(wildcard $(rooms:%=%/*.c)))
cmd_src = $(wildcard $(rooms:%=%/cmd_*.c))
cxx_src = $(wildcard calib/*.cpp)
draw_src = $(wildcard tests/draw/*.c)
kit_data = $(wildcard calib/kit/*.json calib/kit/*/*.json)

lib_obj = $(lib_src:%.c=$(B)/%.o) $(cxx_src:%.cpp=$(B)/%.o) $(if $(kit_data),$(B)/calib/kit_data.o)
cmd_obj = $(cmd_src:%.c=$(B)/%.o)
draw_obj = $(draw_src:%.c=$(B)/%.o)
unit_src = $(wildcard tests/unit/test_*.c)
unit_bin = $(unit_src:tests/unit/%.c=$(B)/tests/unit/%)

all: tableref

tableref: $(B)/referee/main.o $(cmd_obj) $(lib_obj)
	$(CXX) $(SAN) -o $@ $^ $(LIBS)

units: $(unit_bin)

$(B)/tests/unit/%: $(B)/tests/unit/%.o $(draw_obj) $(cmd_obj) $(lib_obj)
	$(CXX) $(SAN) -o $@ $^ $(LIBS) -lcmocka

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(B)/%.o: %.cpp
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS_ALL) -MMD -MP -c -o $@ $<

# The kit's files stand inside the program, so that a built-in name works anywhere.
$(B)/calib/kit_data.c: $(kit_data) calib/embed.sh
	@mkdir -p $(@D)
	sh calib/embed.sh calib/kit > $@.tmp && mv $@.tmp $@

$(B)/calib/kit_data.o: $(B)/calib/kit_data.c
	$(CC) $(CFLAGS_ALL) -c -o $@ $<

clean:
	rm -rf build tableref

-include $(shell find $(B) -name '*.d' 2>/dev/null)
.PHONY: all units clean
.SECONDARY:
