package dev.berth.metrics;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * All metrics of a process, or of as much of it as shall be shown together. Components declare
 * theirs when they are made and keep what they get; changing a metric takes no lock.
 */
public final class Metrics {
  private final Map<String, Consumer<MetricsText>> families = new ConcurrentSkipListMap<>();
  private final Map<Class<?>, Object> shared = new ConcurrentHashMap<>();

  /** A figure that is not counted but looked up whenever somebody wants to see it. */
  @FunctionalInterface
  public interface Figures {
    /** Gives each set of values and its figure. */
    void forEach(BiConsumer<List<String>, Double> action);
  }

  public Family<Counter> counters(String name, String help, String... labels) {
    Family<Counter> family = new Family<>(name, help, List.of(labels), Counter::new);
    add(name, text -> text.counters(family));
    return family;
  }

  public Family<Gauge> gauges(String name, String help, String... labels) {
    Family<Gauge> family = new Family<>(name, help, List.of(labels), Gauge::new);
    add(name, text -> text.gauges(family));
    return family;
  }

  /**
   * Times that something took.
   *
   * @param bounds the upper ends of the buckets in seconds, in rising order
   */
  public Family<Histogram> histograms(
      String name, String help, List<Double> bounds, String... labels) {
    List<Double> kept = List.copyOf(bounds);
    Family<Histogram> family = new Family<>(name, help, List.of(labels), () -> new Histogram(kept));
    add(name, text -> text.histograms(family));
    return family;
  }

  /** Figures that may fall. */
  public void lookedUp(String name, String help, List<String> labels, Figures figures) {
    add(name, text -> text.figures(name, help, "gauge", labels, figures));
  }

  /** Figures that only grow. */
  public void totals(String name, String help, List<String> labels, Figures figures) {
    add(name, text -> text.figures(name, help, "counter", labels, figures));
  }

  /**
   * What several components count together, or one that is started anew goes on counting.
   *
   * @param declare declares it; run once
   */
  public <T> T shared(Class<T> type, Function<Metrics, T> declare) {
    return type.cast(shared.computeIfAbsent(type, _ -> declare.apply(this)));
  }

  private void add(String name, Consumer<MetricsText> write) {
    if (families.putIfAbsent(name, write) != null) {
      throw new IllegalArgumentException("There is a metric " + name + " already.");
    }
  }

  /** Everything as it is now, by name. */
  public String text(MetricsText.Format format) {
    MetricsText text = new MetricsText(format);
    families.values().forEach(write -> write.accept(text));
    return text.end();
  }
}
