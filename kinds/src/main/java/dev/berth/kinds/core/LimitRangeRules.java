package dev.berth.kinds.core;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.ResourceAmountRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.ResourceNames;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * LimitRanges. For containers, a maximum is also the default limit, and a default limit or a
 * minimum also the default request, where those are left out.
 */
final class LimitRangeRules implements ResourceRules {
  private static final FieldPath LIMITS = FieldPath.of("spec", "limits");
  private static final Set<String> TYPES = Set.of("Container", "Pod", "PersistentVolumeClaim");

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
    FieldErrorList problems = new FieldErrorList();
    Set<String> types = new HashSet<>();
    List<JsonObject> items = limitRange.object("spec").array("limits").objects();
    for (int i = 0; i < items.size(); i++) {
      FieldPath at = LIMITS.index(i);
      String type = items.get(i).text("type", "");
      List<String> wrong = NameRules.qualifiedName(type);
      problems.invalid(at.field("type"), type, wrong);
      if (wrong.isEmpty() && type.indexOf('/') < 0 && !TYPES.contains(type)) {
        problems.invalid(
            at.field("type"), type, "must be a standard limit type or fully qualified");
      }
      if (!types.add(type)) {
        problems.duplicate(at.field("type"), type);
      }
      new Item(items.get(i), type, at, problems).validate();
    }
    return problems.all();
  }

  /** What is wrong with the limits of one type. */
  private record Item(JsonObject item, String type, FieldPath at, FieldErrorList problems) {
    void validate() {
      names("max");
      names("min");
      boolean ofPod = type.equals("Pod");
      for (String field : List.of("default", "defaultRequest")) {
        if (!ofPod) {
          names(field);
        } else if (!item.object(field).isEmpty()) {
          problems.forbidden(at.field(field), "may not be specified when `type` is 'Pod'");
        }
      }
      boolean sized = item.object("min").has("storage") || item.object("max").has("storage");
      if (type.equals("PersistentVolumeClaim") && !sized) {
        problems.required(
            at.field("limits"),
            "either minimum or maximum storage value is required, but neither was provided");
      }
      names("maxLimitRequestRatio");
      Bound min = bound("min", "min value");
      Bound max = bound("max", "max value");
      Bound normal = ofPod ? Bound.NONE : bound("default", "default value");
      Bound request = ofPod ? Bound.NONE : bound("defaultRequest", "default request value");
      ResourceList ratios = ResourceList.read(item.object("maxLimitRequestRatio"));
      TreeSet<String> names = new TreeSet<>(ratios.amounts().keySet());
      for (Bound bound : List.of(min, max, normal, request)) {
        names.addAll(bound.amounts().amounts().keySet());
      }
      for (String name : names) {
        ordered("min", name, min, max, min);
        ordered("defaultRequest", name, min, request, request);
        ordered("defaultRequest", name, request, max, request);
        ordered("defaultRequest", name, request, normal.called("default limit value"), request);
        ordered("default", name, min, normal, min);
        ordered("default", name, normal, max, max);
        if (ratios.has(name)) {
          ratio(name, ratios.get(name), min.amounts(), max.amounts());
        }
        indivisible(name, normal.amounts(), request.amounts());
      }
    }

    private void names(String field) {
      for (String name : item.object(field).names()) {
        FieldPath place = at.field(field).key(name);
        if (type.equals("Pod") || type.equals("Container")) {
          ResourceAmountRules.containerName(name, place, problems);
        } else {
          ResourceAmountRules.name(name, place, problems);
        }
      }
    }

    private Bound bound(String field, String word) {
      return new Bound(word, ResourceList.read(item.object(field)));
    }

    private void ordered(String field, String name, Bound low, Bound high, Bound shown) {
      ResourceList lower = low.amounts();
      ResourceList upper = high.amounts();
      if (lower.has(name) && upper.has(name) && lower.get(name).compareTo(upper.get(name)) > 0) {
        problems.invalid(
            at.field(field).key(name),
            shown.amounts().get(name).toString(),
            "%s %s is greater than %s %s"
                .formatted(low.word(), lower.get(name), high.word(), upper.get(name)));
      }
    }

    private void ratio(String name, Quantity ratio, ResourceList min, ResourceList max) {
      FieldPath place = at.field("maxLimitRequestRatio").key(name);
      if (ratio.compareTo(Quantity.of(1)) < 0) {
        problems.invalid(place, ratio.toString(), "ratio " + ratio + " is less than 1");
      }
      if (!min.has(name) || !max.has(name)) {
        return;
      }
      double most = max.get(name).amount().doubleValue() / min.get(name).amount().doubleValue();
      if (ratio.amount().doubleValue() > most) {
        problems.invalid(
            place,
            ratio.toString(),
            String.format(Locale.ROOT, "ratio %s is greater than max/min = %f", ratio, most));
      }
    }

    /** What cannot be promised twice is requested as it is limited. */
    private void indivisible(String name, ResourceList normal, ResourceList request) {
      if (!ResourceNames.isOvercommitted(name)
          && normal.has(name)
          && request.has(name)
          && normal.get(name).compareTo(request.get(name)) != 0) {
        problems.invalid(
            at.field("defaultRequest").key(name),
            request.get(name).toString(),
            "default value %s must equal to defaultRequest value %s in %s"
                .formatted(normal.get(name), request.get(name), name));
      }
    }
  }

  private record Bound(String word, ResourceList amounts) {
    static final Bound NONE = new Bound("", ResourceList.read(JsonObject.EMPTY));

    Bound called(String other) {
      return new Bound(other, amounts);
    }
  }
}
