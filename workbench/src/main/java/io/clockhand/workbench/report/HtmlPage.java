// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** A page that carries its data and the chart library with it, and so opens anywhere without a network. */
final class HtmlPage {
    private static final String WEBJAR = "org.webjars.npm/chart.js";

    private HtmlPage() {}

    /**
     * Fills the template.
     *
     * @param json the data
     */
    static String of(String title, String json) {
        // In a script element "</script" ends it and "<!--<script" hides its end. In JSON a "<" lies within strings
        // only,
        // where it may be escaped. The data come last, since they may contain any of the marks.
        return resource("report.html")
                .replace("/*title*/", title)
                .replace("/*report.css*/", resource("report.css"))
                .replace("/*report.js*/", resource("report.js"))
                .replace("/*chart.js*/", chartScript().replace("</script", "<\\/script"))
                .replace("/*data*/", json.replace("<", "\\u003c"));
    }

    private static String chartScript() {
        Properties coordinates = new Properties();
        try (InputStream pom = HtmlPage.class.getResourceAsStream("/META-INF/maven/" + WEBJAR + "/pom.properties")) {
            coordinates.load(pom);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String version = coordinates.getProperty("version");
        return resource("/META-INF/resources/webjars/chart.js/" + version + "/dist/chart.umd.min.js");
    }

    private static String resource(String name) {
        try (InputStream stream = HtmlPage.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("the workbench's jar lacks " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
