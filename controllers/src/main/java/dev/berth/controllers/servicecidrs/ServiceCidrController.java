package dev.berth.controllers.servicecidrs;

import dev.berth.client.Api;
import dev.berth.client.Resources;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.ObjectKind;
import dev.berth.controllers.reconcile.Reconciler;
import dev.berth.controllers.reconcile.ReconcilerFrame;
import dev.berth.controllers.reconcile.ReconcilerSettings;
import dev.berth.controllers.reconcile.Reconciliation;
import dev.berth.model.meta.Metadata;
import dev.berth.model.network.IpAddressView;
import dev.berth.model.network.ServiceCidrView;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.service.ServiceCidrAction;
import dev.berth.policy.service.ServiceCidrPlan;
import dev.berth.policy.service.ServiceCidrSnapshot;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Gives ServiceCIDRs their finalizer and condition, and takes the finalizer from those that are
 * being deleted, as {@link ServiceCidrPlan} says. One that is being deleted is looked at again when
 * an address of it comes or goes, or another ServiceCIDR that has addresses of it.
 */
public final class ServiceCidrController
    implements Reconciler<ServiceCidrSnapshot, ServiceCidrAction, ServiceCidrPlan> {
  /** The service account under which it works. */
  public static final String ACCOUNT = "service-cidrs-controller";

  private static final int AT_ONCE = 5;
  private static final ReconcilerSettings SETTINGS =
      new ReconcilerSettings(
          new ObjectKind(Resources.SERVICE_CIDRS, "ServiceCIDR"),
          "service-cidr-controller",
          "ipaddresses",
          AT_ONCE,
          AT_ONCE);

  private final Api api;
  private final ReconcilerFrame<ServiceCidrSnapshot, ServiceCidrAction, ServiceCidrPlan> frame;
  private final Map<String, ServiceCidrView> cidrs = new LinkedHashMap<>();

  /** The addresses that services have. */
  private final Set<String> allocated = new TreeSet<>();

  private ServiceCidrController(ControllerParts parts) {
    this.api = parts.api();
    this.frame = new ReconcilerFrame<>(parts, SETTINGS, this);
  }

  public static Controller start(ControllerParts parts) {
    ServiceCidrController controller = new ServiceCidrController(parts);
    return controller.frame.watches(Resources.IP_ADDRESSES, controller::addressChanged).start();
  }

  @Override
  public void objectChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    if (told == null) {
      return;
    }
    ServiceCidrView view = ServiceCidrView.read(told);
    if (after == null) {
      cidrs.remove(view.name());
    } else {
      cidrs.put(view.name(), view);
    }
    addAll(other -> !other.name().equals(view.name()) && ServiceCidrPlan.concerns(view, other));
  }

  private void addressChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (before != null && IpAddressView.read(before).isAllocated()) {
      addressGone(IpAddressView.read(before).name());
    }
    if (after != null && IpAddressView.read(after).isAllocated()) {
      String address = IpAddressView.read(after).name();
      allocated.add(address);
      addAll(cidr -> ServiceCidrPlan.concerns(address, cidr));
    }
  }

  private void addressGone(String address) {
    allocated.remove(address);
    addAll(cidr -> ServiceCidrPlan.concerns(address, cidr));
  }

  private void addAll(Predicate<ServiceCidrView> concerned) {
    cidrs.values().stream()
        .filter(concerned)
        .forEach(cidr -> frame.add(ObjectName.of(cidr.name())));
  }

  @Override
  public ServiceCidrSnapshot snapshot(Reconciliation run, List<JsonObject> owned) {
    return new ServiceCidrSnapshot(run.object(), List.copyOf(cidrs.values()), allocated);
  }

  @Override
  public ServiceCidrPlan decide(ServiceCidrSnapshot snapshot, Instant now) {
    return ServiceCidrPlan.decide(snapshot, now);
  }

  @Override
  public void apply(Reconciliation run, ServiceCidrAction action) {
    JsonObject changed =
        switch (action) {
          case ADD_FINALIZER -> Metadata.withFinalizer(run.object(), ServiceCidrPlan.FINALIZER);
          case REMOVE_FINALIZER ->
              Metadata.withoutFinalizer(run.object(), ServiceCidrPlan.FINALIZER);
        };
    run.request(
        () -> api.update(Resources.SERVICE_CIDRS, changed),
        result -> {
          run.failUnlessGone("FailedUpdate", result);
          // Whatever it is now will be heard of.
          run.waitForNews();
        });
  }
}
