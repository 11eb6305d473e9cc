package dev.berth.cel.check;

import dev.berth.cel.library.FunctionTable;
import dev.berth.cel.library.Overload;
import dev.berth.cel.syntax.Expr;
import dev.berth.cel.syntax.Expr.Call;
import dev.berth.cel.syntax.Expr.Comprehension;
import dev.berth.cel.syntax.Expr.Entry;
import dev.berth.cel.syntax.Expr.Ident;
import dev.berth.cel.syntax.Expr.ListLiteral;
import dev.berth.cel.syntax.Expr.Literal;
import dev.berth.cel.syntax.Expr.MapLiteral;
import dev.berth.cel.syntax.Expr.Select;
import dev.berth.cel.syntax.Expr.StructLiteral;
import dev.berth.cel.syntax.Operators;
import dev.berth.cel.syntax.Source;
import dev.berth.cel.value.CelField;
import dev.berth.cel.value.CelType;
import dev.berth.cel.value.CelType.Kind;
import dev.berth.cel.value.Values;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Works out the type of each node and which overloads are called, and reports what is wrong. */
public final class Checker {
  private final Source source;
  private final Declarations declarations;
  private final FunctionTable functions = FunctionTable.instance();
  private final TypeMapping mapping = new TypeMapping();
  private final Deque<Map<String, CelType>> scopes = new ArrayDeque<>();
  private final List<Expr> checked = new ArrayList<>();
  private int typeVariables;

  private Checker(Source source, Declarations declarations) {
    this.source = source;
    this.declarations = declarations;
  }

  /** Notes types in the tree, and problems in the source. */
  public static void check(Expr expression, Source source, Declarations declarations) {
    Checker checker = new Checker(source, declarations);
    checker.check(expression);
    for (Expr node : checker.checked) {
      node.setType(checker.mapping.substitute(node.type(), true));
    }
    if (!source.hasProblems()) {
      LiteralChecks.check(expression, source);
    }
  }

  private void check(Expr expression) {
    CelType type =
        switch (expression) {
          case Literal literal -> Values.typeOf(literal.value);
          case Ident ident -> ident(ident);
          case Select select -> select(select);
          case Call call -> call(call);
          case ListLiteral list -> list(list);
          case MapLiteral map -> map(map);
          case StructLiteral struct -> struct(struct);
          case Comprehension comprehension -> comprehension(comprehension);
        };
    expression.setType(type);
    checked.add(expression);
  }

  private void undeclared(Expr where, String name) {
    source.report(where.offset, "undeclared reference to '" + name + "' (in container '')");
  }

  /** What a name stands for: a variable, or a type as a value. */
  private @Nullable CelType lookUp(String dotted) {
    String name = dotted.startsWith(".") ? dotted.substring(1) : dotted;
    for (Map<String, CelType> scope : scopes) {
      CelType local = scope.get(name);
      if (local != null) {
        return local;
      }
    }
    CelType variable = declarations.variable(name);
    if (variable != null) {
      return variable;
    }
    CelType struct = declarations.type(name);
    if (struct != null) {
      return CelType.typeOf(struct);
    }
    CelType type = functions.type(name);
    return type == null ? null : CelType.typeOf(type);
  }

  private CelType ident(Ident ident) {
    CelType type = lookUp(ident.name);
    if (type == null) {
      undeclared(ident, ident.name);
      return CelType.ERROR;
    }
    return type;
  }

  private CelType select(Select select) {
    String name = select.dottedName();
    if (name != null && !isVariable(name)) {
      CelType type = lookUp(name);
      if (type != null) {
        select.setQualifiedName(name);
        return type;
      }
    }
    CelType field = field(select, select.operand, select.field, false);
    return select.testOnly ? CelType.BOOL : mapping.substitute(field, false);
  }

  /** Whether the first part of a dotted name is a variable of a comprehension, which wins. */
  private boolean isVariable(String dotted) {
    String first = dotted.substring(0, dotted.indexOf('.', 1));
    return scopes.stream().anyMatch(scope -> scope.containsKey(first));
  }

  private CelType field(Expr where, Expr operand, String field, boolean optional) {
    check(operand);
    CelType operandType = mapping.substitute(operand.type(), false);
    boolean ofOptional = operandType.isOptional();
    CelType target = ofOptional ? operandType.parameter(0) : operandType;
    CelType result =
        switch (target.kind()) {
          case MAP -> target.parameter(1);
          case STRUCT -> structField(where.offset, target, field);
          case TYPE_PARAM -> {
            mapping.isAssignable(CelType.DYN, target);
            yield CelType.DYN;
          }
          default -> {
            if (!target.isDynOrError()) {
              source.report(where.offset, "type '" + target + "' does not support field selection");
            }
            yield CelType.DYN;
          }
        };
    return ofOptional || optional ? CelType.optional(result) : result;
  }

  private CelType structField(int offset, CelType struct, String field) {
    CelField found = struct.field(field);
    if (found == null) {
      source.report(offset, "undefined field '" + field + "'");
      return CelType.ERROR;
    }
    return found.type();
  }

  private CelType call(Call call) {
    if (call.function.equals(Operators.OPTIONAL_SELECT)) {
      Literal name = (Literal) call.args.get(1);
      check(name);
      CelType type = field(call, call.args.getFirst(), (String) name.value, true);
      call.setOverloads(List.of("select_optional_field"));
      return mapping.substitute(type, false);
    }
    call.args.forEach(this::check);
    if (call.target == null) {
      String name = call.function.startsWith(".") ? call.function.substring(1) : call.function;
      List<Overload> overloads = functions.find(name);
      if (overloads == null) {
        undeclared(call, call.function);
        return CelType.ERROR;
      }
      return resolve(call, name, overloads, null);
    }
    String prefix = call.target.dottedName();
    if (prefix != null) {
      String qualified = prefix + "." + call.function;
      List<Overload> overloads = functions.find(qualified);
      if (overloads != null) {
        call.setQualifiedFunction(qualified);
        return resolve(call, qualified, overloads, null);
      }
    }
    check(call.target);
    List<Overload> overloads = functions.find(call.function);
    if (overloads == null) {
      undeclared(call, call.function);
      return CelType.ERROR;
    }
    return resolve(call, call.function, overloads, call.target);
  }

  private CelType resolve(Call call, String name, List<Overload> overloads, @Nullable Expr target) {
    List<CelType> args = new ArrayList<>();
    if (target != null) {
      args.add(target.type());
    }
    call.args.forEach(arg -> args.add(arg.type()));
    if (name.equals(Operators.AND) || name.equals(Operators.OR)) {
      return logical(call, args, overloads.getFirst());
    }
    List<String> ids = new ArrayList<>();
    CelType result = null;
    for (Overload overload : overloads) {
      if (overload.member() != (target != null)) {
        continue;
      }
      TypeInstance instance = instance(overload);
      if (mapping.isAssignable(args, instance.args())) {
        ids.add(overload.id());
        CelType type = mapping.substitute(instance.result(), false);
        if (result == null) {
          result = type;
        } else if (!result.isDyn() && !type.isSame(result)) {
          result = CelType.DYN;
        }
      }
    }
    if (result == null) {
      List<CelType> shown = args.stream().map(arg -> mapping.substitute(arg, true)).toList();
      source.report(
          call.offset,
          "found no matching overload for '"
              + name
              + "' applied to '"
              + signature(shown, target != null)
              + "'");
      return CelType.ERROR;
    }
    call.setOverloads(ids);
    return result;
  }

  private static String signature(List<CelType> args, boolean member) {
    String prefix = member ? args.getFirst() + "." : "";
    return args.stream()
        .skip(member ? 1 : 0)
        .map(CelType::toString)
        .collect(Collectors.joining(", ", prefix + "(", ")"));
  }

  private CelType logical(Call call, List<CelType> args, Overload overload) {
    boolean right = true;
    for (int i = 0; i < args.size(); i++) {
      if (!mapping.isAssignable(args.get(i), CelType.BOOL)) {
        mismatch(call.args.get(i), CelType.BOOL, args.get(i));
        right = false;
      }
    }
    call.setOverloads(List.of(overload.id()));
    return right ? CelType.BOOL : CelType.ERROR;
  }

  private void mismatch(Expr where, CelType expected, CelType found) {
    source.report(
        where.offset,
        "expected type '"
            + mapping.substitute(expected, true)
            + "' but found '"
            + mapping.substitute(found, true)
            + "'");
  }

  private record TypeInstance(List<CelType> args, CelType result) {}

  /** The types of an overload with fresh parameters, since each call decides its own. */
  private TypeInstance instance(Overload overload) {
    if (!overload.isGeneric()) {
      return new TypeInstance(overload.args(), overload.result());
    }
    Map<String, CelType> fresh = new HashMap<>();
    return new TypeInstance(
        overload.args().stream().map(arg -> fresh(arg, fresh)).toList(),
        fresh(overload.result(), fresh));
  }

  private CelType fresh(CelType type, Map<String, CelType> fresh) {
    if (type.kind() == Kind.TYPE_PARAM) {
      return fresh.computeIfAbsent(type.name(), _ -> typeVariable());
    }
    if (type.parameters().isEmpty()) {
      return type;
    }
    return type.withParameters(type.parameters().stream().map(part -> fresh(part, fresh)).toList());
  }

  private CelType typeVariable() {
    return CelType.parameter("_var" + typeVariables++);
  }

  private CelType unwrapped(Expr value, boolean optional) {
    CelType type = value.type();
    if (!optional) {
      return type;
    }
    if (type.isOptional()) {
      return type.parameter(0);
    }
    if (!type.isDyn()) {
      mismatch(value, CelType.optional(type), type);
    }
    return type;
  }

  private CelType list(ListLiteral list) {
    CelType joined = null;
    for (int i = 0; i < list.elements.size(); i++) {
      Expr element = list.elements.get(i);
      check(element);
      joined = join(joined, unwrapped(element, list.optional.get(i)));
    }
    return CelType.list(joined == null ? typeVariable() : joined);
  }

  private CelType map(MapLiteral map) {
    CelType keys = null;
    CelType values = null;
    for (Entry entry : map.entries) {
      check(entry.key());
      keys = join(keys, entry.key().type());
      check(entry.value());
      values = join(values, unwrapped(entry.value(), entry.optional()));
    }
    return CelType.map(
        keys == null ? typeVariable() : keys, values == null ? typeVariable() : values);
  }

  private CelType join(@Nullable CelType previous, CelType current) {
    if (previous == null) {
      return current;
    }
    return mapping.isAssignable(previous, current)
        ? TypeMapping.mostGeneral(previous, current)
        : CelType.DYN;
  }

  private CelType struct(StructLiteral struct) {
    CelType named = lookUp(struct.typeName);
    if (named == null) {
      undeclared(struct, struct.typeName);
      return CelType.ERROR;
    }
    CelType type = CelType.ERROR;
    if (named.kind() != Kind.TYPE || named.parameters().isEmpty()) {
      source.report(struct.offset, "'" + named + "' is not a type");
    } else if (named.parameter(0).kind() != Kind.STRUCT) {
      source.report(struct.offset, "'" + named.parameter(0) + "' is not a message type");
    } else {
      type = named.parameter(0);
    }
    for (Entry field : struct.fields) {
      check(field.value());
      if (type.kind() != Kind.STRUCT) {
        continue;
      }
      String name = (String) ((Literal) field.key()).value;
      CelType fieldType = structField(field.offset(), type, name);
      CelType valueType = unwrapped(field.value(), field.optional());
      if (!mapping.isAssignable(fieldType, valueType)) {
        source.report(
            field.offset(),
            "expected type of field '"
                + name
                + "' is '"
                + fieldType
                + "' but provided type is '"
                + mapping.substitute(valueType, true)
                + "'");
      }
    }
    return type;
  }

  private CelType comprehension(Comprehension fold) {
    check(fold.range);
    check(fold.accuInit);
    CelType range = mapping.substitute(fold.range.type(), false);
    CelType accumulator = fold.accuInit.type();
    scopes.push(Map.of(fold.accuVar, accumulator));
    Map<String, CelType> variables = iterationVariables(fold, range);
    scopes.push(variables);
    check(fold.condition);
    assertType(fold.condition, CelType.BOOL);
    check(fold.step);
    assertType(fold.step, accumulator);
    scopes.pop();
    check(fold.result);
    scopes.pop();
    return mapping.substitute(fold.result.type(), false);
  }

  private Map<String, CelType> iterationVariables(Comprehension fold, CelType range) {
    CelType first;
    CelType second;
    switch (range.kind()) {
      case LIST -> {
        first = fold.iterVar2 == null ? range.parameter(0) : CelType.INT;
        second = range.parameter(0);
      }
      case MAP -> {
        first = range.parameter(0);
        second = range.parameter(1);
      }
      case DYN, ERROR, TYPE_PARAM -> {
        mapping.isAssignable(CelType.DYN, range);
        first = CelType.DYN;
        second = CelType.DYN;
      }
      default -> {
        source.report(
            fold.range.offset,
            "expression of type '"
                + range
                + "' cannot be range of a comprehension (must be list, map, or dynamic)");
        first = CelType.ERROR;
        second = CelType.ERROR;
      }
    }
    return fold.iterVar2 == null
        ? Map.of(fold.iterVar, first)
        : Map.of(fold.iterVar, first, fold.iterVar2, second);
  }

  private void assertType(Expr expression, CelType type) {
    if (!mapping.isAssignable(type, expression.type())) {
      mismatch(expression, type, expression.type());
    }
  }
}
