/* lens COLS ROWS SQUARE_MM PICTURE...: what OpenCV's calibrateCamera says by itself, with nothing
 * of ours between it and the corners but the wrapper: {"fx":..,"fy":..,"cx":..,"cy":..,"rms_px":..} */
#include "calib/cv.h"
#include "capture/still.h"

#include <stdio.h>
#include <stdlib.h>

#define VIEWS_MAX 64
#define POINTS_MAX 1024

static double point_mm[POINTS_MAX][2], pixel[VIEWS_MAX][POINTS_MAX][2];

int main(int argc, char **argv)
{
    struct cv_view view[VIEWS_MAX];
    struct pose pose[VIEWS_MAX];
    struct camera camera;
    double sigma[CALIB_CV_LENS], each[VIEWS_MAX], rms;
    long cols = argc > 4 ? strtol(argv[1], NULL, 10) : 0;
    long rows = argc > 4 ? strtol(argv[2], NULL, 10) : 0;
    double square = argc > 4 ? strtod(argv[3], NULL) : 0;
    size_t views = 0;
    int width = 0, height = 0;
    if (cols < 3 || rows < 3 || cols * rows > POINTS_MAX || argc - 4 > VIEWS_MAX) {
        fprintf(stderr, "usage: lens COLS ROWS SQUARE_MM PICTURE...\n");
        return 2;
    }
    for (long i = 0; i < cols * rows; i++) {
        point_mm[i][0] = (double)(i % cols) * square;
        point_mm[i][1] = (double)(i / cols) * square;
    }
    for (int i = 4; i < argc; i++) {
        struct capture_fault fault;
        struct frame *frame = NULL;
        if (capture_still_read(argv[i], &frame, &fault) != 0) {
            fprintf(stderr, "lens: %s: %s\n", argv[i], fault.text);
            return 1;
        }
        const struct cv_grey grey = {frame->y, frame->width, frame->height, frame->y_stride};
        width = frame->width;
        height = frame->height;
        if (calib_cv_chessboard(&grey, (int)cols, (int)rows, true, pixel[views]) == CALIB_OK) {
            view[views] = (struct cv_view){(const double(*)[2])point_mm,
                                           (const double(*)[2])pixel[views], (size_t)(cols * rows)};
            views++;
        }
        capture_frame_destroy(&frame);
    }
    if (calib_cv_calibrate(view, views, width, height, 0, &camera, sigma, pose, each, &rms) != 0) {
        fprintf(stderr, "lens: no lens\n");
        return 1;
    }
    printf("{\"views\":%zu,\"fx\":%.4f,\"fy\":%.4f,\"cx\":%.4f,\"cy\":%.4f,\"rms_px\":%.4f}\n", views,
           camera.fx, camera.fy, camera.cx, camera.cy, rms);
    return 0;
}
