package dev.berth.policy.allocation;

import dev.berth.model.device.CapacityView;
import dev.berth.model.device.CapacityView.RequestPolicy;
import dev.berth.model.device.CapacityView.ValidRange;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much of a device's capacity a request takes.
 *
 * <ul>
 *   <li>A request that names no amount takes the policy's default; without one, all of it.
 *   <li>An amount is rounded up to the next valid value, or to the next step from the least one.
 *   <li>A request for what the device does not have, or for more than is valid or left, does not
 *       get the device.
 * </ul>
 */
final class CapacityRules {
  private CapacityRules() {}

  /** What a request takes of each capacity of a device. */
  static Map<String, Quantity> consumed(
      Map<String, Quantity> wanted, Map<String, CapacityView> capacity) {
    Map<String, Quantity> consumed = new LinkedHashMap<>();
    capacity.forEach((name, has) -> consumed.put(name, consumed(wanted.get(name), has)));
    return consumed;
  }

  private static Quantity consumed(@Nullable Quantity wanted, CapacityView capacity) {
    RequestPolicy policy = capacity.policy().orElse(null);
    if (wanted == null) {
      return policy == null ? capacity.value() : policy.whenAbsent().orElse(capacity.value());
    }
    if (policy == null) {
      return wanted;
    }
    ValidRange range = policy.validRange().orElse(null);
    if (range != null && range.min().isPresent()) {
      return roundUp(wanted, range, range.min().get());
    }
    for (Quantity valid : policy.validValues()) {
      if (wanted.compareTo(valid) <= 0) {
        return valid;
      }
    }
    return wanted;
  }

  private static Quantity roundUp(Quantity wanted, ValidRange range, Quantity min) {
    if (wanted.compareTo(min) < 0) {
      return min;
    }
    long step = range.step().map(Quantity::value).orElse(0L);
    if (step <= 0) {
      return wanted;
    }
    long steps = Math.ceilDiv(wanted.value() - min.value(), step);
    return Quantity.of(min.value() + step * steps, QuantityFormat.BINARY_SI);
  }

  /**
   * Whether a device has enough left for a request.
   *
   * @param used what others have of it
   * @param beingAllocated what requests of the same search have of it
   */
  static boolean fits(
      Map<String, Quantity> wanted,
      Map<String, CapacityView> capacity,
      Map<String, Quantity> used,
      Map<String, Quantity> beingAllocated) {
    if (!capacity.keySet().containsAll(wanted.keySet())) {
      return false;
    }
    for (Map.Entry<String, CapacityView> entry : capacity.entrySet()) {
      String name = entry.getKey();
      Quantity taken = consumed(wanted.get(name), entry.getValue());
      if (entry.getValue().policy().filter(policy -> isViolated(policy, taken)).isPresent()) {
        return false;
      }
      Quantity sum =
          taken
              .plus(used.getOrDefault(name, Quantity.ZERO))
              .plus(beingAllocated.getOrDefault(name, Quantity.ZERO));
      if (sum.compareTo(entry.getValue().value()) > 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean isViolated(RequestPolicy policy, Quantity amount) {
    if (policy.whenAbsent().filter(usual -> usual.compareTo(amount) == 0).isPresent()) {
      return false;
    }
    ValidRange range = policy.validRange().orElse(null);
    if (range != null) {
      long step = range.step().map(Quantity::value).orElse(0L);
      long min = range.min().map(Quantity::value).orElse(0L);
      return range.max().filter(max -> amount.compareTo(max) > 0).isPresent()
          || (step > 0 && (amount.value() - min) % step != 0);
    }
    return !policy.validValues().isEmpty()
        && policy.validValues().stream().noneMatch(valid -> valid.compareTo(amount) == 0);
  }
}
