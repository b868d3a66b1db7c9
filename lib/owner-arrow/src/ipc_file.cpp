#include <cstring>
#include <utility>

#include <arrow/io/file.h>
#include <arrow/ipc/options.h>
#include <arrow/ipc/reader.h>

#include "tables.hpp"

namespace postern::arrow_plugin {
namespace {

constexpr char kFileMagic[] = {'A', 'R', 'R', 'O', 'W', '1'};

/// The batches of a file, in their order.
class IpcFileBatches : public arrow::RecordBatchReader {
 public:
  explicit IpcFileBatches(std::shared_ptr<arrow::ipc::RecordBatchFileReader> file) : file_(std::move(file)) {}
  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return file_->schema(); }
  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    batch->reset();
    if (next_ == file_->num_record_batches()) return arrow::Status::OK();
    ARROW_ASSIGN_OR_RAISE(*batch, file_->ReadRecordBatch(next_++));
    return arrow::Status::OK();
  }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> file_;
  int next_ = 0;
};

using Input = std::shared_ptr<arrow::io::ReadableFile>;

arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> open_with(const Input& file, bool whole_file,
                                                                   const arrow::ipc::IpcReadOptions& how) {
  ARROW_RETURN_NOT_OK(file->Seek(0));
  if (!whole_file) {
    ARROW_ASSIGN_OR_RAISE(auto stream, arrow::ipc::RecordBatchStreamReader::Open(file, how));
    return stream;
  }
  ARROW_ASSIGN_OR_RAISE(auto reader, arrow::ipc::RecordBatchFileReader::Open(file, how));
  return std::make_shared<IpcFileBatches>(std::move(reader));
}

/// Takes the wanted columns of every batch, and looks whether its buffers are as long as they must be: a
/// damaged file is otherwise believed. Values are checked where they are read.
class CheckedBatches : public arrow::RecordBatchReader {
 public:
  CheckedBatches(std::shared_ptr<arrow::RecordBatchReader> batches, std::shared_ptr<arrow::Schema> schema,
                 std::vector<int> places)
      : batches_(std::move(batches)), schema_(std::move(schema)), places_(std::move(places)) {}
  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    ARROW_RETURN_NOT_OK(batches_->ReadNext(batch));
    if (*batch == nullptr) return arrow::Status::OK();
    ARROW_ASSIGN_OR_RAISE(*batch, (*batch)->SelectColumns(places_));
    return (*batch)->Validate();
  }

 private:
  std::shared_ptr<arrow::RecordBatchReader> batches_;
  std::shared_ptr<arrow::Schema> schema_;
  std::vector<int> places_;
};

}  // namespace

arrow::Result<OpenTable> open_ipc(const std::string& path, const std::vector<std::string>& wanted,
                                  bool threads) {
  ARROW_ASSIGN_OR_RAISE(const Input file, arrow::io::ReadableFile::Open(path));
  char magic[sizeof kFileMagic] = {};
  ARROW_ASSIGN_OR_RAISE(const std::int64_t size, file->Read(sizeof magic, magic));
  const bool whole_file = size == sizeof magic && std::memcmp(magic, kFileMagic, sizeof magic) == 0;
  arrow::ipc::IpcReadOptions how = arrow::ipc::IpcReadOptions::Defaults();
  how.use_threads = threads;
  OpenTable table;
  {
    ARROW_ASSIGN_OR_RAISE(const auto reader, open_with(file, whole_file, how));
    table.schema = reader->schema();
  }
  const std::vector<int> places = find_columns(*table.schema, wanted);
  if (places.size() != wanted.size()) return table;
  how.included_fields = places;
  ARROW_ASSIGN_OR_RAISE(auto batches, open_with(file, whole_file, how));
  // What is included keeps the order of the file.
  const std::vector<int> order = find_columns(*batches->schema(), wanted);
  arrow::FieldVector fields;
  for (const int place : order) fields.push_back(batches->schema()->field(place));
  table.reader =
      std::make_shared<CheckedBatches>(std::move(batches), arrow::schema(std::move(fields)), order);
  return table;
}

}  // namespace postern::arrow_plugin
