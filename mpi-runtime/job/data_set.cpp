// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "job/data_set.hpp"

#include <algorithm>
#include <limits>

#include "core/text.hpp"
#include "job/idx_file.hpp"

namespace epochcast::runtime {

namespace {

constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t max_samples = 1ULL << 31;  // sample indices are 32-bit
constexpr std::uint32_t max_side = 4096;           // of an image, in pixels

// The plain file if it is there, else the compressed one.
std::filesystem::path found(const std::filesystem::path& folder, const std::string& name) {
    std::error_code code;
    const auto plain = folder / name;
    return std::filesystem::exists(plain, code) ? plain : folder / (name + ".gz");
}

Error no_data(const std::filesystem::path& folder) {
    return {ErrorKind::environment,
            "data " + quoted(folder.string(), 200) +
                ": no such folder; Fashion-MNIST is in Debian's package dataset-fashion-mnist "
                "(apt-get install dataset-fashion-mnist)"};
}

struct Shape {
    std::uint32_t channels = 1;
    std::uint32_t height = 1;
    std::uint32_t width = 1;
    bool operator==(const Shape&) const = default;
};

Result<Shape> shape_of(const std::filesystem::path& path, const IdxData& images) {
    const auto& d = images.dimensions;
    if (d.size() < 3) {
        return Error{ErrorKind::bad_input,
                     path.string() +
                         ": holds no images: 3 dimensions (items, height, width) or 4 "
                         "(items, channels, height, width) are needed, it has " +
                         std::to_string(d.size())};
    }
    const Shape shape = d.size() == 3 ? Shape{1, d[1], d[2]} : Shape{d[1], d[2], d[3]};
    if (shape.channels > max_side || shape.height > max_side || shape.width > max_side) {
        return Error{ErrorKind::bad_input,
                     path.string() + ": images larger than 4096 x 4096 are not supported"};
    }
    return shape;
}

struct LoadedPart {
    DataPart part;
    Shape shape;
    std::uint32_t classes = 0;
};

Result<LoadedPart> load_part(const std::filesystem::path& folder,
                             const std::string& prefix,
                             std::uint64_t limit) {
    const auto images_path = found(folder, prefix + "-images-idx3-ubyte");
    const auto labels_path = found(folder, prefix + "-labels-idx1-ubyte");
    auto labels = read_idx(labels_path, max_samples);
    if (!labels.ok()) {
        return labels.error();
    }
    auto images = read_idx(images_path, std::min(limit, max_samples));
    if (!images.ok()) {
        return images.error();
    }
    const auto shape = shape_of(images_path, images.value());
    if (!shape.ok()) {
        return shape.error();
    }
    if (labels.value().dimensions.size() != 1 ||
        labels.value().dimensions[0] != images.value().dimensions[0]) {
        return Error{ErrorKind::bad_input,
                     labels_path.string() + ": does not hold one label for each of the " +
                         std::to_string(images.value().dimensions[0]) + " images"};
    }
    LoadedPart loaded{
        {std::move(images.value().bytes), std::move(labels.value().bytes)}, shape.value(), 0};
    auto& bytes = loaded.part.labels;
    loaded.classes = std::uint32_t{*std::max_element(bytes.begin(), bytes.end())} + 1;
    bytes.resize(images.value().items_read);
    return loaded;
}

std::string folder_name(const std::filesystem::path& folder) {
    const auto clean = folder.lexically_normal();
    return (clean.has_filename() ? clean : clean.parent_path()).filename().string();
}

// Fills data.test. A folder without a test part is fine.
Result<void> add_test_part(DataSet& data,
                           const std::filesystem::path& folder,
                           std::uint64_t test_samples) {
    std::error_code code;
    if (test_samples == 0 ||
        !std::filesystem::exists(found(folder, "t10k-images-idx3-ubyte"), code)) {
        return {};
    }
    auto loaded = load_part(folder, "t10k", test_samples);
    if (!loaded.ok()) {
        return loaded.error();
    }
    if (loaded.value().shape != Shape{data.channels, data.height, data.width} ||
        loaded.value().classes > data.classes) {
        return Error{ErrorKind::bad_input,
                     "data " + quoted(folder.string(), 200) +
                         ": test images have another size or more classes than training images"};
    }
    data.test = std::move(loaded.value().part);
    return {};
}

}  // namespace

Result<DataSet> read_data_set(const std::filesystem::path& folder,
                              std::optional<std::uint64_t> samples,
                              std::uint64_t test_samples) {
    std::error_code code;
    if (!std::filesystem::is_directory(folder, code)) {
        return no_data(folder);
    }
    auto loaded = load_part(folder, "train", samples.value_or(all));
    if (!loaded.ok()) {
        return loaded.error();
    }
    DataSet data;
    data.name = folder_name(folder);
    data.channels = loaded.value().shape.channels;
    data.height = loaded.value().shape.height;
    data.width = loaded.value().shape.width;
    data.classes = loaded.value().classes;
    data.train = std::move(loaded.value().part);
    if (samples && *samples > data.train.labels.size()) {
        return Error{ErrorKind::bad_input,
                     "samples = " + std::to_string(*samples) + ": " + quoted(folder.string(), 200) +
                         " has only " + std::to_string(data.train.labels.size()) +
                         " training samples"};
    }
    if (data.classes < 2) {
        return Error{ErrorKind::bad_input,
                     "data " + quoted(folder.string(), 200) + ": all labels are 0"};
    }
    auto added = add_test_part(data, folder, test_samples);
    if (!added.ok()) {
        return added.error();
    }
    return data;
}

}  // namespace epochcast::runtime
