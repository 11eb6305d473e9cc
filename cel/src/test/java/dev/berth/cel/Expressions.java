package dev.berth.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cel.eval.CelResult;
import dev.berth.cel.eval.CelVariables;
import dev.berth.cel.library.AccessCheck;
import dev.berth.cel.value.CelType;
import dev.berth.cel.value.Values;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Compiles and evaluates expressions for tests. */
final class Expressions {
  static final CelVariables VARIABLES =
      name ->
          switch (name) {
            case "authorizer" -> new Everything();
            case "d" ->
                tree(
                    """
                    {"a": {"b": "x"}, "list": ["a", "b"], "n": 3, "f": 1.5, "none": null,
                     "labels": {"app": "web", "a.b/c": "d"}}
                    """);
            default -> null;
          };

  private Expressions() {}

  static Object tree(String json) {
    return JsonReader.value(json.getBytes(StandardCharsets.UTF_8), JsonLimits.TRUSTED);
  }

  static CelProgram compile(CelEnvironment environment, String expression) {
    CelCompilation compilation = environment.compile(expression);
    assertThat(compilation).as(expression).isInstanceOf(CelCompilation.Compiled.class);
    return ((CelCompilation.Compiled) compilation).program();
  }

  /** What an expression comes to, with its type: {@code int 3}; or the error. */
  static String evaluate(CelEnvironment environment, String expression) {
    return switch (environment.compile(expression)) {
      case CelCompilation.Failed failed -> failed.message();
      case CelCompilation.Compiled compiled ->
          switch (compiled.program().evaluate(VARIABLES, Long.MAX_VALUE)) {
            case CelResult.Value value -> print(value.value());
            case CelResult.Failure failure -> "error: " + failure.message();
            case CelResult.BudgetExceeded exceeded -> exceeded.message();
          };
    };
  }

  private static String print(Object value) {
    return value instanceof CelType type
        ? "type " + type.name()
        : Values.typeOf(value).kind().toString().toLowerCase(Locale.ROOT) + " " + value;
  }

  /** Somebody who may do everything. */
  private static final class Everything implements AccessCheck {
    @Override
    public Decision decide(PathCheck path, String verb) {
      return new Decision(true, "allowed", "");
    }

    @Override
    public Decision decide(ResourceCheck resource, String verb) {
      return new Decision(true, "allowed", "");
    }

    @Override
    public AccessCheck asServiceAccount(String namespace, String name) {
      return this;
    }
  }
}
