/* calib/cv.cpp: a thin wrapper over OpenCV, whose C headers no longer compile as C. Everything
 * here converts, calls and converts back; whatever OpenCV throws becomes a number. */
#include "calib/cv.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <vector>

#include <opencv2/calib3d.hpp>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

namespace {

/* Runs the call and turns what it throws into one of calib's numbers. OpenCV throws for degenerate
 * points where it does not just return nothing. */
template <typename Call> int guarded(Call call) noexcept
{
    try {
        return call();
    } catch (const std::bad_alloc &) {
        return CALIB_E_MEMORY;
    } catch (const cv::Exception &e) {
        return e.code == cv::Error::StsNoMem ? CALIB_E_MEMORY : CALIB_E_GEOMETRY;
    } catch (...) {
        return CALIB_E_GEOMETRY;
    }
}

/* Do the points span a plane? On a line or in one spot they fix neither homography nor pose, yet
 * OpenCV may return some. A line seen with double precision has a ratio of axes under 1e-6. */
bool spans_plane(const std::vector<cv::Point2d> &points)
{
    double n = static_cast<double>(points.size()), x = 0, y = 0, a = 0, b = 0, c = 0;
    for (const cv::Point2d &p : points) {
        x += p.x / n;
        y += p.y / n;
    }
    for (const cv::Point2d &p : points) {
        a += (p.x - x) * (p.x - x);
        b += (p.x - x) * (p.y - y);
        c += (p.y - y) * (p.y - y);
    }
    double mean = (a + c) / 2, apart = std::hypot((a - c) / 2, b);
    return mean - apart > 1e-12 * (mean + apart);
}

/* False for points that are no numbers or that span no plane. */
bool points_read(const double (*xy)[2], size_t points, std::vector<cv::Point2d> &out)
{
    out.reserve(points);
    for (size_t i = 0; i < points; i++) {
        if (!std::isfinite(xy[i][0]) || !std::isfinite(xy[i][1]))
            return false;
        out.emplace_back(xy[i][0], xy[i][1]);
    }
    return spans_plane(out);
}

bool all_finite(const cv::Mat &m)
{
    return !m.empty() && cv::checkRange(m);
}

int homography(const double (*from)[2], const double (*to)[2], size_t points, double h[9])
{
    std::vector<cv::Point2d> a, b;
    if (!points_read(from, points, a) || !points_read(to, points, b))
        return CALIB_E_GEOMETRY;
    cv::Mat m = cv::findHomography(a, b, 0);
    if (m.rows != 3 || m.cols != 3 || m.type() != CV_64F || !all_finite(m))
        return CALIB_E_GEOMETRY;
    if (!(std::fabs(m.at<double>(2, 2)) > 1e-12) || !(std::fabs(cv::determinant(m)) > 1e-12))
        return CALIB_E_GEOMETRY;
    for (int i = 0; i < 9; i++)
        h[i] = m.at<double>(i / 3, i % 3) / m.at<double>(2, 2);
    return CALIB_OK;
}

/* The finder's own time grows with the square of the side, and it needs no more than this. */
constexpr int FIND_SIDE_PX = 1280;
/* Half the window in which a corner is refined: as OpenCV's sample has it, but never as large as
 * to hold another corner. */
constexpr int REFINE_MOST_PX = 11;
constexpr int REFINE_LEAST_PX = 2;

/* Least distance from a corner to the next one of its row or column. */
double corners_apart(const std::vector<cv::Point2f> &corners, int cols)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < corners.size(); i++) {
        if ((i + 1) % static_cast<size_t>(cols) != 0)
            least = std::min(least, cv::norm(corners[i] - corners[i + 1]));
        if (i + static_cast<size_t>(cols) < corners.size())
            least = std::min(least, cv::norm(corners[i] - corners[i + static_cast<size_t>(cols)]));
    }
    return least;
}

int chessboard(const struct cv_grey *grey, int cols, int rows, bool thorough, double (*corner)[2])
{
    cv::Mat full(grey->height, grey->width, CV_8UC1, const_cast<unsigned char *>(grey->bytes),
                 grey->stride);
    cv::Mat small = full;
    double scale = std::min(1.0, static_cast<double>(FIND_SIDE_PX) / std::max(full.cols, full.rows));
    if (scale < 1.0)
        cv::resize(full, small, cv::Size(), scale, scale, cv::INTER_AREA);
    const cv::Size size(cols, rows);
    std::vector<cv::Point2f> found;
    bool all = cv::findChessboardCorners(small, size, found,
                                         cv::CALIB_CB_ADAPTIVE_THRESH |
                                             cv::CALIB_CB_NORMALIZE_IMAGE |
                                             (thorough ? 0 : cv::CALIB_CB_FAST_CHECK));
    if (!all && thorough)
        all = cv::findChessboardCornersSB(small, size, found, cv::CALIB_CB_NORMALIZE_IMAGE);
    if (!all || found.size() != static_cast<size_t>(cols) * static_cast<size_t>(rows))
        return CALIB_E_GEOMETRY;
    for (cv::Point2f &p : found) /* pixel centres stay at whole numbers */
        p = cv::Point2f(static_cast<float>((p.x + 0.5) / scale - 0.5),
                        static_cast<float>((p.y + 0.5) / scale - 0.5));
    int half = static_cast<int>(corners_apart(found, cols) / 3.0);
    half = std::clamp(half, REFINE_LEAST_PX, REFINE_MOST_PX);
    cv::cornerSubPix(full, found, cv::Size(half, half), cv::Size(-1, -1),
                     cv::TermCriteria(cv::TermCriteria::EPS | cv::TermCriteria::COUNT, 60, 1e-3));
    for (size_t i = 0; i < found.size(); i++) {
        corner[i][0] = static_cast<double>(found[i].x);
        corner[i][1] = static_cast<double>(found[i].y);
    }
    return CALIB_OK;
}

int calibrate_flags(unsigned hold)
{
    int flags = 0;
    if (hold & CALIB_CV_HOLD_K3)
        flags |= cv::CALIB_FIX_K3;
    if (hold & CALIB_CV_HOLD_K2)
        flags |= cv::CALIB_FIX_K2;
    if (hold & CALIB_CV_HOLD_SKEWED)
        flags |= cv::CALIB_ZERO_TANGENT_DIST;
    if (hold & CALIB_CV_HOLD_CENTRE)
        flags |= cv::CALIB_FIX_PRINCIPAL_POINT;
    if (hold & CALIB_CV_HOLD_ASPECT)
        flags |= cv::CALIB_FIX_ASPECT_RATIO;
    return flags;
}

void pose_fill(const cv::Mat &turn, const cv::Mat &place, struct pose *pose)
{
    cv::Mat r;
    cv::Rodrigues(turn, r);
    for (int j = 0; j < 9; j++)
        pose->r[j] = r.at<double>(j / 3, j % 3);
    for (int j = 0; j < 3; j++)
        pose->t_mm[j] = place.at<double>(j);
}

/* OpenCV takes points as floats. */
bool view_read(const struct cv_view *view, std::vector<cv::Point3f> &object,
               std::vector<cv::Point2f> &image)
{
    std::vector<cv::Point2d> plane, seen;
    if (view->points < 4 || view->points > CALIB_CV_POINTS_MAX ||
        !points_read(view->point_mm, view->points, plane) ||
        !points_read(view->pixel, view->points, seen))
        return false;
    for (size_t i = 0; i < plane.size(); i++) {
        object.emplace_back(static_cast<float>(plane[i].x), static_cast<float>(plane[i].y), 0.0F);
        image.emplace_back(static_cast<float>(seen[i].x), static_cast<float>(seen[i].y));
    }
    return true;
}

int calibrate(const struct cv_view *view, size_t views, int width, int height, unsigned hold,
              struct camera *camera, double *sigma, struct pose *pose, double *view_rms_px,
              double *rms_px)
{
    std::vector<std::vector<cv::Point3f>> object(views);
    std::vector<std::vector<cv::Point2f>> image(views);
    for (size_t i = 0; i < views; i++)
        if (!view_read(&view[i], object[i], image[i]))
            return CALIB_E_GEOMETRY;
    cv::Mat k = cv::Mat::eye(3, 3, CV_64F), dist = cv::Mat::zeros(1, 5, CV_64F);
    cv::Mat lens_sigma, place_sigma, each;
    std::vector<cv::Mat> turns, places;
    *rms_px = cv::calibrateCamera(object, image, cv::Size(width, height), k, dist, turns, places,
                                  lens_sigma, place_sigma, each, calibrate_flags(hold));
    if (!std::isfinite(*rms_px) || !all_finite(k) || !all_finite(dist) || dist.total() < 5 ||
        turns.size() != views || places.size() != views || lens_sigma.total() < CALIB_CV_LENS ||
        each.total() != views || !(k.at<double>(0, 0) > 0) || !(k.at<double>(1, 1) > 0))
        return CALIB_E_GEOMETRY;
    *camera = {};
    camera->width = width;
    camera->height = height;
    camera->fx = k.at<double>(0, 0);
    camera->fy = k.at<double>(1, 1);
    camera->cx = k.at<double>(0, 2);
    camera->cy = k.at<double>(1, 2);
    for (int i = 0; i < 5; i++)
        camera->dist[i] = dist.at<double>(i);
    for (int i = 0; i < CALIB_CV_LENS; i++)
        sigma[i] = lens_sigma.at<double>(i);
    for (size_t i = 0; i < views; i++) {
        pose_fill(turns[i], places[i], &pose[i]);
        view_rms_px[i] = each.at<double>(static_cast<int>(i));
    }
    return CALIB_OK;
}

int plane_poses(const struct camera *camera, const double (*xy_mm)[2], const double (*pixel)[2],
                size_t points, struct pose poses[2])
{
    std::vector<cv::Point2d> plane, seen;
    if (!points_read(xy_mm, points, plane) || !points_read(pixel, points, seen))
        return CALIB_E_GEOMETRY;
    std::vector<cv::Point3d> object;
    object.reserve(points);
    for (const cv::Point2d &p : plane)
        object.emplace_back(p.x, p.y, 0.0);
    cv::Matx33d k(camera->fx, 0, camera->cx, 0, camera->fy, camera->cy, 0, 0, 1);
    cv::Mat dist(1, 5, CV_64F);
    for (int i = 0; i < 5; i++)
        dist.at<double>(i) = camera->dist[i];
    std::vector<cv::Mat> turns, places;
    cv::solvePnPGeneric(object, seen, k, dist, turns, places, false, cv::SOLVEPNP_IPPE);
    int found = 0;
    for (size_t i = 0; i < turns.size() && i < places.size() && found < 2; i++) {
        if (!all_finite(turns[i]) || !all_finite(places[i]))
            continue;
        pose_fill(turns[i], places[i], &poses[found++]);
    }
    return found > 0 ? found : static_cast<int>(CALIB_E_GEOMETRY);
}

} // namespace

extern "C" int calib_cv_homography(const double (*from)[2], const double (*to)[2], size_t points,
                                   double h[9])
{
    if (from == nullptr || to == nullptr || h == nullptr || points > CALIB_CV_POINTS_MAX)
        return CALIB_E_ARGUMENT;
    if (points < 4)
        return CALIB_E_GEOMETRY;
    return guarded([&] { return homography(from, to, points, h); });
}

extern "C" int calib_cv_plane_poses(const struct camera *camera, const double (*xy_mm)[2],
                                    const double (*pixel)[2], size_t points, struct pose poses[2])
{
    if (camera == nullptr || xy_mm == nullptr || pixel == nullptr || poses == nullptr ||
        points > CALIB_CV_POINTS_MAX || !(camera->fx > 0) || !(camera->fy > 0))
        return CALIB_E_ARGUMENT;
    if (points < 4)
        return CALIB_E_GEOMETRY;
    return guarded([&] { return plane_poses(camera, xy_mm, pixel, points, poses); });
}

extern "C" int calib_cv_chessboard(const struct cv_grey *grey, int cols, int rows, bool thorough,
                                   double (*corner)[2])
{
    if (grey == nullptr || grey->bytes == nullptr || corner == nullptr || grey->width < 1 ||
        grey->height < 1 || grey->stride < static_cast<size_t>(grey->width) || cols < 3 ||
        rows < 3 || cols > 64 || rows > 64)
        return CALIB_E_ARGUMENT;
    return guarded([&] { return chessboard(grey, cols, rows, thorough, corner); });
}

extern "C" int calib_cv_calibrate(const struct cv_view *view, size_t views, int width, int height,
                                  unsigned hold, struct camera *camera,
                                  double sigma[CALIB_CV_LENS], struct pose *pose,
                                  double *view_rms_px, double *rms_px)
{
    if (view == nullptr || camera == nullptr || sigma == nullptr || pose == nullptr ||
        view_rms_px == nullptr || rms_px == nullptr || views > CALIB_CV_VIEWS_MAX || width < 1 ||
        height < 1)
        return CALIB_E_ARGUMENT;
    if (views < 1)
        return CALIB_E_GEOMETRY;
    return guarded([&] {
        return calibrate(view, views, width, height, hold, camera, sigma, pose, view_rms_px, rms_px);
    });
}
