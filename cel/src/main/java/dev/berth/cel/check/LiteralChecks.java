package dev.berth.cel.check;

import dev.berth.cel.library.GoDurations;
import dev.berth.cel.library.RegexFunctions;
import dev.berth.cel.library.Timestamps;
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
import dev.berth.cel.syntax.Source;
import dev.berth.cel.value.CelException;
import dev.berth.cel.value.CelType;
import java.util.function.Consumer;

/**
 * What Kubernetes forbids though the language allows it: constants that are no duration, timestamp
 * or pattern, and lists and maps of several types, except within {@code format}.
 */
final class LiteralChecks {
  private final Source source;

  private LiteralChecks(Source source) {
    this.source = source;
  }

  static void check(Expr expression, Source source) {
    new LiteralChecks(source).visit(expression, false);
  }

  private void visit(Expr expression, boolean inFormat) {
    switch (expression) {
      case Literal _, Ident _ -> {}
      case Select select -> visit(select.operand, inFormat);
      case Call call -> {
        argument(call);
        boolean inner = inFormat || call.function.equals("format");
        if (call.target != null) {
          visit(call.target, inner);
        }
        call.args.forEach(arg -> visit(arg, inner));
      }
      case ListLiteral list -> {
        if (!inFormat) {
          elements(list);
        }
        list.elements.forEach(element -> visit(element, inFormat));
      }
      case MapLiteral map -> {
        if (!inFormat) {
          entries(map);
        }
        for (Entry entry : map.entries) {
          visit(entry.key(), inFormat);
          visit(entry.value(), inFormat);
        }
      }
      case StructLiteral struct -> struct.fields.forEach(field -> visit(field.value(), inFormat));
      case Comprehension fold -> {
        visit(fold.range, inFormat);
        visit(fold.accuInit, inFormat);
        visit(fold.condition, inFormat);
        visit(fold.step, inFormat);
        visit(fold.result, inFormat);
      }
    }
  }

  private void argument(Call call) {
    switch (call.functionName()) {
      case "duration" -> argument(call, 0, GoDurations::parse);
      case "timestamp" -> {
        argument(call, 0, Timestamps::parse);
        seconds(call);
      }
      case "matches" -> argument(call, call.receiver() == null ? 1 : 0, RegexFunctions::pattern);
      default -> {}
    }
  }

  private void argument(Call call, int index, Consumer<String> parse) {
    if (index < call.args.size()
        && call.args.get(index) instanceof Literal literal
        && literal.value instanceof String text) {
      try {
        parse.accept(text);
      } catch (CelException e) {
        source.report(literal.offset, "invalid " + call.functionName() + " argument");
      }
    }
  }

  private void seconds(Call call) {
    if (call.args.size() == 1
        && call.args.getFirst() instanceof Literal literal
        && literal.value instanceof Long number) {
      try {
        var _ = Timestamps.ofSeconds(number);
      } catch (CelException _) {
        source.report(literal.offset, "invalid timestamp argument");
      }
    }
  }

  private void elements(ListLiteral list) {
    CelType first = null;
    for (int i = 0; i < list.elements.size(); i++) {
      Expr element = list.elements.get(i);
      CelType type = type(element, list.optional.get(i));
      if (first != null && !first.isSame(type)) {
        mismatch(element, first, type);
        return;
      }
      first = type;
    }
  }

  private void entries(MapLiteral map) {
    CelType keys = null;
    CelType values = null;
    for (Entry entry : map.entries) {
      CelType key = entry.key().type();
      CelType value = type(entry.value(), entry.optional());
      if (keys != null && !keys.isSame(key)) {
        mismatch(entry.key(), keys, key);
      }
      if (values != null && !values.isSame(value)) {
        mismatch(entry.value(), values, value);
      }
      keys = keys == null ? key : keys;
      values = values == null ? value : values;
    }
  }

  private static CelType type(Expr value, boolean optional) {
    CelType type = value.type();
    return optional && type.isOptional() ? type.parameter(0) : type;
  }

  private void mismatch(Expr where, CelType expected, CelType found) {
    source.report(where.offset, "expected type '" + expected + "' but found '" + found + "'");
  }
}
