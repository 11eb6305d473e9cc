package dev.berth.metrics;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * All metrics of a process, or of as much of it as shall be shown together. Components declare
 * theirs when they are made and keep what they get; changing a metric takes no lock.
 *
 * <p>A component that is started afresh declares the same again, and goes on counting where the one
 * before it stopped. The same name with another type or other labels is a mistake.
 */
public final class Metrics {
  private final Map<String, Declared> declared = new ConcurrentSkipListMap<>();
  private final Map<Class<?>, Object> shared = new ConcurrentHashMap<>();

  /** A metric by its type and labels, and how it is shown. */
  private record Declared(
      String type, List<String> labels, Object family, Consumer<MetricsText> write) {}

  /** A figure that is not counted but looked up whenever somebody wants to see it. */
  @FunctionalInterface
  public interface Figures {
    /** Gives each set of values and its figure. */
    void forEach(BiConsumer<List<String>, Double> action);
  }

  public Family<Counter> counters(String name, String help, String... labels) {
    return family(name, help, labels, "counter", Counter::new, MetricsText::counters);
  }

  public Family<Gauge> gauges(String name, String help, String... labels) {
    return family(name, help, labels, "gauge", Gauge::new, MetricsText::gauges);
  }

  /**
   * Times that something took.
   *
   * @param bounds the upper ends of the buckets in seconds, in rising order
   */
  public Family<Histogram> histograms(
      String name, String help, List<Double> bounds, String... labels) {
    List<Double> kept = List.copyOf(bounds);
    return family(
        name,
        help,
        labels,
        "histogram " + kept,
        () -> new Histogram(kept),
        MetricsText::histograms);
  }

  @SuppressWarnings("unchecked") // the type says what a family is made of
  private <M> Family<M> family(
      String name,
      String help,
      String[] labels,
      String type,
      Supplier<M> make,
      BiConsumer<MetricsText, Family<M>> write) {
    Family<M> family = new Family<>(name, help, List.of(labels), make);
    Declared known =
        declared.computeIfAbsent(
            name,
            _ -> new Declared(type, family.labels(), family, text -> write.accept(text, family)));
    requireSame(name, known, type, family.labels());
    return (Family<M>) known.family();
  }

  /** Figures that may fall. Who declares them again is asked from then on. */
  public void lookedUp(String name, String help, List<String> labels, Figures figures) {
    figures(name, help, "gauge", labels, figures);
  }

  /** Figures that only grow. Who declares them again is asked from then on. */
  public void totals(String name, String help, List<String> labels, Figures figures) {
    figures(name, help, "counter", labels, figures);
  }

  private void figures(
      String name, String help, String type, List<String> labels, Figures figures) {
    String ofFigures = type + " of figures";
    Declared next =
        new Declared(
            ofFigures, labels, figures, text -> text.figures(name, help, type, labels, figures));
    Declared before = declared.put(name, next);
    if (before != null) {
      requireSame(name, before, ofFigures, labels);
    }
  }

  /**
   * What several components show together, such as the depth of each one's queue under one name.
   *
   * @param declare declares it; run once
   */
  public <T> T shared(Class<T> type, Function<Metrics, T> declare) {
    return type.cast(shared.computeIfAbsent(type, _ -> declare.apply(this)));
  }

  private static void requireSame(String name, Declared known, String type, List<String> labels) {
    if (!known.type().equals(type) || !known.labels().equals(labels)) {
      throw new IllegalArgumentException("There is a metric " + name + " already.");
    }
  }

  /** Everything as it is now, by name. */
  public String text(MetricsText.Format format) {
    MetricsText text = new MetricsText(format);
    declared.values().forEach(metric -> metric.write().accept(text));
    return text.end();
  }
}
