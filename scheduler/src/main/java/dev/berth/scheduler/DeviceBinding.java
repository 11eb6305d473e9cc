package dev.berth.scheduler;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.meta.WireTime;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.device.DevicePlan;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.message.EventText;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.scheduler.plugin.dynamicresources.BindingConditions;
import dev.berth.scheduler.plugin.dynamicresources.DynamicResources;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Carries out, before a pod is bound, what its claims on devices wait for: they get the devices
 * that were found, and are reserved for the pod; and devices that have to be prepared are waited
 * for.
 *
 * <p>A server that does not answer may have written a claim, so the same is written again until
 * there is an answer: meanwhile nobody else gets the devices. Lives on the scheduler's loop.
 */
final class DeviceBinding {
  private static final int AT_ONCE = 16;
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
  private static final DevicePlan NOTHING = new DevicePlan("", List.of(), List.of(), null);

  private final Loop loop;
  private final Time time;
  private final Cluster cluster;
  private final SchedulerEvents events;
  private final DeviceWrites writes;
  private final BoundedRequests requests;
  private final RandomGenerator random;
  private final Set<Wait> waits = new LinkedHashSet<>();

  DeviceBinding(Api api, Loop loop, Time time, Cluster cluster, SchedulerEvents events) {
    this.loop = loop;
    this.time = time;
    this.cluster = cluster;
    this.events = events;
    this.writes = new DeviceWrites(api);
    this.requests = new BoundedRequests(loop, AT_ONCE);
    this.random = time.random("scheduler device shares");
  }

  private static Optional<DynamicResources> plugin(Profile profile) {
    return profile.filters().stream()
        .filter(DynamicResources.class::isInstance)
        .map(DynamicResources.class::cast)
        .findFirst();
  }

  /** Sets the devices aside that a pod gets on a node. Upstream's Reserve. */
  DevicePlan reserve(PodInfo pod, int node, Profile profile) {
    if (!DynamicResources.concerns(pod, cluster)) {
      return NOTHING;
    }
    DevicePlan plan =
        plugin(profile)
            .map(plugin -> plugin.plan(pod, node, cluster, this::shareId))
            .orElse(NOTHING);
    cluster.devices().assume(plan);
    return plan;
  }

  private String shareId() {
    long most = (random.nextLong() & ~0xF000L) | 0x4000L;
    long least = (random.nextLong() & ~(3L << 62)) | (1L << 63);
    return new UUID(most, least).toString();
  }

  /**
   * Carries out a plan. Upstream's PreBind.
   *
   * @param then gets an empty string once the pod can be bound, or why it will not be
   */
  void begin(PodInfo pod, DevicePlan plan, Profile profile, Consumer<String> then) {
    Duration timeout = plugin(profile).map(DynamicResources::bindingTimeout).orElseThrow();
    new Wait(pod, plan, timeout, then).write(false);
  }

  /** Gives up a plan; what it wrote is taken back as far as it concerns the pod. */
  void release(PodInfo pod, DevicePlan plan) {
    cluster.devices().forget(plan);
    for (ObjectName name : plan.claims()) {
      ResourceClaimView claim = cluster.devices().claim(name);
      if (claim != null && claim.isReservedFor(pod.uid())) {
        requests.run(() -> writes.unreserve(claim, pod.uid()), _ -> {});
      }
    }
    ResourceClaimView extended = cluster.devices().extendedClaim(pod.uid());
    if (plan.extended() != null && extended != null) {
      requests.run(() -> writes.remove(extended), _ -> {});
    }
  }

  /**
   * Has a claim give back devices that keep a pod from being scheduled. Upstream's PostFilter.
   *
   * @return what is said about that; empty if claims are nobody's business here
   */
  String deallocate(PodInfo pod, Profile profile) {
    Optional<DynamicResources> plugin = plugin(profile);
    if (plugin.isEmpty()) {
      return "";
    }
    if (!DynamicResources.concerns(pod, cluster)) {
      return "no new claims to deallocate";
    }
    Optional<ResourceClaimView> claim = plugin.get().toDeallocate(pod, cluster);
    if (claim.isPresent()) {
      requests.run(() -> writes.deallocate(claim.get()), _ -> {});
      return "deallocation of ResourceClaim completed";
    }
    ResourceClaimView extended = cluster.devices().extendedClaim(pod.uid());
    if (extended != null) {
      requests.run(() -> writes.remove(extended), _ -> {});
      return "deletion of ResourceClaim completed";
    }
    return "still not schedulable";
  }

  /** Checks whether devices are ready, after a claim has changed. */
  void changed() {
    if (!waits.isEmpty()) {
      List.copyOf(waits).forEach(Wait::check);
    }
  }

  /** A plan that is being carried out. */
  private final class Wait {
    private final PodInfo pod;
    private final DevicePlan plan;
    private final Duration timeout;
    private final Consumer<String> then;
    private final Iterator<DevicePlan.Write> left;
    private DevicePlan.@Nullable Write current;
    private Loop.@Nullable Timer timer;
    private boolean isEnded;

    Wait(PodInfo pod, DevicePlan plan, Duration timeout, Consumer<String> then) {
      this.pod = pod;
      this.plan = plan;
      this.timeout = timeout;
      this.then = then;
      this.left = plan.writes().iterator();
    }

    /** Writes the claims one after the other. */
    void write(boolean isRepeated) {
      if (!isRepeated) {
        current = left.hasNext() ? left.next() : null;
      }
      DevicePlan.Write next = current;
      if (next == null) {
        if (plan.extended() == null) {
          await();
        } else {
          createExtended(plan.extended());
        }
        return;
      }
      Instant now = time.now();
      requests.run(() -> writes.reserve(next, user(), now, isRepeated), this::written);
    }

    private void written(DeviceWrites.Outcome outcome) {
      switch (outcome) {
        case DeviceWrites.Outcome.Written(JsonObject claim) -> {
          cluster.devices().putClaim(claim);
          write(false);
        }
        case DeviceWrites.Outcome.Failed(String message) -> end(message);
        case DeviceWrites.Outcome.Unknown _ -> loop.after(RETRY_AFTER, () -> write(true));
      }
    }

    /** Makes the claim for extended resources, allocates it, and tells the pod of it. */
    private void createExtended(DevicePlan.Extended extended) {
      Instant now = time.now();
      requests.run(
          () -> writes.createExtended(pod.tree(), extended),
          outcome -> {
            switch (outcome) {
              case DeviceWrites.Outcome.Written(JsonObject claim) ->
                  allocateExtended(extended, claim, now);
              case DeviceWrites.Outcome.Failed(String message) -> end(message);
              case DeviceWrites.Outcome.Unknown _ -> end("the server did not answer");
            }
          });
    }

    private void allocateExtended(DevicePlan.Extended extended, JsonObject claim, Instant now) {
      cluster.devices().putClaim(claim);
      ResourceClaimView made = ResourceClaimView.read(claim);
      DevicePlan.Write write = new DevicePlan.Write(made, extended.allocation());
      requests.run(
          () -> {
            DeviceWrites.Outcome outcome = writes.reserve(write, user(), now, false);
            if (outcome instanceof DeviceWrites.Outcome.Written) {
              JsonObject status = extended.requests().status(made.name().name());
              if (writes.tellPod(pod.tree(), status) instanceof ApiResult.Failure why) {
                return new DeviceWrites.Outcome.Failed(
                    "update pod %s ExtendedResourceClaimStatus: %s"
                        .formatted(pod.name(), why.message()));
              }
            }
            return outcome;
          },
          outcome -> {
            switch (outcome) {
              case DeviceWrites.Outcome.Written(JsonObject written) -> {
                cluster.devices().extendedWritten(extended, written);
                await();
              }
              case DeviceWrites.Outcome.Failed(String message) -> end(message);
              case DeviceWrites.Outcome.Unknown _ -> end("the server did not answer");
            }
          });
    }

    private ResourceClaimView.Consumer user() {
      return ResourceClaimView.Consumer.pod(pod.name().name(), pod.uid());
    }

    private void await() {
      List<ResourceClaimView> claims = claims();
      if (claims.stream().noneMatch(BindingConditions::areThere)) {
        end("");
        return;
      }
      events.record(pod, EventText.waitsForDevices(plan.node()));
      waits.add(this);
      timer = loop.after(remaining(claims), this::timeOut);
      check();
    }

    private List<ResourceClaimView> claims() {
      return plan.claims().stream().map(cluster.devices()::claim).filter(Objects::nonNull).toList();
    }

    /** Since when devices are waited for is written in their claims, whoever began to. */
    private Duration remaining(List<ResourceClaimView> claims) {
      Instant since = time.now();
      for (ResourceClaimView claim : claims) {
        JsonObject allocation = claim.allocation();
        Instant allocated =
            allocation == null ? null : WireTime.read(allocation, "allocationTimestamp");
        if (allocated != null && allocated.isBefore(since) && BindingConditions.areThere(claim)) {
          since = allocated;
        }
      }
      Duration left = Duration.between(time.now(), since.plus(timeout));
      return left.isNegative() ? Duration.ZERO : left;
    }

    private void timeOut() {
      String late = "";
      for (ResourceClaimView claim : claims()) {
        if (BindingConditions.of(claim) instanceof BindingConditions.Pending) {
          cluster.devices().setOverdue(claim.uid());
          late = late.isEmpty() ? claim.name().name() : late;
        }
      }
      end("device binding timeout: claim=" + late);
    }

    private void check() {
      boolean isReady = true;
      for (ResourceClaimView claim : claims()) {
        switch (BindingConditions.of(claim)) {
          case BindingConditions.Ready _ -> {}
          case BindingConditions.Pending _ -> isReady = false;
          case BindingConditions.Failed(String message) -> {
            end(message);
            return;
          }
        }
      }
      if (isReady) {
        end("");
      }
    }

    private void end(String problem) {
      waits.remove(this);
      if (isEnded) {
        return;
      }
      isEnded = true;
      if (timer != null) {
        timer.cancel();
      }
      then.accept(
          problem.isEmpty()
              ? ""
              : "running PreBind plugin \"" + DynamicResources.NAME + "\": " + problem);
    }
  }
}
