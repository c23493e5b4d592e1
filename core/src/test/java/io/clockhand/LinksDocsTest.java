// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Links of pages to files of the project, and to headings in other pages, lead somewhere. */
class LinksDocsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> OUTPUT = Set.of("target", ".git", "clockhand-out");

    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern OTHER_SITE = Pattern.compile("[a-z]+:.*");
    private static final Pattern CODE = Pattern.compile("(?m)^```[\\s\\S]*?^```");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern TEXT_OF_LINK = Pattern.compile("\\[([^\\]]*)]\\([^)]*\\)");

    private final Map<Path, Set<String>> anchors = new HashMap<>();

    @Test
    void linksLeadToFilesAndHeadingsThatExist() throws IOException {
        List<String> broken = new ArrayList<>();
        List<Path> pages = pages();
        assertThat(pages).contains(ROOT.resolve("README.md"));
        for (Path page : pages) {
            Matcher link = LINK.matcher(withoutCode(page));
            while (link.find()) {
                String target = link.group(1);
                if (!OTHER_SITE.matcher(target).matches() && !exists(page, target)) {
                    broken.add(ROOT.relativize(page) + ": " + target);
                }
            }
        }
        assertThat(broken).as("links that lead nowhere").isEmpty();
    }

    private boolean exists(Path page, String target) throws IOException {
        int end = target.indexOf('#');
        String file = end < 0 ? target : target.substring(0, end);
        Path path = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        if (!Files.exists(path)) {
            return false;
        }
        return end < 0 || !path.toString().endsWith(".md") || anchorsOf(path).contains(target.substring(end + 1));
    }

    /** The anchors that GitHub gives headings: lower case, hyphens for spaces, a number after a repeated one. */
    private Set<String> anchorsOf(Path page) throws IOException {
        Set<String> known = anchors.get(page);
        if (known != null) {
            return known;
        }
        Set<String> found = new HashSet<>();
        Matcher heading = HEADING.matcher(withoutCode(page));
        while (heading.find()) {
            String anchor = TEXT_OF_LINK
                    .matcher(heading.group(1))
                    .replaceAll("$1")
                    .strip()
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                    .replace(' ', '-');
            for (int number = 1; !found.add(number == 1 ? anchor : anchor + "-" + (number - 1)); number++) {
                // the next number
            }
        }
        anchors.put(page, found);
        return found;
    }

    private static String withoutCode(Path page) throws IOException {
        return CODE.matcher(Files.readString(page)).replaceAll("");
    }

    /** Does not look into folders of output, which builds of other modules change meanwhile. */
    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return OUTPUT.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".md")) {
                    pages.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return pages;
    }
}
