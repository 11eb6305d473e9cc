package dev.berth.policy.topology;

import java.util.Arrays;
import java.util.Optional;

/** Whose resources are kept together. */
public enum TopologyScope {
  CONTAINER("container"),
  POD("pod");

  private final String text;

  TopologyScope(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  public static Optional<TopologyScope> of(String text) {
    return Arrays.stream(values()).filter(each -> each.text.equals(text)).findFirst();
  }
}
