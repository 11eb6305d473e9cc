package dev.berth.cel.check;

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
import dev.berth.cel.value.CelBytes;
import dev.berth.cel.value.CelType;
import dev.berth.cel.value.CelType.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Estimates what an expression can cost before it is evaluated, from how large values can be, with
 * the numbers that Kubernetes decides by. {@link CallEstimates} has those of calls.
 */
public final class CostEstimator {
  private static final CostEstimate LIST = CostEstimate.fixed(10);
  private static final CostEstimate MAP = CostEstimate.fixed(30);
  private static final CostEstimate STRUCT = CostEstimate.fixed(40);
  private static final List<String> NO_PATH = List.of();

  private final SizeBounds bounds;
  private final IdentityHashMap<Expr, List<String>> paths = new IdentityHashMap<>();
  private final IdentityHashMap<Expr, SizeEstimate> sizes = new IdentityHashMap<>();
  private final IdentityHashMap<Expr, EntrySize> entrySizes = new IdentityHashMap<>();
  private final Map<String, Deque<Local>> locals = new HashMap<>();

  private CostEstimator(SizeBounds bounds) {
    this.bounds = bounds;
  }

  public static CostEstimate estimate(Expr expression, SizeBounds bounds) {
    return new CostEstimator(bounds).cost(expression);
  }

  /** How large the keys and values of a list or map are. */
  record EntrySize(Kind container, SizeEstimate key, SizeEstimate value) {
    EntrySize union(EntrySize other) {
      return new EntrySize(container, key.union(other.key), value.union(other.value));
    }
  }

  private record Local(
      List<String> path, @Nullable SizeEstimate size, @Nullable EntrySize entrySize) {}

  private CostEstimate cost(Expr expression) {
    return switch (expression) {
      case Literal _ -> CostEstimate.ZERO;
      case Ident ident -> {
        Local local = local(ident.name);
        paths.put(ident, local == null ? List.of(ident.name) : local.path());
        yield CostEstimate.ONE;
      }
      case Select select -> select(select);
      case Call call -> call(call);
      case ListLiteral list -> list(list);
      case MapLiteral map -> map(map);
      case StructLiteral struct -> {
        CostEstimate sum = STRUCT;
        for (Entry field : struct.fields) {
          sum = sum.plus(cost(field.value()));
        }
        yield sum;
      }
      case Comprehension fold -> isBinding(fold) ? binding(fold) : fold(fold);
    };
  }

  private CostEstimate select(Select select) {
    String qualified = select.qualifiedName();
    if (qualified != null) {
      paths.put(select, List.of(qualified));
      return CostEstimate.ONE;
    }
    CostEstimate sum = cost(select.operand);
    if (select.testOnly) {
      return sum;
    }
    Kind kind = select.operand.type().kind();
    if (kind == Kind.MAP || kind == Kind.STRUCT || kind == Kind.TYPE_PARAM) {
      sum = sum.plus(CostEstimate.ONE);
    }
    paths.put(select, longer(path(select.operand), select.field));
    return sum;
  }

  private static List<String> longer(List<String> path, String step) {
    if (path.isEmpty()) {
      return List.of(step);
    }
    List<String> longer = new ArrayList<>(path);
    longer.add(step);
    return longer;
  }

  private CostEstimate call(Call call) {
    if (call.functionName().equals("dyn")) {
      Expr arg = call.args.getFirst();
      CostEstimate cost = CostEstimate.ONE.plus(cost(arg));
      copySizes(call, arg);
      return cost;
    }
    List<CostEstimate> argCosts = new ArrayList<>();
    List<CallArgument> args = new ArrayList<>();
    for (Expr arg : call.args) {
      argCosts.add(cost(arg));
      args.add(argument(arg));
    }
    if (call.overloads().isEmpty()) {
      return CostEstimate.ZERO;
    }
    CostEstimate sum = CostEstimate.ZERO;
    CallArgument target = null;
    Expr receiver = call.receiver();
    if (receiver != null) {
      sum = cost(receiver);
      target = argument(receiver);
    }
    CostEstimate total = new CostEstimate(Unsigned.MAX, 0);
    SizeEstimate resultSize = null;
    for (String overload : call.overloads()) {
      CallEstimates.Estimate estimate =
          CallEstimates.of(
              new CallEstimates.Callee(call.functionName(), overload, target, args, argCosts));
      total = total.union(estimate.cost());
      if (estimate.resultSize() != null) {
        resultSize =
            resultSize == null ? estimate.resultSize() : resultSize.union(estimate.resultSize());
      }
      entrySizeOfResult(call, overload);
      if (overload.equals("index_list") || overload.equals("index_map")) {
        EntrySize entries = entrySize(call.args.getFirst());
        resultSize = entries == null ? null : entries.value();
        paths.put(
            call,
            longer(
                path(call.args.getFirst()), overload.equals("index_list") ? "@items" : "@values"));
      }
      if (resultSize == null) {
        resultSize = size(call);
      }
    }
    if (resultSize != null) {
      sizes.put(call, resultSize);
    }
    return sum.plus(total);
  }

  private void entrySizeOfResult(Call call, String overload) {
    int first =
        switch (overload) {
          case "conditional" -> 1;
          case "add_string", "add_bytes", "add_list" -> 0;
          default -> -1;
        };
    if (first >= 0) {
      EntrySize a = entrySize(call.args.get(first));
      EntrySize b = entrySize(call.args.get(first + 1));
      if (a != null && b != null) {
        entrySizes.put(call, a.union(b));
      }
    }
  }

  private CallArgument argument(Expr expression) {
    List<String> path = path(expression);
    if (!path.isEmpty() && path.getFirst().equals("@result")) {
      path = NO_PATH;
    }
    return new CallArgument(expression, path, size(expression), bounds);
  }

  private CostEstimate list(ListLiteral list) {
    CostEstimate sum = LIST;
    SizeEstimate items = list.elements.isEmpty() ? new SizeEstimate(0, 0) : null;
    for (Expr element : list.elements) {
      sum = sum.plus(cost(element));
      SizeEstimate size = sizeOrUnknown(element);
      items = items == null ? size : items.union(size);
    }
    if (items != null) {
      entrySizes.put(list, new EntrySize(Kind.LIST, SizeEstimate.ONE, items));
    }
    return sum;
  }

  private CostEstimate map(MapLiteral map) {
    CostEstimate sum = MAP;
    SizeEstimate keys = map.entries.isEmpty() ? new SizeEstimate(0, 0) : null;
    SizeEstimate values = keys;
    for (Entry entry : map.entries) {
      sum = sum.plus(cost(entry.key())).plus(cost(entry.value()));
      SizeEstimate key = sizeOrUnknown(entry.key());
      SizeEstimate value = sizeOrUnknown(entry.value());
      keys = keys == null ? key : keys.union(key);
      values = values == null ? value : values.union(value);
    }
    if (keys != null && values != null) {
      entrySizes.put(map, new EntrySize(Kind.MAP, keys, values));
    }
    return sum;
  }

  private static boolean isBinding(Comprehension fold) {
    return fold.range instanceof ListLiteral list
        && list.elements.isEmpty()
        && fold.condition instanceof Literal literal
        && literal.value.equals(false);
  }

  private CostEstimate binding(Comprehension fold) {
    CostEstimate sum = cost(fold.range).plus(cost(fold.accuInit));
    push(
        fold.accuVar,
        new Local(path(fold.accuInit), size(fold.accuInit), entrySize(fold.accuInit)));
    sum = sum.plus(cost(fold.result));
    pop(fold.accuVar);
    copySizes(fold, fold.result);
    return sum;
  }

  private CostEstimate fold(Comprehension fold) {
    CostEstimate sum = cost(fold.range).plus(cost(fold.accuInit));
    push(
        fold.accuVar,
        new Local(path(fold.accuInit), size(fold.accuInit), entrySize(fold.accuInit)));
    EntrySize entries = entrySize(fold.range);
    boolean list = (entries == null ? fold.range.type().kind() : entries.container()) == Kind.LIST;
    List<String> path = path(fold.range);
    SizeEstimate keySize = entries == null ? null : entries.key();
    SizeEstimate valueSize = entries == null ? null : entries.value();
    if (fold.iterVar2 != null) {
      push(fold.iterVar, new Local(longer(path, list ? "@indices" : "@keys"), keySize, null));
      push(fold.iterVar2, new Local(longer(path, list ? "@items" : "@values"), valueSize, null));
    } else {
      push(
          fold.iterVar,
          new Local(longer(path, list ? "@items" : "@keys"), list ? valueSize : keySize, null));
    }
    CostEstimate loop = cost(fold.condition).plus(cost(fold.step));
    pop(fold.iterVar);
    if (fold.iterVar2 != null) {
      pop(fold.iterVar2);
    }
    sum = sum.plus(cost(fold.result));
    pop(fold.accuVar);
    SizeEstimate count = sizeOrUnknown(fold.range);
    sizesOfFold(fold, count);
    return sum.plus(count.times(loop));
  }

  private void sizesOfFold(Comprehension fold, SizeEstimate count) {
    if (fold.accuInit instanceof Literal) {
      SizeEstimate size = size(fold.accuInit);
      if (size != null) {
        sizes.put(fold, size);
      }
    } else if (fold.accuInit instanceof ListLiteral || fold.accuInit instanceof MapLiteral) {
      sizes.put(fold, count);
      EntrySize entries = entrySize(fold.step);
      if (entries != null) {
        entrySizes.put(fold, entries);
      }
    }
  }

  private @Nullable Local local(String name) {
    Deque<Local> stack = locals.get(name);
    return stack == null ? null : stack.peek();
  }

  private void push(String name, Local local) {
    locals.computeIfAbsent(name, _ -> new ArrayDeque<>()).push(local);
  }

  private void pop(String name) {
    Deque<Local> stack = locals.get(name);
    if (stack != null) {
      stack.pop();
    }
  }

  private List<String> path(Expr expression) {
    if (expression instanceof Ident ident) {
      Local local = local(ident.name);
      if (local != null) {
        return local.path();
      }
    }
    return paths.getOrDefault(expression, NO_PATH);
  }

  private void copySizes(Expr to, Expr from) {
    SizeEstimate size = size(from);
    if (size != null) {
      sizes.put(to, size);
    }
    EntrySize entries = entrySize(from);
    if (entries != null) {
      entrySizes.put(to, entries);
    }
  }

  private SizeEstimate sizeOrUnknown(Expr expression) {
    SizeEstimate size = size(expression);
    return size == null ? SizeEstimate.UNKNOWN : size;
  }

  private @Nullable SizeEstimate size(Expr expression) {
    SizeEstimate known = sizes.get(expression);
    if (known != null) {
      return known;
    }
    SizeEstimate literal = literalSize(expression);
    if (literal != null) {
      return literal;
    }
    List<String> path = path(expression);
    SizeEstimate bound = path.isEmpty() ? null : bounds.size(path);
    if (bound != null) {
      sizes.put(expression, bound);
      return bound;
    }
    if (isScalar(expression.type())) {
      return SizeEstimate.ONE;
    }
    Local local = expression instanceof Ident ident ? local(ident.name) : null;
    return local == null ? null : local.size();
  }

  private @Nullable EntrySize entrySize(Expr expression) {
    EntrySize known = entrySizes.get(expression);
    if (known != null) {
      return known;
    }
    Local local = expression instanceof Ident ident ? local(ident.name) : null;
    return local == null ? null : local.entrySize();
  }

  private static @Nullable SizeEstimate literalSize(Expr expression) {
    return switch (expression) {
      case Literal literal ->
          SizeEstimate.fixed(
              switch (literal.value) {
                case String text -> text.codePointCount(0, text.length());
                case CelBytes bytes -> bytes.size();
                default -> 1;
              });
      case ListLiteral list -> SizeEstimate.fixed(list.elements.size());
      case MapLiteral map -> SizeEstimate.fixed(map.entries.size());
      default -> null;
    };
  }

  private static boolean isScalar(CelType type) {
    return switch (type.kind()) {
      case BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT -> true;
      case OPAQUE -> type.isOptional() && isScalar(type.parameter(0));
      default -> false;
    };
  }
}
