package dev.berth.customresources.schema;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Numbers as they come out of Kubernetes, which reads those with a fraction as 64-bit floating
 * point numbers: {@code 1.0} is sent back as {@code 1}, and {@code 1.50} as {@code 1.5}.
 */
public final class GoNumbers {
  private static final double LARGE = 1e21;
  private static final double SMALL = 1e-6;

  private GoNumbers() {}

  /** A value with its numbers in the form of Kubernetes; itself if they all are. */
  @SuppressWarnings("ReferenceEquality") // what does not change is the same value
  public static Object canonical(Object value) {
    return switch (value) {
      case JsonNumber number -> number(number);
      case JsonObject object -> {
        JsonObject result = object;
        for (int i = 0; i < object.size(); i++) {
          Object inside = object.value(i);
          Object canonical = canonical(inside);
          result = canonical == inside ? result : result.with(object.name(i), canonical);
        }
        yield result;
      }
      case JsonArray array -> {
        Object @Nullable [] changed = null;
        for (int i = 0; i < array.size(); i++) {
          Object canonical = canonical(array.get(i));
          if (canonical != array.get(i)) {
            changed = changed == null ? array.values().toArray() : changed;
            changed[i] = canonical;
          }
        }
        yield changed == null ? array : JsonArray.of(changed);
      }
      default -> value;
    };
  }

  private static Object number(JsonNumber number) {
    String text = text(number.approximate());
    if (text.length() < 19 && text.matches("-?[0-9]+")) {
      return Long.valueOf(text);
    }
    return text.equals(number.text()) ? number : new JsonNumber(text);
  }

  /** A number as Go writes it in JSON and in messages. */
  static String text(double number) {
    if (number == 0) {
      return "0";
    }
    double size = Math.abs(number);
    BigDecimal exact = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    if (size >= SMALL && size < LARGE) {
      return exact.toPlainString();
    }
    int exponent = exact.precision() - exact.scale() - 1;
    String digits = exact.unscaledValue().abs().toString();
    String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
    String sign = number < 0 ? "-" : "";
    return sign + mantissa + "e" + (exponent < 0 ? "-" : "+") + padded(Math.abs(exponent));
  }

  private static String padded(int exponent) {
    return exponent < 10 ? "0" + exponent : Integer.toString(exponent);
  }
}
