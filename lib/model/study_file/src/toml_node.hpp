#pragma once

#include "postern/model/node.hpp"
#include "postern/model/study_files.hpp"

#include "toml_reader.hpp"

namespace postern::model {

/// A table of a study file, for kinds to read themselves from.
class TomlNode : public Node, public StudyFiles {
 public:
  explicit TomlNode(TomlTable table, bool learns_priors = false)
      : table_(std::move(table)), learns_priors_(learns_priors) {}

  [[nodiscard]] bool states_all() const override { return false; }
  [[nodiscard]] bool learns_priors() const override { return learns_priors_; }
  void allow(std::span<const std::string_view> known) override { table_.allow(known); }
  using Node::allow;
  [[nodiscard]] bool has(std::string_view key) override { return table_.has(key); }
  [[nodiscard]] bool is_list(std::string_view key) override { return table_.is_array(key); }
  [[nodiscard]] bool is_text(std::string_view key) override { return table_.is_text(key); }
  [[nodiscard]] bool is_table(std::string_view key) override { return table_.is_table(key); }
  [[nodiscard]] std::string text(std::string_view key) override { return table_.text(key); }
  [[nodiscard]] bool truth(std::string_view key) override { return table_.truth(key); }
  [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t lo, std::int64_t hi) override;
  [[nodiscard]] Rational rational(std::string_view key) override { return table_.decimal(key); }
  [[nodiscard]] std::vector<std::string> texts(std::string_view key) override { return table_.texts(key); }
  [[nodiscard]] std::vector<Rational> rationals(std::string_view key, std::size_t count) override {
    return table_.decimals(key, count);
  }
  [[nodiscard]] std::vector<std::vector<std::string>> text_rows(std::string_view key,
                                                                std::size_t width) override {
    return table_.text_rows(key, width);
  }
  [[nodiscard]] std::vector<Rational> rational_rows(std::string_view key, std::size_t rows,
                                                    std::size_t width) override {
    return table_.decimal_rows(key, rows, width);
  }
  [[nodiscard]] File file(std::string_view key) override;
  [[nodiscard]] std::uint32_t level(std::string_view key, const Column& column) override;
  [[nodiscard]] std::unique_ptr<Node> inner(std::string_view key) override {
    return std::make_unique<TomlNode>(table_.table(key));
  }
  [[nodiscard]] std::unique_ptr<Node> beside(std::string_view /*key*/) override {
    return std::make_unique<TomlNode>(table_);
  }
  void finish() override {}

 protected:
  [[nodiscard]] Error refusal(ErrorCode code, std::string_view key, const PublicText& text) override {
    return table_.refusal(code, key, text);
  }

 private:
  TomlTable table_;
  bool learns_priors_;
};

}  // namespace postern::model
