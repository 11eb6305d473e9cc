package dev.berth.scheduler.cluster;

import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which domain each node is in, by the value of one of its labels. */
public final class TopologyColumn {
  private final String key;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> values = new ArrayList<>();
  private int[] domains = new int[0];

  TopologyColumn(String key) {
    this.key = key;
  }

  /** The domain of a node; -1 if it has no such label. */
  public int domain(int node) {
    return domains[node];
  }

  /** All domains are below this. */
  public int domains() {
    return values.size();
  }

  public String value(int domain) {
    return values.get(domain);
  }

  void put(int node, JsonObject labels) {
    if (node >= domains.length) {
      int length = domains.length;
      domains = Arrays.copyOf(domains, Math.max(64, 2 * (node + 1)));
      Arrays.fill(domains, length, domains.length, -1);
    }
    domains[node] = labels.get(key) instanceof String value ? number(value) : -1;
  }

  private int number(String value) {
    return numbers.computeIfAbsent(
        value,
        name -> {
          values.add(name);
          return values.size() - 1;
        });
  }
}
