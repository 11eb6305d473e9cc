package dev.berth.kinds.devices;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is wrong with how much of a shared device's capacity a claim may take. */
final class RequestPolicyValidation {
  private static final int MOST_VALUES = 10;

  private final FieldErrorList problems;
  private final Quantity capacity;

  private RequestPolicyValidation(FieldErrorList problems, Quantity capacity) {
    this.problems = problems;
    this.capacity = capacity;
  }

  /**
   * @param shared whether several claims may have the device
   */
  static void validate(
      JsonObject capacity, boolean shared, FieldPath path, FieldErrorList problems) {
    if (!capacity.has("requestPolicy")) {
      return;
    }
    FieldPath at = path.field("requestPolicy");
    if (!shared) {
      problems.forbidden(at, "allowMultipleAllocations must be true");
      return;
    }
    Quantity whole = read(capacity, "value");
    new RequestPolicyValidation(problems, whole == null ? Quantity.ZERO : whole)
        .policy(capacity.object("requestPolicy"), at);
  }

  private static @Nullable Quantity read(JsonObject holder, String field) {
    Object value = holder.get(field);
    return value == null || value instanceof JsonNull ? null : Quantity.fromTree(value);
  }

  private void policy(JsonObject policy, FieldPath at) {
    boolean values = !policy.array("validValues").isEmpty();
    boolean range = policy.has("validRange");
    if (values && range) {
      problems.forbidden(
          at,
          "exactly one policy can be specified, cannot specify \"validValues\" and \"validRange\""
              + " at the same time");
      return;
    }
    if (!values && !range) {
      return;
    }
    String chosen = values ? "validValues" : "validRange";
    Quantity usual = read(policy, "default");
    if (usual == null) {
      problems.required(at.field("default"), "required when " + chosen + " is defined");
    } else if (values) {
      values(
          policy.array("validValues").values().stream().map(Quantity::fromTree).toList(),
          usual,
          at.field(chosen));
    } else {
      range(policy.object("validRange"), usual, at.field(chosen));
    }
  }

  private void values(List<Quantity> values, Quantity usual, FieldPath at) {
    for (int i = 0; i < values.size() - 1; i++) {
      if (values.get(i).compareTo(values.get(i + 1)) > 0) {
        problems.invalid(
            at.index(i + 1),
            values.get(i + 1).toString(),
            "values must be sorted in ascending order");
      }
    }
    if (problems.tooMany(at, values.size(), MOST_VALUES)) {
      return;
    }
    Set<BigDecimal> known = new HashSet<>();
    for (int i = 0; i < values.size(); i++) {
      Quantity value = values.get(i);
      if (value.compareTo(capacity) > 0) {
        problems.invalid(
            at.index(i), value.toString(), "option is larger than capacity value: " + capacity);
      }
      if (!known.add(value.amount().stripTrailingZeros())) {
        problems.duplicate(at.index(i), value.toString());
      }
    }
    if (values.stream().noneMatch(value -> value.compareTo(usual) == 0)) {
      problems.invalid(
          at, usual.toString(), "default value is not valid according to the requestPolicy");
    }
  }

  private void range(JsonObject range, Quantity usual, FieldPath at) {
    Quantity min = read(range, "min");
    Quantity max = read(range, "max");
    Quantity step = read(range, "step");
    if (min == null) {
      problems.required(at.field("min"), "required when validRange is defined");
      return;
    }
    check(
        min.compareTo(capacity) > 0,
        at.field("min"),
        min,
        "min is larger than capacity value",
        capacity);
    check(usual.compareTo(min) < 0, at.field("min"), usual, "default is less than min", min);
    if (max != null) {
      check(min.compareTo(max) > 0, at.field("max"), min, "min is larger than max", max);
      check(
          max.compareTo(capacity) > 0,
          at.field("max"),
          max,
          "max is larger than capacity value",
          capacity);
      check(usual.compareTo(max) > 0, at.field("max"), usual, "default is more than max", max);
    }
    if (step != null) {
      Quantity added = min.plus(step);
      check(
          added.compareTo(capacity) > 0,
          at.field("step"),
          step,
          "one step " + added + " is larger than capacity value",
          capacity);
      multiple(usual, min, step, at.field("step"));
      if (max != null) {
        multiple(max, min, step, at.field("step"));
      }
    }
  }

  private void check(boolean wrong, FieldPath at, Quantity shown, String what, Quantity limit) {
    if (wrong) {
      problems.invalid(at, shown.toString(), what + ": " + limit);
    }
  }

  private void multiple(Quantity value, Quantity min, Quantity step, FieldPath at) {
    BigDecimal beyond = value.amount().subtract(min.amount());
    boolean whole = step.signum() != 0 && beyond.remainder(step.amount()).signum() == 0;
    if (!whole) {
      problems.invalid(
          at,
          value.toString(),
          "value is not a multiple of a given step (%s) from (%s)".formatted(step, min));
    }
  }
}
