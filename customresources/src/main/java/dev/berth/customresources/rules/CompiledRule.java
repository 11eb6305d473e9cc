package dev.berth.customresources.rules;

import dev.berth.cel.CelCompilation;
import dev.berth.cel.CelEnvironment;
import dev.berth.cel.CelProgram;
import dev.berth.cel.check.SizeBounds;
import dev.berth.cel.schema.SchemaType;
import dev.berth.cel.value.CelType;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule of {@code x-kubernetes-validations} and what became of its expressions.
 *
 * @param program null if the expression is wrong
 * @param problem what is wrong with it; empty if nothing is
 * @param usesOldSelf whether it is about a change
 * @param maxCost the most that an evaluation can cost, unsigned
 * @param message makes the message of a failure; null if there is no expression, or a wrong one
 * @param messageProblem what is wrong with that; empty if nothing is
 */
public record CompiledRule(
    JsonObject rule,
    @Nullable CelProgram program,
    String problem,
    boolean usesOldSelf,
    long maxCost,
    @Nullable CelProgram message,
    String messageProblem,
    long messageMaxCost) {
  static final String SELF = "self";
  static final String OLD_SELF = "oldSelf";

  private static final String WRONG_TYPE = "must evaluate to";

  /** Compiles the rules of one schema, without those of the schemas in it. */
  public static List<CompiledRule> compile(StructuralSchema schema, SchemaType type) {
    CelEnvironment alone = environment(type, null);
    CelEnvironment withOld = environment(type, type.type());
    CelEnvironment withOptional = environment(type, CelType.optional(type.type()));
    List<CompiledRule> compiled = new ArrayList<>();
    for (JsonObject rule : schema.rules()) {
      CelEnvironment old = rule.flag("optionalOldSelf", false) ? withOptional : withOld;
      compiled.add(compile(rule, alone, old, type.sizeBounds()));
    }
    return compiled;
  }

  private static CelEnvironment environment(SchemaType type, @Nullable CelType old) {
    CelEnvironment.Builder builder = CelEnvironment.builder().variable(SELF, type.type());
    return (old == null ? builder : builder.variable(OLD_SELF, old)).build();
  }

  private static CompiledRule compile(
      JsonObject rule, CelEnvironment alone, CelEnvironment withOld, SizeBounds sizes) {
    String expression = rule.text("rule", "");
    // What compiles without the old value does not use it.
    CelCompilation first = alone.compile(expression, CelType.BOOL);
    boolean usesOld = false;
    if (first instanceof CelCompilation.Failed && expression.contains(OLD_SELF)) {
      first = withOld.compile(expression, CelType.BOOL);
      usesOld = true;
    }
    CelProgram program = first instanceof CelCompilation.Compiled(CelProgram made) ? made : null;
    String problem =
        first instanceof CelCompilation.Failed(String why)
            ? why.startsWith(WRONG_TYPE) ? "cel expression must evaluate to a bool" : why
            : "";
    String messageExpression = rule.text("messageExpression", "");
    CelProgram message = null;
    String messageProblem = "";
    if (!messageExpression.isBlank()) {
      switch (withOld.compile(messageExpression, CelType.STRING)) {
        case CelCompilation.Compiled(CelProgram made) -> message = made;
        case CelCompilation.Failed(String why) ->
            messageProblem =
                why.startsWith(WRONG_TYPE)
                    ? "messageExpression must evaluate to a string"
                    : "messageExpression " + why;
      }
    }
    return new CompiledRule(
        rule,
        program,
        problem,
        usesOld && program != null,
        cost(program, sizes),
        message,
        messageProblem,
        cost(message, sizes));
  }

  private static long cost(@Nullable CelProgram program, SizeBounds sizes) {
    return program == null ? 0 : program.estimateCost(sizes).max();
  }

  /** The rule as messages about its evaluation name it. */
  String shown() {
    String own = rule.text("message", "");
    return (own.isEmpty() ? rule.text("rule", "") : own).strip();
  }

  /** What whoever breaks the rule is told, if no expression says it. */
  String plainMessage() {
    return rule.text("message", "").isEmpty() ? "failed rule: " + shown() : shown();
  }
}
