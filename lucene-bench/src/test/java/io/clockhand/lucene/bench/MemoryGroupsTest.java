// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryGroupsTest {
    @TempDir
    private Path directory;

    private void write(String file, String text) throws IOException {
        Files.writeString(directory.resolve(file), text);
    }

    private String read(String file) throws IOException {
        return Files.readString(directory.resolve(file));
    }

    @Test
    void groupsOfVersion1LieWhereTheProcessIsOrAbove() {
        assertThat(MemoryGroups.candidates(
                        List.of("5:cpu:/x", "4:memory:/a/b", "0::/y"),
                        List.of(
                                "proc /proc proc rw 0 0",
                                "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0",
                                "cgroup /sys/fs/cgroup/memory cgroup rw,relatime,memory 0 0")))
                .containsExactly(
                        Path.of("/sys/fs/cgroup/memory/a/b"),
                        Path.of("/sys/fs/cgroup/memory/a"),
                        Path.of("/sys/fs/cgroup/memory"));
    }

    @Test
    void groupsOfVersion2LieWhereTheProcessIsOrAbove() {
        assertThat(MemoryGroups.candidates(
                        List.of("0::/user.slice/a.scope"), List.of("cgroup2 /sys/fs/cgroup cgroup2 rw,nsdelegate 0 0")))
                .containsExactly(
                        Path.of("/sys/fs/cgroup/user.slice/a.scope"),
                        Path.of("/sys/fs/cgroup/user.slice"),
                        Path.of("/sys/fs/cgroup"));
    }

    @Test
    void nothingIsFoundWhereNoGroupCanBeMade() {
        assertThat(MemoryGroups.find(List.of(directory.resolve("absent")))).isEmpty();
    }

    @Test
    void limitOfVersion1IsTheMemoryBesidesThePageCacheAndTheShare() throws IOException {
        write("memory.usage_in_bytes", "1000\n");
        write("memory.stat", "cache 1\ntotal_cache 300\ntotal_rss 600\n");
        write("memory.limit_in_bytes", "");

        new MemoryGroup(directory, 50, directory.resolve("request")).limit();

        assertThat(read("memory.limit_in_bytes")).isEqualTo("750");
    }

    @Test
    void limitOfVersion2IsTheMemoryBesidesThePageCacheAndTheShare() throws IOException {
        write("memory.current", "1000\n");
        write("memory.stat", "anon 600\nfile 300\nfile_mapped 1\n");
        write("memory.high", "max");

        new MemoryGroup(directory, 50, directory.resolve("request")).limit();

        assertThat(read("memory.high")).isEqualTo("750");
    }
}
