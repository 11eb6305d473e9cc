package dev.berth.kinds.devices;

import dev.berth.cel.device.DeviceExpression;
import dev.berth.kinds.resource.DriverNames;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The checks that the kinds of resource.k8s.io share. */
final class DeviceChecks {
  static final int MOST_SELECTORS = 32;
  static final int MOST_CONFIGURATIONS = 32;
  private static final int LONGEST_POOL = 253;
  private static final int LONGEST_NAME = 32;
  private static final int LONGEST_EXPRESSION = 10 * 1024;
  private static final int LONGEST_PARAMETERS = 10 * 1024;
  private static final int MOST_BINDING_CONDITIONS = 4;
  private static final List<String> EFFECTS = List.of("NoExecute", "NoSchedule", "None");
  private static final List<String> OPERATORS = List.of("Equal", "Exists");

  private final FieldErrorList problems;

  DeviceChecks(FieldErrorList problems) {
    this.problems = problems;
  }

  /** Each of a list's objects, unless they are too many to be looked at. */
  void each(JsonArray list, int most, FieldPath at, BiConsumer<JsonObject, FieldPath> check) {
    if (problems.tooMany(at, list.size(), most)) {
      return;
    }
    List<JsonObject> objects = list.objects();
    for (int i = 0; i < objects.size(); i++) {
      check.accept(objects.get(i), at.index(i));
    }
  }

  /** The same for a list whose objects all have a key of their own. */
  void eachOnce(
      JsonArray list,
      int most,
      FieldPath at,
      Function<JsonObject, String> key,
      BiConsumer<JsonObject, FieldPath> check) {
    each(list, most, at, check);
    if (list.size() <= most) {
      notTwice(list.objects().stream().map(key).toList(), at);
    }
  }

  void notTwice(List<String> keys, FieldPath at) {
    Set<String> known = new HashSet<>();
    for (int i = 0; i < keys.size(); i++) {
      if (!known.add(keys.get(i))) {
        problems.duplicate(at.index(i), keys.get(i));
      }
    }
  }

  void driver(String name, FieldPath at) {
    DriverNames.validate(name, at, problems);
  }

  void pool(String name, FieldPath at) {
    if (name.isEmpty()) {
      problems.required(at, "");
      return;
    }
    notLonger(name, LONGEST_POOL, at);
    for (String part : name.split("/", -1)) {
      problems.invalid(at, part, NameRules.dns1123Subdomain(part));
    }
  }

  void label(String name, FieldPath at) {
    problems.invalid(at, name, NameRules.dns1123Label(name));
  }

  /** A name such as {@code memory} or {@code driver.example.com/memory}. */
  void qualified(String name, FieldPath at) {
    String[] parts = name.split("/", -1);
    if (parts.length == 1) {
      identifier(parts[0], at);
    } else if (parts.length == 2) {
      if (parts[0].isEmpty()) {
        problems.invalid(at, "", "the domain must not be empty");
      } else {
        driver(parts[0], at);
      }
      if (parts[1].isEmpty()) {
        problems.invalid(at, "", "the name must not be empty");
      } else {
        identifier(parts[1], at);
      }
    }
  }

  void fullyQualified(String name, FieldPath at) {
    qualified(name, at);
    if (!name.contains("/")) {
      problems.invalid(
          at, name, "a fully qualified name must be a domain and a name separated by a slash");
    }
  }

  private void identifier(String name, FieldPath at) {
    notLonger(name, LONGEST_NAME, at);
    problems.invalid(at, name, NameRules.cIdentifier(name));
  }

  void notLonger(String text, int most, FieldPath at) {
    if (isLonger(text, most)) {
      problems.tooLong(at, most);
    }
  }

  private static boolean isLonger(String text, int most) {
    return text.getBytes(StandardCharsets.UTF_8).length > most;
  }

  /** Selectors of devices. */
  void selectors(JsonArray selectors, FieldPath at) {
    each(
        selectors,
        MOST_SELECTORS,
        at,
        (selector, place) -> {
          if (!selector.has("cel")) {
            problems.required(place.field("cel"), "");
            return;
          }
          String expression = selector.object("cel").text("expression", "");
          FieldPath field = place.field("cel").field("expression");
          if (isLonger(expression, LONGEST_EXPRESSION)) {
            problems.tooLong(field, LONGEST_EXPRESSION);
          } else {
            expression(expression, field);
          }
        });
  }

  private void expression(String expression, FieldPath at) {
    switch (DeviceExpression.compile(expression)) {
      case DeviceExpression.Compiled.Invalid(String message) ->
          problems.invalid(at, expression, message);
      case DeviceExpression.Compiled.Valid(DeviceExpression compiled) -> {
        if (compiled.isTooComplex()) {
          problems.forbidden(at, "too complex, exceeds cost limit");
        }
      }
    }
  }

  /** What a driver is told, which nobody else understands. */
  void configuration(JsonObject configuration, FieldPath at) {
    if (!configuration.has("opaque")) {
      problems.required(at.field("opaque"), "");
      return;
    }
    JsonObject opaque = configuration.object("opaque");
    driver(opaque.text("driver", ""), at.field("opaque").field("driver"));
    FieldPath parameters = at.field("opaque").field("parameters");
    raw(opaque, "parameters", LONGEST_PARAMETERS, parameters);
  }

  void raw(JsonObject holder, String field, int most, FieldPath at) {
    switch (holder.get(field)) {
      case null -> problems.required(at, "");
      case JsonNull _ -> problems.required(at, "");
      case JsonObject object -> notLonger(JsonWriter.toText(object), most, at);
      default -> problems.invalid(at, "<value omitted>", "must be a valid JSON object");
    }
  }

  void taint(JsonObject taint, FieldPath at) {
    String key = taint.text("key", "");
    problems.invalid(at.field("key"), key, NameRules.qualifiedName(key));
    value(taint, at);
    if (problems.present(taint, "effect", at)) {
      problems.oneOf(at.field("effect"), taint.text("effect", ""), EFFECTS);
    }
  }

  private void value(JsonObject holder, FieldPath at) {
    String value = holder.text("value", "");
    problems.invalid(at.field("value"), value, NameRules.labelValue(value));
  }

  void toleration(JsonObject toleration, FieldPath at) {
    String key = toleration.text("key", "");
    if (!key.isEmpty()) {
      problems.invalid(at.field("key"), key, NameRules.qualifiedName(key));
    }
    String operator = toleration.text("operator", "");
    switch (operator) {
      case "Exists" -> {
        String value = toleration.text("value", "");
        if (!value.isEmpty()) {
          problems.invalid(at.field("value"), value, "must be empty for operator `Exists`");
        }
      }
      case "Equal" -> value(toleration, at);
      case "" -> problems.required(at.field("operator"), "");
      default -> problems.oneOf(at.field("operator"), operator, OPERATORS);
    }
    String effect = toleration.text("effect", "");
    if (!effect.isEmpty()) {
      problems.oneOf(at.field("effect"), effect, EFFECTS);
    }
  }

  /** The conditions that a device must have, or must not, before a pod is bound. */
  void bindingConditions(JsonObject holder, FieldPath at) {
    List<String> good = conditions(holder, "bindingConditions", at);
    List<String> bad = conditions(holder, "bindingFailureConditions", at);
    FieldPath goodAt = at.field("bindingConditions");
    FieldPath badAt = at.field("bindingFailureConditions");
    notTwice(good, goodAt);
    Set<String> known = new HashSet<>();
    for (int i = 0; i < bad.size(); i++) {
      if (!known.add(bad.get(i))) {
        problems.duplicate(badAt.index(i), bad.get(i));
      }
      if (good.contains(bad.get(i))) {
        problems.invalid(
            badAt.index(i),
            bad.get(i),
            "bindingFailureConditions must not overlap with bindingConditions");
      }
    }
    if (good.isEmpty() && !bad.isEmpty()) {
      problems.invalid(
          goodAt,
          shown(holder, "bindingConditions"),
          "bindingConditions are required to use bindingFailureConditions");
    }
    if (bad.isEmpty() && !good.isEmpty()) {
      problems.invalid(
          badAt,
          shown(holder, "bindingFailureConditions"),
          "bindingFailureConditions are required to use bindingConditions");
    }
  }

  private static Object shown(JsonObject holder, String field) {
    return holder.has(field) ? holder.array(field) : JsonNull.NULL;
  }

  private List<String> conditions(JsonObject holder, String field, FieldPath at) {
    List<String> all = holder.array(field).texts();
    if (!problems.tooMany(at.field(field), all.size(), MOST_BINDING_CONDITIONS)) {
      for (int i = 0; i < all.size(); i++) {
        problems.invalid(at.field(field).index(i), all.get(i), NameRules.qualifiedName(all.get(i)));
      }
    }
    return all;
  }
}
