/* calib/cv.cpp: a thin wrapper over OpenCV, whose C headers no longer compile as C. Everything
 * here converts, calls and converts back; whatever OpenCV throws becomes a number. */
#include "calib/cv.h"

#include <cmath>
#include <exception>
#include <new>
#include <vector>

#include <opencv2/calib3d.hpp>
#include <opencv2/core.hpp>

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
        cv::Mat r;
        if (!all_finite(turns[i]) || !all_finite(places[i]))
            continue;
        cv::Rodrigues(turns[i], r);
        for (int j = 0; j < 9; j++)
            poses[found].r[j] = r.at<double>(j / 3, j % 3);
        for (int j = 0; j < 3; j++)
            poses[found].t_mm[j] = places[i].at<double>(j);
        found++;
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
