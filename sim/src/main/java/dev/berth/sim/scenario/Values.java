package dev.berth.sim.scenario;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.quantity.GoDuration;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Values that scenario files write in several forms. */
final class Values {
  private Values() {}

  /** What stands in a field, quoted or not; empty if there is nothing. */
  static Optional<String> scalar(ConfigFields fields, String name) {
    if (!fields.has(name)) {
      return Optional.empty();
    }
    Optional<String> text = scalar(fields.tree().get(name));
    if (text.isEmpty()) {
      fields.invalid(name, "...", "must be a single value");
    }
    return text;
  }

  static Optional<String> scalar(@Nullable Object value) {
    return switch (value) {
      case String text -> Optional.of(text);
      case Long number -> Optional.of(Long.toString(number));
      case Boolean flag -> Optional.of(Boolean.toString(flag));
      case JsonNumber number -> Optional.of(number.toString());
      case null, default -> Optional.empty();
    };
  }

  static Optional<Duration> duration(ConfigFields fields, String name) {
    Optional<String> text = scalar(fields, name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Optional<Duration> span = duration(text.get());
    if (span.isEmpty()) {
      fields.invalid(name, text.get(), "must be a duration such as 40s, 10m or 1h30m");
    }
    return span;
  }

  static Optional<Duration> duration(String text) {
    return text.equals("0")
        ? Optional.of(Duration.ZERO)
        : Optional.ofNullable(GoDuration.parse(text));
  }

  /** Amounts by resource, as text; those that are none are noted and left out. */
  static JsonObject amounts(ConfigFields fields) {
    Map<String, String> amounts = new TreeMap<>();
    for (String name : fields.tree().names()) {
      amount(fields, name).ifPresent(amount -> amounts.put(name, amount));
    }
    return JsonObject.ofStrings(amounts);
  }

  static Optional<String> amount(ConfigFields fields, String name) {
    Optional<String> text = scalar(fields, name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      if (Quantity.parse(text.get()).signum() >= 0) {
        return text;
      }
    } catch (QuantityFormatException e) {
      // Said below.
    }
    fields.invalid(name, text.get(), "must be a quantity such as 500m, 4 or 16Gi");
    return Optional.empty();
  }

  /** Texts by name, such as labels. */
  static JsonObject texts(ConfigFields fields) {
    Map<String, String> texts = new TreeMap<>();
    for (String name : fields.tree().names()) {
      scalar(fields, name).ifPresent(text -> texts.put(name, text));
    }
    return JsonObject.ofStrings(texts);
  }

  /** One word or a list of words. */
  static Set<String> words(ConfigFields fields, String name) {
    Set<String> words = new LinkedHashSet<>();
    if (fields.tree().get(name) instanceof JsonArray list) {
      for (int i = 0; i < list.size(); i++) {
        Optional<String> word = scalar(list.get(i));
        if (word.isEmpty()) {
          fields.invalid(name, list.get(i), "must be a list of words");
        }
        word.ifPresent(words::add);
      }
      return words;
    }
    scalar(fields, name).ifPresent(words::add);
    return words;
  }

  static double number(
      ConfigFields fields, String name, double whenAbsent, double least, double most) {
    Optional<String> text = scalar(fields, name);
    if (text.isEmpty()) {
      return whenAbsent;
    }
    try {
      double number = Double.parseDouble(text.get());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    fields.invalid(
        name, text.get(), "must be a number between %.0f and %.0f".formatted(least, most));
    return whenAbsent;
  }

  /** Labels of nodes or pods. */
  static JsonObject labels(ConfigFields fields) {
    JsonObject labels = texts(fields);
    labels.forEach((key, value) -> {
      NameRules.qualifiedName(key).forEach(problem -> fields.invalid(key, key, problem));
      NameRules.labelValue(String.valueOf(value))
          .forEach(problem -> fields.invalid(key, value, problem));
    });
    return labels;
  }

  /** {@code key=value:Effect}, {@code key:Effect}; with no effect, a key alone. */
  static Optional<Taint> taint(ConfigFields fields, String name, String text, boolean needsEffect) {
    int colon = text.lastIndexOf(':');
    String left = colon < 0 ? text : text.substring(0, colon);
    TaintEffect effect =
        colon < 0 ? TaintEffect.UNKNOWN : TaintEffect.of(text.substring(colon + 1));
    int equals = left.indexOf('=');
    String key = equals < 0 ? left : left.substring(0, equals);
    boolean wellFormed =
        !key.isEmpty() && (effect != TaintEffect.UNKNOWN || (colon < 0 && !needsEffect));
    if (!wellFormed) {
      fields.invalid(
          name,
          text,
          "must be a taint such as dedicated=gpu:NoSchedule, with the effect NoSchedule,"
              + " PreferNoSchedule or NoExecute");
      return Optional.empty();
    }
    String value = equals < 0 ? "" : left.substring(equals + 1);
    List<String> problems =
        Stream.concat(NameRules.qualifiedName(key).stream(), NameRules.labelValue(value).stream())
            .toList();
    problems.forEach(problem -> fields.invalid(name, text, problem));
    return problems.isEmpty() ? Optional.of(Taint.of(key, value, effect)) : Optional.empty();
  }

  static List<Taint> taints(ConfigFields fields, String name) {
    return fields.texts(name).stream()
        .flatMap(text -> taint(fields, name, text, true).stream())
        .toList();
  }
}
