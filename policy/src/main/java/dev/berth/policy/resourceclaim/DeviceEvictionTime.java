package dev.berth.policy.resourceclaim;

import dev.berth.model.core.PodTree;
import dev.berth.model.device.DeviceId;
import dev.berth.model.device.DeviceTaint;
import dev.berth.model.device.DeviceToleration;
import dev.berth.model.device.PodResourceClaim;
import dev.berth.model.device.PodResourceClaim.Behind;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * When a pod leaves because of NoExecute taints of devices that it uses.
 *
 * <ul>
 *   <li>A taint counts from when it was added. Tolerations for that effect put it off, by the
 *       shortest of their times; one without a time tolerates the taint for good.
 *   <li>The earliest of all taints, devices and claims counts.
 *   <li>Only pods that have a node, and that a claim is reserved for, use its devices.
 * </ul>
 */
public final class DeviceEvictionTime {
  private DeviceEvictionTime() {}

  /**
   * Decides about a pod.
   *
   * @param claims by name; null if there is none
   * @param taints the NoExecute taints of a device
   * @return empty if it may stay
   */
  public static Optional<Instant> of(
      JsonObject pod,
      Function<ObjectName, @Nullable ResourceClaimView> claims,
      Function<DeviceId, List<DeviceTaint>> taints) {
    Metadata metadata = Metadata.of(pod);
    if (!new PodTree(pod).isBound()) {
      return Optional.empty();
    }
    Optional<Instant> earliest = Optional.empty();
    for (PodResourceClaim named : PodResourceClaim.of(pod)) {
      if (named.behind() instanceof Behind.Claim(String name, boolean isMade)) {
        ResourceClaimView claim = claims.apply(new ObjectName(metadata.namespace(), name));
        boolean isUsed =
            claim != null
                && claim.isReservedFor(metadata.uid())
                && (!isMade || claim.notMadeFor(ObjectName.of(pod), metadata.uid()).isEmpty());
        if (claim != null && isUsed) {
          earliest = earlier(earliest, of(claim, taints));
        }
      }
    }
    return earliest;
  }

  private static Optional<Instant> of(
      ResourceClaimView claim, Function<DeviceId, List<DeviceTaint>> taints) {
    Optional<Instant> earliest = Optional.empty();
    for (JsonObject result : claim.results()) {
      List<DeviceToleration> tolerations = DeviceToleration.of(result);
      for (DeviceTaint taint : taints.apply(DeviceId.read(result))) {
        earliest = earlier(earliest, of(taint, tolerations));
      }
    }
    return earliest;
  }

  private static Optional<Instant> of(DeviceTaint taint, List<DeviceToleration> tolerations) {
    Instant added = taint.timeAdded();
    if (added == null) {
      return Optional.empty();
    }
    OptionalLong shortest = OptionalLong.empty();
    for (DeviceToleration toleration : tolerations) {
      if (!toleration.effect().equals(taint.effect()) || !toleration.tolerates(taint)) {
        continue;
      }
      if (toleration.seconds().isEmpty()) {
        return Optional.empty();
      }
      long seconds = Math.max(0, toleration.seconds().getAsLong());
      shortest = OptionalLong.of(Math.min(seconds, shortest.orElse(Long.MAX_VALUE)));
    }
    return Optional.of(added.plusSeconds(shortest.orElse(0)));
  }

  private static Optional<Instant> earlier(Optional<Instant> known, Optional<Instant> other) {
    return known.isEmpty() || (other.isPresent() && other.get().isBefore(known.get()))
        ? other
        : known;
  }
}
