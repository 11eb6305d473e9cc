package dev.berth.scheduler.cluster.volume;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;

/**
 * A storage class as the scheduler sees it.
 *
 * @param bindingMode when claims are bound; empty if it does not say
 * @param allowedTopologies where volumes can be made; everywhere if empty
 */
public record StorageClassInfo(
    String name, String provisioner, String bindingMode, JsonArray allowedTopologies) {
  private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

  static StorageClassInfo read(JsonObject tree) {
    return new StorageClassInfo(
        tree.object("metadata").text("name", ""),
        tree.text("provisioner", ""),
        tree.text("volumeBindingMode", ""),
        tree.array("allowedTopologies"));
  }

  /** Whether claims are bound when a pod is placed that uses them. */
  public boolean waitsForConsumer() {
    return bindingMode.equals("WaitForFirstConsumer");
  }

  /** Whether volumes of it can be made on demand. */
  public boolean provisions() {
    return !provisioner.isEmpty() && !provisioner.equals(NO_PROVISIONER);
  }

  /** Whether a volume can be made for a node with these labels. */
  public boolean allows(JsonObject labels) {
    return allowedTopologies.isEmpty()
        || allowedTopologies.objects().stream().anyMatch(term -> matches(term, labels));
  }

  /** A term that asks for nothing matches no node. */
  private static boolean matches(JsonObject term, JsonObject labels) {
    JsonArray expressions = term.array("matchLabelExpressions");
    return !expressions.isEmpty()
        && expressions.objects().stream()
            .allMatch(expression ->
                labels.get(expression.text("key", "")) instanceof String value
                    && expression.array("values").texts().contains(value));
  }
}
