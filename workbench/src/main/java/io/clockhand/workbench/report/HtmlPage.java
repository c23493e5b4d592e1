// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** A page that carries its data and the chart library with it, and so opens anywhere without a network. */
public final class HtmlPage {
    private static final String WEBJAR = "org.webjars.npm/chart.js";
    private static final String CHART_SCRIPT = "/*chart.js*/";
    private static final String STYLE = "/*report.css*/";
    private static final String SCRIPT = "/*report.js*/";
    /** Of charts with lines, which not every page has. */
    private static final String LINES_SCRIPT = "/*lines.js*/";

    private static final String LINES_STYLE = "/*lines.css*/";

    private static final String DATA = "/*data*/";

    private HtmlPage() {}

    /**
     * Fills a template.
     *
     * @param owner class beside which the template lies
     * @param template name of a resource with placeholders for the style, the scripts and the data
     * @param json the data
     */
    public static String of(Class<?> owner, String template, String json) {
        String page = resource(owner, template);
        // Inside a script element only "</" could end it; in JSON it may be written with a backslash.
        return page.replace(STYLE, resource(HtmlPage.class, "report.css"))
                .replace(SCRIPT, resource(HtmlPage.class, "report.js"))
                .replace(LINES_SCRIPT, resource(HtmlPage.class, "lines.js"))
                .replace(LINES_STYLE, resource(HtmlPage.class, "lines.css"))
                .replace(DATA, json.replace("</", "<\\/"))
                .replace(CHART_SCRIPT, chartScript().replace("</script", "<\\/script"));
    }

    private static String chartScript() {
        Properties coordinates = new Properties();
        try (InputStream pom = HtmlPage.class.getResourceAsStream("/META-INF/maven/" + WEBJAR + "/pom.properties")) {
            coordinates.load(pom);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String version = coordinates.getProperty("version");
        return resource(HtmlPage.class, "/META-INF/resources/webjars/chart.js/" + version + "/dist/chart.umd.min.js");
    }

    private static String resource(Class<?> owner, String name) {
        try (InputStream stream = owner.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("the workbench's jar lacks " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
