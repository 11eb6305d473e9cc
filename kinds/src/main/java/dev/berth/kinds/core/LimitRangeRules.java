package dev.berth.kinds.core;

import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * LimitRanges. For containers, a maximum is also the default limit, and a default limit or a
 * minimum also the default request, where those are left out.
 */
final class LimitRangeRules implements ResourceRules {
  private static final FieldPath LIMITS = FieldPath.of("spec", "limits");

  @Override
  public JsonObject defaults(JsonObject limitRange) {
    JsonObject spec = limitRange.object("spec");
    JsonArray items =
        spec.array("limits")
            .mapObjects(item -> item.text("type", "").equals("Container") ? filled(item) : item);
    return items.isEmpty() ? limitRange : limitRange.with("spec", spec.with("limits", items));
  }

  private static JsonObject filled(JsonObject item) {
    JsonObject defaults = item.object("default").withMissing(item.object("max"));
    JsonObject requests = item.object("defaultRequest").withMissing(defaults);
    requests = requests.withMissing(item.object("min"));
    JsonObject filled = defaults.isEmpty() ? item : item.with("default", defaults);
    return requests.isEmpty() ? filled : filled.with("defaultRequest", requests);
  }

  @Override
  public List<FieldError> validate(JsonObject limitRange) {
    List<FieldError> errors = new ArrayList<>();
    Set<String> types = new HashSet<>();
    List<JsonObject> items = limitRange.object("spec").array("limits").objects();
    for (int i = 0; i < items.size(); i++) {
      FieldPath at = LIMITS.index(i);
      String type = items.get(i).text("type", "");
      if (!type.equals("Container")
          && !type.equals("Pod")
          && !type.equals("PersistentVolumeClaim")
          && type.indexOf('/') < 0) {
        errors.add(
            FieldError.invalid(
                at.field("type").toString(),
                type,
                "must be a standard limit type or fully qualified"));
      }
      if (!types.add(type)) {
        errors.add(FieldError.duplicate(at.field("type").toString(), type));
      }
      validate(items.get(i), type, at, errors);
    }
    return errors;
  }

  private static void validate(
      JsonObject item, String type, FieldPath at, List<FieldError> errors) {
    if (type.equals("Pod")) {
      for (String field : List.of("default", "defaultRequest")) {
        if (!item.object(field).isEmpty()) {
          errors.add(
              FieldError.forbidden(
                  at.field(field).toString(), "may not be specified when `type` is 'Pod'"));
        }
      }
    }
    if (type.equals("PersistentVolumeClaim")
        && !item.object("min").has("storage")
        && !item.object("max").has("storage")) {
      errors.add(
          FieldError.required(
              at.toString(),
              "either minimum or maximum storage value is required, but neither was provided"));
    }
    Bound min = bound(item, "min", "min value");
    Bound max = bound(item, "max", "max value");
    Bound normal = bound(item, "default", "default value");
    Bound request = bound(item, "defaultRequest", "default request value");
    Bound limit = bound(item, "default", "default limit value");
    TreeSet<String> names = new TreeSet<>();
    for (Bound bound : List.of(min, max, normal, request)) {
      names.addAll(bound.amounts().amounts().keySet());
    }
    for (String name : names) {
      ordered(at.field("min"), name, min, max, errors);
      ordered(at.field("defaultRequest"), name, min, request, errors);
      ordered(at.field("defaultRequest"), name, request, max, errors);
      ordered(at.field("defaultRequest"), name, request, limit, errors);
      ordered(at.field("default"), name, min, normal, errors);
      ordered(at.field("default"), name, normal, max, errors);
    }
    ResourceList.read(item.object("maxLimitRequestRatio"))
        .amounts()
        .forEach((name, ratio) -> {
          if (ratio.compareTo(Quantity.of(1)) < 0) {
            errors.add(
                FieldError.invalid(
                    at.field("maxLimitRequestRatio").key(name).toString(),
                    ratio.toString(),
                    "ratio " + ratio + " is less than 1"));
          }
        });
  }

  private static Bound bound(JsonObject item, String field, String word) {
    return new Bound(word, ResourceList.read(item.object(field)));
  }

  /** The value that is shown is the default's, if one of the two is a default; else the lower. */
  private static void ordered(
      FieldPath at, String name, Bound low, Bound high, List<FieldError> errors) {
    ResourceList lower = low.amounts();
    ResourceList upper = high.amounts();
    if (lower.has(name) && upper.has(name) && lower.get(name).compareTo(upper.get(name)) > 0) {
      Bound shown = low.word().startsWith("min") && high.word().startsWith("default") ? high : low;
      errors.add(
          FieldError.invalid(
              at.key(name).toString(),
              shown.amounts().get(name).toString(),
              "%s %s is greater than %s %s"
                  .formatted(low.word(), lower.get(name), high.word(), upper.get(name))));
    }
  }

  private record Bound(String word, ResourceList amounts) {}
}
