// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh.duel;

import io.clockhand.duel.DuelResult;
import io.clockhand.duel.DuelResult.Standing;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A picture of a duel: for each contender its ratio as a point, and the 95 % interval as a line through it. */
public final class RatioChart {
    private static final int WIDTH = 900;
    private static final int ROW_HEIGHT = 56;
    /** For title, axis and its title. */
    private static final int FRAME_HEIGHT = 130;

    /** The distance of a label from its row, in rows. */
    private static final double ABOVE = 0.35;

    private static final double MARGIN = 0.08;
    private static final Color INK = new Color(0x1F, 0x4E, 0x79);
    private static final Color PALE = new Color(0x99, 0x99, 0x99);

    private RatioChart() {}

    /**
     * Draws a chart.
     *
     * @param title may name benchmark, threads and machine
     * @param file a PNG file to write; its directories are created
     * @throws IOException if the file cannot be written
     */
    public static void write(DuelResult result, String title, Path file) throws IOException {
        System.setProperty("java.awt.headless", "true");
        Files.createDirectories(file.toAbsolutePath().getParent());
        XYChart chart = chart(result, title);
        byte[] png = BitmapEncoder.getBitmapBytes(chart, BitmapEncoder.BitmapFormat.PNG);
        Files.write(file, png);
    }

    private static XYChart chart(DuelResult result, String title) {
        List<Standing> standings = result.contenders();
        int rows = standings.size();
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(FRAME_HEIGHT + rows * ROW_HEIGHT)
                .title(title)
                .xAxisTitle("times " + result.comparedWith() + ", with the 95 % interval")
                .build();
        double greatest =
                standings.stream().mapToDouble(Standing::ratioHigh).max().orElseThrow();
        Styler styler = style(chart, greatest * (1 + MARGIN), rows);
        styler.setDecimalPattern("0.##");
        line(chart, "one", new double[] {1, 1}, new double[] {0, rows + 1}, PALE)
                .setLineStyle(new BasicStroke(1));
        for (int i = 0; i < rows; i++) {
            Standing standing = standings.get(i);
            double at = rows - i;
            String name = standing.contender();
            line(chart, name, new double[] {standing.ratioLow(), standing.ratioHigh()}, new double[] {at, at}, INK)
                    .setLineStyle(new BasicStroke(3));
            line(chart, name + " ", new double[] {standing.ratio()}, new double[] {at}, INK)
                    .setMarker(SeriesMarkers.CIRCLE)
                    .setMarkerColor(INK);
            chart.addAnnotation(
                    new AnnotationText(label(standing, result.comparedWith()), standing.ratio(), at + ABOVE, false));
        }
        return chart;
    }

    private static Styler style(XYChart chart, double greatest, int rows) {
        chart.getStyler()
                .setXAxisMin(0.0)
                .setXAxisMax(greatest)
                .setYAxisTicksVisible(false)
                .setYAxisMin(0.0)
                .setYAxisMax(rows + 1.0)
                .setPlotGridHorizontalLinesVisible(false)
                .setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
        return chart.getStyler()
                .setLegendVisible(false)
                .setChartBackgroundColor(Color.WHITE)
                .setPlotBorderVisible(false)
                .setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 15))
                .setAnnotationTextFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14))
                .setAntiAlias(true);
    }

    private static XYSeries line(XYChart chart, String name, double[] x, double[] y, Color color) {
        XYSeries series = chart.addSeries(name, x, y);
        series.setMarker(SeriesMarkers.NONE);
        series.setLineColor(color);
        return series;
    }

    private static String label(Standing standing, String comparedWith) {
        return standing.contender().equals(comparedWith)
                ? comparedWith
                : String.format(
                        Locale.ROOT,
                        "%s: %.2f (%.2f to %.2f)",
                        standing.contender(),
                        standing.ratio(),
                        standing.ratioLow(),
                        standing.ratioHigh());
    }
}
