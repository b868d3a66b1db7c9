#pragma once

#include <functional>
#include <map>
#include <vector>

#include "line_density.hpp"

namespace postern::infer {

/// Cuts a line into panels on each of which a polynomial is the log density, wave by wave: all panels of a
/// wave are evaluated at once. A panel is looked at from a few nodes first, which say whether it counts, and
/// which part of it. Then nodes are added, which costs only the new ones (PanelNodes), as long as the
/// coefficients promise that this will do; a panel that does not promise it is split. Where the log density
/// jumps a little, as one that is summed does in its last digits, splitting ends when a panel has so little
/// of the mass that its misfit moves no probability.
class PanelBuilder {
 public:
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
    std::size_t degree = 0;
    [[nodiscard]] double node(std::size_t k) const;
    [[nodiscard]] bool narrow() const;  ///< too narrow for doubles to split
  };
  /// What the nodes of a panel say.
  struct View {
    std::vector<double> value;
    std::size_t highest = 0;
    double hidden = 0;  ///< by how much a peak between nodes may be higher than its nodes
    double reach = 0;   ///< what the density may come to
  };
  void evaluate(const std::vector<Panel>& panels);
  void evaluate(const std::vector<double>& wanted);
  [[nodiscard]] Panel begin(double lo, double hi) const;
  [[nodiscard]] View look(const Panel& panel) const;
  [[nodiscard]] double allowed(const Panel& panel, const View& view);
  [[nodiscard]] double breadth();
  void judge(const Panel& panel, std::vector<Panel>& next);
  [[nodiscard]] bool trim(const Panel& panel, const View& view, std::vector<Panel>& next) const;
  [[nodiscard]] double edge(const Panel& panel, const View& view, std::size_t in, std::size_t out) const;
  void split(const Panel& panel, const View& view, std::vector<Panel>& next) const;
  bool widen(std::vector<Panel>& next);
  void finish();

  const LogDensity& log_density_;
  const Line& line_;
  int threads_;
  std::map<double, double> known_;
  double top_ = -__builtin_huge_val();
  double breadth_ = 0;  ///< of what is known now; 0 if not asked for
  std::vector<Fitted> accepted_;
};

}  // namespace postern::infer
