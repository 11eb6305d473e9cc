package dev.berth.policy.limit;

import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.namespace.LimitRangeView;
import dev.berth.model.namespace.LimitRangeView.Item;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.storage.PersistentVolumeClaimView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Whether a pod or a claim keeps within a LimitRange. For each resource that the range names:
 *
 * <ul>
 *   <li>min: it is requested, and neither the request nor the limit is less.
 *   <li>max: it is limited (a claim: requested), and neither is more.
 *   <li>maxLimitRequestRatio: it is both, not zero, and the limit is no greater multiple.
 * </ul>
 *
 * <p>Items of type Container look at each container, those of type Pod at the pod as a whole.
 */
public final class LimitCheck {
  private static final String CLAIM = LimitRangeView.CLAIM;

  private final List<String> problems = new ArrayList<>();

  private LimitCheck() {}

  /** What is wrong with a pod; empty if nothing is. */
  public static List<String> pod(PodSpecView pod, LimitRangeView limitRange) {
    LimitCheck check = new LimitCheck();
    for (Item item : limitRange.items()) {
      switch (item.type()) {
        case LimitRangeView.CONTAINER ->
            Stream.concat(pod.containers().stream(), pod.initContainers().stream())
                .forEach(container ->
                    check.all(
                        item,
                        ResourceList.read(container.requests()),
                        ResourceList.read(container.limits())));
        case LimitRangeView.POD -> {
          PodSpecView bare = pod.withoutOverhead();
          check.all(item, EffectiveResources.requests(bare), EffectiveResources.limits(bare));
        }
        default -> {}
      }
    }
    return List.copyOf(check.problems);
  }

  /** What is wrong with a claim; empty if nothing is. */
  public static List<String> claim(JsonObject claim, LimitRangeView limitRange) {
    LimitCheck check = new LimitCheck();
    ResourceList requests = ResourceList.read(PersistentVolumeClaimView.requests(claim));
    for (Item item : limitRange.items()) {
      if (item.type().equals(CLAIM)) {
        item.min()
            .amounts()
            .forEach((name, least) -> check.min(CLAIM, name, least, requests, ResourceList.EMPTY));
        item.max().amounts().forEach((name, most) -> check.maxRequest(name, most, requests));
      }
    }
    return List.copyOf(check.problems);
  }

  private void all(Item item, ResourceList requests, ResourceList limits) {
    String type = item.type();
    item.min().amounts().forEach((name, least) -> min(type, name, least, requests, limits));
    item.max().amounts().forEach((name, most) -> max(type, name, most, requests, limits));
    item.maxLimitRequestRatio()
        .amounts()
        .forEach((name, most) -> ratio(type, name, most, requests, limits));
  }

  private void min(
      String type, String name, Quantity least, ResourceList requests, ResourceList limits) {
    String begin = "minimum %s usage per %s is %s".formatted(name, type, least);
    if (!requests.has(name)) {
      problems.add(begin + ".  No request is specified");
    } else if (requests.get(name).compareTo(least) < 0) {
      problems.add(begin + ", but request is " + requests.get(name));
    } else if (limits.has(name) && limits.get(name).compareTo(least) < 0) {
      problems.add(begin + ", but limit is " + limits.get(name));
    }
  }

  private void max(
      String type, String name, Quantity most, ResourceList requests, ResourceList limits) {
    String begin = "maximum %s usage per %s is %s".formatted(name, type, most);
    if (!limits.has(name)) {
      problems.add(begin + ".  No limit is specified");
    } else if (limits.get(name).compareTo(most) > 0) {
      problems.add(begin + ", but limit is " + limits.get(name));
    } else if (requests.has(name) && requests.get(name).compareTo(most) > 0) {
      problems.add(begin + ", but request is " + requests.get(name));
    }
  }

  private void maxRequest(String name, Quantity most, ResourceList requests) {
    String begin = "maximum %s usage per %s is %s".formatted(name, CLAIM, most);
    if (!requests.has(name)) {
      problems.add(begin + ".  No request is specified");
    } else if (requests.get(name).compareTo(most) > 0) {
      problems.add(begin + ", but request is " + requests.get(name));
    }
  }

  private void ratio(
      String type, String name, Quantity most, ResourceList requests, ResourceList limits) {
    String begin = "%s max limit to request ratio per %s is %s".formatted(name, type, most);
    if (requests.get(name).isZero()) {
      problems.add(begin + ", but no request is specified or request is 0");
    } else if (limits.get(name).isZero()) {
      problems.add(begin + ", but no limit is specified or limit is 0");
    } else {
      var ratio =
          limits.get(name).amount().divide(requests.get(name).amount(), MathContext.DECIMAL64);
      if (ratio.compareTo(most.amount()) > 0) {
        problems.add(
            begin + ", but provided ratio is " + String.format(Locale.ROOT, "%.6f", ratio));
      }
    }
  }
}
