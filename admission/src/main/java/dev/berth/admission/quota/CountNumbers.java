package dev.berth.admission.quota;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.Registry;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.status.StatusException;
import dev.berth.store.Store.Guard;

/**
 * Tells writes of counts, where several servers share a store: of what another server has charged
 * and is about to write, nobody can know. There are some Leases in {@code kube-system}, each for a
 * share of all quotas, which each count writes.
 *
 * <ol>
 *   <li>Who charges a quota looks at its lease first, and then charges; the object is written only
 *       if the lease was not written since. Else it is charged anew.
 *   <li>Who counts reads the quota, writes the lease, reads what is there, and then writes the
 *       quota, if it was not written since.
 * </ol>
 *
 * <p>So a charge that a count has found in the quota was made before the lease was written, and its
 * object was written before that, and is counted, or is not written. A charge that comes later
 * makes the count fail.
 */
public final class CountNumbers {
  private static final String NAMESPACE = "kube-system";
  private static final String NAME = "resourcequota-counts-";

  /** Who counts one quota has those charged anew who charge another of its share just then. */
  private static final int SHARES = 64;

  private final Registry registry;

  public CountNumbers(Registry registry) {
    this.registry = registry;
  }

  private Resource leases() {
    return registry.catalog().get("coordination.k8s.io", "v1", "leases");
  }

  private static ObjectName lease(ObjectName quota) {
    return new ObjectName(NAMESPACE, NAME + Math.floorMod(quota.hashCode(), SHARES));
  }

  /** Whether it is such a lease that is written: no quota is charged for it. */
  public static boolean isOne(AdmissionRequest request) {
    return request.user().equals(User.SERVER)
        && request.writes("coordination.k8s.io", "leases")
        && request.name().namespace().equals(NAMESPACE)
        && request.name().name().startsWith(NAME);
  }

  /** Holds until somebody begins to count a quota. */
  public Guard unlessCounted(ObjectName quota) {
    ObjectName name = lease(quota);
    while (true) {
      var found = registry.find(leases(), name);
      if (found.isPresent()) {
        return found.get().unchanged();
      }
      create(name);
    }
  }

  /** Somebody begins to count a quota, who has read it already. */
  public void count(ObjectName quota) {
    ObjectName name = lease(quota);
    if (registry.find(leases(), name).isEmpty()) {
      create(name);
    }
    registry.modify(
        leases(),
        name,
        WriteOptions.DEFAULT,
        lease ->
            lease.update(
                "spec",
                spec ->
                    spec.with(
                        "leaseTransitions",
                        (spec.integer("leaseTransitions").orElse(0) + 1) % Integer.MAX_VALUE)));
  }

  private void create(ObjectName name) {
    JsonObject lease =
        JsonObject.of("metadata", JsonObject.of("name", name.name()))
            .with(
                "spec",
                new JsonObject.Builder()
                    .put("renewTime", Times.formatMicro(registry.now()))
                    .put("leaseTransitions", 0L)
                    .build());
    try {
      var _ = registry.create(leases(), NAMESPACE, lease, WriteOptions.DEFAULT);
    } catch (StatusException e) {
      if (!e.status().reason().equals("AlreadyExists")) {
        throw e;
      }
    }
  }
}
