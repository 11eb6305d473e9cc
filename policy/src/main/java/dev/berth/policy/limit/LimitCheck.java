package dev.berth.policy.limit;

import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
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
  static final String CONTAINER = "Container";
  private static final String POD = "Pod";
  private static final String CLAIM = "PersistentVolumeClaim";

  private final List<String> problems = new ArrayList<>();

  private LimitCheck() {}

  /** What is wrong with a pod; empty if nothing is. */
  public static List<String> pod(JsonObject pod, JsonObject limitRange) {
    LimitCheck check = new LimitCheck();
    JsonObject spec = pod.object("spec");
    for (JsonObject item : items(limitRange)) {
      switch (item.text("type", "")) {
        case CONTAINER ->
            Stream.of("containers", "initContainers")
                .flatMap(list -> spec.array(list).objects().stream())
                .forEach(container -> {
                  JsonObject resources = container.object("resources");
                  check.all(
                      item,
                      ResourceList.read(resources.object("requests")),
                      ResourceList.read(resources.object("limits")));
                });
        case POD -> {
          PodSpecView view = PodSpecView.read(spec.without("overhead"));
          check.all(item, EffectiveResources.requests(view), EffectiveResources.limits(view));
        }
        default -> {}
      }
    }
    return List.copyOf(check.problems);
  }

  /** What is wrong with a claim; empty if nothing is. */
  public static List<String> claim(JsonObject claim, JsonObject limitRange) {
    LimitCheck check = new LimitCheck();
    ResourceList requests =
        ResourceList.read(claim.object("spec").object("resources").object("requests"));
    for (JsonObject item : items(limitRange)) {
      if (item.text("type", "").equals(CLAIM)) {
        amounts(item, "min")
            .forEach((name, least) -> check.min(CLAIM, name, least, requests, ResourceList.EMPTY));
        amounts(item, "max").forEach((name, most) -> check.maxRequest(name, most, requests));
      }
    }
    return List.copyOf(check.problems);
  }

  private static List<JsonObject> items(JsonObject limitRange) {
    return limitRange.object("spec").array("limits").objects();
  }

  private static SortedMap<String, Quantity> amounts(JsonObject item, String field) {
    return ResourceList.read(item.object(field)).amounts();
  }

  private void all(JsonObject item, ResourceList requests, ResourceList limits) {
    String type = item.text("type", "");
    amounts(item, "min").forEach((name, least) -> min(type, name, least, requests, limits));
    amounts(item, "max").forEach((name, most) -> max(type, name, most, requests, limits));
    amounts(item, "maxLimitRequestRatio")
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
