package dev.berth.admission;

import dev.berth.admission.quota.CountNumbers;
import dev.berth.admission.quota.PendingCharges;
import dev.berth.admission.quota.PendingCharges.Charge;
import dev.berth.admission.quota.PendingCharges.Created;
import dev.berth.admission.quota.QuotaStatus;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.core.PodTree;
import dev.berth.model.core.ResourceList;
import dev.berth.model.namespace.ResourceQuotaView;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.policy.quota.LimitedResource;
import dev.berth.policy.quota.QuotaCheck;
import dev.berth.policy.quota.QuotaScopes;
import dev.berth.policy.quota.QuotaUsage;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.status.Failures;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Nothing grows beyond its namespace's quotas. What an object takes is charged to the status of
 * every quota that counts it, by comparing and swapping, before the object is written: of many who
 * come at once, none is let in too many. Comes last, so that nothing is charged for what somebody
 * else refuses; when the write fails after all, the quota is counted anew.
 *
 * <p>A quota limits what its status says, once the quota controller has counted it. Who counts
 * reads what is there before it writes how much that is, and may have missed what was charged in
 * between: such a count is a conflict, after which it is counted again. So counting never makes
 * room for one too many, on several servers either ({@link CountNumbers}).
 */
public final class ResourceQuota implements AdmissionPlugin {
  /** The resources whose objects can take more when they change. */
  private static final Set<String> CAN_GROW = Set.of("services", "persistentvolumeclaims");

  private static final GroupResource QUOTAS = new GroupResource("", "resourcequotas");

  private final Registry registry;
  private final PendingCharges pending;
  private final QuotaStatus status;
  private final CountNumbers numbers;
  private final List<LimitedResource> limited;

  ResourceQuota(Registry registry, PendingCharges pending, ResourceQuotaSettings settings) {
    this.registry = registry;
    this.pending = pending;
    this.status = new QuotaStatus(registry, pending);
    this.numbers = new CountNumbers(registry);
    this.limited = settings.limited();
  }

  @Override
  public void validate(AdmissionRequest request) {
    if (givesBack(request) && status.forgetsACharge(request.object())) {
      throw Failures.conflict(
          QUOTAS,
          request.name().name(),
          "more is used by now than was counted; please count again");
    }
    if (!request.resource().isNamespaced()
        || request.deletes()
        || !mayGrow(request)
        || CountNumbers.isOne(request)) {
      return;
    }
    GroupResource resource = request.resource().groupResource();
    List<ResourceQuotaView> all =
        status.quotas(request.name().namespace()).stream().map(ResourceQuotaView::read).toList();
    Map<ResourceQuotaView, ResourceList> growth = new LinkedHashMap<>();
    for (ResourceQuotaView quota : all) {
      if (QuotaScopes.covers(quota, resource, request.object())) {
        growth.put(quota, growth(request, quota, resource));
      }
    }
    growth.forEach((quota, amount) -> checkSpecified(request, quota, amount));
    checkCovered(request, resource, all, growth);
    growth.forEach((quota, amount) -> fits(request, quota, QuotaCheck.limited(quota, amount)));
    if (!request.dryRun()) {
      growth.forEach((quota, amount) -> charge(request, quota, QuotaCheck.limited(quota, amount)));
    }
  }

  /** What a file says may be used only where a quota limits it. */
  private void checkCovered(
      AdmissionRequest request,
      GroupResource resource,
      List<ResourceQuotaView> all,
      Map<ResourceQuotaView, ResourceList> growth) {
    if (limited.isEmpty()
        || (growth.isEmpty() ? growth(request, resource) : sum(growth.values())).isEmpty()) {
      return;
    }
    ResourceList usage = QuotaUsage.of(resource, request.object(), registry.now());
    LimitedResource.uncovered(limited, resource, request.object(), usage, all)
        .ifPresent(why -> {
          throw ClusterReader.forbidden(request, why);
        });
  }

  private static ResourceList sum(Collection<ResourceList> amounts) {
    return amounts.stream().reduce(ResourceList.EMPTY, ResourceList::plus);
  }

  /** Whether somebody else than this plugin says that less is used than before. */
  private static boolean givesBack(AdmissionRequest request) {
    if (!request.resource().groupResource().equals(QUOTAS)
        || !request.subresource().equals(Subresource.STATUS)
        || request.user().equals(User.SERVER)) {
      return false;
    }
    ResourceList before = ResourceQuotaView.read(request.old()).used();
    return ResourceQuotaView.read(request.object()).used().amounts().entrySet().stream()
        .anyMatch(used -> used.getValue().compareTo(before.get(used.getKey())) < 0);
  }

  private static boolean mayGrow(AdmissionRequest request) {
    boolean core = request.resource().kind().group().isEmpty();
    String plural = request.resource().plural();
    return request.creates()
        ? request.subresource().isEmpty()
        : core
            && ((request.subresource().isEmpty() && CAN_GROW.contains(plural))
                || (request.subresource().equals("resize") && plural.equals("pods"))
                || (request.writesCore("pods") && getsDeadline(request)));
  }

  /** By which a pod comes to be one that ends, for quotas that are about these alone. */
  private static boolean getsDeadline(AdmissionRequest request) {
    return new PodTree(request.object()).hasActiveDeadline()
        && !new PodTree(request.old()).hasActiveDeadline();
  }

  /** All that an object uses, if the quota did not count it before. */
  private ResourceList growth(
      AdmissionRequest request, ResourceQuotaView quota, GroupResource resource) {
    return request.creates() || QuotaScopes.covers(quota, resource, request.old())
        ? growth(request, resource)
        : QuotaUsage.of(resource, request.object(), registry.now());
  }

  private ResourceList growth(AdmissionRequest request, GroupResource resource) {
    SortedMap<String, Quantity> growth =
        new TreeMap<>(QuotaUsage.of(resource, request.object(), registry.now()).amounts());
    if (!request.creates()) {
      ResourceList before = QuotaUsage.of(resource, request.old(), registry.now());
      growth.replaceAll((name, amount) -> amount.minus(before.get(name)));
    }
    growth.values().removeIf(amount -> amount.signum() <= 0);
    return new ResourceList(growth);
  }

  private static void checkSpecified(
      AdmissionRequest request, ResourceQuotaView quota, ResourceList growth) {
    if (request.writesCore("pods") && !growth.isEmpty()) {
      QuotaCheck.unspecified(quota, new PodTree(request.object()).readSpec())
          .ifPresent(unspecified -> {
            throw ClusterReader.forbidden(
                request, "failed quota: %s: %s".formatted(quota.name().name(), unspecified));
          });
    }
  }

  private static boolean isCounted(ResourceQuotaView quota, ResourceList limited) {
    return limited.amounts().keySet().stream().allMatch(quota.used()::has);
  }

  private static void fits(AdmissionRequest request, ResourceQuotaView quota, ResourceList amount) {
    if (!isCounted(quota, amount)) {
      throw ClusterReader.forbidden(
          request,
          "status unknown for quota: %s, resources: %s"
              .formatted(quota.name().name(), String.join(",", amount.amounts().keySet())));
    }
    QuotaCheck.exceeded(quota.name().name(), amount, quota.used(), quota.hard())
        .ifPresent(why -> {
          throw ClusterReader.forbidden(request, why);
        });
  }

  private static Optional<Created> created(AdmissionRequest request) {
    return request.creates()
        ? Optional.of(new Created(request.resource().groupResource(), request.name()))
        : Optional.empty();
  }

  private void charge(AdmissionRequest request, ResourceQuotaView quota, ResourceList amount) {
    if (amount.isEmpty()) {
      return;
    }
    ObjectName name = quota.name();
    if (registry.isShared()) {
      request.onlyIf(numbers.unlessCounted(name));
    }
    Charge charge = new Charge(name, amount, created(request));
    pending.charge(
        charge,
        () ->
            registry.modify(
                registry.catalog().get("", "v1", "resourcequotas"),
                name,
                QuotaStatus.OPTIONS,
                current -> charged(request, current, amount)));
    request.afterwards(written -> {
      pending.remove(charge);
      if (!written) {
        status.sync(name);
      }
    });
  }

  private static JsonObject charged(
      AdmissionRequest request, JsonObject tree, ResourceList amount) {
    ResourceQuotaView quota = ResourceQuotaView.read(tree);
    ResourceList limited = QuotaCheck.limited(quota, amount);
    fits(request, quota, limited);
    JsonObject used = tree.object("status").object("used");
    for (var entry : limited.amounts().entrySet()) {
      Quantity before = quota.used().get(entry.getKey());
      used = used.with(entry.getKey(), before.plus(entry.getValue()).toString());
    }
    return tree.with("status", tree.object("status").with("used", used));
  }
}
