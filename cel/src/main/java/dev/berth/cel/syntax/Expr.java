package dev.berth.cel.syntax;

import dev.berth.cel.value.CelType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node of an expression's tree. The parser makes it; the checker notes its type, and what names
 * and functions in it refer to.
 */
public abstract sealed class Expr {
  /** Where it is in the text, counted in code points; an operator's place if it has one. */
  public final int offset;

  private CelType type = CelType.DYN;

  Expr(int offset) {
    this.offset = offset;
  }

  public CelType type() {
    return type;
  }

  public void setType(CelType type) {
    this.type = type;
  }

  /** A second tree like this one: a macro may need an operand twice. */
  public abstract Expr copy();

  /** A constant: a value of the language. */
  public static final class Literal extends Expr {
    public final Object value;

    public Literal(int offset, Object value) {
      super(offset);
      this.value = value;
    }

    @Override
    public Literal copy() {
      return new Literal(offset, value);
    }
  }

  /** A name. */
  public static final class Ident extends Expr {
    public final String name;

    public Ident(int offset, String name) {
      super(offset);
      this.name = name;
    }

    @Override
    public Ident copy() {
      return new Ident(offset, name);
    }
  }

  /** A field of an operand, or whether it is there. */
  public static final class Select extends Expr {
    public final Expr operand;
    public final String field;
    public final boolean testOnly;

    /** If all of it is one dotted name: that name. */
    private @Nullable String qualifiedName;

    public Select(int offset, Expr operand, String field, boolean testOnly) {
      super(offset);
      this.operand = operand;
      this.field = field;
      this.testOnly = testOnly;
    }

    public @Nullable String qualifiedName() {
      return qualifiedName;
    }

    public void setQualifiedName(String name) {
      this.qualifiedName = name;
    }

    @Override
    public Select copy() {
      return new Select(offset, operand.copy(), field, testOnly);
    }
  }

  /** A call of a function or operator. */
  public static final class Call extends Expr {
    public final @Nullable Expr target;
    public final String function;
    public final List<Expr> args;
    private List<String> overloads = List.of();

    /** The name of a function in a namespace, such as {@code sets.contains}. */
    private @Nullable String qualifiedFunction;

    public Call(int offset, @Nullable Expr target, String function, List<Expr> args) {
      super(offset);
      this.target = target;
      this.function = function;
      this.args = List.copyOf(args);
    }

    /** The name of the function that is called, as it was declared. */
    public String functionName() {
      return qualifiedFunction == null ? function : qualifiedFunction;
    }

    /** What it is called on; null for a function of a namespace. */
    public @Nullable Expr receiver() {
      return qualifiedFunction == null ? target : null;
    }

    public void setQualifiedFunction(String name) {
      this.qualifiedFunction = name;
    }

    public List<String> overloads() {
      return overloads;
    }

    public void setOverloads(List<String> overloads) {
      this.overloads = List.copyOf(overloads);
    }

    @Override
    public Call copy() {
      return new Call(
          offset,
          target == null ? null : target.copy(),
          function,
          args.stream().map(Expr::copy).toList());
    }
  }

  /** A list that is written out; elements may be optional. */
  public static final class ListLiteral extends Expr {
    public final List<Expr> elements;
    public final List<Boolean> optional;

    public ListLiteral(int offset, List<Expr> elements, List<Boolean> optional) {
      super(offset);
      this.elements = List.copyOf(elements);
      this.optional = List.copyOf(optional);
    }

    @Override
    public ListLiteral copy() {
      return new ListLiteral(offset, elements.stream().map(Expr::copy).toList(), optional);
    }
  }

  /** An entry of a map, or a field of a message, whose name is then a literal. */
  public record Entry(int offset, Expr key, Expr value, boolean optional) {
    Entry copy() {
      return new Entry(offset, key.copy(), value.copy(), optional);
    }
  }

  /** A map that is written out. */
  public static final class MapLiteral extends Expr {
    public final List<Entry> entries;

    public MapLiteral(int offset, List<Entry> entries) {
      super(offset);
      this.entries = List.copyOf(entries);
    }

    @Override
    public MapLiteral copy() {
      return new MapLiteral(offset, entries.stream().map(Entry::copy).toList());
    }
  }

  /** An object of a named type that is written out. */
  public static final class StructLiteral extends Expr {
    public final String typeName;
    public final List<Entry> fields;

    public StructLiteral(int offset, String typeName, List<Entry> fields) {
      super(offset);
      this.typeName = typeName;
      this.fields = List.copyOf(fields);
    }

    @Override
    public StructLiteral copy() {
      return new StructLiteral(offset, typeName, fields.stream().map(Entry::copy).toList());
    }
  }

  /** What all macros over lists and maps become: a fold. */
  public static final class Comprehension extends Expr {
    public final Expr range;
    public final String iterVar;
    public final @Nullable String iterVar2;
    public final String accuVar;
    public final Expr accuInit;
    public final Expr condition;
    public final Expr step;
    public final Expr result;

    public Comprehension(
        int offset, Expr range, Variables variables, Expr accuInit, Loop loop, Expr result) {
      super(offset);
      this.range = range;
      this.iterVar = variables.iterVar();
      this.iterVar2 = variables.iterVar2();
      this.accuVar = variables.accuVar();
      this.accuInit = accuInit;
      this.condition = loop.condition();
      this.step = loop.step();
      this.result = result;
    }

    @Override
    public Comprehension copy() {
      return new Comprehension(
          offset,
          range.copy(),
          new Variables(iterVar, iterVar2, accuVar),
          accuInit.copy(),
          new Loop(condition.copy(), step.copy()),
          result.copy());
    }
  }

  /** The names of a comprehension's variables. */
  public record Variables(String iterVar, @Nullable String iterVar2, String accuVar) {}

  /** What a comprehension does for each element. */
  public record Loop(Expr condition, Expr step) {}

  /** The dotted name that this is, or null if it is something else. */
  public @Nullable String dottedName() {
    List<String> parts = new ArrayList<>();
    Expr at = this;
    while (at instanceof Select select && !select.testOnly) {
      parts.add(select.field);
      at = select.operand;
    }
    if (!(at instanceof Ident ident)) {
      return null;
    }
    parts.add(ident.name);
    return String.join(".", parts.reversed());
  }
}
