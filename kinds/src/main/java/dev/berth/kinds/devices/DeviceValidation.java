package dev.berth.kinds.devices;

import dev.berth.kinds.pod.AffinityValidation;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** What is wrong with a device of a slice: its attributes, capacities, counters and place. */
final class DeviceValidation {
  private static final int MOST_PROPERTIES = 32;
  private static final int MOST_VALUES = 48;
  private static final int MOST_TAINTS = 16;
  private static final int MOST_CONSUMPTIONS = 2;
  private static final int MOST_COUNTERS = 32;
  private static final int LONGEST_VALUE = 64;
  private static final List<String> SINGLE = List.of("bool", "int", "string", "version");
  private static final List<String> LISTS = List.of("bools", "ints", "strings", "versions");
  private static final Pattern VERSION =
      Pattern.compile(
          "(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)"
              + "(-(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)"
              + "(\\.(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?"
              + "(\\+[0-9a-zA-Z-]+(\\.[0-9a-zA-Z-]+)*)?");
  private static final String ONE_PLACE =
      "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when"
          + " `perDeviceNodeSelection` is set to true in the ResourceSlice spec";

  private final FieldErrorList problems;
  private final DeviceChecks checks;

  DeviceValidation(FieldErrorList problems) {
    this.problems = problems;
    this.checks = new DeviceChecks(problems);
  }

  void validate(JsonObject device, JsonObject before, boolean perDevice, FieldPath at) {
    checks.label(device.text("name", ""), at.field("name"));
    JsonObject attributes = device.object("attributes");
    JsonObject capacity = device.object("capacity");
    long properties = (long) attributes.size() + capacity.size();
    if (properties > MOST_PROPERTIES) {
      problems.invalid(
          at,
          properties,
          "the total number of attributes and capacities must not exceed " + MOST_PROPERTIES);
    }
    long values = attributes.names().stream().mapToLong(n -> values(attributes.object(n))).sum();
    if (values > MOST_VALUES) {
      problems.invalid(
          at, values, "the total number of attribute values must not exceed " + MOST_VALUES);
    }
    for (String name : attributes.names()) {
      checks.qualified(name, at.field("attributes"));
      attribute(attributes.object(name), at.field("attributes").key(name));
    }
    boolean shared = device.flag("allowMultipleAllocations", false);
    for (String name : capacity.names()) {
      checks.qualified(name, at.field("capacity"));
      FieldPath place = at.field("capacity").key(name);
      RequestPolicyValidation.validate(capacity.object(name), shared, place, problems);
    }
    if (!device.array("taints").equals(before.array("taints"))) {
      checks.each(device.array("taints"), MOST_TAINTS, at.field("taints"), checks::taint);
    }
    checks.eachOnce(
        device.array("consumesCounters"),
        MOST_CONSUMPTIONS,
        at.field("consumesCounters"),
        consumption -> consumption.text("counterSet", ""),
        (consumption, place) -> counters(consumption, "counterSet", place));
    place(device, perDevice, at);
    checks.bindingConditions(device, at);
  }

  private static long values(JsonObject attribute) {
    long inLists = LISTS.stream().mapToLong(list -> attribute.array(list).size()).sum();
    return inLists == 0 ? 1 : inLists;
  }

  /** An attribute as upstream's own type has it. */
  private static JsonObject shown(JsonObject attribute) {
    JsonObject.Builder shown = new JsonObject.Builder();
    for (String kind : List.of("int", "bool", "string", "version")) {
      String name = Character.toUpperCase(kind.charAt(0)) + kind.substring(1) + "Value";
      shown.put(name, Objects.requireNonNullElse(attribute.get(kind), JsonNull.NULL));
    }
    for (String kind : List.of("ints", "bools", "strings", "versions")) {
      String name =
          Character.toUpperCase(kind.charAt(0)) + kind.substring(1, kind.length() - 1) + "Values";
      shown.put(name, attribute.has(kind) ? attribute.array(kind) : JsonNull.NULL);
    }
    return shown.build();
  }

  private void attribute(JsonObject attribute, FieldPath at) {
    long set =
        SINGLE.stream().filter(attribute::has).count()
            + LISTS.stream().filter(attribute::has).count();
    string(attribute.text("string", ""), at.field("string"));
    String version = attribute.text("version");
    if (version != null) {
      version(version, at.field("version"));
    }
    for (String list : LISTS) {
      if (attribute.has(list) && attribute.array(list).isEmpty()) {
        problems.invalid(at.field(list), attribute.array(list), "must not be empty if specified");
      }
    }
    List<String> strings = attribute.array("strings").texts();
    for (int i = 0; i < strings.size(); i++) {
      string(strings.get(i), at.field("strings").index(i));
    }
    List<String> versions = attribute.array("versions").texts();
    for (int i = 0; i < versions.size(); i++) {
      version(versions.get(i), at.field("versions").index(i));
    }
    if (set != 1) {
      problems.invalid(at, set == 0 ? "" : shown(attribute), "exactly one value must be specified");
    }
  }

  private void string(String value, FieldPath at) {
    checks.notLonger(value, LONGEST_VALUE, at);
  }

  private void version(String value, FieldPath at) {
    if (!VERSION.matcher(value).matches()) {
      problems.invalid(at, value, "must be a string compatible with semver.org spec 2.0.0");
    }
    string(value, at);
  }

  /** A set of counters, or what a device takes of one. */
  void counters(JsonObject set, String nameField, FieldPath at) {
    if (problems.present(set, nameField, at)) {
      checks.label(set.text(nameField, ""), at.field(nameField));
    }
    JsonObject counters = set.object("counters");
    if (counters.isEmpty()) {
      problems.required(at.field("counters"), "");
    } else if (!problems.tooMany(at.field("counters"), counters.size(), MOST_COUNTERS)) {
      counters.names().forEach(name -> checks.label(name, at.field("counters")));
    }
  }

  private void place(JsonObject device, boolean perDevice, FieldPath at) {
    if (!perDevice) {
      if (device.has("nodeName") || device.has("nodeSelector") || device.has("allNodes")) {
        problems.invalid(
            at,
            JsonNull.NULL,
            "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection`"
                + " is set to true in the ResourceSlice spec");
      }
      return;
    }
    List<String> set = new ArrayList<>();
    String node = device.text("nodeName");
    if (node != null && node.isEmpty()) {
      problems.invalid(at.field("nodeName"), node, "must not be empty");
    } else if (node != null) {
      set.add("`nodeName`");
      problems.invalid(at.field("nodeName"), node, NameRules.dns1123Subdomain(node));
    }
    if (device.has("nodeSelector")) {
      set.add("`nodeSelector`");
      AffinityValidation.nodeSelector(
          device.object("nodeSelector"), at.field("nodeSelector"), problems);
    }
    if (device.flag("allNodes", false)) {
      set.add("`allNodes`");
    } else if (device.has("allNodes")) {
      problems.invalid(at.field("allNodes"), false, "must be either unset or set to true");
    }
    if (set.isEmpty()) {
      problems.required(at, ONE_PLACE);
    } else if (set.size() > 1) {
      problems.invalid(at, "{" + String.join(", ", set) + "}", ONE_PLACE);
    }
  }
}
