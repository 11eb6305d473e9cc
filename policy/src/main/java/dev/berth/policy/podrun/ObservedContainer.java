package dev.berth.policy.podrun;

import dev.berth.model.core.ContainerRules;
import dev.berth.model.core.ContainerState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A container as its runtime shows it.
 *
 * @param id with the runtime's name
 * @param attempt how often one of its name was started before it
 * @param specImage its image as its pod's specification named it when it was started; empty if that
 *     is not known
 * @param isOfSandbox whether it belongs to what the pod's containers share now; false for what is
 *     left from before the machine was restarted
 * @param exit null while it runs
 */
public record ObservedContainer(
    String name,
    String id,
    int attempt,
    String image,
    String specImage,
    String imageId,
    Instant started,
    boolean isOfSandbox,
    ContainerState.@Nullable Ended exit) {

  public boolean isRunning() {
    return exit == null;
  }

  /** Whether its pod's specification names another image by now. */
  boolean isOutdated(ContainerRules container) {
    return !specImage.isEmpty() && !specImage.equals(container.image());
  }

  /** The newest of a name; containers are in the order in which they were started. */
  public static Optional<ObservedContainer> newest(List<ObservedContainer> all, String name) {
    return all.reversed().stream().filter(container -> container.name.equals(name)).findFirst();
  }

  /** The one before the newest of a name. */
  public static Optional<ObservedContainer> previous(List<ObservedContainer> all, String name) {
    return all.reversed().stream()
        .filter(container -> container.name.equals(name))
        .skip(1)
        .findFirst();
  }
}
