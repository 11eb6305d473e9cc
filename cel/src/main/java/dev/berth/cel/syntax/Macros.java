package dev.berth.cel.syntax;

import dev.berth.cel.syntax.Expr.Call;
import dev.berth.cel.syntax.Expr.Comprehension;
import dev.berth.cel.syntax.Expr.Ident;
import dev.berth.cel.syntax.Expr.ListLiteral;
import dev.berth.cel.syntax.Expr.Literal;
import dev.berth.cel.syntax.Expr.Loop;
import dev.berth.cel.syntax.Expr.MapLiteral;
import dev.berth.cel.syntax.Expr.Select;
import dev.berth.cel.syntax.Expr.Variables;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls that are written like functions and stand for more: {@code has}, and folds over lists and
 * maps. All nodes that a macro makes are where its parenthesis is.
 */
final class Macros {
  private static final String RESULT = "@result";
  private static final String RESULT_OF_OLD = "__result__";

  /** The variable of a fold over nothing, by which a value gets a name. */
  private static final String UNUSED = "#unused";

  private final Source source;
  private final boolean bindings;

  /**
   * @param bindings whether {@code cel.bind} gives values names
   */
  Macros(Source source, boolean bindings) {
    this.source = source;
    this.bindings = bindings;
  }

  Expr global(int offset, String function, List<Expr> args) {
    if (function.equals("has") && args.size() == 1) {
      if (args.getFirst() instanceof Select select) {
        return new Select(offset, select.operand, select.field, true);
      }
      return error(args.getFirst(), "invalid argument to has() macro");
    }
    return new Call(offset, null, function, args);
  }

  Expr receiver(int offset, Expr target, String function, List<Expr> args) {
    Expansion at = new Expansion(offset);
    return switch (function + "/" + args.size()) {
      case "all/2", "exists/2", "exists_one/2", "existsOne/2" ->
          quantifier(at, target, function, args);
      case "map/2", "map/3" -> map(at, target, args);
      case "filter/2" -> filter(at, target, args);
      case "all/3", "exists/3", "exists_one/3", "existsOne/3" ->
          quantifierOfTwo(at, target, function, args);
      case "transformList/3", "transformList/4" -> transformList(at, target, args);
      case "transformMap/3", "transformMap/4" -> transformMap(at, target, args, true);
      case "transformMapEntry/3", "transformMapEntry/4" -> transformMap(at, target, args, false);
      case "optMap/2" -> optionalMap(at, target, args, "optMap");
      case "optFlatMap/2" -> optionalMap(at, target, args, "optFlatMap");
      case "sortBy/2" -> sortBy(at, target, args);
      case "bind/3" ->
          bindings && target instanceof Ident namespace && namespace.name.equals("cel")
              ? bind(at, args)
              : new Call(offset, target, function, args);
      default -> new Call(offset, target, function, args);
    };
  }

  private Expr error(Expr where, String message) {
    source.report(where.offset, message);
    return new Literal(where.offset, false);
  }

  /** Whether an argument can be the name of a variable; reports it if not. */
  private @Nullable String variable(Expr argument, String whenNotAName) {
    if (!(argument instanceof Ident ident)) {
      source.report(argument.offset, whenNotAName);
      return null;
    }
    if (ident.name.equals(RESULT) || ident.name.equals(RESULT_OF_OLD)) {
      source.report(argument.offset, "iteration variable overwrites accumulator variable");
      return null;
    }
    return ident.name;
  }

  private Expr quantifier(Expansion at, Expr target, String function, List<Expr> args) {
    String variable = variable(args.getFirst(), "argument must be a simple name");
    return variable == null
        ? at.literal(false)
        : at.quantifier(target, function, new Variables(variable, null, RESULT), args.get(1));
  }

  private @Nullable Variables twoVariables(List<Expr> args) {
    String first = variable(args.get(0), "argument must be a simple name");
    String second = variable(args.get(1), "argument must be a simple name");
    if (first == null || second == null) {
      return null;
    }
    if (first.equals(second)) {
      source.report(args.get(1).offset, "duplicate variable name: " + first);
      return null;
    }
    return new Variables(first, second, RESULT);
  }

  private Expr quantifierOfTwo(Expansion at, Expr target, String function, List<Expr> args) {
    Variables variables = twoVariables(args);
    return variables == null
        ? at.literal(false)
        : at.quantifier(target, function, variables, args.get(2));
  }

  private Expr map(Expansion at, Expr target, List<Expr> args) {
    String variable = variable(args.getFirst(), "argument is not an identifier");
    if (variable == null) {
      return at.literal(false);
    }
    Expr filter = args.size() == 3 ? args.get(1) : null;
    return at.fold(
        target,
        new Variables(variable, null, RESULT),
        at.list(),
        at.ifMatches(filter, at.call(Operators.ADD, at.accumulator(), at.list(args.getLast()))));
  }

  private Expr filter(Expansion at, Expr target, List<Expr> args) {
    String variable = variable(args.getFirst(), "argument is not an identifier");
    if (variable == null) {
      return at.literal(false);
    }
    return at.fold(
        target,
        new Variables(variable, null, RESULT),
        at.list(),
        at.ifMatches(
            args.get(1), at.call(Operators.ADD, at.accumulator(), at.list(args.getFirst()))));
  }

  private Expr transformList(Expansion at, Expr target, List<Expr> args) {
    Variables variables = twoVariables(args);
    if (variables == null) {
      return at.literal(false);
    }
    Expr filter = args.size() == 4 ? args.get(2) : null;
    return at.fold(
        target,
        variables,
        at.list(),
        at.ifMatches(filter, at.call(Operators.ADD, at.accumulator(), at.list(args.getLast()))));
  }

  private Expr transformMap(Expansion at, Expr target, List<Expr> args, boolean keepsKey) {
    Variables variables = twoVariables(args);
    if (variables == null) {
      return at.literal(false);
    }
    Expr filter = args.size() == 4 ? args.get(2) : null;
    Expr insert =
        keepsKey
            ? at.call(
                Operators.MAP_INSERT,
                at.accumulator(),
                at.ident(variables.iterVar()),
                args.getLast())
            : at.call(Operators.MAP_INSERT, at.accumulator(), args.getLast());
    return at.fold(target, variables, at.map(), at.ifMatches(filter, insert));
  }

  private Expr optionalMap(Expansion at, Expr target, List<Expr> args, String macro) {
    if (!(args.getFirst() instanceof Ident ident)) {
      return error(args.getFirst(), macro + "() variable name must be a simple identifier");
    }
    Expr bound = at.bind(ident.name, at.member(target.copy(), "value"), args.get(1));
    return at.call(
        Operators.CONDITIONAL,
        at.member(target, "hasValue"),
        macro.equals("optMap") ? at.call("optional.of", bound) : bound,
        at.call("optional.none"));
  }

  private Expr bind(Expansion at, List<Expr> args) {
    return args.getFirst() instanceof Ident ident
        ? at.bind(ident.name, args.get(1), args.get(2))
        : error(args.getFirst(), "cel.bind() variable names must be simple identifiers");
  }

  private Expr sortBy(Expansion at, Expr target, List<Expr> args) {
    if (target instanceof Literal || target instanceof MapLiteral) {
      return error(
          target,
          "sortBy can only be applied to a list, identifier, comprehension, call or select"
              + " expression");
    }
    String input = "@__sortBy_input__";
    Expr keys = map(at, at.ident(input), args);
    return at.bind(input, target, at.member(at.ident(input), Operators.SORT_BY_KEYS, keys));
  }

  /** Makes nodes at the place of a macro. */
  private record Expansion(int offset) {
    Literal literal(Object value) {
      return new Literal(offset, value);
    }

    Ident ident(String name) {
      return new Ident(offset, name);
    }

    Ident accumulator() {
      return ident(RESULT);
    }

    Call call(String function, Expr... args) {
      return new Call(offset, null, function, List.of(args));
    }

    Call member(Expr target, String function, Expr... args) {
      return new Call(offset, target, function, List.of(args));
    }

    ListLiteral list(Expr... elements) {
      return new ListLiteral(
          offset, List.of(elements), List.of(elements).stream().map(_ -> false).toList());
    }

    MapLiteral map() {
      return new MapLiteral(offset, List.of());
    }

    Expr ifMatches(@Nullable Expr filter, Expr step) {
      return filter == null ? step : call(Operators.CONDITIONAL, filter, step, accumulator());
    }

    Expr fold(Expr target, Variables variables, Expr init, Expr step) {
      return new Comprehension(
          offset, target, variables, init, new Loop(literal(true), step), accumulator());
    }

    /** A value under a name: the accumulator of a fold over nothing. */
    Expr bind(String name, Expr value, Expr in) {
      return new Comprehension(
          offset,
          list(),
          new Variables(UNUSED, null, name),
          value,
          new Loop(literal(false), ident(name)),
          in);
    }

    Expr quantifier(Expr target, String function, Variables variables, Expr predicate) {
      return switch (function) {
        case "all" ->
            new Comprehension(
                offset,
                target,
                variables,
                literal(true),
                new Loop(
                    call(Operators.NOT_STRICTLY_FALSE, accumulator()),
                    call(Operators.AND, accumulator(), predicate)),
                accumulator());
        case "exists" ->
            new Comprehension(
                offset,
                target,
                variables,
                literal(false),
                new Loop(
                    call(Operators.NOT_STRICTLY_FALSE, call(Operators.NOT, accumulator())),
                    call(Operators.OR, accumulator(), predicate)),
                accumulator());
        default ->
            new Comprehension(
                offset,
                target,
                variables,
                literal(0L),
                new Loop(
                    literal(true),
                    call(
                        Operators.CONDITIONAL,
                        predicate,
                        call(Operators.ADD, accumulator(), literal(1L)),
                        accumulator())),
                call(Operators.EQUALS, accumulator(), literal(1L)));
      };
    }
  }
}
