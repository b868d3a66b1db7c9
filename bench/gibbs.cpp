// One chain of the Gibbs engines, CPU microseconds a step, one thread. The numpy versions of the same steps
// are in bench/reference/gibbs.py.

#include <string>
#include <vector>

#include "postern/infer/kinds/number/gibbs/bounded.hpp"
#include "postern/infer/kinds/number/gibbs/joint_number.hpp"
#include "postern/infer/kinds/number/gibbs/joint_squares.hpp"
#include "postern/infer/kinds/table/gibbs/bounded_table.hpp"
#include "postern/infer/kinds/table/problem.hpp"
#include "postern/model/number_family.hpp"

#include "bench.hpp"

namespace {

using namespace postern;

infer::NoisyValue laplace(double y, double b) { return {y, release::DiscreteLaplace(1 / b)}; }

infer::NumberProblem problem(std::string_view name, const std::vector<Rational>& known, model::Values values,
                             const model::Hyper& prior) {
  const model::NumberFamily& family = *model::find_number_family(name);
  const model::Column column{"x", std::move(values), model::MapTo{0}, model::Clamp{}, true};
  infer::NumberProblem out;
  out.law = family.law(known);
  out.parameters = family.parameters.size();
  out.whole = family.whole;
  out.squares = family.squares;
  out.prior = prior;
  out.number = model::encoded_number(column, family.transform(known));
  out.total = infer::KnownTotal{1000};
  return out;
}

template <class K>
double microseconds(const K& kernel, int steps) {
  Rng rng(1, 0, Purpose::draws);
  typename K::State state = kernel.init(rng);
  std::vector<double> out(kernel.quantities());
  for (int i = 0; i < 1000; ++i) kernel.step(state, rng);
  const double start = bench::cpu_seconds();
  double sink = 0;
  for (int i = 0; i < steps; ++i) {
    kernel.step(state, rng);
    kernel.read(state, out);
    sink += out[0];
  }
  volatile double keep = sink;
  (void)keep;
  return 1e6 * (bench::cpu_seconds() - start) / steps;
}

}  // namespace

int main() {
  bench::Report report;
  const model::RealRange times{0, Rational("117/100"), Rational("1/1000"), {}};

  infer::NumberProblem coin = problem("binomial", {1}, model::IntegerRange{0, 1, {}}, {10, 10});
  coin.sums = {laplace(420, 10)};
  report.add("gibbs/bernoulli", microseconds(infer::BoundedNumber(coin), 3'000'000), "us", "<= 0.3");

  infer::CountProblem table{{5, 5, 5}, {}, infer::KnownTotal{1000}};
  for (const double y : {300.0, 250.0, 450.0}) table.noisy_values.push_back({laplace(y, 20)});
  report.add("gibbs/table,K=3", microseconds(infer::BoundedTable(table), 1'000'000), "us", "<= 0.8");

  infer::NumberProblem rate = problem("exponential", {}, times, {8, 2});
  rate.sums = {laplace(245'000, 1170)};
  report.add("gibbs/exponential", microseconds(infer::JointNumber(rate), 2'000'000), "us", "<= 1.6");

  infer::NumberProblem gamma = problem("gamma", {Rational("5/2")}, times, {8, 2});
  gamma.sums = {laplace(600'000, 1170)};
  report.add("gibbs/gamma", microseconds(infer::JointNumber(gamma), 2'000'000), "us", "<= 1.6");

  infer::NumberProblem visits = problem("poisson", {}, model::IntegerRange{0, 8, {}}, {2, 1});
  visits.sums = {laplace(3000, 8)};
  report.add("gibbs/poisson", microseconds(infer::JointNumber(visits), 2'000'000), "us", "<= 1.6");

  infer::NumberProblem wide_noise = problem("exponential", {}, times, {8, 2});
  wide_noise.sums = {laplace(245'000, 117'000)};
  report.add("gibbs/exponential,eps=0.01", microseconds(infer::JointNumber(wide_noise), 200'000), "us");

  infer::NumberProblem normal =
      problem("normal", {}, model::RealRange{-3, 3, Rational("1/20"), {}}, {0, 2, 4, 3});
  normal.sums = {laplace(2000, 245)};
  normal.square_sums = {laplace(400'000, 4900)};
  report.add("gibbs/normal", microseconds(infer::JointSquares(normal), 500'000), "us");
}
