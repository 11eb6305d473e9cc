package dev.berth.admission.quota;

import dev.berth.admission.quota.PendingCharges.Charge;
import dev.berth.admission.quota.PendingCharges.Created;
import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.core.ResourceList;
import dev.berth.model.namespace.ResourceQuotaView;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.quota.QuotaCount;
import dev.berth.policy.quota.QuotaScopes;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.Selection;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.StatusException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Counts what is used of a quota, with what is about to be: for quotas that were charged for what
 * was not written after all, and for counts of others. A count begins after the quota was read, and
 * is written only if nobody charged the quota since, so that it never undoes a charge. Where
 * several servers share a store, it is announced before ({@link CountNumbers}). Any thread may ask.
 */
public final class QuotaStatus {
  public static final WriteOptions OPTIONS = WriteOptions.DEFAULT.subresource(Subresource.STATUS);

  private static final int NOT_FOUND = 404;

  private final Registry registry;
  private final PendingCharges pending;
  private final CountNumbers numbers;
  private final Resource quotas;

  public QuotaStatus(Registry registry, PendingCharges pending) {
    this.registry = registry;
    this.pending = pending;
    this.numbers = new CountNumbers(registry);
    this.quotas = registry.catalog().get("", "v1", "resourcequotas");
  }

  /** All quotas of a namespace. */
  public List<JsonObject> quotas(String namespace) {
    return list(quotas, namespace);
  }

  /** Makes a quota's status right; does nothing if the quota is gone meanwhile. */
  public void sync(ObjectName name) {
    try {
      pending.count(
          name,
          () ->
              registry.modify(
                  quotas, name, OPTIONS, quota -> QuotaCount.withUsed(quota, announced(quota))));
    } catch (StatusException e) {
      if (e.status().code() != NOT_FOUND) {
        throw e;
      }
    }
  }

  /**
   * Whether a status says that less is used than is there, or about to be. Who writes it counted
   * what was there before, and would give away what somebody has just been charged for.
   */
  public boolean forgetsACharge(JsonObject quota) {
    AtomicReference<ResourceList> used = new AtomicReference<>(ResourceList.EMPTY);
    pending.count(ObjectName.of(quota), () -> used.set(announced(quota)));
    ResourceList written = ResourceList.read(quota.object("status").object("used"));
    return written.amounts().entrySet().stream()
        .anyMatch(entry -> entry.getValue().compareTo(used.get().get(entry.getKey())) < 0);
  }

  /** What is used, by a count that is announced to other servers; the quota was read before. */
  private ResourceList announced(JsonObject quota) {
    if (registry.isShared()) {
      numbers.count(ObjectName.of(quota));
    }
    return used(quota);
  }

  private ResourceList used(JsonObject quota) {
    ObjectName name = ObjectName.of(quota);
    ResourceQuotaView view = ResourceQuotaView.read(quota);
    // Read before what is there, so that nothing is missed; what is in both counts once.
    List<Charge> charges = pending.of(name);
    Set<Created> found = new HashSet<>();
    Map<GroupResource, List<JsonObject>> objects = new LinkedHashMap<>();
    for (GroupResource resource : QuotaCount.counted(quota)) {
      Optional<Resource> served = registry.catalog().find(resource).filter(Resource::isNamespaced);
      if (served.isPresent()) {
        List<JsonObject> there = list(served.get(), name.namespace());
        objects.put(resource, there);
        there.stream()
            .filter(object -> QuotaScopes.covers(view, resource, object))
            .forEach(object -> found.add(new Created(resource, ObjectName.of(object))));
      }
    }
    ResourceList used = QuotaCount.used(quota, objects, registry.now());
    for (Charge charge : charges) {
      used = charge.isIn(found) ? used : used.plus(charge.amount());
    }
    return used;
  }

  private List<JsonObject> list(Resource resource, String namespace) {
    return registry.list(resource, ListOptions.of(Selection.in(namespace))).entries().stream()
        .map(StoredEncoding::tree)
        .toList();
  }
}
