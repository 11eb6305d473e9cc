package dev.berth.agent.device;

import dev.berth.policy.device.DeviceAssignments.Assignment;
import dev.berth.policy.device.DeviceGrant;
import dev.berth.policy.device.DeviceNeed;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Makes the devices of a container ready before each of its starts: tells plugins that want to know
 * of it. A container that should have devices and has none, since they were forgotten, gets some.
 * Lives on the loop of the devices.
 */
final class ContainerPreparation {
  private final DeviceManager manager;
  private final DeviceState state;
  private final String podUid;
  private final String container;
  private final List<DeviceNeed> needs;
  private final Consumer<Answer<DeviceGrant>> then;
  private int next;

  /**
   * @param needs all of the pod's
   */
  ContainerPreparation(
      DeviceManager manager,
      DeviceState state,
      String podUid,
      String container,
      List<DeviceNeed> needs,
      Consumer<Answer<DeviceGrant>> then) {
    this.manager = manager;
    this.state = state;
    this.podUid = podUid;
    this.container = container;
    this.needs = needs;
    this.then = then;
  }

  void run() {
    boolean lacks =
        needs.stream().anyMatch(need -> isOwn(need) && need.count() > 0 && has(need).isEmpty());
    if (!lacks) {
      preStart();
      return;
    }
    manager.give(
        podUid,
        needs,
        Optional.empty(),
        failure -> {
          if (failure.isPresent()) {
            then.accept(new Answer.Failed<>(failure.get()));
          } else {
            preStart();
          }
        });
  }

  private boolean isOwn(DeviceNeed need) {
    return need.container().equals(container);
  }

  private Optional<Set<String>> has(DeviceNeed need) {
    return state.assignments().find(podUid, container, need.resource()).map(Assignment::ids);
  }

  private void preStart() {
    for (; next < needs.size(); next++) {
      DeviceNeed need = needs.get(next);
      Optional<PluginEndpoint> plugin =
          manager.endpoint(need.resource()).filter(each -> each.options().preStart());
      Optional<Set<String>> devices = has(need);
      if (isOwn(need) && plugin.isPresent() && devices.isPresent()) {
        next++;
        plugin.get().preStartContainer(devices.get(), this::preStarted);
        return;
      }
    }
    then.accept(new Answer.Value<>(state.assignments().grant(podUid, container)));
  }

  private void preStarted(Answer<PluginOptions> answer) {
    switch (answer) {
      case Answer.Value<PluginOptions> _ -> preStart();
      case Answer.Failed<PluginOptions>(String error) ->
          then.accept(
              new Answer.Failed<>("device plugin PreStartContainer rpc failed with err: " + error));
    }
  }
}
