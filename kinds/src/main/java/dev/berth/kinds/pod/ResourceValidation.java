package dev.berth.kinds.pod;

import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.ResourceNames;
import java.util.ArrayList;
import java.util.List;

/**
 * What is wrong with the amounts that a container requests and is limited to.
 *
 * <ul>
 *   <li>A request is no more than the limit; where a node cannot promise more than it has (huge
 *       pages, extended resources), both are there and the same.
 *   <li>Extended resources come in whole numbers. Huge pages come with CPU or memory.
 * </ul>
 */
final class ResourceValidation {
  private final List<FieldError> errors = new ArrayList<>();

  private ResourceValidation() {}

  static List<FieldError> validate(JsonObject container, FieldPath path) {
    ResourceValidation validation = new ResourceValidation();
    validation.all(container.object("resources"), path.field("resources"));
    return validation.errors;
  }

  private void all(JsonObject resources, FieldPath at) {
    JsonObject limits = resources.object("limits");
    JsonObject requests = resources.object("requests");
    boolean hugePages = false;
    boolean ordinary = false;
    for (int i = 0; i < limits.size(); i++) {
      amount(limits.name(i), Quantity.fromTree(limits.value(i)), at.field("limits"));
      hugePages |= ResourceNames.isHugePages(limits.name(i));
      ordinary |= limits.name(i).equals("cpu") || limits.name(i).equals("memory");
    }
    for (int i = 0; i < requests.size(); i++) {
      String name = requests.name(i);
      Quantity request = Quantity.fromTree(requests.value(i));
      amount(name, request, at.field("requests"));
      hugePages |= ResourceNames.isHugePages(name);
      ordinary |= name.equals("cpu") || name.equals("memory");
      Object limit = limits.get(name);
      if (limit != null) {
        compare(name, request, Quantity.fromTree(limit), at.field("requests"));
      } else if (!ResourceNames.isOvercommitted(name)) {
        errors.add(
            FieldError.required(
                at.field("limits").toString(),
                "Limit must be set for non overcommitable resources"));
      }
    }
    if (hugePages && !ordinary) {
      errors.add(FieldError.forbidden(at.toString(), "HugePages require cpu or memory"));
    }
  }

  private void compare(String name, Quantity request, Quantity limit, FieldPath at) {
    if (!request.equals(limit) && !ResourceNames.isOvercommitted(name)) {
      errors.add(
          FieldError.invalid(
              at.toString(),
              request.toString(),
              "must be equal to " + name + " limit of " + limit));
    } else if (request.compareTo(limit) > 0) {
      errors.add(
          FieldError.invalid(
              at.toString(),
              request.toString(),
              "must be less than or equal to " + name + " limit of " + limit));
    }
  }

  private void amount(String name, Quantity amount, FieldPath at) {
    FieldPath place = at.key(name);
    NameRules.qualifiedName(name).forEach(p -> invalid(place, name, p));
    if (name.indexOf('/') < 0 && !ResourceNames.isStandardForContainers(name)) {
      invalid(place, name, "must be a standard resource for containers");
    } else if (name.indexOf('/') >= 0
        && !ResourceNames.isNative(name)
        && !ResourceNames.isExtended(name)) {
      invalid(place, name, "doesn't follow extended resource name standard");
    }
    if (amount.signum() < 0) {
      invalid(place, amount.toString(), "must be greater than or equal to 0");
    }
    if (ResourceNames.isExtended(name) && amount.amount().stripTrailingZeros().scale() > 0) {
      invalid(place, amount.toString(), "must be an integer");
    }
  }

  private void invalid(FieldPath at, Object value, String problem) {
    errors.add(FieldError.invalid(at.toString(), value, problem));
  }
}
