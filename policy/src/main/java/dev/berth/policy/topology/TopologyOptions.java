package dev.berth.policy.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The options of a policy.
 *
 * @param prefersClosest whether of as many nodes those are taken that are closer to each other
 * @param mostNodes with how many nodes of a machine an agent still starts
 */
public record TopologyOptions(boolean prefersClosest, int mostNodes) {
  public static final String PREFER_CLOSEST = "prefer-closest-numa-nodes";
  public static final String MOST_NODES = "max-allowable-numa-nodes";
  private static final int DEFAULT_MOST_NODES = 8;
  public static final TopologyOptions DEFAULT = new TopologyOptions(false, DEFAULT_MOST_NODES);

  /** What differs from the defaults, as it is written. */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    if (prefersClosest) {
      names.add(PREFER_CLOSEST);
    }
    if (mostNodes != DEFAULT_MOST_NODES) {
      names.add(MOST_NODES + "=" + mostNodes);
    }
    return names;
  }

  /**
   * Reads options by their names.
   *
   * @throws PolicyOptionException if one of them is unknown or has a value that it cannot have
   */
  public static TopologyOptions parse(Map<String, String> options) {
    boolean prefersClosest = false;
    int mostNodes = DEFAULT_MOST_NODES;
    for (Map.Entry<String, String> option : options.entrySet()) {
      switch (option.getKey()) {
        case PREFER_CLOSEST ->
            prefersClosest = PolicyOptionException.flag(option.getKey(), option.getValue());
        case MOST_NODES -> mostNodes = mostNodes(option.getValue());
        default ->
            throw new PolicyOptionException(
                "unknown Topology Manager Policy option: \"%s\": must be %s or %s"
                    .formatted(option.getKey(), PREFER_CLOSEST, MOST_NODES));
      }
    }
    return new TopologyOptions(prefersClosest, mostNodes);
  }

  private static int mostNodes(String text) {
    int number;
    try {
      number = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new PolicyOptionException(
          "unable to convert policy option to integer \"%s\": strconv.Atoi: parsing \"%s\": invalid syntax"
              .formatted(MOST_NODES, text));
    }
    if (number < DEFAULT_MOST_NODES) {
      throw new PolicyOptionException(
          "the minimum value of \"%s\" should not be less than %d"
              .formatted(MOST_NODES, DEFAULT_MOST_NODES));
    }
    return number;
  }
}
