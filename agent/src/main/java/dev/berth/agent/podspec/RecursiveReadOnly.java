package dev.berth.agent.podspec;

import dev.berth.agent.runtime.Mount;
import dev.berth.agent.runtime.RuntimeHandler;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * Whether what is mounted within a read-only volume is read-only, too: that takes a runtime that
 * can do it.
 */
public final class RecursiveReadOnly {
  private static final String FIELD = "recursiveReadOnly";

  private RecursiveReadOnly() {}

  /**
   * Whether a pod's runtime can do it.
   *
   * @param handlers of the runtime; one that does not name them cannot. Which of them a runtime
   *     class means is not looked up: all have to be able to
   */
  public static boolean isSupported(JsonObject pod, List<RuntimeHandler> handlers) {
    boolean isUsual = pod.object("spec").text("runtimeClassName", "").isEmpty();
    List<RuntimeHandler> possible =
        handlers.stream().filter(handler -> !isUsual || handler.name().isEmpty()).toList();
    return !possible.isEmpty()
        && possible.stream().allMatch(RuntimeHandler::hasRecursiveReadOnlyMounts);
  }

  /** What the status of a container says of one of its {@code volumeMounts}. */
  public static String status(JsonObject mount, boolean isSupported) {
    boolean isWanted = !mount.text(FIELD, "Disabled").equals("Disabled");
    boolean mayBe = mount.text("mountPropagation", "None").equals("None");
    return isWanted && mayBe && isSupported ? "Enabled" : "Disabled";
  }

  /**
   * The mounts of a container's volumes as its runtime can make them.
   *
   * @param mounts as they are wanted
   */
  public static List<Mount> resolved(JsonObject container, List<Mount> mounts, boolean isSupported)
      throws SpecFailure {
    if (isSupported) {
      return mounts;
    }
    for (JsonObject wanted : container.array("volumeMounts").objects()) {
      if (wanted.text(FIELD, "").equals("Enabled")) {
        throw new SpecFailure(
            "failed to resolve recursive read-only mode: volume \"%s\" requested recursive read-only mode, but it is not supported by the runtime"
                .formatted(wanted.text("name", "")));
      }
    }
    return mounts.stream().map(Mount::withoutRecursiveReadOnly).toList();
  }
}
