package dev.berth.apiserver.resource.builtin;

import dev.berth.apiserver.resource.Catalog;
import dev.berth.apiserver.resource.Resource;
import dev.berth.policy.gate.FeatureGates;
import java.util.ArrayList;
import java.util.List;

/** All resources that are built in. */
public final class BuiltIns {
  private BuiltIns() {}

  /** As they are while all gates are as by default. */
  public static Catalog catalog() {
    return catalog(FeatureGates.DEFAULT);
  }

  public static Catalog catalog(FeatureGates gates) {
    List<Resource> all = new ArrayList<>(CoreResources.all(gates.tolerations()));
    all.addAll(WorkloadResources.all(gates.tolerations()));
    all.addAll(ClusterResources.all());
    all.add(EventResources.newer(coreEvents(all)));
    all.addAll(AccessResources.all());
    all.addAll(ReviewResources.all());
    return new Catalog(all);
  }

  private static Resource coreEvents(List<Resource> all) {
    return all.stream().filter(r -> r.toString().equals("events")).findFirst().orElseThrow();
  }
}
