package dev.berth.model.selector;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Which objects are meant, by a few of their fields: {@code metadata.name=a,spec.nodeName!=b}.
 *
 * <p>A field that is absent has the empty value, as in Kubernetes. Which fields can be selected by
 * is for the resource to say; it finds them in {@link #terms}.
 */
public record FieldSelector(List<Term> terms) {
  public static final FieldSelector EVERYTHING = new FieldSelector(List.of());

  public FieldSelector {
    terms = List.copyOf(terms);
  }

  /** One condition: the field has the value, or if negated has not. */
  public record Term(String field, boolean negated, String value) {

    /** The term in string form, its value escaped. */
    @Override
    public String toString() {
      String escaped = value.replace("\\", "\\\\").replace(",", "\\,").replace("=", "\\=");
      return field + (negated ? "!=" : "=") + escaped;
    }
  }

  /**
   * Reads the string form. In a value, {@code \} goes before {@code \}, a comma and an equals sign.
   *
   * @throws SelectorException if the text is no selector
   */
  public static FieldSelector parse(String text) {
    List<Term> terms = new ArrayList<>();
    for (String part : parts(text).stream().sorted().toList()) {
      if (!part.isEmpty()) {
        terms.add(term(part, text));
      }
    }
    return terms.isEmpty() ? EVERYTHING : new FieldSelector(terms);
  }

  /** Splits at the commas that are not escaped. */
  private static List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == ',') {
        parts.add(text.substring(start, i));
        start = i + 1;
      }
    }
    parts.add(text.substring(start));
    return parts;
  }

  /** Splits at the first operator: a field's path holds none, so nothing is escaped in it. */
  private static Term term(String part, String whole) {
    int equals = part.indexOf('=');
    if (equals < 0) {
      throw new SelectorException(
          "invalid selector: '" + whole + "'; can't understand '" + part + "'");
    }
    boolean negated = equals > 0 && part.charAt(equals - 1) == '!';
    boolean doubled = !negated && part.startsWith("==", equals);
    String field = part.substring(0, negated ? equals - 1 : equals);
    return new Term(field, negated, unescaped(part.substring(equals + (doubled ? 2 : 1))));
  }

  private static String unescaped(String value) {
    StringBuilder plain = new StringBuilder(value.length());
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\\') {
        i++;
        String escaped = i < value.length() ? value.substring(i, i + 1) : "";
        if (escaped.isEmpty() || !"\\,=".contains(escaped)) {
          throw new SelectorException(
              "invalid field selector: invalid escape sequence: \\" + escaped);
        }
        plain.append(escaped);
      } else if (c == ',' || c == '=') {
        throw new SelectorException("invalid field selector: unescaped character in value: " + c);
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
  }

  /**
   * Whether every term holds.
   *
   * @param valueOf the value of a field, empty if the object has none
   */
  public boolean matches(UnaryOperator<String> valueOf) {
    for (Term term : terms) {
      if (valueOf.apply(term.field).equals(term.value) == term.negated) {
        return false;
      }
    }
    return true;
  }

  public boolean selectsEverything() {
    return terms.isEmpty();
  }

  /** The one value a field must have, if the selector says so; lets a caller use an index. */
  public Optional<String> exactValue(String field) {
    for (Term term : terms) {
      if (term.field.equals(field) && !term.negated) {
        return Optional.of(term.value);
      }
    }
    return Optional.empty();
  }

  @Override
  public String toString() {
    return terms.stream().map(Term::toString).collect(Collectors.joining(","));
  }
}
