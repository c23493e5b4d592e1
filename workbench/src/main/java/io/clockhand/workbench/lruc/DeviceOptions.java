// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.experiment.Workplace;
import io.clockhand.workbench.experiment.options.CommaList;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.pages.device.DeviceProfile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The devices from which pages are read, and the size of a page. */
final class DeviceOptions {
    private static final int SIMULATED_PAGE_BYTES = 512;
    private static final int REAL_PAGE_BYTES = 4096;
    /** Bytes of the heap for each page in memory, apart from its own. */
    private static final int HEAP_PER_PAGE = 100;

    @Option(
            names = "--device",
            paramLabel = "NAME,…",
            split = ",",
            description = "${COMPLETION-CANDIDATES}: simulated devices, and the disk of --data with direct I/O; a list"
                    + " makes a run for each (default: ${DEFAULT-VALUE}).")
    private List<Device> device = CommaList.of(Device.SSD_A);

    @Option(
            names = "--time-scale",
            paramLabel = "X",
            description = "Requests of a simulated device take X times as long, so that the processors of this machine"
                    + " are not the bottleneck (default: ${DEFAULT-VALUE}).")
    private double timeScale = 10;

    @Option(
            names = "--channels",
            paramLabel = "N",
            description =
                    "Channels of the simulated devices, which keep their reads and writes a second; a request takes"
                            + " the longer the more there are (default: those of the preset).")
    private Integer channels;

    @Option(
            names = "--page-bytes",
            paramLabel = "N",
            description = "A power of two from 512 to 65536 (default: 512 on simulated devices, 4096 on the disk).")
    private Integer pageBytes;

    @Option(
            names = "--free-writes",
            description = "Writes of simulated devices take no time: for the miss ratio that a scheme would have.")
    private boolean freeWrites;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Gets the data file of the device real, which is deleted afterwards (default: --out).")
    private Path data;

    void check(Usage usage) {
        usage.requireOnce("--device", "a device", device);
        usage.requireWithin("--time-scale", timeScale, 0.001, 1000);
        usage.requireWithin("--channels", channels == null ? 1 : channels, 1, 4096);
        usage.requirePageBytes(pageBytes(Device.REAL));
        usage.require(
                !freeWrites || !device.contains(Device.REAL),
                "--free-writes needs simulated devices, and " + Device.REAL + " is none");
    }

    List<Device> all() {
        return device;
    }

    private List<Device> simulated() {
        return device.stream().filter(one -> one != Device.REAL).toList();
    }

    /** Null for the disk, which is as fast as it is. */
    Double timeScale(Device of) {
        return of == Device.REAL ? null : Double.valueOf(timeScale);
    }

    /** How much slower it writes than the one for which the rates of the schemes are stated; 1 for the disk. */
    double slowness(Device of) {
        return of.slowness(timeScale);
    }

    /** Null for the disk. */
    DeviceProfile profile(Device of) {
        return of.profile(channels, timeScale, freeWrites);
    }

    /** Null for the disk. */
    Integer channels(Device of) {
        DeviceProfile profile = profile(of);
        return profile == null ? null : Integer.valueOf(profile.channels());
    }

    int pageBytes(Device of) {
        return pageBytes != null ? pageBytes : of == Device.REAL ? REAL_PAGE_BYTES : SIMULATED_PAGE_BYTES;
    }

    /** The pages of simulated devices lie on the heap. */
    long heapBytes(int databasePages) {
        return simulated().stream()
                .mapToLong(one -> (long) databasePages * (pageBytes(one) + HEAP_PER_PAGE))
                .max()
                .orElse(0);
    }

    /** Makes the directory of the data file, and checks that the disk can have it. */
    Path prepareFiles(Workplace workplace, int databasePages) {
        Path files = workplace.directory();
        if (data != null) {
            Disk.requireWritable(data, "the data file");
            files = Disk.workingDirectory(data, ".lru-c-", workplace.cleanUp());
        }
        if (device.contains(Device.REAL)) {
            Device.requireDirectIo(files, databasePages, pageBytes(Device.REAL));
        }
        return files;
    }

    /** The limits of their figures, in sentences for the reader. */
    List<String> inWords() {
        List<String> sentences = new ArrayList<>();
        if (!simulated().isEmpty()) {
            sentences.add("Requests of simulated devices take " + Figures.brief(timeScale)
                    + " times as long as on the device: multiply rates by that. N/K is threads for each channel, busy"
                    + " the part of the channels' time in which they serve requests.");
        }
        if (freeWrites) {
            sentences.add("Writes take no time.");
        }
        return sentences;
    }
}
