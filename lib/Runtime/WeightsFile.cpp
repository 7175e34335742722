//===- WeightsFile.cpp - Packed weights that processes share --------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightsFile.h"

#include "Backend.h"
#include "Fork.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <optional>
#include <string>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

using namespace fusion::runtime;

constinit thread_local WeightsFile *fusion::runtime::callerWeightsFile =
    nullptr;

static std::atomic<uint64_t> lastSerial{0};

WeightsFile::WeightsFile() : serial(++lastSerial) {}

//===----------------------------------------------------------------------===//
// The format
//===----------------------------------------------------------------------===//

// A file is a header, blocks that begin with a page, and their records.

namespace {
struct Header {
  char magic[24];
  char writer[104]; // what must be equal to use the blocks
  uint64_t fileBytes, recordsAt, recordCount, recordsHash;
};

struct Record {
  WeightsKey key;
  uint64_t at;
};
} // namespace

static constexpr char magic[24] = "fusion packed weights 1";

static size_t pageBytes() {
  static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

/// The runtime, the backend, the CPU as it is to the backend, and the number of
/// threads, which may decide a layout.
static std::string describeWriter() {
  char text[sizeof(Header::writer)];
  snprintf(text, sizeof(text),
           "Fusion %s, ABI %d.%d, %s, instruction sets 0x%x, %d threads",
           FUSION_VERSION, FUSION_RT_ABI_MAJOR, FUSION_RT_ABI_MINOR,
           backendName(), backendInstructionSets(),
           static_cast<int>(fusion_rt_get_num_threads()));
  return text;
}

static uint64_t hashRecords(const std::vector<Record> &records) {
  return hashBytes(emptyHash, records.data(), records.size() * sizeof(Record));
}

//===----------------------------------------------------------------------===//
// System calls
//===----------------------------------------------------------------------===//

[[noreturn]] static void failAt(const char *what, const std::string &path,
                                int error) {
  throw StatusError(error == ENOMEM ? FUSION_RT_OUT_OF_MEMORY : invalid(),
                    std::string("cannot ") + what + " '" + path +
                        "': " + std::generic_category().message(error));
}

namespace {
class File {
public:
  explicit File(int number) : number(number) {}
  File(File &&other) noexcept : number(std::exchange(other.number, -1)) {}
  File &operator=(File &&) = delete;
  ~File() {
    if (number >= 0)
      close(number);
  }
  operator int() const { return number; }

private:
  int number;
};

/// Lets one process at a time write a file in the directory of `path`.
class DirectoryLock {
public:
  explicit DirectoryLock(const std::string &path)
      : directory(open(directoryOf(path).c_str(),
                       O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (directory < 0)
      failAt("open the directory of", path, errno);
    while (flock(directory, LOCK_EX))
      if (errno != EINTR)
        failAt("lock the directory of", path, errno);
  }
  // Unlocks for children of fork(), too, which have copies of the file.
  ~DirectoryLock() { flock(directory, LOCK_UN); }

private:
  static std::string directoryOf(const std::string &path) {
    size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash + 1);
  }

  File directory;
};
} // namespace

static void readAll(int file, void *bytes, size_t size, uint64_t at,
                    const std::string &path) {
  auto *next = static_cast<char *>(bytes);
  while (size) {
    ssize_t count = pread(file, next, size, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      failAt("read", path, count ? errno : EIO);
    next += count, size -= size_t(count), at += uint64_t(count);
  }
}

static void writeAll(int file, const void *bytes, size_t size, uint64_t at,
                     const std::string &path) {
  const auto *next = static_cast<const char *>(bytes);
  while (size) {
    ssize_t count = pwrite(file, next, size, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      failAt("write", path, count ? errno : EIO);
    next += count, size -= size_t(count), at += uint64_t(count);
  }
}

/// A part of a file as a block, which unmaps it at its end.
static Block mapBlock(int file, uint64_t at, size_t bytes, int protection,
                      const std::string &path) {
  void *address = mmap(nullptr, bytes, protection, MAP_SHARED, file,
                       static_cast<off_t>(at));
  if (address == MAP_FAILED)
    failAt("map", path, errno);
  return Block(
      address, bytes,
      [](void *block, void *bytes) {
        munmap(block, reinterpret_cast<size_t>(bytes));
      },
      reinterpret_cast<void *>(bytes));
}

static const Record *findRecord(const std::vector<Record> &records,
                                const WeightsKey &key) {
  auto found = std::find_if(records.begin(), records.end(),
                            [&](const Record &r) { return r.key == key; });
  return found == records.end() ? nullptr : &*found;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
class WeightsReader : public WeightsFile {
public:
  WeightsReader(File file, const char *path);

  Block find(const WeightsKey &key,
             const std::function<void(char *)> &) override {
    const Record *record = findRecord(records, key);
    if (!record)
      refuse("must have the weights of this network, but has none for one of "
             "its kernels; delete it if it is to be made anew");
    return mapBlock(file, record->at, key.bytes, PROT_READ, path);
  }

private:
  [[noreturn]] void refuse(const std::string &why,
                           fusion_rt_status status = FUSION_RT_UNSUPPORTED) {
    throw StatusError(status, "'" + path + "' " + why);
  }
  void checkRecords(const Header &header);

  File file;
  const std::string path;
  std::vector<Record> records;
};
} // namespace

WeightsReader::WeightsReader(File opened, const char *path)
    : file(std::move(opened)), path(path) {
  struct stat facts;
  if (fstat(file, &facts))
    failAt("read", path, errno);
  Header header{};
  bool isHeader =
      S_ISREG(facts.st_mode) && size_t(facts.st_size) >= sizeof(header);
  if (isHeader)
    readAll(file, &header, sizeof(header), 0, path);
  if (!isHeader || memcmp(header.magic, magic, sizeof(magic)))
    refuse("must be a file of packed weights", invalid());
  std::string writer = describeWriter();
  if (strncmp(header.writer, writer.c_str(), sizeof(header.writer)))
    refuse("must be made by '" + writer + "', got '" +
           std::string(header.writer,
                       strnlen(header.writer, sizeof(header.writer))) +
           "'");
  if (header.fileBytes != uint64_t(facts.st_size))
    refuse("must have " + std::to_string(header.fileBytes) + " bytes, got " +
               std::to_string(facts.st_size),
           invalid());
  checkRecords(header);
}

void WeightsReader::checkRecords(const Header &header) {
  auto isWithinBlocks = [&](const Record &record) {
    return record.at % pageBytes() == 0 && record.at <= header.recordsAt &&
           record.key.bytes <= header.recordsAt - record.at;
  };
  bool isRight = header.recordsAt <= header.fileBytes &&
                 (header.fileBytes - header.recordsAt) % sizeof(Record) == 0 &&
                 (header.fileBytes - header.recordsAt) / sizeof(Record) ==
                     header.recordCount;
  if (isRight) {
    records.resize(header.recordCount);
    readAll(file, records.data(), records.size() * sizeof(Record),
            header.recordsAt, path);
    isRight = hashRecords(records) == header.recordsHash &&
              std::all_of(records.begin(), records.end(), isWithinBlocks);
  }
  if (!isRight)
    refuse("must have the records that it was written with", invalid());
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
/// Writes a file beside `path`, which takes its place when it is whole.
class WeightsWriter : public WeightsFile {
public:
  explicit WeightsWriter(const char *path);
  ~WeightsWriter() override {
    if (!isWhole)
      unlink(draft.c_str());
  }

  Block find(const WeightsKey &key,
             const std::function<void(char *)> &pack) override;
  /// Call it when all weights are there.
  void finish();

private:
  static File create(const std::string &path);
  Block reserve(const WeightsKey &key, uint64_t &at);

  const std::string path, draft;
  File file;
  bool isWhole = false;
  std::mutex mutex; // of what follows
  uint64_t end = pageBytes();
  std::vector<Record> records;
};
} // namespace

/// The directory is locked: what is there was left by a process that ended.
File WeightsWriter::create(const std::string &path) {
  unlink(path.c_str());
  File file(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
                 S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH));
  if (file < 0)
    failAt("create", path, errno);
  return file;
}

WeightsWriter::WeightsWriter(const char *path)
    : path(path), draft(this->path + ".new"), file(create(draft)) {}

/// Room for new weights. A disk that is full shows here, and not by a signal
/// when they are written.
Block WeightsWriter::reserve(const WeightsKey &key, uint64_t &at) {
  at = end;
  int error;
  do
    error = posix_fallocate(file, off_t(at), off_t(key.bytes));
  while (error == EINTR);
  if (error)
    failAt("write", draft, error);
  end += roundUp(key.bytes, pageBytes());
  return mapBlock(file, at, key.bytes, PROT_READ | PROT_WRITE, draft);
}

/// Two threads with one key may both pack. That takes room, no more: the first
/// record counts.
Block WeightsWriter::find(const WeightsKey &key,
                          const std::function<void(char *)> &pack) {
  uint64_t at;
  Block block;
  {
    Lock lock(mutex);
    if (const Record *record = findRecord(records, key))
      return mapBlock(file, record->at, key.bytes, PROT_READ, draft);
    block = reserve(key, at);
  }
  pack(block.data());
  mprotect(block.data(), key.bytes, PROT_READ);
  Lock lock(mutex);
  records.push_back({key, at});
  return block;
}

void WeightsWriter::finish() {
  size_t recordBytes = records.size() * sizeof(Record);
  Header header{};
  memcpy(header.magic, magic, sizeof(magic));
  snprintf(header.writer, sizeof(header.writer), "%s",
           describeWriter().c_str());
  header.fileBytes = end + recordBytes;
  header.recordsAt = end;
  header.recordCount = records.size();
  header.recordsHash = hashRecords(records);
  writeAll(file, records.data(), recordBytes, end, draft);
  writeAll(file, &header, sizeof(header), 0, draft);
  if (fsync(file))
    failAt("write", draft, errno);
  if (rename(draft.c_str(), path.c_str()))
    failAt("create", path, errno);
  isWhole = true;
}

//===----------------------------------------------------------------------===//
// The C API's part of it
//===----------------------------------------------------------------------===//

static std::unique_ptr<WeightsReader> openReader(const char *path) {
  File file(open(path, O_RDONLY | O_CLOEXEC));
  if (file >= 0)
    return std::make_unique<WeightsReader>(std::move(file), path);
  if (errno != ENOENT)
    failAt("open", path, errno);
  return nullptr;
}

static fusion_rt_status run(int (*prepare)(void), WeightsFile &file) {
  WeightsFileScope scope(&file);
  return static_cast<fusion_rt_status>(prepare());
}

static fusion_rt_status prepareMapped(const char *path, int (*prepare)(void)) {
  if (!path || !*path || !prepare)
    return fail(invalid(), "'path' and 'prepare' must not be null or empty");
  if (auto status = refuseInAllocator("prepare_mapped"))
    return status;
  if (auto status = refuseInCutChild())
    return status;
  if (callerWeightsFile)
    return fail(invalid(), "'prepare' must not call fusion_rt_prepare_mapped");
  if (auto reader = openReader(path))
    return run(prepare, *reader);
  DirectoryLock lock(path);
  if (auto reader = openReader(path)) // another process was first
    return run(prepare, *reader);
  WeightsWriter writer(path);
  if (auto status = run(prepare, writer))
    return status;
  writer.finish();
  return FUSION_RT_SUCCESS;
}

fusion_rt_status fusion_rt_prepare_mapped(const char *path,
                                          int (*prepare)(void)) {
  return guarded([&] { return prepareMapped(path, prepare); });
}
