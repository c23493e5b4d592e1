// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.testing.Pools;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Runs in a JVM of its own, with limits of its own: see {@link ForkedPoolTest}. */
final class ForkedPool {
    private ForkedPool() {}

    public static void main(String[] args) throws IOException {
        switch (args[0]) {
            case "open" -> open(Long.parseLong(args[1]));
            case "file" -> openFile(Path.of(args[1]));
            case "direct" -> openDirect(Path.of(args[1]));
            case "full" -> fill(FilePageStore.open(Path.of(args[1]), 4096, FileOption.CREATE), Path.of(args[1]));
            case "full-direct" ->
                fill(
                        FilePageStore.open(Path.of(args[1]), 4096, FileOption.CREATE, FileOption.DIRECT),
                        Path.of(args[1]));
            case "two" -> openTwo(Long.parseLong(args[1]));
            case "referred" -> openAfterOneWhosePagesAreReferredTo(Integer.parseInt(args[1]));
            case "grow" -> growAfterAClosedOne(Integer.parseInt(args[1]));
            case "cycles" -> cycles(Integer.parseInt(args[1]));
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void open(long bytes) throws IOException {
        long cpuBegin = cpuNanos();
        try (BufferPool pool = Pools.builder().capacityBytes(bytes).build()) {
            long cpuMillis = (cpuNanos() - cpuBegin) / 1_000_000;
            PagedFile file = pool.open(0, new Zeros());
            long before = direct();
            for (int page = 0; page < 100; page++) {
                pool.fix(file.id(page)).close();
            }
            System.out.println(
                    "frames=" + pool.frames() + " cpuMillis=" + cpuMillis + " before=" + before + " after=" + direct());
            System.out.println("memory=" + pool.stats().memory().kind());
        } catch (IllegalArgumentException e) {
            System.out.println("refused: " + e.getMessage());
        }
    }

    private static void growAfterAClosedOne(int bytes) throws IOException {
        int frames = bytes / 4096;
        try (BufferPool small =
                Pools.builder().pageBytes(4096).frames(1).maxFrames(frames).build()) {
            fillAndClose(frames);
            small.resize(frames);
            System.out.println("grown to " + small.frames());
        } catch (IllegalArgumentException e) {
            System.out.println("refused: " + e.getMessage());
        }
    }

    private static void fillAndClose(int frames) throws IOException {
        try (BufferPool pool = Pools.builder().pageBytes(4096).frames(frames).build()) {
            fixAll(pool);
        }
    }

    private static void openTwo(long bytes) throws IOException {
        try (BufferPool first = Pools.builder().capacityBytes(bytes).build()) {
            System.out.println("first=" + first.frames());
            try (BufferPool second = Pools.builder().capacityBytes(bytes).build()) {
                fixAll(first);
                fixAll(second);
            } catch (IllegalArgumentException e) {
                System.out.println("refused: " + e.getMessage());
            }
            Pools.builder().capacityBytes(bytes / 8).build().close();
        }
        for (int lost = 0; lost < 5; lost++) { // not closed, but garbage
            fixAll(Pools.builder().capacityBytes(bytes).build());
        }
        System.out.println("done");
    }

    /** Views of pages keep the memory of a closed pool, until they go. */
    private static void openAfterOneWhosePagesAreReferredTo(long bytes) throws IOException {
        List<ByteBuffer> views = new ArrayList<>();
        BufferPool first = Pools.builder().capacityBytes(bytes).build();
        PagedFile file = first.open(0, new Zeros());
        for (int page = 0; page < first.frames(); page++) {
            try (PageGuard guard = first.fix(file.id(page))) {
                views.add(guard.bytes());
            }
        }
        first.close();
        try (BufferPool second = Pools.builder().capacityBytes(bytes).build()) {
            fixAll(second);
        } catch (IllegalArgumentException e) {
            System.out.println("refused: " + e.getMessage());
        }
        System.out.println("page " + views.get(0).getLong(0));
        views.clear();
        try (BufferPool third = Pools.builder().capacityBytes(bytes).build()) {
            fixAll(third);
        }
        System.out.println("done, and closed is " + first.isClosed()); // it may be referred to
    }

    private static void fixAll(BufferPool pool) throws IOException {
        PagedFile file = pool.open(0, new Zeros());
        for (int page = 0; page < pool.frames(); page++) {
            pool.fix(file.id(page)).close();
        }
    }

    private static void openFile(Path file) {
        try (BufferPool pool = Pools.builder().pageBytes(512).build()) {
            System.out.println(
                    "opened as file " + pool.open(0, file, FileOption.CREATE).number());
        } catch (IOException e) {
            System.out.println("refused: " + e.getMessage());
        }
    }

    private static void openDirect(Path file) throws IOException {
        FilePageStore.open(file, 4096, FileOption.CREATE).close();
        try (FilePageStore store = FilePageStore.open(file, 4096, FileOption.DIRECT)) {
            System.out.println("opened " + store.name());
        } catch (IOException e) {
            System.out.println("refused: " + e.getMessage());
        }
    }

    /** Creates pages until no more fit, and says what was left. */
    private static void fill(FilePageStore store, Path path) throws IOException {
        try (BufferPool pool = Pools.builder().pageBytes(4096).frames(4).build()) {
            PagedFile file = pool.open(0, store);
            for (int failures = 0; failures < 2; ) {
                try {
                    file.create().close();
                } catch (IOException e) {
                    failures++;
                    System.out.println("refused: " + e.getMessage() + "; " + file.pages() + " pages in "
                            + Files.size(path) + " bytes");
                }
            }
            for (long page = 0; page < file.pages(); page++) {
                try (PageGuard guard = pool.fix(file.id(page))) {
                    System.out.println("page " + page + " says " + guard.getLong(0));
                }
            }
            pool.checkIntegrity();
        }
        System.out.println("closed");
    }

    /**
     * Pools of half of the direct memory each, all of it touched: the third would not fit if the first were still
     * there.
     */
    private static void cycles(int count) throws IOException {
        Set<String> kinds = new TreeSet<>();
        for (int cycle = 0; cycle < count; cycle++) {
            try (BufferPool pool = Pools.builder().capacityBytes(32 << 20).build()) {
                fixAll(pool);
                kinds.add(pool.stats().memory().kind());
            }
        }
        System.out.println("memory=" + kinds);
        Path status = Path.of("/proc/self/status");
        if (Files.exists(status)) { // of Linux
            Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .forEach(line -> System.out.println("peak=" + line.replaceAll("\\D", "")));
        }
        System.out.println("done");
    }

    private static long cpuNanos() {
        return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long direct() {
        return java.lang.management.ManagementFactory.getPlatformMXBeans(java.lang.management.BufferPoolMXBean.class)
                .stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(java.lang.management.BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    /** As many pages as one likes. */
    private static final class Zeros extends StampedStore {
        Zeros() {
            super(1 << 30);
        }

        @Override
        public int pageBytes() {
            return 4096;
        }

        @Override
        public void read(long page, ByteBuffer target) {
            target.position(target.limit());
        }
    }
}
