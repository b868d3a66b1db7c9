#include "report.hpp"

#include <cmath>
#include <fstream>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>

#include "postern/core/parallel.hpp"

#include "density.hpp"
#include "noisy_tables.hpp"
#include "posterior_draw.hpp"
#include "privacy_loss.hpp"
#include "trial.hpp"

namespace postern::zhang16 {
namespace {

constexpr std::uint32_t kStealthStream = 0;
constexpr std::size_t kChain = 12;

double unit_stealth_increment(const Plan& plan) {
  Rng rng(plan.seed, kStealthStream, Purpose::simulation);
  return stealth_increment(0.9, plan.stealth_draws, rng);
}

Cell gather(Method method, std::size_t epsilon, const std::vector<TrialResult>& trials) {
  Cell out;
  out.method = method;
  out.epsilon = facts(method).has_epsilon ? kEpsilons[epsilon] : std::numeric_limits<double>::quiet_NaN();
  double square = 0;
  for (const TrialResult& trial : trials) {
    const double x = trial[static_cast<std::size_t>(method)][epsilon];
    if (std::isnan(x)) continue;
    ++out.repeats;
    const double off = x - out.mean;
    out.mean += off / static_cast<double>(out.repeats);
    square += off * (x - out.mean);
  }
  out.sd = out.repeats > 1 ? std::sqrt(square / static_cast<double>(out.repeats - 1)) : 0;
  return out;
}

class Table {
 public:
  Table(const std::filesystem::path& file, const char* columns) : file_(file), out_(file) {
    out_.precision(6);
    out_ << columns << '\n';
  }
  std::ostream& row() { return out_; }
  void close() {
    out_.close();
    if (!out_) throw std::runtime_error("cannot write " + file_.string());
  }

 private:
  std::filesystem::path file_;
  std::ofstream out_;
};

/// Empty for what is not a number.
std::string text(double x) {
  if (std::isnan(x)) return {};
  std::string out = std::to_string(x);
  out.erase(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out.pop_back();
  return out;
}

/// One record of zeros: how often t's increment leaves a cell negative.
double printed_failure(double t, double epsilon, std::size_t draws, Rng& rng) {
  const Record zeros;
  const Coefficients exact = transform(count({&zeros, 1}));
  const double scale = kPrintedFourierSensitivity / epsilon;
  std::size_t failed = 0;
  for (std::size_t i = 0; i < draws; ++i)
    failed += least_increment(add_laplace(exact, scale, rng)) > 2 * t * kCoefficients * scale ? 1 : 0;
  return static_cast<double>(failed) / static_cast<double>(draws);
}

}  // namespace

std::vector<Cell> run_plan(const Plan& plan, const Progress& progress) {
  const TrialPlan trial_plan{plan.seed, unit_stealth_increment(plan), plan.averaged_repeats,
                             plan.aware_repeats};
  std::vector<TrialResult> trials(plan.repeats);
  std::mutex telling;
  std::size_t done = 0;
  parallel_for(plan.repeats, plan.threads, [&](std::size_t i) {
    trials[i] = run_trial(trial_plan, i);
    const std::lock_guard lock(telling);
    progress(static_cast<double>(++done) / static_cast<double>(plan.repeats));
  });
  std::vector<Cell> out;
  for (std::size_t m = 0; m < kMethods.size(); ++m) {
    for (std::size_t e = 0; e < (kMethods[m].has_epsilon ? kEpsilons.size() : 1); ++e) {
      Cell cell = gather(static_cast<Method>(m), e, trials);
      if (cell.repeats > 0) out.push_back(cell);
    }
  }
  return out;
}

void write_accuracy(const std::filesystem::path& file, const std::vector<Cell>& cells) {
  Table table(file, "method,epsilon,true_epsilon,repeats,mean,se,sd");
  for (const Cell& cell : cells) {
    table.row() << facts(cell.method).name << ',' << text(cell.epsilon) << ','
                << text(true_epsilon(cell.method, cell.epsilon)) << ',' << cell.repeats << ',' << cell.mean
                << ',' << cell.sd / std::sqrt(static_cast<double>(cell.repeats)) << ',' << cell.sd << '\n';
  }
  table.close();
}

void write_privacy(const std::filesystem::path& file, const Plan& plan) {
  Table table(file, "quantity,setting,claimed,found");
  for (const double epsilon : {2., 5., 10., 20.}) {
    table.row() << "loss of the printed sampler,n = 50," << epsilon << ','
                << draw_loss(kFeatures, kTrain, printed_omega(epsilon), 1) << '\n';
  }
  for (const double epsilon : {2., 5., 10., 20.}) {
    table.row() << "loss of the corrected sampler,n = 50," << epsilon << ','
                << draw_loss(kFeatures, kTrain, priced_omega(epsilon), 1) << '\n';
  }
  for (const std::size_t n : {10, 50, 100, 1000}) {
    table.row() << "loss of Algorithm 3,one coin omega = 0.1 n = " << n << ",1,"
                << algorithm_3_loss(n, 0.1, 1) << '\n';
    table.row() << "sensitivity of a posterior density,one coin omega = 0.1 n = " << n << ','
                << std::sqrt(std::log(9)) << ',' << density_sensitivity(n, 0.1) << '\n';
  }
  Rng rng(plan.seed, kStealthStream + 1, Purpose::simulation);
  const double unit = unit_stealth_increment(plan);
  table.row() << "t for 90 % stealth,16 features," << std::log(10) << ',' << unit / (2 * kCoefficients)
              << '\n';
  table.row() << "increment of a cell for 90 % stealth over 1 / epsilon,16 features,"
              << std::log(10) * kCoefficients * kPrintedFourierSensitivity / 2 << ','
              << unit * kPrintedFourierSensitivity / 4 << '\n';
  table.row() << "probability of a negative cell,one record epsilon = 0.01 t = 0.02," << std::exp(-0.02)
              << ',' << printed_failure(0.02, 0.01, plan.stealth_draws, rng) << '\n';
  table.row() << "probability of a negative cell,one record epsilon = 0.01 t = ln 10," << 0.1 << ','
              << printed_failure(std::log(10), 0.01, plan.stealth_draws, rng) << '\n';
  table.close();
}

void write_remark_1(const std::filesystem::path& file) {
  Table table(file, "order,coefficients,laplace,fourier_printed,fourier");
  for (std::size_t order = 0; order <= 4; ++order) {
    const ChainNoise noise = chain_noise(kChain, order);
    table.row() << order << ',' << noise.coefficients << ',' << noise.laplace << ',' << noise.fourier_printed
                << ',' << noise.fourier << '\n';
  }
  table.close();
}

}  // namespace postern::zhang16
