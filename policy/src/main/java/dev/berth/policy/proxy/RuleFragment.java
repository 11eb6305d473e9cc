package dev.berth.policy.proxy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A part of a table of nftables: what one service needs of it, or what all of them share. Fragments
 * are values, so that what has to change is what differs.
 *
 * @param chains by name: their rules, in order
 * @param sets those that only this fragment has, by name: how they are declared
 * @param elements of sets and maps that all fragments share: what each stands for in a map, and
 *     nothing in a set
 */
public record RuleFragment(
    SortedMap<String, List<String>> chains,
    SortedMap<String, String> sets,
    SortedMap<Element, String> elements) {
  public static final RuleFragment EMPTY =
      new RuleFragment(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

  /** An element of a set or a map. */
  public record Element(String container, String key) implements Comparable<Element> {
    @Override
    public int compareTo(Element other) {
      int byContainer = container.compareTo(other.container);
      return byContainer != 0 ? byContainer : key.compareTo(other.key);
    }
  }

  /** Collects one. */
  static final class Builder {
    private final SortedMap<String, List<String>> chains = new TreeMap<>();
    private final SortedMap<String, String> sets = new TreeMap<>();
    private final SortedMap<Element, String> elements = new TreeMap<>();

    Builder rule(String chain, String rule) {
      chains.computeIfAbsent(chain, _ -> new ArrayList<>()).add(rule);
      return this;
    }

    Builder set(String name, String declaration) {
      sets.put(name, declaration);
      return this;
    }

    boolean has(String set) {
      return sets.containsKey(set);
    }

    Builder element(String set, String key) {
      return element(set, key, "");
    }

    /** The first that says what a key stands for is right. */
    Builder element(String map, String key, String value) {
      elements.putIfAbsent(new Element(map, key), value);
      return this;
    }

    RuleFragment build() {
      SortedMap<String, List<String>> copies = new TreeMap<>();
      for (Map.Entry<String, List<String>> each : chains.entrySet()) {
        copies.put(each.getKey(), List.copyOf(each.getValue()));
      }
      return new RuleFragment(copies, new TreeMap<>(sets), new TreeMap<>(elements));
    }
  }
}
