package dev.berth.hollow;

import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;

/** What a node has to offer, as quantities; all of it can be allocated. */
public record NodeSize(String cpu, String memory, String ephemeralStorage, int pods) {
  public static final NodeSize USUAL = new NodeSize("4", "32Gi", "100Gi", 110);

  public NodeSize {
    for (String amount : new String[] {cpu, memory, ephemeralStorage}) {
      if (Quantity.parse(amount).signum() < 0) {
        throw new IllegalArgumentException("A node cannot have " + amount + " of something.");
      }
    }
  }

  public JsonObject toTree() {
    return new JsonObject.Builder()
        .put("cpu", cpu)
        .put("ephemeral-storage", ephemeralStorage)
        .put("hugepages-1Gi", "0")
        .put("hugepages-2Mi", "0")
        .put("memory", memory)
        .put("pods", Integer.toString(pods))
        .build();
  }
}
