// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "h5/write_driver.hpp"

#include <fcntl.h>
#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <iterator>
#include <limits>
#include <new>

namespace epochcast::h5 {
namespace {

// HDF5 knows the file by its first member.
struct DriverFile {
    H5FD_t known_to_hdf5 = {};
    WriteQueue* queue = nullptr;
    haddr_t end_of_allocation = 0;
};

struct DriverInfo {
    WriteQueue* queue;
};

DriverFile& file_of(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& file_of(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

H5FD_t* open_file(const char* path, unsigned flags, hid_t access, haddr_t) {
    const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(access));
    if (info == nullptr) {
        return nullptr;
    }
    const int extra_flags =
        ((flags & H5F_ACC_CREAT) != 0 ? O_CREAT : 0) | ((flags & H5F_ACC_TRUNC) != 0 ? O_TRUNC : 0);
    if (info->queue->open(path, extra_flags) != 0) {
        return nullptr;
    }
    auto* file = new (std::nothrow) DriverFile;
    if (file != nullptr) {
        file->queue = info->queue;
    }
    return reinterpret_cast<H5FD_t*>(file);
}

herr_t close_file(H5FD_t* file) {
    file_of(file).queue->close();
    delete &file_of(file);
    return 0;
}

// As HDF5's default driver, so that it lays out the same file.
herr_t query(const H5FD_t*, unsigned long* flags) {
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

haddr_t end_of_allocation(const H5FD_t* file, H5FD_mem_t) {
    return file_of(file).end_of_allocation;
}

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t, haddr_t address) {
    file_of(file).end_of_allocation = address;
    return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return file_of(file).queue->size_bytes(); }

herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* out) {
    return file_of(file).queue->read(address, {static_cast<char*>(out), size}) ? 0 : -1;
}

herr_t write_bytes(
    H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* in) {
    file_of(file).queue->write(address, {static_cast<const char*>(in), size});
    return 0;
}

herr_t truncate_file(H5FD_t* file, hid_t, hbool_t) {
    WriteQueue& queue = *file_of(file).queue;
    if (queue.size_bytes() != file_of(file).end_of_allocation) {
        queue.resize(file_of(file).end_of_allocation);
    }
    return 0;
}

// HDF5 marks a file as being written only if its driver can lock, so these are there and do
// nothing.
herr_t lock_file(H5FD_t*, hbool_t) { return 0; }
herr_t unlock_file(H5FD_t*) { return 0; }

hid_t register_driver() {
    H5FD_class_t driver = {};
#if H5_VERSION_GE(1, 13, 0)
    driver.version = H5FD_CLASS_VERSION;
    driver.value = static_cast<H5FD_class_value_t>(300);  // 256 to 511 are free for private use
#endif
    driver.name = "epochcast";
    driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
    driver.fc_degree = H5F_CLOSE_WEAK;
    driver.fapl_size = sizeof(DriverInfo);
    driver.open = open_file;
    driver.close = close_file;
    driver.query = query;
    driver.get_eoa = end_of_allocation;
    driver.set_eoa = set_end_of_allocation;
    driver.get_eof = end_of_file;
    driver.read = read_bytes;
    driver.write = write_bytes;
    driver.truncate = truncate_file;
    driver.lock = lock_file;
    driver.unlock = unlock_file;
    const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(map), std::end(map), driver.fl_map);
    return H5FDregister(&driver);
}

}  // namespace

bool write_through(WriteQueue& queue, std::int64_t access_properties) {
    // Registered anew where the program has closed the HDF5 library since.
    static hid_t driver = H5I_INVALID_HID;
    if (H5Iis_valid(driver) <= 0) {
        driver = register_driver();
    }
    const DriverInfo info{&queue};
    return driver >= 0 && H5Pset_driver(access_properties, driver, &info) >= 0;
}

}  // namespace epochcast::h5
