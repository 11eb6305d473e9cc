package dev.berth.customresources.rules;

import dev.berth.cel.CelProgram;
import dev.berth.cel.eval.CelResult;
import dev.berth.cel.eval.CelVariables;
import dev.berth.cel.schema.FieldNames;
import dev.berth.cel.schema.SchemaType;
import dev.berth.cel.schema.SchemaTypes;
import dev.berth.cel.value.Values;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.FieldError.Reason;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a schema and of all schemas in it, checked against objects. All evaluations for an
 * object share a budget; when it is used up, the object is refused.
 *
 * <p>A rule that a value broke before, and that says nothing of the old value, is forgiven while
 * the value does not change. Compiled when the first object is written; safe to use from any
 * thread.
 */
public final class SchemaRules {
  private static final long BUDGET = 20_000_000;
  private static final long PER_CALL = 1_000_000;
  private static final int LONGEST_MESSAGE = 5 * 1024;
  private static final String OUT_OF_BUDGET =
      "validation failed due to running out of cost budget, no further validation rules will be"
          + " run";

  private final @Nullable Node root;

  private SchemaRules(StructuralSchema schema, boolean ofObject) {
    root =
        hasRules(schema)
            ? Node.of(schema, SchemaTypes.declare(schema.source(), "selfType", ofObject))
            : null;
  }

  public static SchemaRules of(StructuralSchema schema) {
    return schema.view(SchemaRules.class, own -> new SchemaRules(own, true));
  }

  /** The rules of a part of an object's schema, for the values that it gives by default. */
  public static SchemaRules ofPart(StructuralSchema schema) {
    return new SchemaRules(schema, schema.isEmbeddedResource());
  }

  public boolean isEmpty() {
    return root == null;
  }

  /** Whether a schema or one in it has rules. */
  public static boolean hasRules(StructuralSchema schema) {
    return !schema.rules().isEmpty()
        || (schema.items() != null && hasRules(schema.items()))
        || (schema.additional() != null && hasRules(schema.additional()))
        || schema.properties().values().stream().anyMatch(SchemaRules::hasRules);
  }

  /** The rules at one place of a schema. */
  private record Node(
      StructuralSchema schema,
      List<CompiledRule> rules,
      @Nullable Node items,
      @Nullable Node additional,
      Map<String, Node> properties) {

    static @Nullable Node of(StructuralSchema schema, @Nullable SchemaType type) {
      if (type == null || !hasRules(schema)) {
        return null;
      }
      StructuralSchema items = schema.items();
      StructuralSchema others = schema.additional();
      Map<String, Node> properties = new HashMap<>();
      schema
          .properties()
          .forEach((name, property) -> {
            Optional<String> escaped = FieldNames.escape(name);
            SchemaType inside =
                escaped.isPresent()
                    ? type.fields().get(escaped.get())
                    : SchemaTypes.declare(
                        property.source(), "selfType", property.isEmbeddedResource());
            Node node = of(property, inside);
            if (node != null) {
              properties.put(name, node);
            }
          });
      return new Node(
          schema,
          CompiledRule.compile(schema, type),
          items == null ? null : of(items, type.element()),
          others == null ? null : of(others, type.element()),
          properties);
    }
  }

  /** What is wrong with an object by its rules. */
  public List<FieldError> check(JsonObject object, @Nullable JsonObject old) {
    return checked(object, old).errors;
  }

  /** What is wrong with an object by its rules, but is let in, for that it was before. */
  public List<FieldError> forgiven(JsonObject object, JsonObject old) {
    return checked(object, old).forgiven;
  }

  private Check checked(JsonObject object, @Nullable JsonObject old) {
    Check check = new Check();
    if (root != null) {
      check.value(root, object, old, new Correlation(object, old, null), FieldPath.ROOT);
    }
    return check;
  }

  /**
   * What is wrong with a value that is there by default: it must be one that may stay, and one that
   * may come.
   */
  public List<FieldError> checkDefault(Object value, FieldPath at) {
    if (root == null) {
      return List.of();
    }
    // Only rules that compare can tell a value that stays from one that comes.
    Check staying = new Check();
    staying.value(root, value, value, new Correlation(value, null, null), at);
    if (!staying.errors.isEmpty()) {
      return staying.errors;
    }
    Check coming = new Check();
    coming.value(root, value, null, new Correlation(value, null, null), at);
    return coming.errors;
  }

  /** A value, what it was before, and what it is a part of. */
  private record Correlation(Object value, @Nullable Object old, @Nullable Correlation parent) {

    /** Whether nothing changed here, or around here if it is not known what was here. */
    boolean isUnchanged() {
      if (old != null) {
        return old.equals(value);
      }
      return parent != null && parent.isUnchanged();
    }
  }

  /** The check of one object. */
  private static final class Check {
    private final List<FieldError> errors = new ArrayList<>();
    private final List<FieldError> forgiven = new ArrayList<>();
    private long budget = BUDGET;

    /** False once no further rules are to be asked. */
    boolean value(
        Node node, Object value, @Nullable Object old, Correlation correlation, FieldPath at) {
      if (value instanceof JsonNull) {
        return true;
      }
      Object before = old instanceof JsonNull ? null : old;
      if (!rules(node, value, before, correlation, at)) {
        return false;
      }
      return switch (value) {
        case JsonArray array -> array(node, array, before, correlation, at);
        case JsonObject object -> object(node, object, before, correlation, at);
        default -> true;
      };
    }

    private boolean array(
        Node node, JsonArray array, @Nullable Object old, Correlation correlation, FieldPath at) {
      if (node.items == null) {
        return true;
      }
      Map<JsonObject, Object> earlier = new HashMap<>();
      boolean keyed = node.schema.listType().equals("map");
      if (keyed && old instanceof JsonArray before) {
        before.values().forEach(element -> earlier.putIfAbsent(key(node, element), element));
      }
      for (int i = 0; i < array.size(); i++) {
        Object element = array.get(i);
        Object before = earlier.isEmpty() ? null : earlier.get(key(node, element));
        if (!value(
            node.items,
            element,
            before,
            new Correlation(element, before, correlation),
            at.index(i))) {
          return false;
        }
      }
      return true;
    }

    private static JsonObject key(Node node, Object element) {
      JsonObject key = JsonObject.EMPTY;
      for (String name : node.schema.listMapKeys()) {
        Object value = element instanceof JsonObject object ? object.get(name) : null;
        key = value == null ? key : key.with(name, value);
      }
      return key;
    }

    private boolean object(
        Node node, JsonObject object, @Nullable Object old, Correlation correlation, FieldPath at) {
      boolean atomic = node.schema.mapType().equals("atomic");
      JsonObject before = !atomic && old instanceof JsonObject earlier ? earlier : JsonObject.EMPTY;
      for (int i = 0; i < object.size(); i++) {
        String name = object.name(i);
        Node own = node.properties.get(name);
        boolean declared = node.schema.property(name) != null;
        Node inside = own == null && !declared ? node.additional : own;
        if (inside == null) {
          continue;
        }
        Object value = object.value(i);
        boolean changes =
            correlation.parent == null && (name.equals("apiVersion") || name.equals("kind"));
        Object earlier = before.get(name);
        Correlation part =
            changes
                ? new Correlation(value, null, null)
                : new Correlation(value, earlier, correlation);
        FieldPath place = declared ? at.field(name) : at.key(name);
        if (!value(inside, value, earlier, part, place)) {
          return false;
        }
      }
      return true;
    }

    private boolean rules(
        Node node, Object value, @Nullable Object old, Correlation correlation, FieldPath at) {
      for (CompiledRule rule : node.rules) {
        boolean optional = rule.rule().flag("optionalOldSelf", false);
        if (rule.usesOldSelf() && old == null && !optional) {
          continue;
        }
        if (!rule.problem().isEmpty()) {
          invalid(at, node, "rule compile error: " + rule.problem());
          continue;
        }
        CelProgram program = rule.program();
        if (program == null) {
          continue;
        }
        if (budget <= 0) {
          invalid(at, node, OUT_OF_BUDGET);
          return false;
        }
        CelVariables variables = variables(value, old, optional);
        CelResult result = program.evaluate(variables, PER_CALL);
        if (result.cost() > budget) {
          invalid(at, node, OUT_OF_BUDGET);
          return false;
        }
        budget -= result.cost();
        switch (result) {
          case CelResult.Value(Object answer, long _) -> {
            if (!Boolean.TRUE.equals(answer)) {
              boolean counts = rule.usesOldSelf() || !correlation.isUnchanged();
              (counts ? errors : forgiven).add(error(rule, node, value, variables, at));
            }
          }
          case CelResult.Failure(String message, long _) ->
              invalid(
                  at,
                  node,
                  message.startsWith("no such overload")
                      ? "'%s': call arguments did not match a supported operator, function or macro signature for rule: %s"
                          .formatted(message, rule.shown())
                      : "%s evaluating rule: %s".formatted(message, rule.shown()));
          case CelResult.BudgetExceeded exceeded -> {
            invalid(
                at,
                node,
                "'%s': no further validation rules will be run due to call cost exceeds limit for rule: %s"
                    .formatted(exceeded.message(), rule.shown()));
            return false;
          }
        }
      }
      return true;
    }

    private static CelVariables variables(Object value, @Nullable Object old, boolean optional) {
      return name ->
          switch (name) {
            case CompiledRule.SELF -> Values.fromTree(value);
            case CompiledRule.OLD_SELF ->
                optional
                    ? Optional.ofNullable(old).map(Values::fromTree)
                    : old == null ? null : Values.fromTree(old);
            default -> null;
          };
    }

    private void invalid(FieldPath at, Node node, String detail) {
      errors.add(FieldError.invalid(shown(at, ""), node.schema.type(), detail));
    }

    private static String shown(FieldPath at, String below) {
      String path = at.toString();
      String whole = path.isEmpty() || below.isEmpty() ? path + below : path + "." + below;
      return whole.isEmpty() ? "<nil>" : whole;
    }

    private FieldError error(
        CompiledRule rule, Node node, Object value, CelVariables variables, FieldPath at) {
      String detail = message(rule, variables).orElseGet(rule::plainMessage);
      String path =
          SchemaPath.find(rule.rule().text("fieldPath", ""), node.schema, true)
                  instanceof SchemaPath.Found(String found, StructuralSchema _)
              ? found
              : "";
      String field = shown(at, path);
      boolean scalar = !(value instanceof JsonObject) && !(value instanceof JsonArray);
      Object shown = scalar ? value : null;
      return switch (rule.rule().text("reason", "")) {
        case "FieldValueForbidden" -> FieldError.forbidden(field, detail);
        case "FieldValueRequired" -> FieldError.required(field, detail);
        case "FieldValueDuplicate" -> new FieldError(Reason.DUPLICATE, field, shown, "");
        default -> new FieldError(Reason.INVALID, field, shown, detail);
      };
    }

    /** The message that an expression makes; none if it makes none that can be shown. */
    private Optional<String> message(CompiledRule rule, CelVariables variables) {
      CelProgram program = rule.message();
      if (program == null || budget <= 0) {
        return Optional.empty();
      }
      CelResult result = program.evaluate(variables, Math.min(PER_CALL, budget));
      budget -= result.cost();
      return result instanceof CelResult.Value(String text, long _)
              && !text.isBlank()
              && text.length() <= LONGEST_MESSAGE
              && text.strip().indexOf('\n') < 0
          ? Optional.of(text.strip())
          : Optional.empty();
    }
  }
}
