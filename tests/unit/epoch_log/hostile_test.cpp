// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Files that claim to be epoch logs, made by h5py from a good one and by damaging its bytes. None
// may crash the reader, hang it, or make it take memory that the file does not pay for.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>

#include "epoch_log/reader.hpp"
#include "epoch_log/writer.hpp"
#include "unit/epoch_log/support.hpp"

namespace epochcast {
namespace {

using test::in_child;
using test::sample_header;
using test::sample_record;
using test::TempDir;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::filesystem::path good_log(const std::filesystem::path& dir, std::uint64_t epochs) {
    Result<LogWriter> log = LogWriter::create(dir, sample_header());
    for (std::uint64_t epoch = 0; epoch < epochs; ++epoch) {
        EXPECT_TRUE(log.value().append(sample_record(epoch)));
    }
    EXPECT_TRUE(log.value().append({EventKind::end, 1, epochs, ""}));
    return log.value().path();
}

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Writes each variant of a log beside it, as <variant>.h5.
constexpr const char* make_variants = R"py(
import h5py, numpy as np, os, shutil, sys
good = sys.argv[1]
def variant(name):
    path = os.path.join(os.path.dirname(good), name + '.h5')
    shutil.copy(good, path)
    return h5py.File(path, 'r+', libver='latest')
def replaced(name, key, make):
    with variant(name) as f:
        kept = f[key][:]
        del f[key]
        make(f, key, kept)
with variant('no-epochs') as f: del f['epochs']
with variant('no-totals') as f: del f['totals']
with variant('no-uid') as f: del f.attrs['uid']
with variant('version-2') as f: f.attrs.modify('schema_version', np.uint64(2))
with variant('uid-is-text') as f:
    del f.attrs['uid']; f.attrs['uid'] = 'root'
with variant('uid-is-huge') as f: f.attrs.modify('uid', np.uint64(2**63))
with variant('note-is-1-MB') as f:
    del f.attrs['note']; f.attrs['note'] = np.zeros(1 << 20, 'u1')
def text(f, name, value):
    attribute = h5py.h5a.open(f.id, name.encode())
    stored = attribute.get_type()
    attribute.write(np.array(value, dtype='S%d' % stored.get_size()), mtype=stored)
with variant('other-schema') as f: text(f, 'schema', b'x')
with variant('task-with-escape') as f: text(f, 'task_name', b'a\x1b[2Jb')
with variant('task-not-utf8') as f: text(f, 'dataset', b'\xff\xfe')
with variant('job-is-path') as f: text(f, 'job_id', b'../../x')
replaced('epochs-2^50', 'epochs', lambda f, k, v: f.create_dataset(
    k, (2**50,), v.dtype, maxshape=(None,), chunks=(2**20,), fillvalue=v[0]))
replaced('epochs-2^22', 'epochs', lambda f, k, v: f.create_dataset(
    k, (2**22,), v.dtype, maxshape=(None,), chunks=(2**20,), fillvalue=v[0]))
replaced('epochs-2d', 'epochs', lambda f, k, v: f.create_dataset(k, data=v.reshape(-1, 1)))
replaced('epochs-f64', 'epochs', lambda f, k, v: f.create_dataset(k, data=v['wall_s']))
replaced('epochs-gzip', 'epochs', lambda f, k, v: f.create_dataset(k, data=v, compression='gzip'))
replaced('epochs-group', 'epochs', lambda f, k, v: f.create_group(k))
replaced('epochs-big-endian', 'epochs', lambda f, k, v: f.create_dataset(
    k, data=v.astype(v.dtype.newbyteorder('>'))))
replaced('epochs-fewer-fields', 'epochs', lambda f, k, v: f.create_dataset(
    k, data=v[['epoch', 'unit', 'wall_s']].copy()))
replaced('epochs-soft-link', 'epochs', lambda f, k, v: f.__setitem__(k, h5py.SoftLink('/totals')))
replaced('epochs-dangling', 'epochs', lambda f, k, v: f.__setitem__(k, h5py.SoftLink('/nothing')))
replaced('epochs-loop', 'epochs', lambda f, k, v: f.__setitem__(k, h5py.SoftLink('/epochs')))
replaced('epochs-external-link', 'epochs', lambda f, k, v: f.__setitem__(
    k, h5py.ExternalLink(good, '/epochs')))
replaced('epochs-external-file', 'epochs', lambda f, k, v: f.create_dataset(
    k, (4,), v.dtype, external=[('/etc/passwd', 0, 4 * v.dtype.itemsize)]))
def virtual(f, k, v):
    layout = h5py.VirtualLayout((len(v),), v.dtype)
    layout[:] = h5py.VirtualSource(good, 'epochs', (len(v),), dtype=v.dtype)
    f.create_virtual_dataset(k, layout)
replaced('epochs-virtual', 'epochs', virtual)
# numpy cannot say how a string ends, so these keep the stored type by hand.
def replaced_rows(name, key, rows, change=None):
    with variant(name) as f:
        kept, stored = f[key][:], f[key].id.get_type()
        del f[key]
        layout = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        layout.set_chunk((1000,))
        made = h5py.h5d.create(f.id, key.encode(), stored, h5py.h5s.create_simple((rows,), (h5py.h5s.UNLIMITED,)), layout)
        if change:
            change(kept)
            made.write(h5py.h5s.ALL, h5py.h5s.ALL, kept)
replaced_rows('nodes-10^6', 'nodes', 10**6)
replaced_rows('nodes-none', 'nodes', 0)
replaced_rows('event-kind-200', 'events', 2, lambda v: v.__setitem__('kind', 200))
replaced('totals-two', 'totals', lambda f, k, v: f.create_dataset(k, data=np.repeat(v, 2)))
def totals_wrong(f, k, v):
    v['total_epochs'] = 7
    f.create_dataset(k, data=v)
replaced('totals-wrong', 'totals', totals_wrong)
def zero_row(f, k, v):
    v[2]['start_ns'] = 0
    f.create_dataset(k, data=v)
replaced('zero-row', 'epochs', zero_row)
def absurd(f, k, v):
    v['wall_s'] = [np.nan, -1, np.inf, 1e300]
    f.create_dataset(k, data=v)
replaced('absurd', 'epochs', absurd)
with variant('extra') as f: f.create_dataset('more', data=[1]); f.attrs['own'] = 3
for entry in os.scandir(os.path.dirname(good)):
    os.utime(entry.path, (10**9, 10**9))  # old files, whose writer nobody waits for
)py";

class HostileLog : public ::testing::Test {
  protected:
    static void SetUpTestSuite() {
        dir_ = std::make_unique<TempDir>();
        good_ = good_log(dir_->path(), 4);
        is_made_ = test::has_h5py() && test::python(make_variants, good_);
    }
    static void TearDownTestSuite() { dir_.reset(); }
    void SetUp() override {
        if (!test::has_h5py()) {
            GTEST_SKIP() << "needs python3-h5py";
        }
        ASSERT_TRUE(is_made_);
    }
    std::filesystem::path variant(const std::string& name) const {
        return good_.parent_path() / (name + ".h5");
    }
    // What read_log() says. check_log() must find something as well.
    std::string refusal(const std::string& name) const {
        const Result<EpochLog> log = read_log(variant(name));
        const Result<std::vector<std::string>> findings = check_log(variant(name));
        EXPECT_TRUE(!findings || !findings.value().empty()) << name;
        if (!log) {
            EXPECT_EQ(log.error().kind, ErrorKind::bad_input);
            EXPECT_THAT(log.error().message, HasSubstr(name + ".h5'"));
        }
        return log ? "read" : log.error().message;
    }
    static inline std::unique_ptr<TempDir> dir_;
    static inline std::filesystem::path good_;
    static inline bool is_made_ = false;
};

TEST_F(HostileLog, is_refused_with_the_reason) {
    const std::map<std::string, std::string> reasons = {
        {"no-epochs", "data set '/epochs'"},
        {"no-totals", "data set '/totals'"},
        {"no-uid", "attribute 'uid'"},
        {"version-2", "has version 2 of the epoch log schema; this program reads version 1"},
        {"other-schema", "is HDF5, but no epoch log"},
        {"uid-is-text", "attribute 'uid'"},
        {"uid-is-huge", "attribute 'uid' is 9223372036854775808"},
        {"note-is-1-MB", "attribute 'note'"},
        {"task-with-escape", "'a\\x1b[2Jb' has other characters"},
        {"task-not-utf8", "attribute 'dataset'"},
        {"job-is-path", "attribute 'job_id' '../../x'"},
        {"epochs-2^50", "claims 1125899906842624 rows, but has space for 0"},
        {"epochs-2^22", "claims 4194304 rows, but has space for 0"},
        {"epochs-2d", "is not a list of rows"},
        {"epochs-f64", "has another type"},
        {"epochs-gzip", "is compressed"},
        {"epochs-group", "cannot read data set '/epochs'"},
        {"epochs-big-endian", "has another type"},
        {"epochs-fewer-fields", "has another type"},
        {"epochs-soft-link", "is a link to elsewhere"},
        {"epochs-dangling", "is a link to elsewhere"},
        {"epochs-loop", "is a link to elsewhere"},
        {"epochs-external-link", "is a link to elsewhere"},
        {"epochs-external-file", "is not stored in the file itself"},
        {"epochs-virtual", "is not stored in the file itself"},
        {"nodes-10^6", "claims 1000000 rows"},
        {"nodes-none", "/nodes has no row"},
        {"totals-two", "claims 2 rows"},
        {"event-kind-200", "unknown kind 200"},
    };
    for (const auto& [name, reason] : reasons) {
        EXPECT_THAT(refusal(name), HasSubstr(reason)) << name;
    }
}

TEST_F(HostileLog, with_odd_content_is_read_and_the_check_says_what_is_odd) {
    const auto check = [&](const char* name) { return check_log(variant(name)).value(); };
    EXPECT_THAT(check("totals-wrong"),
                ElementsAre("total_epochs is 7, but /epochs has 4 whole epochs"));
    EXPECT_THAT(check("absurd"), testing::Contains("row 1 of /epochs (epoch 1): wall_s is -1"));
    EXPECT_THAT(check("zero-row"),
                testing::Contains(HasSubstr("the last 2 rows of /epochs were never written")));
    EXPECT_EQ(read_log(variant("zero-row")).value().rows.size(), 2u);
    EXPECT_THAT(check("extra"), testing::IsEmpty());
    EXPECT_EQ(read_log(variant("extra")).value().rows.size(), 4u);
}

TEST_F(HostileLog, takes_no_memory_that_the_file_does_not_pay_for) {
    if (test::has_address_sanitizer) {
        GTEST_SKIP() << "AddressSanitizer needs more address space than the limit allows";
    }
    for (const char* name : {"epochs-2^50", "epochs-2^22", "nodes-10^6", "note-is-1-MB"}) {
        EXPECT_EQ(in_child([&] {
                      const rlimit limit{256 << 20, 256 << 20};
                      setrlimit(RLIMIT_AS, &limit);
                      return read_log(variant(name)) ? 1 : 0;
                  }),
                  0)
            << name;
    }
}

// Reads a damaged copy in a child. Nothing but an orderly end will do.
bool survives(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    const timespec long_ago[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
    utimensat(AT_FDCWD, path.c_str(), long_ago, 0);  // no waiting for its writer
    const Result<EpochLog> log = read_log(path);
    const Result<std::vector<std::string>> findings = check_log(path);
    return (!log || log.value().rows.size() <= 64) &&
           (log || !findings || !findings.value().empty());
}

TEST(DamagedLog, cut_anywhere_is_refused_or_read_up_to_there) {
    const TempDir dir;
    const std::string good = bytes_of(good_log(dir.path(), 40));

    EXPECT_EQ(in_child([&] {
                  alarm(50);
                  for (std::size_t size = 0; size < good.size(); size += 397) {
                      if (!survives(dir.path() / "cut.h5", good.substr(0, size))) {
                          return 1;
                      }
                  }
                  return 0;
              }),
              0);
}

TEST(DamagedLog, with_random_bytes_is_refused_or_read) {
    const TempDir dir;
    const std::string good = bytes_of(good_log(dir.path(), 40));

    EXPECT_EQ(in_child([&] {
                  alarm(50);
                  std::mt19937 random(1);
                  for (int round = 0; round < 200; ++round) {
                      std::string bad = good;
                      for (int i = 0; i <= round % 8; ++i) {
                          bad[random() % bad.size()] = static_cast<char>(random());
                      }
                      if (!survives(dir.path() / "damaged.h5", bad)) {
                          return 1;
                      }
                  }
                  return 0;
              }),
              0);
}

TEST(DamagedLog, with_a_block_of_zeros_is_refused_or_read) {
    const TempDir dir;
    const std::string good = bytes_of(good_log(dir.path(), 40));

    EXPECT_EQ(in_child([&] {
                  alarm(50);
                  for (std::size_t at = 0; at < good.size(); at += 512) {
                      std::string bad = good;
                      for (std::size_t i = at; i < std::min(at + 600, bad.size()); ++i) {
                          bad[i] = '\0';
                      }
                      if (!survives(dir.path() / "zeroed.h5", bad)) {
                          return 1;
                      }
                  }
                  return 0;
              }),
              0);
}

}  // namespace
}  // namespace epochcast
