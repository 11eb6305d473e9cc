package dev.berth.controllers;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The controllers of a cloud's nodes, by the names that upstream's flags have for them. */
public enum CloudControllerName {
  CLOUD_NODE("cloud-node-controller", "cloud-node"),
  CLOUD_NODE_LIFECYCLE("cloud-node-lifecycle-controller", "cloud-node-lifecycle");

  private final String word;
  private final String olderWord;

  CloudControllerName(String word, String olderWord) {
    this.word = word;
    this.olderWord = olderWord;
  }

  public String word() {
    return word;
  }

  public static Set<CloudControllerName> all() {
    return EnumSet.allOf(CloudControllerName.class);
  }

  /** All words, for messages. */
  public static List<String> words() {
    return Arrays.stream(values()).map(CloudControllerName::word).toList();
  }

  /** Chooses as {@link ControllerName#choose} does. */
  public static ControllerChoice<CloudControllerName> choose(List<String> said) {
    return ControllerChoice.of(said, all(), name -> List.of(name.word, name.olderWord));
  }
}
