package dev.berth.metrics;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Metrics of one name that differ in the values of their labels.
 *
 * <p>There is room for so many sets of values. Whatever comes later is counted together under
 * {@value #OTHER}: labels often hold what clients send, and a client must not fill our memory.
 *
 * @param <M> what each set of values has
 */
public final class Family<M> {
  static final String OTHER = "other";
  private static final int MOST_SETS = 5_000;

  private final String name;
  private final String help;
  private final List<String> labels;
  private final Supplier<M> make;
  private final Map<List<String>, M> members = new ConcurrentHashMap<>();
  private final List<String> others;

  Family(String name, String help, List<String> labels, Supplier<M> make) {
    this.name = name;
    this.help = help;
    this.labels = List.copyOf(labels);
    this.make = make;
    this.others = Collections.nCopies(labels.size(), OTHER);
  }

  /** The metric with these values, in the order of the labels' names. */
  public M with(String... values) {
    if (values.length != labels.size()) {
      throw new IllegalArgumentException(
          name + " has the labels " + labels + ", not values for " + values.length);
    }
    List<String> key = Arrays.asList(values);
    M member = members.get(key);
    if (member != null) {
      return member;
    }
    List<String> kept = members.size() < MOST_SETS ? List.of(values) : others;
    return members.computeIfAbsent(kept, _ -> make.get());
  }

  /** Takes out the metric with these values, of something that is no more. */
  public void remove(String... values) {
    members.remove(Arrays.asList(values));
  }

  String name() {
    return name;
  }

  String help() {
    return help;
  }

  List<String> labels() {
    return labels;
  }

  /** All in a fixed order. */
  void forEach(BiConsumer<List<String>, M> action) {
    Map<List<String>, M> sorted =
        new TreeMap<>(Comparator.comparing(values -> String.join("\0", values)));
    sorted.putAll(members);
    sorted.forEach(action);
  }
}
