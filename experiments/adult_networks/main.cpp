#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "postern/core/draw.hpp"

#include "network.hpp"
#include "plan.hpp"

// experiment_adult_networks all --out DIR [--data DIR] [--quick] [--seed S] [--threads T]
// writes adult-networks-gain.csv and adult-networks-coverage.csv. Records are those of DIR/adult.csv; without
// --data they are drawn from a model of that shape. Called by experiments/run.

namespace postern::adult {
namespace {

struct Command {
  std::filesystem::path out;
  std::string data;
  Plan plan;
};

Command read(int argc, char** argv) {
  Command out;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 >= argc) throw std::invalid_argument(word + " needs a value");
      return argv[++i];
    };
    if (word == "--quick") {
      out.plan.epsilons = {0.1};
      out.plan.covered_epsilons = {2};
      out.plan.noise_draws = 3;
      out.plan.truths = 4;
      out.plan.draws = 100;
      out.plan.records = 5000;
    } else if (word == "--out") {
      out.out = value();
    } else if (word == "--data") {
      out.data = value();
    } else if (word == "--seed") {
      out.plan.seed = std::stoull(value());
    } else if (word == "--threads") {
      out.plan.threads = std::stoi(value());
    } else if (word != "all") {
      throw std::invalid_argument("unknown word " + word);
    }
  }
  if (out.out.empty()) throw std::invalid_argument("needs --out DIR");
  return out;
}

std::vector<Record> find_records(const Command& command) {
  if (command.data.empty()) {
    Rng rng(command.plan.seed, 0, Purpose::simulation);
    return draw_records(kTwoParents, draw_theta(kTwoParents, rng), command.plan.records, rng);
  }
  std::vector<Record> records = read_adult(command.data, std::size_t{1} << 20);
  if (records.empty()) throw std::invalid_argument("no records in " + command.data + "/adult.csv");
  return records;
}

void run(const Command& command) {
  std::filesystem::create_directories(command.out);
  std::ofstream gain(command.out / "adult-networks-gain.csv");
  gain << "network,of,epsilon,repeats,gain,se,plug_in\n";
  measure_gains(command.plan, find_records(command), [&](const Gain& row) {
    gain << row.network << ',' << row.of << ',' << row.epsilon << ',' << row.repeats << ',' << row.gain << ','
         << row.se << ',' << row.plug_in << std::endl;
  });
  std::ofstream coverage(command.out / "adult-networks-coverage.csv");
  coverage << "network,epsilon,truths,noise_aware,se,plug_in\n";
  measure_coverage(command.plan, [&](const Coverage& row) {
    coverage << row.network << ',' << row.epsilon << ',' << row.truths << ',' << row.noise_aware << ','
             << row.se << ',' << row.plug_in << std::endl;
  });
}

}  // namespace
}  // namespace postern::adult

int main(int argc, char** argv) {
  try {
    postern::adult::run(postern::adult::read(argc, argv));
    return 0;
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "experiment_adult_networks: %s\n", error.what());
    return 1;
  }
}
