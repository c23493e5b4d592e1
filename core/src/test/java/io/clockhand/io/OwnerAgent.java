// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Opens and uses files as commands say. Each has stores of its own; one in a class loader of its own stands for an
 * application with a copy of the library. Not thread-safe.
 */
public final class OwnerAgent implements UnaryOperator<String> {
    private static final int PAGE_BYTES = 512;

    private final Map<String, FilePageStore> stores = new HashMap<>();

    /**
     * Obeys a command: {@code open STORE FILE [OPTION…]}, {@code use STORE}, {@code interrupt STORE},
     * {@code close STORE}, {@code delete STORE}, {@code probe FILE}.
     *
     * @return "ok", or "refused: " and the reason; for a probe "locked" or "not locked"
     */
    @Override
    public String apply(String command) {
        String[] words = command.split(" ");
        try {
            switch (words[0]) {
                case "open" -> stores.put(words[1], FilePageStore.open(Path.of(words[2]), PAGE_BYTES, options(words)));
                case "use" -> use(stores.get(words[1]));
                case "interrupt" -> stores.get(words[1]).closeChannelsForTest();
                case "close" -> stores.remove(words[1]).close();
                case "delete" -> {
                    stores.get(words[1]).delete();
                    stores.remove(words[1]);
                }
                case "probe" -> {
                    return probe(Path.of(words[1]));
                }
                default -> throw new IllegalArgumentException(command);
            }
            return "ok";
        } catch (IOException e) {
            return "refused: " + String.valueOf(e.getMessage()).replace('\n', ' ');
        }
    }

    private static FileOption[] options(String[] words) {
        return Arrays.stream(words).skip(3).map(FileOption::valueOf).toArray(FileOption[]::new);
    }

    private static void use(FilePageStore store) throws IOException {
        ByteBuffer page = ByteBuffer.allocateDirect(PAGE_BYTES);
        if (!store.isReadOnly()) {
            store.write(0, page);
        }
        if (store.pages() > 0) {
            store.read(0, page.clear());
        }
    }

    /** Must not be used where a store of this process has the file: its lock would be dropped. */
    private static String probe(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.tryLock(Long.MAX_VALUE - 1, 1, false) == null ? "locked" : "not locked";
        }
    }
}
