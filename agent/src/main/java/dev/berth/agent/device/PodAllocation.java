package dev.berth.agent.device;

import dev.berth.policy.device.DeviceAssignments.Assignment;
import dev.berth.policy.device.DeviceAssignments.Holder;
import dev.berth.policy.device.DeviceChoice;
import dev.berth.policy.device.DeviceGrant;
import dev.berth.policy.device.DeviceNeed;
import dev.berth.policy.topology.NumaMask;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Gives a pod its devices, need by need: chooses, asks the plugin what it prefers if it has a say,
 * and has it make them ready. What it has chosen is nobody else's meanwhile. Lives on the loop of
 * the devices.
 */
final class PodAllocation {
  private final DeviceManager manager;
  private final DeviceState state;
  private final String podUid;
  private final List<DeviceNeed> needs;
  private final Optional<NumaMask> affinity;
  private final Consumer<Optional<String>> then;
  private int next;

  /**
   * @param needs all of the pod's, or those up to some container's
   * @param affinity the NUMA nodes that devices are to be from; empty if that does not matter
   * @param then told what failed; nothing if the pod has all
   */
  PodAllocation(
      DeviceManager manager,
      DeviceState state,
      String podUid,
      List<DeviceNeed> needs,
      Optional<NumaMask> affinity,
      Consumer<Optional<String>> then) {
    this.manager = manager;
    this.state = state;
    this.podUid = podUid;
    this.needs = needs;
    this.affinity = affinity;
    this.then = then;
  }

  void run() {
    while (next < needs.size()) {
      DeviceNeed need = needs.get(next);
      switch (choose(need)) {
        case DeviceChoice.Nothing() -> next++;
        case DeviceChoice.Refused(String message) -> {
          then.accept(Optional.of(message));
          return;
        }
        case DeviceChoice.Chosen(Set<String> devices) -> {
          allocate(need, devices);
          return;
        }
        case DeviceChoice.Ask ask -> {
          ask(need, ask);
          return;
        }
      }
    }
    then.accept(Optional.empty());
  }

  private DeviceChoice choose(DeviceNeed need) {
    return DeviceChoice.of(
        new DeviceChoice.Request(
            podUid,
            need.container(),
            need.resource(),
            need.count(),
            state
                .assignments()
                .find(podUid, need.container(), need.resource())
                .map(Assignment::ids),
            DeviceNeed.reusable(
                podUid, needs.subList(0, next), need.resource(), state.assignments()),
            state.inUse(need.resource()),
            affinity,
            manager
                .endpoint(need.resource())
                .filter(plugin -> plugin.options().preferredAllocation())
                .isPresent()),
        state.resource(need.resource()));
  }

  private void ask(DeviceNeed need, DeviceChoice.Ask ask) {
    Optional<PluginEndpoint> plugin = manager.endpoint(need.resource());
    if (plugin.isEmpty()) {
      allocate(need, ask.chosen(List.of()).devices());
      return;
    }
    plugin
        .get()
        .preferredAllocation(
            ask.available(),
            ask.reused(),
            ask.size(),
            answer -> {
              switch (answer) {
                case Answer.Value<List<String>>(List<String> preferred) ->
                    chooseAgain(need, preferred);
                case Answer.Failed<List<String>>(String error) ->
                    then.accept(
                        Optional.of(
                            "device plugin GetPreferredAllocation rpc failed with err: " + error));
              }
            });
  }

  /** Others may have been given some of what was there when the plugin was asked. */
  private void chooseAgain(DeviceNeed need, List<String> preferred) {
    if (choose(need) instanceof DeviceChoice.Ask ask) {
      allocate(need, ask.chosen(preferred).devices());
    } else {
      run();
    }
  }

  private void allocate(DeviceNeed need, Set<String> devices) {
    Optional<PluginEndpoint> plugin = manager.endpoint(need.resource());
    if (plugin.isEmpty()) {
      then.accept(Optional.of("endpoint %s has been stopped".formatted(need.resource())));
      return;
    }
    state.reserve(need.resource(), devices);
    manager.allocate(
        plugin.get(),
        need.resource(),
        devices,
        answer -> {
          state.unreserve(need.resource(), devices);
          switch (answer) {
            case Answer.Value<List<DeviceGrant>>(List<DeviceGrant> grants) when grants.isEmpty() ->
                then.accept(Optional.of("no containers return in allocation response"));
            case Answer.Value<List<DeviceGrant>>(List<DeviceGrant> grants)
                when grants.getFirst().problem().isPresent() ->
                then.accept(grants.getFirst().problem());
            case Answer.Value<List<DeviceGrant>>(List<DeviceGrant> grants) -> {
              Holder holder = new Holder(podUid, need.container(), need.resource());
              state.assign(holder, devices, grants.getFirst());
              next++;
              run();
            }
            case Answer.Failed<List<DeviceGrant>>(String error) -> then.accept(Optional.of(error));
          }
        });
  }
}
