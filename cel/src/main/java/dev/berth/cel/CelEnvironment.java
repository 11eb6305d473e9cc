package dev.berth.cel;

import dev.berth.cel.check.Checker;
import dev.berth.cel.check.Declarations;
import dev.berth.cel.eval.Plan;
import dev.berth.cel.syntax.Expr;
import dev.berth.cel.syntax.Parser;
import dev.berth.cel.syntax.Source;
import dev.berth.cel.value.CelException;
import dev.berth.cel.value.CelType;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What expressions of one place can say: which variables there are, and of which types. The
 * functions are those of Kubernetes 1.36 everywhere.
 *
 * <pre>
 * CelEnvironment environment = CelEnvironment.builder().variable("self", type).build();
 * switch (environment.compile("self.replicas &lt; 5", CelType.BOOL)) { … }
 * </pre>
 */
public final class CelEnvironment implements Declarations {
  private final Map<String, CelType> variables;
  private final Map<String, CelType> types = new HashMap<>();
  private final List<Function<String, @Nullable CelType>> typesByName;
  private final boolean bindings;

  private CelEnvironment(
      Map<String, CelType> variables,
      List<Function<String, @Nullable CelType>> typesByName,
      boolean bindings) {
    this.variables = variables;
    this.typesByName = typesByName;
    this.bindings = bindings;
    variables
        .values()
        .forEach(
            type -> type.reachableStructs().forEach(struct -> types.put(struct.name(), struct)));
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Collects what expressions can name. */
  public static final class Builder {
    private final Map<String, CelType> variables = new LinkedHashMap<>();
    private List<Function<String, @Nullable CelType>> typesByName = List.of();
    private boolean bindings;

    private Builder() {}

    public Builder variable(String name, CelType type) {
      variables.put(name, type);
      return this;
    }

    /** Adds types that are worked out from their names, of which objects can be made. */
    public Builder types(Function<String, @Nullable CelType> byName) {
      typesByName = List.of(byName);
      return this;
    }

    /** Lets expressions name values: {@code cel.bind(x, 1 + 1, x * x)}. */
    public Builder bindings() {
      bindings = true;
      return this;
    }

    public CelEnvironment build() {
      return new CelEnvironment(Map.copyOf(variables), typesByName, bindings);
    }
  }

  @Override
  public @Nullable CelType variable(String name) {
    return variables.get(name);
  }

  @Override
  public @Nullable CelType type(String name) {
    CelType declared = types.get(name);
    if (declared != null) {
      return declared;
    }
    for (Function<String, @Nullable CelType> byName : typesByName) {
      CelType type = byName.apply(name);
      if (type != null) {
        return type;
      }
    }
    return null;
  }

  /**
   * Compiles an expression.
   *
   * @param allowed the types that its result may have; none if any will do, or if the caller looks
   *     at {@link CelProgram#resultType()} itself
   */
  public CelCompilation compile(String expression, CelType... allowed) {
    Source source = new Source(expression);
    Expr tree = Parser.parse(source, bindings);
    if (tree == null) {
      return new CelCompilation.Failed("compilation failed: " + source.problems());
    }
    Checker.check(tree, source, this);
    if (source.hasProblems()) {
      return new CelCompilation.Failed("compilation failed: " + source.problems());
    }
    CelType result = tree.type();
    if (allowed.length > 0 && Stream.of(allowed).noneMatch(type -> type.isSame(result))) {
      return new CelCompilation.Failed(
          "must evaluate to %s but got %s".formatted(expected(allowed), result.declaredName()));
    }
    try {
      return new CelCompilation.Compiled(new CelProgram(expression, tree, Plan.of(tree)));
    } catch (CelException e) {
      return new CelCompilation.Failed("program instantiation failed: " + e.reason());
    }
  }

  private static String expected(CelType... allowed) {
    String names = Stream.of(allowed).map(CelType::declaredName).collect(Collectors.joining(" "));
    return allowed.length == 1 ? names : "one of [" + names + "]";
  }
}
