package dev.berth.kinds.devices;

import dev.berth.kinds.pod.AffinityValidation;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A part of a driver's devices, or of the counters that they share, and where they are. */
final class ResourceSliceRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final int MOST_DEVICES = 128;
  private static final int MOST_COMPLEX_DEVICES = 64;
  private static final int MOST_COUNTER_SETS = 8;
  private static final List<String> LISTS = List.of("bools", "ints", "strings", "versions");
  private static final String ONE_PLACE =
      "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";

  @Override
  public JsonObject prepareForCreate(JsonObject slice, Instant now) {
    return stamped(withoutLists(slice), now);
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject slice, JsonObject old, Instant now) {
    return stamped(hasLists(old.object("spec")) ? slice : withoutLists(slice), now);
  }

  /** Attributes with several values are behind a gate that is off. */
  private static JsonObject withoutLists(JsonObject slice) {
    if (!hasLists(slice.object("spec"))) {
      return slice;
    }
    return FieldRules.within(
        slice,
        "spec",
        spec -> FieldRules.each(spec, "devices", ResourceSliceRules::withSingleValues));
  }

  private static JsonObject withSingleValues(JsonObject device) {
    return FieldRules.present(
        device,
        "attributes",
        attributes -> {
          JsonObject single = attributes;
          for (String name : attributes.names()) {
            JsonObject attribute = attributes.object(name);
            for (String list : LISTS) {
              attribute = attribute.without(list);
            }
            single = single.with(name, attribute);
          }
          return single;
        });
  }

  private static JsonObject stamped(JsonObject slice, Instant now) {
    JsonObject spec = slice.object("spec");
    if (spec.array("devices").objects().stream().noneMatch(device -> device.has("taints"))) {
      return slice;
    }
    JsonArray devices =
        spec.array("devices")
            .mapObjects(device ->
                device.has("taints")
                    ? device.with(
                        "taints",
                        device
                            .array("taints")
                            .mapObjects(taint ->
                                FieldRules.orDefault(taint, "timeAdded", Times.format(now))))
                    : device);
    return slice.with("spec", spec.with("devices", devices));
  }

  @Override
  public List<FieldError> validate(JsonObject slice) {
    return spec(slice, JsonObject.EMPTY);
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject slice, JsonObject old) {
    return spec(slice, old);
  }

  private static void unchanged(JsonObject slice, JsonObject old, FieldErrorList problems) {
    problems.addAll(FieldRules.immutable(SPEC.field("pool").field("name"), slice, old));
    problems.addAll(FieldRules.immutable(SPEC.field("driver"), slice, old));
    problems.addAll(FieldRules.immutable(SPEC.field("nodeName"), slice, old));
  }

  /**
   * @param old what it was, empty if it is new
   */
  private static List<FieldError> spec(JsonObject slice, JsonObject old) {
    JsonObject spec = slice.object("spec");
    JsonObject before = old.object("spec");
    FieldErrorList problems = new FieldErrorList();
    DeviceChecks checks = new DeviceChecks(problems);
    checks.driver(spec.text("driver", ""), SPEC.field("driver"));
    pool(spec.object("pool"), SPEC.field("pool"), problems);
    if (!old.isEmpty()) {
      unchanged(slice, old, problems);
    }
    place(spec, problems);
    if (spec.has("sharedCounters") && spec.has("devices")) {
      problems.invalid(SPEC, "", "only one of `sharedCounters` or `devices` is allowed");
    }
    Map<String, JsonObject> known = new HashMap<>();
    before.array("devices").objects().forEach(d -> known.put(d.text("name", ""), d));
    boolean perDevice = spec.flag("perDeviceNodeSelection", false);
    DeviceValidation devices = new DeviceValidation(problems);
    checks.eachOnce(
        spec.array("devices"),
        isComplex(spec) ? MOST_COMPLEX_DEVICES : MOST_DEVICES,
        SPEC.field("devices"),
        device -> device.text("name", ""),
        (device, at) -> {
          JsonObject was = known.getOrDefault(device.text("name", ""), JsonObject.EMPTY);
          devices.validate(device, was, perDevice, at);
        });
    checks.eachOnce(
        spec.array("sharedCounters"),
        MOST_COUNTER_SETS,
        SPEC.field("sharedCounters"),
        set -> set.text("name", ""),
        (set, at) -> devices.counters(set, "name", at));
    return problems.all();
  }

  private static void pool(JsonObject pool, FieldPath at, FieldErrorList problems) {
    new DeviceChecks(problems).pool(pool.text("name", ""), at.field("name"));
    long slices = pool.integer("resourceSliceCount").orElse(0);
    if (slices <= 0) {
      problems.invalid(at.field("resourceSliceCount"), slices, "must be greater than zero");
    }
    long generation = pool.integer("generation").orElse(0);
    if (generation < 0) {
      problems.invalid(at.field("generation"), generation, "must be greater than or equal to zero");
    }
  }

  /** Where the devices are: exactly one of four ways to say it. */
  private static void place(JsonObject spec, FieldErrorList problems) {
    List<String> set = new ArrayList<>();
    String node = spec.text("nodeName");
    if (node != null && node.isEmpty()) {
      problems.invalid(
          SPEC.field("nodeName"), node, "must be either unset or set to a non-empty string");
    } else if (node != null) {
      set.add("`nodeName`");
      problems.invalid(SPEC.field("nodeName"), node, NameRules.dns1123Subdomain(node));
    }
    if (spec.has("nodeSelector")) {
      set.add("`nodeSelector`");
      JsonObject selector = spec.object("nodeSelector");
      FieldPath at = SPEC.field("nodeSelector");
      AffinityValidation.nodeSelector(selector, at, problems);
      if (selector.array("nodeSelectorTerms").size() != 1) {
        problems.invalid(
            at.field("nodeSelectorTerms"),
            selector.array("nodeSelectorTerms"),
            "must have exactly one node selector term");
      }
    }
    for (String field : List.of("allNodes", "perDeviceNodeSelection")) {
      if (spec.flag(field, false)) {
        set.add("`" + field + "`");
      } else if (spec.has(field)) {
        problems.invalid(SPEC.field(field), false, "must be either unset or set to true");
      }
    }
    if (set.isEmpty()) {
      problems.required(SPEC, ONE_PLACE);
    } else if (set.size() > 1) {
      problems.invalid(
          SPEC, "{" + String.join(", ", set) + "}", ONE_PLACE + ", but multiple fields are set");
    }
  }

  /** Whether devices say so much that there may be but half as many of them. */
  private static boolean isComplex(JsonObject spec) {
    return spec.array("devices").objects().stream()
            .anyMatch(device ->
                !device.array("taints").isEmpty() || !device.array("consumesCounters").isEmpty())
        || hasLists(spec);
  }

  private static boolean hasLists(JsonObject spec) {
    return spec.array("devices").objects().stream()
        .anyMatch(device ->
            device.object("attributes").names().stream()
                .map(name -> device.object("attributes").object(name))
                .anyMatch(attribute -> LISTS.stream().anyMatch(attribute::has)));
  }
}
