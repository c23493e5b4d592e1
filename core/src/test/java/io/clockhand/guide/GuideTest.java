// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.guide;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.page.BufferPool;
import io.clockhand.page.OptimisticPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code in the guide for engine authors is that of tests, and does what the guide states. */
class GuideTest {
    private static final Pattern TEST = Pattern.compile("@Test\n");
    private static final Pattern EXCEPTION = Pattern.compile("isInstanceOf\\((\\w+)\\.class\\)");
    private static final Pattern PART = Pattern.compile("hasMessage\\w+\\(([^)]*)\\)");
    private static final Pattern LITERAL = Pattern.compile("\"([^\"]*)\"");

    @TempDir
    private Path folder;

    @Test
    void programFindsNumbersByKey() throws IOException {
        Path path = folder.resolve("numbers.db");
        SortedFile.write(
                path, LongStream.rangeClosed(1, 100_000).map(i -> 3 * i).toArray());
        try (BufferPool pool = BufferPool.builder().pageBytes(4096).frames(20).build()) {
            SortedFile numbers = new SortedFile(pool, path);
            for (long number = 3; number < 300_000; number += 997) {
                assertThat(numbers.contains(number)).as("%d", number).isEqualTo(number % 3 == 0);
            }
            try (OptimisticPage index = pool.newOptimisticPage();
                    OptimisticPage page = pool.newOptimisticPage()) {
                for (long number = 3; number < 300_000; number += 997) {
                    assertThat(numbers.contains(number, index, page))
                            .as("%d", number)
                            .isEqualTo(number % 3 == 0);
                }
            }
            pool.checkIntegrity();
        }
    }

    @Test
    void programsAndPolicyAreThoseInTheGuide() throws IOException {
        String sortedFile = Files.readString(source("guide/SortedFile"));

        assertThat(guide())
                .contains(sortedFile.substring(sortedFile.indexOf("/** Up to 262")))
                .contains(tagged("guide/OrdersProgramTest", "program"))
                .contains(tagged("guide/BalancesTest", "change"))
                .contains(tagged("guide/CrashedLogTest", "test"))
                .contains(tagged("guide/LoggedBalancesTest", "log"))
                .contains(tagged("guide/NodeCacheTest", "lifecycle").replace("static final class", "final class"))
                .contains(tagged("guide/NodeCacheTest", "use"))
                .contains(tagged("policy/ExamplePolicyTest", "example").replace("static final class", "final class"));
    }

    /** Each mistake of {@link OrdersProgramTest} has its row, with the exception and each part of its message. */
    @Test
    void mistakesAndMessagesAreThoseInTheGuide() throws IOException {
        String guide = guide();
        int begin = guide.indexOf("| mistake | exception | message |");
        List<String> rows = guide.substring(begin, guide.indexOf("\n\n", begin))
                .lines()
                .skip(2)
                .toList();
        List<List<String>> mistakes = mistakes();

        assertThat(mistakes).hasSize(10);
        assertThat(rows).hasSameSizeAs(mistakes);
        for (List<String> mistake : mistakes) {
            assertThat(rows)
                    .as("%s", mistake)
                    .filteredOn(row -> mistake.stream().allMatch(row::contains))
                    .hasSize(1);
        }
    }

    /** {@return the exception and the parts of the message that each test expects} */
    private static List<List<String>> mistakes() throws IOException {
        List<List<String>> mistakes = new ArrayList<>();
        for (String test : TEST.split(Files.readString(source("guide/OrdersProgramTest")), -1)) {
            List<String> expected = new ArrayList<>();
            Matcher exception = EXCEPTION.matcher(test);
            if (exception.find()) {
                expected.add("`" + exception.group(1) + "`");
                PART.matcher(test)
                        .results()
                        .map(part -> literals(part.group(1)))
                        .forEach(expected::add);
                mistakes.add(expected);
            }
        }
        return mistakes;
    }

    private static String literals(String concatenation) {
        return LITERAL.matcher(concatenation)
                .results()
                .map(text -> text.group(1))
                .collect(joining());
    }

    /** {@return the lines between two tags, without their indentation} */
    private static String tagged(String file, String tag) throws IOException {
        List<String> lines = Files.readString(source(file))
                .lines()
                .map(String::stripTrailing)
                .toList();
        int begin = indexOf(lines, "// tag::" + tag + "[]");
        int end = indexOf(lines, "// end::" + tag + "[]");
        int indentation = lines.get(begin).indexOf('/');
        return lines.subList(begin + 1, end).stream()
                .map(line -> line.substring(Math.min(indentation, line.length())))
                .collect(joining("\n", "\n", "\n"));
    }

    private static int indexOf(List<String> lines, String tag) {
        List<String> stripped = lines.stream().map(String::strip).toList();
        assertThat(stripped).contains(tag);
        return stripped.indexOf(tag);
    }

    private static Path source(String file) {
        return root().resolve("core/src/test/java/io/clockhand/" + file + ".java");
    }

    private static String guide() throws IOException {
        return Files.readString(root().resolve("src/docs/guide.md"));
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("src/docs"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
