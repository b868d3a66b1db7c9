// One chain of the Gibbs engine of a mean and a variance, CPU microseconds a step, one thread.

#include <string>
#include <vector>

#include "postern/infer/kinds/number/gibbs/joint_squares.hpp"
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
  infer::NumberProblem normal =
      problem("normal", {}, model::RealRange{-3, 3, Rational("1/20"), {}}, {0, 2, 4, 3});
  normal.sums = {laplace(2000, 245)};
  normal.square_sums = {laplace(400'000, 4900)};
  report.add("gibbs/normal", microseconds(infer::JointSquares(normal), 500'000), "us");
}
