package dev.berth.policy.podrun;

import dev.berth.model.core.ContainerRules;
import dev.berth.model.core.ContainerState;
import dev.berth.model.core.PodRules;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A pod and what is known of it on its node.
 *
 * @param hasSandbox whether what its containers share is there
 * @param observed all containers that were not removed, in the order in which they were started
 * @param probed by the id of the container
 * @param replaced ids of containers that their node ended, or is ending, to start them again: how
 *     they end says nothing
 */
public record PodSnapshot(
    PodRules rules,
    boolean hasSandbox,
    List<ObservedContainer> observed,
    Map<String, Probed> probed,
    Set<String> replaced) {

  Optional<ObservedContainer> newest(ContainerRules container) {
    return ObservedContainer.newest(observed, container.name());
  }

  /** The newest, unless it is left from before the machine was restarted. */
  Optional<ObservedContainer> newestOfSandbox(ContainerRules container) {
    return newest(container).filter(ObservedContainer::isOfSandbox);
  }

  /** Whether a container that has ended is started again. */
  boolean restarts(ContainerRules container, ObservedContainer ended, ContainerState.Ended exit) {
    return isReplaced(ended) || RestartRules.restarts(rules, container, exit.exitCode());
  }

  boolean isReplaced(ObservedContainer container) {
    return replaced.contains(container.id());
  }

  Probed probed(ObservedContainer container) {
    return probed.getOrDefault(container.id(), Probed.NOTHING);
  }

  /** Whether a container that is no init container was ever started. */
  boolean hasStartedContainers() {
    return rules.containers().stream().anyMatch(container -> newest(container).isPresent());
  }

  /** Whether a container ended in such a way that all are to be started afresh. */
  boolean restartsAll() {
    return RestartRules.mayRestartAll(rules)
        && (hasAskedToRestartAll(rules.inits()) || hasAskedToRestartAll(rules.containers()));
  }

  private boolean hasAskedToRestartAll(List<ContainerRules> containers) {
    return containers.stream()
        .anyMatch(container ->
            newest(container)
                .filter(newest -> !isReplaced(newest))
                .map(ObservedContainer::exit)
                .filter(exit -> RestartRules.restartsAll(container, exit.exitCode()))
                .isPresent());
  }
}
