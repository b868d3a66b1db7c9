#include "figure.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <string>

#include "postern/assess/distances.hpp"
#include "postern/core/draw.hpp"
#include "postern/core/parallel.hpp"
#include "postern/core/special.hpp"

namespace postern::bs18 {
namespace {

constexpr std::size_t kResamples = 200;

struct MeanAndSe {
  double mean = 0;
  double se = 0;
};
MeanAndSe mean_and_se(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  MeanAndSe out;
  for (const double x : values) out.mean += x / count;
  double square = 0;
  for (const double x : values) square += (x - out.mean) * (x - out.mean);
  out.se = std::sqrt(square / (count - 1) / count);
  return out;
}

/// The first trial has asked every method that any trial has.
SettingResult gather(const Setting& setting, const std::vector<std::vector<Grade>>& trials) {
  SettingResult out{setting, {}};
  for (const Grade& first : trials.front()) {
    MethodResult& method = out.methods.emplace_back();
    method.method = first.method;
    for (const auto& grades : trials) {
      for (const Grade& grade : grades) {
        if (grade.method != first.method) continue;
        method.u.push_back(grade.u);
        method.mmd2.push_back(grade.mmd2);
      }
    }
    std::sort(method.u.begin(), method.u.end());
  }
  return out;
}

class Table {
 public:
  Table(const std::filesystem::path& file, const char* columns) : file_(file), out_(file) {
    out_.precision(6);
    out_ << "model,prior,bounds,n,epsilon,method," << columns << '\n';
  }
  std::ostream& row(const Setting& setting, Method method) {
    return out_ << setting.model_name() << ',' << setting.prior_name() << ',' << setting.bounds_name() << ','
                << setting.n << ',' << setting.epsilon << ','
                << kMethodNames.at(static_cast<std::size_t>(method)) << ',';
  }
  void close() {
    out_.close();
    if (!out_) throw std::runtime_error("cannot write " + file_.string());
  }

 private:
  std::filesystem::path file_;
  std::ofstream out_;
};

}  // namespace

std::vector<SettingResult> run_plan(const Plan& plan, const Progress& progress) {
  std::vector<SettingResult> out;
  std::mutex telling;
  std::size_t all = 0;
  std::size_t done = 0;
  for (const Setting& setting : plan.settings) all += plan.effort.of(setting);
  for (const Setting& setting : plan.settings) {
    std::vector<std::vector<Grade>> trials(plan.effort.of(setting));
    parallel_for(trials.size(), plan.threads, [&](std::size_t i) {
      trials[i] = run_trial(setting, plan.effort, plan.seed, i);
      const std::lock_guard lock(telling);
      progress(static_cast<double>(++done) / static_cast<double>(all));
    });
    out.push_back(gather(setting, trials));
  }
  return out;
}

Calibration calibration(std::span<const double> u, std::uint64_t seed) {
  std::vector<double> resampled(u.size());
  std::vector<double> distances;
  Rng rng(seed, 0, Purpose::simulation);
  for (std::size_t r = 0; r < kResamples; ++r) {
    for (double& x : resampled) x = u[draw_below(u.size(), rng)];
    distances.push_back(assess::ks_uniform(resampled));
  }
  return {assess::ks_uniform(u), mean_and_se(distances).se * std::sqrt(static_cast<double>(kResamples))};
}

void write_figure_a(const std::filesystem::path& file, std::span<const SettingResult> results,
                    std::uint64_t seed) {
  Table table(file, "trials,ks,ks_se,p_value");
  for (const SettingResult& result : results) {
    for (const MethodResult& method : result.methods) {
      const Calibration found = calibration(method.u, seed);
      table.row(result.setting, method.method)
          << method.u.size() << ',' << found.ks << ',' << found.se << ','
          << kolmogorov_tail(found.ks, static_cast<double>(method.u.size())) << '\n';
    }
  }
  table.close();
}

void write_figure_b(const std::filesystem::path& file, std::span<const SettingResult> results) {
  Table table(file, "u,cdf");
  for (const SettingResult& result : results) {
    for (const MethodResult& method : result.methods) {
      const auto count = static_cast<double>(method.u.size());
      for (std::size_t i = 0; i < method.u.size(); ++i)
        table.row(result.setting, method.method)
            << method.u[i] << ',' << static_cast<double>(i + 1) / count << '\n';
    }
  }
  table.close();
}

void write_figure_c(const std::filesystem::path& file, std::span<const SettingResult> results) {
  Table table(file, "trials,mmd2,mmd2_se,mmd");
  for (const SettingResult& result : results) {
    for (const MethodResult& method : result.methods) {
      if (method.method == Method::nonprivate || method.method == Method::ops) continue;
      const MeanAndSe squared = mean_and_se(method.mmd2);
      double distance = 0;
      for (const double x : method.mmd2)
        distance += std::sqrt(std::max(x, 0.0)) / static_cast<double>(method.mmd2.size());
      table.row(result.setting, method.method)
          << method.mmd2.size() << ',' << squared.mean << ',' << squared.se << ',' << distance << '\n';
    }
  }
  table.close();
}

}  // namespace postern::bs18
