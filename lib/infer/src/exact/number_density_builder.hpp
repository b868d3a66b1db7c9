#pragma once

#include <functional>
#include <map>
#include <vector>

#include "number_density.hpp"

namespace postern::infer {

/// Cuts a line into panels on each of which a polynomial is the log density, wave by wave: all panels of a
/// wave are evaluated at once.
class PanelBuilder {
 public:
  static constexpr std::size_t kDegree = 10;
  struct Fitted {
    double lo = 0;
    double hi = 0;
    std::vector<double> coefficient;
  };

  PanelBuilder(const LogDensity& log_density, const Line& line, int threads)
      : log_density_(log_density), line_(line), threads_(threads) {}
  void run();
  [[nodiscard]] double top() const { return top_; }
  [[nodiscard]] const std::vector<Fitted>& accepted() const { return accepted_; }

 private:
  struct Panel {
    double lo = 0;
    double hi = 0;
    [[nodiscard]] double node(std::size_t k) const;
  };
  void evaluate(const std::vector<Panel>& panels);
  void evaluate(const std::vector<double>& wanted);
  void judge(const Panel& panel, std::vector<Panel>& next);
  void split(const Panel& panel, const std::vector<double>& value, std::vector<Panel>& next) const;
  bool widen(std::vector<Panel>& next);
  void finish();

  const LogDensity& log_density_;
  const Line& line_;
  int threads_;
  std::map<double, double> known_;
  double top_ = -__builtin_huge_val();
  std::vector<Fitted> accepted_;
};

}  // namespace postern::infer
