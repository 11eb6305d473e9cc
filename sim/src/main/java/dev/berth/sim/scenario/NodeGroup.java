package dev.berth.sim.scenario;

import dev.berth.hollow.HollowMachine;
import dev.berth.model.core.Taint;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Nodes that are alike, but for their zones.
 *
 * @param name their names are this, a dash and a number from 0 on
 * @param zones they are spread over these, in turn; in no zone if empty
 * @param amounts what each has to offer, by resource
 */
public record NodeGroup(
    String name,
    int count,
    List<String> zones,
    JsonObject amounts,
    JsonObject labels,
    List<Taint> taints) {

  /** On each node: the group that it belongs to. */
  public static final String LABEL = "simulation.berth.dev/group";

  private static final String REGION = "simulated";

  public NodeGroup {
    zones = List.copyOf(zones);
    taints = List.copyOf(taints);
  }

  public Stream<HollowMachine> machines() {
    JsonArray marks = JsonArray.copyOf(taints.stream().map(Taint::toTree).toList());
    return IntStream.range(0, count)
        .mapToObj(i -> new HollowMachine(name + "-" + i, labels(i), marks, amounts));
  }

  private JsonObject labels(int index) {
    JsonObject all = labels.with(LABEL, name);
    return zones.isEmpty()
        ? all
        : all.with(WellKnownLabels.REGION, REGION)
            .with(WellKnownLabels.ZONE, zones.get(index % zones.size()));
  }
}
