package dev.berth.admission.quota;

import dev.berth.admission.quota.PendingCharges.Charge;
import dev.berth.admission.quota.PendingCharges.Created;
import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.core.ResourceList;
import dev.berth.model.namespace.ResourceQuotaView;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.quota.QuotaScopes;
import dev.berth.policy.quota.QuotaUsage;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.Selection;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.StatusException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts what is used of a quota and writes it into the quota's status. A count begins after the
 * quota was read, and is written only if nobody charged the quota since, so that it never undoes a
 * charge. Any thread may ask.
 */
public final class QuotaStatus {
  public static final WriteOptions OPTIONS = WriteOptions.DEFAULT.subresource(Subresource.STATUS);

  private static final int NOT_FOUND = 404;

  private final Registry registry;
  private final PendingCharges pending;
  private final Resource quotas;

  public QuotaStatus(Registry registry, PendingCharges pending) {
    this.registry = registry;
    this.pending = pending;
    this.quotas = registry.catalog().get("", "v1", "resourcequotas");
  }

  /** All quotas of a namespace. */
  public List<JsonObject> quotas(String namespace) {
    return list(quotas, namespace);
  }

  public void syncAll(String namespace) {
    quotas(namespace).forEach(quota -> sync(ObjectName.of(quota)));
  }

  /** Makes a quota's status right; does nothing if the quota is gone meanwhile. */
  public void sync(ObjectName name) {
    try {
      pending.count(name, () -> registry.modify(quotas, name, OPTIONS, this::counted));
    } catch (StatusException e) {
      if (e.status().code() != NOT_FOUND) {
        throw e;
      }
    }
  }

  private JsonObject counted(JsonObject quota) {
    JsonObject hard = quota.object("spec").object("hard");
    ResourceList used = used(quota);
    JsonObject.Builder usage = new JsonObject.Builder();
    hard.names().forEach(name -> usage.put(name, used.get(name).toString()));
    return quota.with(
        "status", quota.object("status").with("hard", hard).with("used", usage.build()));
  }

  private ResourceList used(JsonObject quota) {
    ResourceQuotaView view = ResourceQuotaView.read(quota);
    ObjectName name = view.name();
    // Read before what is there, so that nothing is missed; what is in both counts once.
    List<Charge> charges = pending.of(name);
    Set<Created> found = new HashSet<>();
    Set<GroupResource> counted = new LinkedHashSet<>();
    SortedMap<String, Quantity> none = new TreeMap<>();
    for (String limited : quota.object("spec").object("hard").names()) {
      counted.add(QuotaUsage.countedBy(limited));
      none.put(limited, Quantity.ZERO);
    }
    ResourceList used = new ResourceList(none);
    for (GroupResource resource : counted) {
      Optional<Resource> served = registry.catalog().find(resource).filter(Resource::isNamespaced);
      if (served.isPresent()) {
        for (JsonObject object : list(served.get(), name.namespace())) {
          if (QuotaScopes.covers(view, resource, object)) {
            found.add(new Created(resource, ObjectName.of(object)));
            used = used.plus(QuotaUsage.of(resource, object));
          }
        }
      }
    }
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
