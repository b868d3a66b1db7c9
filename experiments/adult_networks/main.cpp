#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>

#include "postern/core/draw.hpp"

#include "command.hpp"
#include "network.hpp"
#include "plan.hpp"

// experiment_adult_networks all --out DIR [--data DIR] [--quick] [--seed S] [--threads T]
// writes adult-networks-gain.csv and adult-networks-coverage.csv. Records are those of DIR/adult.csv; without
// --data they are drawn from a model of that shape. Called by experiments/run.

namespace postern::adult {
namespace {

Plan plan_of(const experiments::Command& command) {
  Plan plan;
  if (command.quick) {
    plan.epsilons = {0.1};
    plan.covered_epsilons = {2};
    plan.noise_draws = 3;
    plan.truths = 4;
    plan.draws = 100;
    plan.records = 5000;
  }
  plan.seed = command.seed;
  plan.threads = command.threads;
  return plan;
}

std::vector<Record> find_records(const std::string& data, const Plan& plan) {
  if (data.empty()) {
    Rng rng(plan.seed, 0, Purpose::simulation);
    return draw_records(kTwoParents, draw_theta(kTwoParents, rng), plan.records, rng);
  }
  std::vector<Record> records = read_adult(data, std::size_t{1} << 20);
  if (records.empty()) throw std::invalid_argument("no records in " + data + "/adult.csv");
  return records;
}

void run(const experiments::Command& command) {
  const Plan plan = plan_of(command);
  std::ofstream gain(command.out / "adult-networks-gain.csv");
  gain << "network,of,epsilon,repeats,gain,se,plug_in\n";
  measure_gains(plan, find_records(command.data, plan), [&](const Gain& row) {
    gain << row.network << ',' << row.of << ',' << row.epsilon << ',' << row.repeats << ',' << row.gain << ','
         << row.se << ',' << row.plug_in << std::endl;
  });
  std::ofstream coverage(command.out / "adult-networks-coverage.csv");
  coverage << "network,epsilon,truths,noise_aware,se,plug_in\n";
  measure_coverage(plan, [&](const Coverage& row) {
    coverage << row.network << ',' << row.epsilon << ',' << row.truths << ',' << row.noise_aware << ','
             << row.se << ',' << row.plug_in << std::endl;
  });
}

}  // namespace
}  // namespace postern::adult

int main(int argc, char** argv) {
  try {
    postern::adult::run(postern::experiments::read_command(argc, argv, "all", {"--data"}));
    return 0;
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "experiment_adult_networks: %s\n", error.what());
    return 1;
  }
}
