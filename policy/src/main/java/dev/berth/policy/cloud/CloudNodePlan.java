package dev.berth.policy.cloud;

import dev.berth.model.core.CloudNodeView;
import dev.berth.model.core.NodeAddress;
import dev.berth.model.core.Taint;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Decision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is to be done about a node of a cloud (row N9):
 *
 * <ol>
 *   <li>A node with the taint {@code uninitialized} is initialized when its cloud knows its
 *       machine: provider id, labels for type, zone and region, addresses; then the taint goes.
 *       Until then it is tried again and again.
 *   <li>Of other nodes, only addresses follow the cloud, and labels that were renamed follow their
 *       older names.
 * </ol>
 *
 * @param withStatus as it is: nothing is written but by actions
 */
public record CloudNodePlan(
    List<CloudNodeAction> actions, JsonObject withStatus, Optional<Instant> next)
    implements Decision<CloudNodeAction> {
  public CloudNodePlan {
    actions = List.copyOf(actions);
  }

  public static CloudNodePlan decide(CloudNode state) {
    CloudNodeView node = state.node();
    if (node.isBeingDeleted()) {
      return new CloudNodePlan(List.of(), state.tree(), Optional.empty());
    }
    if (node.isUninitialized()) {
      return new CloudNodePlan(List.of(initialization(state)), state.tree(), Optional.empty());
    }
    List<CloudNodeAction> actions = new ArrayList<>();
    Map<String, String> labels = CloudLabels.outdated(node.labels());
    if (!labels.isEmpty()) {
      actions.add(new CloudNodeAction.SetLabels(labels));
    }
    if (state.answer().orElse(new CloudAnswer.NotFound()) instanceof CloudAnswer.Found(Machine is)
        && CloudAddresses.of(node, is) instanceof CloudAddresses.Known(List<NodeAddress> known)
        && !known.isEmpty()
        && !known.equals(node.addresses())) {
      actions.add(new CloudNodeAction.SetAddresses(known));
    }
    return new CloudNodePlan(actions, state.tree(), Optional.of(state.next()));
  }

  private static CloudNodeAction initialization(CloudNode state) {
    String name = state.node().name();
    return switch (state.answer().orElse(new CloudAnswer.Failed("the cloud was not asked"))) {
      case CloudAnswer.Found(Machine machine) -> initialization(state.node(), machine);
      case CloudAnswer.NotFound() ->
          new CloudNodeAction.TryAgain(
              "failed to get instance metadata for node %s: instance not found".formatted(name));
      case CloudAnswer.Failed(String why) ->
          new CloudNodeAction.TryAgain(
              "failed to get instance metadata for node %s: %s".formatted(name, why));
    };
  }

  private static CloudNodeAction initialization(CloudNodeView node, Machine machine) {
    if (node.providerId().isEmpty() && machine.providerId().isEmpty()) {
      return new CloudNodeAction.TryAgain(
          "cloud provider does not set node provider ID for node " + node.name());
    }
    return switch (CloudAddresses.of(node, machine)) {
      case CloudAddresses.Contradiction(String why) ->
          new CloudNodeAction.TryAgain(
              "provided node ip for node \"%s\" is not valid: %s".formatted(node.name(), why));
      case CloudAddresses.Known(List<NodeAddress> addresses) ->
          new CloudNodeAction.Initialize(
              CloudLabels.of(machine, node.labels()),
              initialized(node.taints()),
              node.providerId().isEmpty() ? machine.providerId() : "",
              addresses);
    };
  }

  private static JsonArray initialized(JsonArray taints) {
    return JsonArray.copyOf(
        taints.objects().stream()
            .filter(taint -> !Taint.read(taint).key().equals(WellKnownTaints.UNINITIALIZED))
            .toList());
  }
}
