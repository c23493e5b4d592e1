// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file system that is really full. {@code -Dclockhand.full.disk.dir} names a folder on one of 1 to 64 MiB, which the
 * test fills; {@code src/build/check-full-disk} mounts such a one. Without it, the test mounts one in a mount namespace
 * of its own, as far as the system permits that.
 */
class FullDiskTest {
    private static final String FOLDER = System.getProperty("clockhand.full.disk.dir");
    private static final String MOUNT = "mount -t tmpfs -o size=4m tmpfs \"$1\" && shift && exec \"$@\"";

    private record Result(int status, String output) {}

    private static Result inNamespace(Path folder, List<String> command) throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>(List.of("unshare", "-rm", "sh", "-c", MOUNT, "sh", folder.toString()));
        whole.addAll(command);
        Process process = new ProcessBuilder(whole).redirectErrorStream(true).start();
        // or a program that hangs would hang the test, which reads its output to the end
        CompletableFuture.delayedExecutor(4, TimeUnit.MINUTES).execute(process::destroyForcibly);
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(process.waitFor(), output);
        } finally {
            process.destroyForcibly();
        }
    }

    private static void assumeNamespaces(Path folder) throws InterruptedException {
        String reason;
        try {
            Result probe = inNamespace(folder, List.of("true"));
            if (probe.status() == 0) {
                return;
            }
            reason = probe.output();
        } catch (IOException e) {
            reason = e.getMessage();
        }
        assumeTrue(
                false,
                "no file system can be mounted here without privileges (" + reason.strip()
                        + "); name a small one by -Dclockhand.full.disk.dir");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void fullDiskRefusesNewPagesAndHarmsNoOther(@TempDir Path folder) throws Exception {
        if (FOLDER != null) {
            System.out.println(FullDisk.check(Path.of(FOLDER)));
            return;
        }
        assumeNamespaces(folder);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = List.of(
                java,
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                FullDisk.class.getName(),
                folder.toString());
        Result result = inNamespace(folder, command);
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).contains("pages at the end");
        System.out.print(result.output());
    }
}
