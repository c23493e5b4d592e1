// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.report;

import io.clockhand.workbench.environment.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The files of one command's results: all are written to temporary files first, then moved. */
public final class ResultFiles {
    private final Path directory;
    private final Map<String, String> contents = new LinkedHashMap<>();

    public ResultFiles(Path directory) {
        this.directory = directory;
    }

    public ResultFiles add(String name, String content) {
        contents.put(name, content);
        return this;
    }

    /** Where they lie once written. */
    public List<String> paths() {
        return contents.keySet().stream()
                .map(name -> directory.resolve(name).toString())
                .toList();
    }

    /** Fails, in one sentence, if one of these files could not be written to a directory that can be written to. */
    public static void requireWritable(Path directory, List<String> names) {
        for (String name : names) {
            for (Path file : List.of(directory.resolve(name), part(directory, name))) {
                if (Files.isDirectory(file)) {
                    throw new CommandFailure("cannot write the results to " + file + ": it is a directory");
                }
            }
        }
    }

    private static Path part(Path directory, String name) {
        return directory.resolve("." + name + ".part");
    }

    /** Replaces files of the same names. */
    public void write() throws IOException {
        Files.createDirectories(directory);
        Map<Path, Path> moves = new LinkedHashMap<>();
        try {
            for (Map.Entry<String, String> file : contents.entrySet()) {
                Path temporary = part(directory, file.getKey());
                moves.put(temporary, directory.resolve(file.getKey()));
                Files.writeString(temporary, file.getValue());
            }
            for (Map.Entry<Path, Path> move : moves.entrySet()) {
                Files.move(move.getKey(), move.getValue(), StandardCopyOption.REPLACE_EXISTING);
            }
        } finally {
            for (Path temporary : moves.keySet()) {
                Files.deleteIfExists(temporary);
            }
        }
    }
}
