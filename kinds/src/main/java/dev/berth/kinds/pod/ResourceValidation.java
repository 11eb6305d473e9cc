package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.ResourceAmountRules;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.ResourceNames;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What is wrong with the amounts that a container, or a pod as a whole, requests and is limited to.
 *
 * <ul>
 *   <li>A request is no more than the limit; where a node cannot promise more than it has (huge
 *       pages, extended resources), both are there and the same.
 *   <li>Extended resources come in whole numbers, huge pages in whole pages, with CPU or memory.
 *   <li>Claims are some of the pod's, each once.
 * </ul>
 */
final class ResourceValidation {
  private static final List<String> OF_PODS = List.of("cpu", "hugepages-", "memory");

  private final boolean ofPod;
  private final PodValidationOptions options;
  private final FieldErrorList problems;

  private ResourceValidation(boolean ofPod, PodValidationOptions options, FieldErrorList problems) {
    this.ofPod = ofPod;
    this.options = options;
    this.problems = problems;
  }

  /**
   * Checks the resources of a container.
   *
   * @param claims the names of the pod's claims
   */
  static void container(
      JsonObject resources,
      Set<String> claims,
      FieldPath at,
      PodValidationOptions options,
      FieldErrorList problems) {
    ResourceValidation validation = new ResourceValidation(false, options, problems);
    validation.all(resources, at);
    validation.claims(resources.array("claims").objects(), claims, at.field("claims"));
  }

  /** Checks the resources of a pod as a whole. */
  static void pod(
      JsonObject resources,
      Set<String> claims,
      FieldPath at,
      PodValidationOptions options,
      FieldErrorList problems) {
    ResourceValidation validation = new ResourceValidation(true, options, problems);
    validation.all(resources, at);
    validation.claims(resources.array("claims").objects(), claims, at.field("claims"));
  }

  static boolean hasIndivisibleHugePages(JsonObject spec) {
    return Stream.of("containers", "initContainers")
        .flatMap(list -> spec.array(list).objects().stream())
        .map(container -> container.object("resources"))
        .flatMap(resources -> Stream.of(resources.object("limits"), resources.object("requests")))
        .anyMatch(amounts ->
            amounts.names().stream()
                .anyMatch(name ->
                    ResourceNames.isHugePages(name) && !isDivisible(name, amount(amounts, name))));
  }

  private void all(JsonObject resources, FieldPath at) {
    JsonObject limits = resources.object("limits");
    JsonObject requests = resources.object("requests");
    boolean hugePages = false;
    boolean ordinary = false;
    for (String name : sorted(limits)) {
      limit(name, amount(limits, name), at.field("limits").key(name));
      hugePages |= ResourceNames.isHugePages(name);
      ordinary |= name.equals("cpu") || name.equals("memory");
    }
    for (String name : sorted(requests)) {
      Quantity request = amount(requests, name);
      FieldPath place = at.field("requests").key(name);
      name(name, place);
      ResourceAmountRules.amount(name, request, place, problems);
      Object limit = limits.get(name);
      if (limit != null) {
        compare(name, request, Quantity.fromTree(limit), at.field("requests"));
      } else if (!ResourceNames.isOvercommitted(name)) {
        problems.required(at.field("limits"), "Limit must be set for non overcommitable resources");
      }
      hugePages(name, request, place);
      hugePages |= ResourceNames.isHugePages(name);
      ordinary |= name.equals("cpu") || name.equals("memory");
    }
    if (hugePages && !ordinary) {
      problems.forbidden(at, "HugePages require cpu or memory");
    }
  }

  static Quantity amount(JsonObject amounts, String name) {
    Object amount = amounts.get(name);
    return amount == null ? Quantity.ZERO : Quantity.fromTree(amount);
  }

  private static List<String> sorted(JsonObject amounts) {
    return amounts.names().stream().sorted().toList();
  }

  private void compare(String name, Quantity request, Quantity limit, FieldPath at) {
    boolean differs = request.compareTo(limit) != 0;
    if (differs && !ResourceNames.isOvercommitted(name)) {
      problems.invalid(at, request.toString(), "must be equal to " + name + " limit of " + limit);
    } else if (request.compareTo(limit) > 0) {
      problems.invalid(
          at, request.toString(), "must be less than or equal to " + name + " limit of " + limit);
    }
  }

  private void limit(String name, Quantity amount, FieldPath at) {
    name(name, at);
    ResourceAmountRules.amount(name, amount, at, problems);
    hugePages(name, amount, at);
  }

  private void name(String name, FieldPath at) {
    if (!ofPod) {
      ResourceAmountRules.containerName(name, at, problems);
    } else if (ResourceAmountRules.name(name, at, problems)
        && !OF_PODS.contains(name)
        && !ResourceNames.isHugePages(name)) {
      problems.addAll(List.of(FieldError.notSupported(at.toString(), name, OF_PODS)));
    }
  }

  private void hugePages(String name, Quantity amount, FieldPath at) {
    if (ResourceNames.isHugePages(name)
        && !options.indivisibleHugePages()
        && !isDivisible(name, amount)) {
      problems.invalid(
          at,
          amount.toString(),
          "%s is not positive integer multiple of %s".formatted(amount, name));
    }
  }

  private static boolean isDivisible(String name, Quantity amount) {
    try {
      Quantity page = Quantity.parse(name.substring(ResourceNames.HUGE_PAGES.length()));
      return page.signum() > 0
          && page.amount().stripTrailingZeros().scale() <= 0
          && amount.value() % page.value() == 0;
    } catch (QuantityFormatException _) {
      return false;
    }
  }

  private void claims(List<JsonObject> claims, Set<String> ofPod, FieldPath path) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < claims.size(); i++) {
      FieldPath at = path.index(i);
      String name = claims.get(i).text("name", "");
      String request = claims.get(i).text("request", "");
      if (name.isEmpty()) {
        problems.required(at, "");
        continue;
      }
      if (seen.contains(name)) {
        problems.duplicate(at, name);
      } else {
        String key = request.isEmpty() ? name : name + "/" + request;
        if (!request.isEmpty()) {
          problems.invalid(at.field("request"), request, NameRules.dns1123Label(request));
        }
        if (seen.contains(key)) {
          problems.duplicate(at, key);
        } else if (request.isEmpty()) {
          // All of a claim and a part of it cannot both be asked for.
          seen.stream()
              .filter(other -> other.startsWith(name + "/"))
              .forEach(_ -> problems.duplicate(at, name));
        }
        seen.add(key);
      }
      if (!ofPod.contains(name)) {
        problems.notFound(
            at,
            name,
            "must be one of the names in pod.spec.resourceClaims"
                + (ofPod.isEmpty()
                    ? " which is empty"
                    : ": " + String.join(", ", new TreeSet<>(ofPod))));
      }
    }
  }
}
