package dev.berth.scheduler.cluster.node;

import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The domains into which a label divides the nodes, such as zones. Domains are numbered without
 * gaps, so that whoever counts something per domain does so in an array. A domain that its last
 * node has left gives its number to the next that comes, so that names of nodes that come and go do
 * not add up.
 */
public final class TopologyColumn {
  private static final int NONE = -1;

  private final String key;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> values = new ArrayList<>();
  private final List<Integer> free = new ArrayList<>();
  private int[] sizes = new int[4];
  private int[] domains = new int[0];

  public TopologyColumn(String key) {
    this.key = key;
  }

  /** The label's key. */
  public String key() {
    return key;
  }

  /** The number of the domain that a node is in, or -1 if it does not have the label. */
  public int domain(int node) {
    return node < domains.length ? domains[node] : NONE;
  }

  /** All domains have numbers below this; some may have no nodes. */
  public int domains() {
    return values.size();
  }

  /** The label's value on the nodes of a domain. */
  public String value(int domain) {
    return values.get(domain);
  }

  /** How many nodes a domain has. */
  public int nodes(int domain) {
    return sizes[domain];
  }

  public void put(int node, JsonObject labels) {
    if (labels.get(key) instanceof String value) {
      int before = domain(node);
      if (before != NONE && values.get(before).equals(value)) {
        return;
      }
      remove(node);
      int domain = numbers.computeIfAbsent(value, this::take);
      sizes[domain]++;
      set(node, domain);
    } else {
      remove(node);
    }
  }

  public void remove(int node) {
    int domain = domain(node);
    if (domain == NONE) {
      return;
    }
    set(node, NONE);
    if (--sizes[domain] == 0) {
      numbers.remove(values.get(domain));
      free.add(domain);
    }
  }

  private int take(String value) {
    if (!free.isEmpty()) {
      int domain = free.removeLast();
      values.set(domain, value);
      return domain;
    }
    values.add(value);
    if (values.size() > sizes.length) {
      sizes = Arrays.copyOf(sizes, 2 * sizes.length);
    }
    return values.size() - 1;
  }

  private void set(int node, int domain) {
    if (node >= domains.length) {
      int from = domains.length;
      domains = Arrays.copyOf(domains, Math.max(2 * node, 64));
      Arrays.fill(domains, from, domains.length, NONE);
    }
    domains[node] = domain;
  }
}
