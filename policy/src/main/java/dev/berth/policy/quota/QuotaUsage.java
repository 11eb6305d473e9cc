package dev.berth.policy.quota;

import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.PodTree;
import dev.berth.model.core.ResourceList;
import dev.berth.model.device.DeviceRequestView;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.network.ServiceView;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.storage.PersistentVolumeClaimView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.policy.pod.ResourceNames;
import java.time.Instant;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one object takes of a quota, in the names that quotas use.
 *
 * <ul>
 *   <li>Every object counts once as {@code count/<resource>.<group>}; some also as {@code pods},
 *       {@code services} and so on.
 *   <li>A pod takes what it requests, as {@code cpu} and as {@code requests.cpu}, and what it is
 *       limited to, as {@code limits.cpu}. One that has ended takes nothing but its count, nor does
 *       one that should have been gone by now: a lost node does not keep its pods' share.
 *   <li>A claim takes storage, also of its class: what it asks for or, if that is more, what was
 *       allocated to it. A service takes node ports and load balancers.
 *   <li>A claim on devices takes as many of each class as it may get at most.
 * </ul>
 */
public final class QuotaUsage {
  private static final Quantity ONE = Quantity.of(1);
  private static final String STORAGE = "requests.storage";
  private static final String CLASS_SUFFIX = ".storageclass.storage.k8s.io/";

  private static final String DEVICES_SUFFIX = ".deviceclass.resource.k8s.io/devices";
  private static final GroupResource RESOURCE_CLAIMS =
      new GroupResource("resource.k8s.io", "resourceclaims");

  /** Counted under their plain names, too. */
  private static final Set<String> PLAIN =
      Set.of("configmaps", "secrets", "replicationcontrollers", "resourcequotas");

  private QuotaUsage() {}

  public static ResourceList of(GroupResource resource, JsonObject object, Instant now) {
    SortedMap<String, Quantity> usage = new TreeMap<>();
    usage.put("count/" + resource, ONE);
    if (resource.group().isEmpty()) {
      switch (resource.resource()) {
        case "pods" -> pod(new PodTree(object), now, usage);
        case "services" -> service(ServiceView.read(object), usage);
        case "persistentvolumeclaims" -> claim(object, usage);
        default -> {
          if (PLAIN.contains(resource.resource())) {
            usage.put(resource.resource(), ONE);
          }
        }
      }
    } else if (resource.equals(RESOURCE_CLAIMS)) {
      devices(ResourceClaimView.read(object), usage);
    }
    return new ResourceList(usage);
  }

  private static void pod(PodTree pod, Instant now, SortedMap<String, Quantity> usage) {
    if (pod.phase().finished() || isOverdue(pod.metadata(), now)) {
      return;
    }
    usage.put("pods", ONE);
    PodSpecView spec = pod.readSpec();
    usage.putAll(compute(EffectiveResources.requests(spec), EffectiveResources.limits(spec)));
  }

  /** The grace period counts once more, as in Kubernetes. */
  private static boolean isOverdue(Metadata pod, Instant now) {
    long grace = pod.deletionGracePeriodSeconds().orElse(0);
    return pod.deletionGracePeriodSeconds().isPresent()
        && pod.deletionTimestamp().filter(end -> now.isAfter(end.plusSeconds(grace))).isPresent();
  }

  /** Amounts under all names that quotas have for them. */
  static SortedMap<String, Quantity> compute(ResourceList requests, ResourceList limits) {
    SortedMap<String, Quantity> usage = new TreeMap<>();
    requests
        .amounts()
        .forEach((name, amount) -> {
          if (ResourceNames.isStandardForContainers(name)) {
            usage.put(name, amount);
            usage.put("requests." + name, amount);
          } else if (ResourceNames.isExtended(name)) {
            usage.put("requests." + name, amount);
          }
        });
    limits
        .amounts()
        .forEach((name, amount) -> {
          if (ResourceNames.isStandardForContainers(name) && !ResourceNames.isHugePages(name)) {
            usage.put("limits." + name, amount);
          }
        });
    return usage;
  }

  private static void service(ServiceView service, SortedMap<String, Quantity> usage) {
    long ports = service.ports().size();
    usage.put("services", ONE);
    usage.put("services.nodeports", Quantity.ZERO);
    usage.put("services.loadbalancers", Quantity.ZERO);
    switch (service.type()) {
      case "NodePort" -> usage.put("services.nodeports", Quantity.of(ports));
      case "LoadBalancer" -> {
        long chosen = service.ports().stream().filter(port -> port.nodePort() != 0).count();
        usage.put("services.nodeports", Quantity.of(service.allocatesNodePorts() ? ports : chosen));
        usage.put("services.loadbalancers", ONE);
      }
      default -> {}
    }
  }

  private static void claim(JsonObject claim, SortedMap<String, Quantity> usage) {
    String storageClass = PersistentVolumeClaimView.classInSpec(claim);
    usage.put("persistentvolumeclaims", ONE);
    ResourceList requests = ResourceList.read(PersistentVolumeClaimView.requests(claim));
    if (!storageClass.isEmpty()) {
      usage.put(storageClass + CLASS_SUFFIX + "persistentvolumeclaims", ONE);
    }
    if (requests.has(ResourceList.STORAGE)) {
      Quantity storage = storage(claim, requests.get(ResourceList.STORAGE));
      usage.put(STORAGE, storage);
      if (!storageClass.isEmpty()) {
        usage.put(storageClass + CLASS_SUFFIX + STORAGE, storage);
      }
    }
  }

  /** Who asks for less again, as an expansion has failed, has what was allocated until then. */
  private static Quantity storage(JsonObject claim, Quantity requested) {
    Quantity storage =
        ResourceList.read(PersistentVolumeClaimView.allocated(claim)).get(ResourceList.STORAGE);
    return storage.compareTo(requested) > 0 ? storage : requested;
  }

  private static void devices(ResourceClaimView claim, SortedMap<String, Quantity> usage) {
    for (DeviceRequestView request : claim.requests()) {
      SortedMap<String, Long> most = new TreeMap<>();
      for (DeviceRequestView.Wanted wanted : request.alternatives()) {
        long count =
            switch (wanted.mode()) {
              case "ExactCount" -> wanted.count();
              case "All" -> ResourceClaimView.MOST_DEVICES;
              default -> 0;
            };
        most.merge(wanted.deviceClass(), count, Math::max);
      }
      most.forEach((name, count) -> {
        if (count > 0) {
          usage.merge(name + DEVICES_SUFFIX, Quantity.of(count), Quantity::plus);
        }
      });
    }
  }

  /** The resource whose objects are charged under a name; its group may be empty. */
  public static GroupResource countedBy(String name) {
    if (name.startsWith("count/")) {
      String counted = name.substring("count/".length());
      int dot = counted.indexOf('.');
      return dot < 0
          ? new GroupResource("", counted)
          : new GroupResource(counted.substring(dot + 1), counted.substring(0, dot));
    }
    if (PLAIN.contains(name)) {
      return new GroupResource("", name);
    }
    if (name.endsWith(DEVICES_SUFFIX)) {
      return RESOURCE_CLAIMS;
    }
    if (name.equals("services") || name.startsWith("services.")) {
      return new GroupResource("", "services");
    }
    boolean storage =
        name.equals("persistentvolumeclaims")
            || name.equals(STORAGE)
            || name.contains(CLASS_SUFFIX);
    return new GroupResource("", storage ? "persistentvolumeclaims" : "pods");
  }
}
