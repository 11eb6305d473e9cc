package dev.berth.metrics;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Writes metrics as Prometheus reads them. */
public final class MetricsText {

  /** The two forms of the same. */
  public enum Format {
    PROMETHEUS("text/plain; version=0.0.4; charset=utf-8"),
    /** Here a counter is named without its {@code _total}, and the text says where it ends. */
    OPEN_METRICS("application/openmetrics-text; version=1.0.0; charset=utf-8");

    private final String contentType;

    Format(String contentType) {
      this.contentType = contentType;
    }

    public String contentType() {
      return contentType;
    }

    /** What a client understands that accepts these types. */
    public static Format of(List<String> accept) {
      return String.join(",", accept).contains("application/openmetrics-text")
          ? OPEN_METRICS
          : PROMETHEUS;
    }
  }

  private static final String TOTAL = "_total";

  /** Go writes numbers outside of these with an exponent. */
  private static final int LEAST_PLAIN_EXPONENT = -4;

  private static final int MOST_PLAIN_EXPONENT = 5;

  private final Format format;
  private final StringBuilder out = new StringBuilder();

  MetricsText(Format format) {
    this.format = format;
  }

  void counters(Family<Counter> family) {
    head(family.name(), family.help(), "counter");
    family.forEach((values, counter) ->
        sample(family.name(), family.labels(), values, Long.toString(counter.value())));
  }

  void gauges(Family<Gauge> family) {
    head(family.name(), family.help(), "gauge");
    family.forEach((values, gauge) ->
        sample(family.name(), family.labels(), values, Long.toString(gauge.value())));
  }

  void histograms(Family<Histogram> family) {
    head(family.name(), family.help(), "histogram");
    family.forEach((values, histogram) -> {
      List<String> labels = new ArrayList<>(family.labels());
      labels.add("le");
      long[] counts = histogram.counts();
      long below = 0;
      for (int i = 0; i < counts.length; i++) {
        below += counts[i];
        List<String> bucket = new ArrayList<>(values);
        boolean last = i == counts.length - 1;
        bucket.add(last ? "+Inf" : bound(histogram.bounds().get(i)));
        sample(family.name() + "_bucket", labels, bucket, Long.toString(below));
      }
      sample(family.name() + "_sum", family.labels(), values, number(histogram.sumSeconds()));
      // The sum of the buckets just written, so that the two agree whatever others add meanwhile.
      sample(family.name() + "_count", family.labels(), values, Long.toString(below));
    });
  }

  void figures(
      String name, String help, String type, List<String> labels, Metrics.Figures figures) {
    head(name, help, type);
    figures.forEach((values, figure) -> sample(name, labels, values, number(figure)));
  }

  String end() {
    if (format == Format.OPEN_METRICS) {
      out.append("# EOF\n");
    }
    return out.toString();
  }

  private void head(String name, String help, String type) {
    boolean cut = format == Format.OPEN_METRICS && type.equals("counter") && name.endsWith(TOTAL);
    String shown = cut ? name.substring(0, name.length() - TOTAL.length()) : name;
    out.append("# HELP ").append(shown).append(' ').append(escaped(help)).append('\n');
    out.append("# TYPE ").append(shown).append(' ').append(type).append('\n');
  }

  private void sample(String name, List<String> labels, List<String> values, String value) {
    out.append(name);
    for (int i = 0; i < labels.size(); i++) {
      out.append(i == 0 ? '{' : ',').append(labels.get(i)).append("=\"");
      out.append(escaped(values.get(i)).replace("\"", "\\\"")).append('"');
    }
    out.append(labels.isEmpty() ? " " : "} ").append(value).append('\n');
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n");
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  /**
   * The bound of a bucket as Go writes it, {@code 0.0001} and {@code 1e-05}: it is a label, so that
   * whoever asks for a bucket of Kubernetes' metrics by name finds it under no other.
   */
  private static String bound(double value) {
    BigDecimal exact = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    int exponent = exact.precision() - exact.scale() - 1;
    if (exponent >= LEAST_PLAIN_EXPONENT && exponent <= MOST_PLAIN_EXPONENT) {
      return exact.toPlainString();
    }
    String mantissa = exact.movePointLeft(exponent).toPlainString();
    return "%se%s%02d".formatted(mantissa, exponent < 0 ? "-" : "+", Math.abs(exponent));
  }
}
