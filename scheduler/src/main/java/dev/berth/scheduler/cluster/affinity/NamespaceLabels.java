package dev.berth.scheduler.cluster.affinity;

import dev.berth.model.tree.JsonObject;
import java.util.HashMap;
import java.util.Map;

/** The labels of namespaces, by which the {@code namespaceSelector} of a term selects them. */
public final class NamespaceLabels {
  private final Map<String, JsonObject> labels = new HashMap<>();

  /** The labels of a namespace; none if it is not known. */
  public JsonObject get(String namespace) {
    return labels.getOrDefault(namespace, JsonObject.EMPTY);
  }

  /** Stores the labels of a namespace. Returns whether they are others than before. */
  public boolean put(String namespace, JsonObject now) {
    return !now.equals(labels.put(namespace, now));
  }

  /** Forgets a namespace. Returns whether it was known. */
  public boolean remove(String namespace) {
    return labels.remove(namespace) != null;
  }
}
