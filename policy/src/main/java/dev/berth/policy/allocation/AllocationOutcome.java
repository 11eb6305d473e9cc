package dev.berth.policy.allocation;

import dev.berth.model.tree.JsonObject;
import java.util.List;

/** Whether claims can be allocated for a node. */
public sealed interface AllocationOutcome {

  /** They can: the {@code status.allocation} of each, in their order. */
  record Allocated(List<JsonObject> allocations) implements AllocationOutcome {
    public Allocated {
      allocations = List.copyOf(allocations);
    }
  }

  /** Not on this node. */
  record NotOnNode(String message) implements AllocationOutcome {}

  /** Something is wrong with a claim or a class, whatever the node. */
  record Failed(String message) implements AllocationOutcome {}
}
