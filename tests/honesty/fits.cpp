#include "fits.hpp"

#include <cmath>

#include <Eigen/Dense>

namespace postern::honesty {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// A column of ones, then the features about their means in units of their sds.
struct Design {
  Matrix x;
  Vector sds;
};

Design design_of(const std::vector<std::vector<double>>& x, std::size_t n) {
  Design out{Matrix::Ones(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(x.size() + 1)),
             Vector(static_cast<Eigen::Index>(x.size()))};
  for (std::size_t j = 0; j < x.size(); ++j) {
    const auto column = static_cast<Eigen::Index>(j);
    const Eigen::Map<const Vector> values(x[j].data(), static_cast<Eigen::Index>(n));
    const Vector centred = values.array() - values.mean();
    out.sds[column] = std::sqrt(centred.squaredNorm() / static_cast<double>(n));
    out.x.col(column + 1) = centred / out.sds[column];
  }
  return out;
}

double mean_at(Line line, double eta) {
  if (line == Line::logistic) return 1 / (1 + std::exp(-eta));
  return line == Line::poisson ? std::exp(eta) : eta;
}

double variance_at(Line line, double mean) {
  if (line == Line::logistic) return mean * (1 - mean);
  return line == Line::poisson ? mean : 1;
}

}  // namespace

LineFit fit_line(Line line, const std::vector<std::vector<double>>& x, const std::vector<double>& y) {
  const Design design = design_of(x, y.size());
  const Eigen::Map<const Vector> target(y.data(), static_cast<Eigen::Index>(y.size()));
  Vector beta = Vector::Zero(design.x.cols());
  if (line == Line::poisson) beta[0] = std::log(target.mean());
  Matrix information;
  for (int step = 0; step < (line == Line::linear ? 1 : 50); ++step) {
    const Vector mean = (design.x * beta).unaryExpr([&](double eta) { return mean_at(line, eta); });
    const Vector weight = mean.unaryExpr([&](double m) { return variance_at(line, m); });
    information = design.x.transpose() * weight.asDiagonal() * design.x;
    beta += information.ldlt().solve(design.x.transpose() * (target - mean));
  }
  LineFit out;
  double scale = 1;
  if (line == Line::linear) {
    scale = (target - design.x * beta).squaredNorm() / static_cast<double>(y.size());
    out.sigma = std::sqrt(scale);
  }
  const Matrix inverse = information.inverse();
  for (Eigen::Index j = 0; j < design.sds.size(); ++j) {
    out.slopes.push_back(beta[j + 1] / design.sds[j]);
    out.errors.push_back(std::sqrt(scale * inverse(j + 1, j + 1)) / design.sds[j]);
  }
  return out;
}

std::vector<double> shares_of(const std::vector<std::vector<double>>& columns) {
  Matrix centred(static_cast<Eigen::Index>(columns[0].size()), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const Eigen::Map<const Vector> values(columns[j].data(), centred.rows());
    centred.col(static_cast<Eigen::Index>(j)) = values.array() - values.mean();
  }
  const Matrix covariance = centred.transpose() * centred / static_cast<double>(centred.rows());
  const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(covariance).eigenvalues();
  std::vector<double> out;
  for (Eigen::Index k = values.size(); k-- > 0;) out.push_back(values[k] / values.sum());
  return out;
}

}  // namespace postern::honesty
