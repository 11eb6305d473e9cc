package dev.berth.agent.node;

import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.RuntimeHandler;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.Comparator;

/** What a runtime can do, as a node's status shows it. */
public final class RuntimeFeatures {
  private static final String GROUPS_POLICY = "supplementalGroupsPolicy";

  private RuntimeFeatures() {}

  /** {@code status.runtimeHandlers}, by name, so that it does not change for nothing. */
  public static JsonArray handlers(ContainerRuntime runtime) {
    return JsonArray.copyOf(
        runtime.handlers().stream()
            .sorted(Comparator.comparing(RuntimeHandler::name))
            .map(RuntimeFeatures::tree)
            .toList());
  }

  private static JsonObject tree(RuntimeHandler handler) {
    return JsonObject.of("name", handler.name())
        .with(
            "features",
            JsonObject.of("recursiveReadOnlyMounts", handler.hasRecursiveReadOnlyMounts())
                .with("userNamespaces", handler.hasUserNamespaces()));
  }

  /** {@code status.features}. */
  public static JsonObject of(ContainerRuntime runtime) {
    return runtime
        .hasGroupsPolicy()
        .map(has -> JsonObject.of(GROUPS_POLICY, has))
        .orElse(JsonObject.EMPTY);
  }

  /** Whether the runtime of a node can leave out the groups that an image names. */
  public static boolean hasGroupsPolicy(JsonObject node) {
    return node.object("status").object("features").flag(GROUPS_POLICY, false);
  }
}
