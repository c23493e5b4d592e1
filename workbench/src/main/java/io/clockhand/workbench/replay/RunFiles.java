// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.replay.driver.RunOrder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The data files. Runs that only read share one for each number of keys; a run that changes pages has a new one, which
 * is deleted before the next.
 */
final class RunFiles {
    /** Enough to open it. */
    private static final int PROBE_PAGES = 1;

    private final ReplayCommand settings;
    private final Path directory;
    private final CleanUp cleanUp;
    private final Map<PageFile, Path> shared = new LinkedHashMap<>();
    /** Of the last run that changes pages; null before the first. */
    private Path changed;

    RunFiles(ReplayCommand settings, Path directory, CleanUp cleanUp) {
        this.settings = settings;
        this.directory = directory;
        this.cleanUp = cleanUp;
    }

    /** Makes the shared ones, and opens one of each kind, as a test. */
    void prepare(Collection<Play> plays) {
        List<Io> ios = settings.ios().stream().filter(Io::needsFile).toList();
        for (Play play : plays) {
            PageFile layout = PageFile.of(settings, play.keys());
            if (ios.isEmpty() || shared.containsKey(layout)) {
                continue;
            }
            if (play.writes()) {
                PageFile probe = new PageFile(settings.pageBytes(), PROBE_PAGES, 1, PROBE_PAGES);
                Path file = makeNew(probe);
                ios.forEach(io -> check(io, probe, file, true));
            } else {
                Path file = layout.in(directory, cleanUp);
                shared.put(layout, file);
                ios.forEach(io -> check(io, layout, file, false));
            }
        }
    }

    private static void check(Io io, PageFile layout, Path file, boolean writes) {
        try {
            io.check(file, layout.pages(), layout.pageBytes(), writes);
        } catch (IOException e) {
            throw new CommandFailure("--io " + io + " is not possible: " + e.getMessage(), e);
        }
    }

    /** The pages of the next run. */
    RunOrder.Pages pages(Play play, Io io) {
        PageFile layout = PageFile.of(settings, play.keys());
        String file = null;
        if (io.needsFile()) {
            Path path = play.writes() ? makeNew(layout) : shared.get(layout);
            file = path.toAbsolutePath().toString();
        }
        return new RunOrder.Pages(io, file, layout.pages(), settings.spread());
    }

    private Path makeNew(PageFile layout) {
        try {
            if (changed != null) {
                cleanUp.delete(changed);
            }
        } catch (IOException e) {
            throw new CommandFailure("cannot delete " + changed + ": " + e.getMessage(), e);
        }
        changed = Disk.workingDirectory(directory, ".changed-", cleanUp);
        return layout.in(changed, cleanUp);
    }
}
