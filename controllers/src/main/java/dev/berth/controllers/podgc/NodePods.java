package dev.berth.controllers.podgc;

import dev.berth.model.core.Taint;
import dev.berth.model.tree.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A node by its name, and the pods that are bound to it, whichever was heard of first. */
final class NodePods {
  final String name;

  /** By UID, in the order in which they were first seen. */
  final Map<String, JsonObject> pods = new LinkedHashMap<>();

  /** Whether the node exists, as far as was heard. */
  boolean exists;

  /** Whether it is being found out that the node is gone. */
  boolean isSuspect;

  /** The taints by which the node is out of service; none while it is ready. */
  List<Taint> outOfService = List.of();

  NodePods(String name) {
    this.name = name;
  }
}
