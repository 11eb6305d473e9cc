package dev.berth.cel.eval;

import dev.berth.cel.library.FunctionTable;
import dev.berth.cel.library.Overload;
import dev.berth.cel.library.RegexFunctions;
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
import dev.berth.cel.value.CelField;
import dev.berth.cel.value.CelType;
import dev.berth.cel.value.CelType.Kind;
import dev.berth.cel.value.Numbers;
import dev.berth.cel.value.Values;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a plan of a checked expression. What depends on constants alone is worked out here, and
 * costs nothing later.
 */
final class Planner {
  private static final Set<String> CONVERSIONS =
      Set.of(
          "bool",
          "bytes",
          "double",
          "duration",
          "dyn",
          "int",
          "string",
          "timestamp",
          "type",
          "uint");

  private final FunctionTable functions = FunctionTable.instance();
  private final Deque<Map<String, Integer>> scopes = new ArrayDeque<>();
  private int slots;

  int slots() {
    return slots;
  }

  Node plan(Expr expression) {
    return switch (expression) {
      case Literal literal -> new Node.Constant(literal.value);
      case Ident ident -> name(ident.name, ident.type());
      case Select select -> select(select);
      case Call call -> call(call);
      case ListLiteral list -> list(list);
      case MapLiteral map -> map(map);
      case StructLiteral struct -> struct(struct);
      case Comprehension fold -> fold(fold);
    };
  }

  private AttributeNode name(String dotted, CelType type) {
    String name = dotted.startsWith(".") ? dotted.substring(1) : dotted;
    for (Map<String, Integer> scope : scopes) {
      Integer slot = scope.get(name);
      if (slot != null) {
        return new AttributeNode(new AttributeNode.Local(slot));
      }
    }
    if (type.kind() == Kind.TYPE && functions.type(name) != null) {
      CelType named = type.parameters().isEmpty() ? CelType.TYPE : type.parameter(0);
      return new AttributeNode(new AttributeNode.Relative(new Node.Constant(named)));
    }
    return new AttributeNode(new AttributeNode.Variable(name, Conversion.to(type)));
  }

  private Node select(Select select) {
    String qualified = select.qualifiedName();
    if (qualified != null) {
      return name(qualified, select.type());
    }
    AttributeNode operand = attribute(plan(select.operand));
    CelType owner = select.operand.type();
    return select.testOnly
        ? new AttributeNode.Presence(operand, field(owner, select.field, false, CelType.DYN))
        : operand.with(field(owner, select.field, false, select.type()));
  }

  private static AttributeNode attribute(Node node) {
    return node instanceof AttributeNode attribute
        ? attribute
        : new AttributeNode(new AttributeNode.Relative(node));
  }

  private static Qualifier field(CelType owner, String name, boolean optional, CelType type) {
    return Qualifier.field(property(owner, name), declared(owner, name) != null, optional, type);
  }

  /** A field's name in the tree, which may have to be escaped in expressions. */
  private static String property(CelType operand, String field) {
    CelField declared = declared(operand, field);
    return declared == null ? field : declared.property();
  }

  private static @Nullable CelField declared(CelType operand, String field) {
    CelType type = operand.isOptional() ? operand.parameter(0) : operand;
    return type.kind() == Kind.STRUCT ? type.field(field) : null;
  }

  private Node call(Call call) {
    List<Expr> args = call.args;
    return switch (call.functionName()) {
      case Operators.AND, Operators.OR -> {
        boolean deciding = call.functionName().equals(Operators.OR);
        yield new LogicNodes.Junction(plan(args.get(0)), plan(args.get(1)), deciding);
      }
      case Operators.NOT -> new LogicNodes.Not(plan(args.getFirst()));
      case Operators.NOT_STRICTLY_FALSE -> new LogicNodes.NotStrictlyFalse(plan(args.getFirst()));
      case Operators.CONDITIONAL ->
          new AttributeNode(
              new AttributeNode.Conditional(
                  plan(args.get(0)), plan(args.get(1)), plan(args.get(2))));
      case Operators.INDEX, Operators.OPTIONAL_INDEX -> {
        boolean optional = call.function.equals(Operators.OPTIONAL_INDEX);
        AttributeNode operand = attribute(plan(args.getFirst()));
        yield operand.with(Qualifier.index(plan(args.get(1)), optional, call.type()));
      }
      case Operators.OPTIONAL_SELECT -> {
        String field = (String) ((Literal) args.get(1)).value;
        AttributeNode operand = attribute(plan(args.getFirst()));
        yield operand.with(field(args.getFirst().type(), field, true, call.type()));
      }
      case Operators.NEGATE -> new OperatorNodes.Negate(plan(args.getFirst()));
      case Operators.IN -> membership(call);
      default -> {
        OperatorNodes.Operation operation = operation(call);
        yield operation == null
            ? function(call)
            : new OperatorNodes.Binary(plan(args.get(0)), plan(args.get(1)), operation, cost(call));
      }
    };
  }

  private static CallCost cost(Call call) {
    String overload = call.overloads().size() == 1 ? call.overloads().getFirst() : "";
    if (call.function.equals(Operators.NOT_EQUALS)) {
      overload = "not_equals";
    }
    return CallCost.of(call.functionName(), overload);
  }

  private static OperatorNodes.@Nullable Operation operation(Call call) {
    return switch (call.functionName()) {
      case Operators.EQUALS ->
          OperatorNodes.equality(false, call.args.getFirst().type().listSemantics());
      case Operators.NOT_EQUALS ->
          OperatorNodes.equality(true, call.args.getFirst().type().listSemantics());
      case Operators.LESS -> OperatorNodes.comparison(order -> order < 0);
      case Operators.LESS_EQUALS -> OperatorNodes.comparison(order -> order <= 0);
      case Operators.GREATER -> OperatorNodes.comparison(order -> order > 0);
      case Operators.GREATER_EQUALS -> OperatorNodes.comparison(order -> order >= 0);
      case Operators.ADD -> OperatorNodes.addition(call.args.getFirst().type().listSemantics());
      case Operators.SUBTRACT -> Numbers::subtract;
      case Operators.MULTIPLY -> Numbers::multiply;
      case Operators.DIVIDE -> Numbers::divide;
      case Operators.MODULO -> Numbers::modulo;
      default -> null;
    };
  }

  private Node membership(Call call) {
    Node element = plan(call.args.get(0));
    Node container = plan(call.args.get(1));
    if (call.overloads().equals(List.of("in_list"))
        && container instanceof Node.Constant constant) {
      List<Object> list = Values.asList(constant.value);
      if (list != null && list.isEmpty()) {
        return new Node.Constant(false);
      }
      if (list != null && list.stream().allMatch(Planner::isPrimitive)) {
        return new OperatorNodes.InConstants(element, list);
      }
    }
    return new OperatorNodes.Binary(element, container, OperatorNodes::contains, cost(call));
  }

  private static boolean isPrimitive(Object value) {
    return Values.size(value) < 0 || value instanceof String;
  }

  private Node function(Call call) {
    List<Node> nodes = new ArrayList<>();
    Expr receiver = call.receiver();
    if (receiver != null) {
      nodes.add(plan(receiver));
    }
    call.args.forEach(arg -> nodes.add(plan(arg)));
    if (receiver != null && nodes.size() == 2) {
      if (call.overloads().equals(List.of("optional_or_optional"))) {
        return new LogicNodes.OptionalOr(nodes.get(0), nodes.get(1), false);
      }
      if (call.overloads().equals(List.of("optional_orValue_value"))) {
        return new LogicNodes.OptionalOr(nodes.get(0), nodes.get(1), true);
      }
    }
    List<Overload> all = functions.find(call.functionName());
    List<Overload> candidates = new ArrayList<>();
    boolean known = call.overloads().size() == 1;
    for (Overload overload : all == null ? List.<Overload>of() : all) {
      boolean meant = !known || call.overloads().contains(overload.id());
      if (meant
          && overload.member() == (receiver != null)
          && overload.args().size() == nodes.size()) {
        candidates.add(overload);
      }
    }
    if (call.functionName().startsWith("find") && nodes.get(1) instanceof Node.Constant regex) {
      var _ = RegexFunctions.pattern((String) regex.value);
    }
    CallNode node =
        new CallNode(call.functionName(), candidates, nodes.toArray(Node[]::new), cost(call));
    boolean constant =
        nodes.size() == 1
            && nodes.getFirst() instanceof Node.Constant
            && CONVERSIONS.contains(call.functionName());
    return constant ? new Node.Constant(node.eval(constantFrame())) : node;
  }

  private Node list(ListLiteral list) {
    Node[] elements = list.elements.stream().map(this::plan).toArray(Node[]::new);
    boolean[] optional = new boolean[elements.length];
    boolean constant = true;
    for (int i = 0; i < elements.length; i++) {
      optional[i] = list.optional.get(i);
      constant &= elements[i] instanceof Node.Constant;
    }
    ConstructorNodes.ListNode node = new ConstructorNodes.ListNode(elements, optional);
    return constant ? new Node.Constant(List.copyOf(node.create(constantFrame()))) : node;
  }

  private static Frame constantFrame() {
    return new Frame(CelVariables.NONE, 0, Long.MAX_VALUE);
  }

  private Node map(MapLiteral map) {
    int size = map.entries.size();
    Node[] keys = new Node[size];
    Node[] values = new Node[size];
    boolean[] optional = new boolean[size];
    boolean constant = true;
    for (int i = 0; i < size; i++) {
      Entry entry = map.entries.get(i);
      keys[i] = plan(entry.key());
      values[i] = plan(entry.value());
      optional[i] = entry.optional();
      constant &= keys[i] instanceof Node.Constant && values[i] instanceof Node.Constant;
    }
    ConstructorNodes.MapNode node = new ConstructorNodes.MapNode(keys, values, optional);
    return constant ? new Node.Constant(node.create(constantFrame())) : node;
  }

  private Node struct(StructLiteral struct) {
    int size = struct.fields.size();
    String[] names = new String[size];
    Node[] values = new Node[size];
    boolean[] optional = new boolean[size];
    for (int i = 0; i < size; i++) {
      Entry field = struct.fields.get(i);
      names[i] = property(struct.type(), (String) ((Literal) field.key()).value);
      values[i] = plan(field.value());
      optional[i] = field.optional();
    }
    return new ConstructorNodes.StructNode(struct.type(), names, values, optional);
  }

  private Node fold(Comprehension fold) {
    Node range = plan(fold.range);
    Node init = plan(fold.accuInit);
    int accumulator = slots++;
    int first = slots++;
    int second = fold.iterVar2 == null ? -1 : slots++;
    scopes.push(Map.of(fold.accuVar, accumulator));
    Map<String, Integer> variables = new HashMap<>();
    variables.put(fold.iterVar, first);
    if (fold.iterVar2 != null) {
      variables.put(fold.iterVar2, second);
    }
    scopes.push(variables);
    Node condition = plan(fold.condition);
    Node step = plan(fold.step);
    scopes.pop();
    Node result = plan(fold.result);
    scopes.pop();
    CelType type = fold.range.type();
    CelType element = type.parameters().isEmpty() ? CelType.DYN : type.parameters().getLast();
    return new FoldNode(
        new FoldNode.Parts(range, init, condition, step, result),
        new FoldNode.Slots(accumulator, first, second),
        Conversion.to(element));
  }
}
