package dev.berth.customresources.definition;

import dev.berth.cel.schema.SchemaType;
import dev.berth.cel.schema.SchemaTypes;
import dev.berth.customresources.rules.CompiledRule;
import dev.berth.customresources.rules.SchemaRules;
import dev.berth.kinds.pod.InternalForm;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.FieldError;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether the rules of a schema compile, and whether they can be afforded: what each costs at most,
 * times how often it can be asked for one object, and all of them together.
 */
final class RuleValidation {
  private static final long MOST_FOR_A_RULE = 10_000_000;
  private static final long MOST_FOR_ALL = 100_000_000;
  private static final long MOST_BYTES = 3 * 1024 * 1024;
  private static final int MOST_NAMED = 4;
  private static final double MANY = 100;
  private static final double ABOUT_ONE = 1.5;

  private final FieldErrorList errors = new FieldErrorList();
  private final List<Costly> costly = new ArrayList<>();
  private final boolean known;
  private long total;

  private RuleValidation(boolean known) {
    this.known = known;
  }

  private record Costly(FieldPath at, long cost) {}

  /**
   * @param known whether the schema was accepted before, so that what its rules cost is accepted
   *     too, each by itself
   */
  static List<FieldError> validate(StructuralSchema schema, FieldPath at, boolean known) {
    if (!SchemaRules.hasRules(schema)) {
      return List.of();
    }
    RuleValidation validation = new RuleValidation(known);
    validation.schema(schema, at, true, 1L, null);
    validation.total(at);
    return validation.errors.all();
  }

  /**
   * @param times how many values of the schema an object can have; null if nothing limits that
   * @param uncorrelated where it begins that old values cannot be told; null if they can
   */
  private void schema(
      StructuralSchema schema,
      FieldPath at,
      boolean resource,
      @Nullable Long times,
      @Nullable FieldPath uncorrelated) {
    if (!schema.rules().isEmpty()) {
      rules(schema, at, resource, times, uncorrelated);
    }
    Long inside = times == null ? null : multiplied(times, elements(schema));
    boolean atomic = schema.mapType().equals("atomic");
    schema
        .properties()
        .forEach((name, property) ->
            schema(
                property,
                at.field("properties").key(name),
                property.isEmbeddedResource(),
                inside,
                uncorrelated == null && atomic ? at : uncorrelated));
    StructuralSchema additional = schema.additional();
    if (additional != null) {
      schema(
          additional,
          at.field("additionalProperties"),
          additional.isEmbeddedResource(),
          inside,
          uncorrelated);
    }
    StructuralSchema items = schema.items();
    if (items != null) {
      boolean keyed = schema.listType().equals("map");
      schema(
          items,
          at.field("items"),
          items.isEmbeddedResource(),
          inside,
          uncorrelated == null && !keyed ? at : uncorrelated);
    }
  }

  private static @Nullable Long multiplied(long times, @Nullable Long elements) {
    return elements == null ? null : product(times, elements);
  }

  /** By how much a schema multiplies what is in it; null if it has no limit. */
  private static @Nullable Long elements(StructuralSchema schema) {
    String limit =
        switch (schema.type()) {
          case "array" -> "maxItems";
          case "object" -> schema.hasAdditional() ? "maxProperties" : "";
          default -> "";
        };
    if (limit.isEmpty()) {
      return 1L;
    }
    return schema.source().get(limit) instanceof Long most ? Long.valueOf(Math.max(0, most)) : null;
  }

  private static long product(long cost, long times) {
    if (cost == 0 || times == 0) {
      return 0;
    }
    return Long.compareUnsigned(Long.divideUnsigned(-1L, cost), times) < 0 ? -1L : cost * times;
  }

  private void rules(
      StructuralSchema schema,
      FieldPath at,
      boolean resource,
      @Nullable Long times,
      @Nullable FieldPath uncorrelated) {
    FieldPath all = at.field("x-kubernetes-validations");
    SchemaType type = SchemaTypes.declare(schema.source(), "selfType", resource);
    if (type == null) {
      errors.invalid(all, "", "unable to convert structural schema to CEL declarations");
      return;
    }
    long often = times == null ? MOST_BYTES / (type.minSize() + 1) : times;
    List<CompiledRule> compiled = CompiledRule.compile(schema, type);
    for (int i = 0; i < compiled.size(); i++) {
      rule(compiled.get(i), all.index(i), often, uncorrelated);
    }
  }

  private void rule(
      CompiledRule compiled, FieldPath at, long often, @Nullable FieldPath uncorrelated) {
    JsonObject rule = compiled.rule();
    cost("estimated rule cost", product(compiled.maxCost(), often), at.field("rule"));
    if (!compiled.problem().isEmpty()) {
      errors.invalid(at.field("rule"), shown(rule), compiled.problem());
    }
    if (!compiled.messageProblem().isEmpty()) {
      errors.invalid(at.field("messageExpression"), shown(rule), compiled.messageProblem());
    } else if (compiled.message() != null) {
      cost(
          "estimated messageExpression cost",
          compiled.messageMaxCost(),
          at.field("messageExpression"));
    }
    if (compiled.usesOldSelf()) {
      if (uncorrelated != null) {
        errors.invalid(
            at.field("rule"),
            rule.text("rule", ""),
            "oldSelf cannot be used on the uncorrelatable portion of the schema within "
                + uncorrelated);
      }
    } else if (rule.has("optionalOldSelf") && compiled.problem().isEmpty()) {
      errors.invalid(
          at.field("optionalOldSelf"),
          rule.flag("optionalOldSelf", false),
          "may not be set if oldSelf is not used in rule");
    }
  }

  private static JsonObject shown(JsonObject rule) {
    return InternalForm.of("ValidationRule", rule);
  }

  private void cost(String what, long cost, FieldPath at) {
    if (!known && Long.compareUnsigned(cost, MOST_FOR_A_RULE) > 0) {
      errors.forbidden(at, exceeded(what, cost, MOST_FOR_A_RULE));
    }
    long sum = total + cost;
    total = Long.compareUnsigned(sum, total) < 0 ? -1L : sum;
    if (Long.compareUnsigned(cost, MOST_FOR_ALL / 100) >= 0) {
      costly.add(new Costly(at, cost));
    }
  }

  private void total(FieldPath at) {
    if (Long.compareUnsigned(total, MOST_FOR_ALL) <= 0) {
      return;
    }
    Comparator<Costly> dearest = (first, second) -> Long.compareUnsigned(second.cost, first.cost);
    costly.stream()
        .sorted(dearest)
        .limit(MOST_NAMED)
        .forEach(each ->
            errors.forbidden(
                each.at,
                "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3"
                    + " schema"));
    errors.forbidden(
        at,
        exceeded(
            "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema",
            total,
            MOST_FOR_ALL));
  }

  private static String exceeded(String what, long cost, long limit) {
    double unsigned = cost < 0 ? (cost >>> 1) * 2.0 : cost;
    double factor = unsigned / limit;
    String by =
        factor > MANY
            ? "more than 100x"
            : String.format(Locale.ROOT, factor < ABOUT_ONE ? "%fx" : "%.1fx", factor);
    return what
        + " exceeds budget by factor of "
        + by
        + " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where"
        + " arrays, maps, and strings are declared)";
  }
}
