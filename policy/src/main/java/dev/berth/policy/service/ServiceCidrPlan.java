package dev.berth.policy.service;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.network.ServiceCidrView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is to be done about a ServiceCIDR:
 *
 * <ol>
 *   <li>It has a finalizer, and is ready.
 *   <li>While it is being deleted and services have addresses that are of no other ServiceCIDR, it
 *       stays, and its condition says why.
 *   <li>Otherwise it goes, but not before allocators have surely heard of its deletion: ten seconds
 *       after that was asked for.
 * </ol>
 */
public record ServiceCidrPlan(
    List<ServiceCidrAction> actions, JsonObject withStatus, Optional<Instant> next)
    implements Decision<ServiceCidrAction> {
  public static final String FINALIZER = "networking.k8s.io/service-cidr-finalizer";

  static final Duration GRACE = Duration.ofSeconds(10);

  private static final String IS_READY = "Kubernetes Service CIDR is ready";
  private static final String TERMINATING = "Terminating";
  private static final String IS_USED =
      "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new"
          + " ServiceCIDR";

  public ServiceCidrPlan {
    actions = List.copyOf(actions);
  }

  public static ServiceCidrPlan decide(ServiceCidrSnapshot snapshot, Instant now) {
    JsonObject object = snapshot.object();
    boolean held = Metadata.of(object).finalizers().contains(FINALIZER);
    Optional<Instant> deletion = snapshot.cidr().deletionTimestamp();
    if (deletion.isEmpty()) {
      return held
          ? new ServiceCidrPlan(
              List.of(),
              ServiceCidrView.withReady(object, Conditions.TRUE, "", IS_READY, now),
              Optional.empty())
          : only(object, ServiceCidrAction.ADD_FINALIZER);
    }
    if (!mayGo(snapshot)) {
      return new ServiceCidrPlan(
          List.of(),
          ServiceCidrView.withReady(object, Conditions.FALSE, TERMINATING, IS_USED, now),
          Optional.empty());
    }
    Instant end = deletion.get().plus(GRACE);
    if (now.isBefore(end)) {
      return new ServiceCidrPlan(List.of(), object, Optional.of(end));
    }
    return held
        ? only(object, ServiceCidrAction.REMOVE_FINALIZER)
        : new ServiceCidrPlan(List.of(), object, Optional.empty());
  }

  private static ServiceCidrPlan only(JsonObject object, ServiceCidrAction action) {
    return new ServiceCidrPlan(List.of(action), object, Optional.empty());
  }

  /** Whether no address would be left without a ServiceCIDR. */
  private static boolean mayGo(ServiceCidrSnapshot snapshot) {
    ServiceCidrView own = snapshot.cidr();
    boolean covered =
        ServiceCidrs.ranges(own).stream()
            .allMatch(range ->
                ServiceCidrs.covering(snapshot.all(), range).stream()
                    .anyMatch(name -> !name.equals(own.name())));
    return covered
        || snapshot.allocated().stream()
            .noneMatch(address ->
                ServiceCidrs.containing(snapshot.all(), address).equals(List.of(own.name())));
  }

  /** Whether news of one ServiceCIDR may decide the deletion of another. */
  public static boolean concerns(ServiceCidrView changed, ServiceCidrView other) {
    return other.deletionTimestamp().isPresent() && ServiceCidrs.overlap(changed, other);
  }

  /** Whether news of an address may decide the deletion of a ServiceCIDR. */
  public static boolean concerns(String address, ServiceCidrView cidr) {
    return cidr.deletionTimestamp().isPresent()
        && !ServiceCidrs.containing(List.of(cidr), address).isEmpty();
  }
}
