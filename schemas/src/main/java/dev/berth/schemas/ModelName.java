package dev.berth.schemas;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a model class's name says: {@code RbacV1Subject}, {@code V1beta1IPAddress}.
 *
 * @param groupPrefix present only where two groups have a type of the same name
 */
record ModelName(String groupPrefix, String version, String kind) {
  private static final Pattern PARTS =
      Pattern.compile("(?<group>[A-Z][a-z]+)?(?<version>V\\d+((alpha|beta)\\d+)?)(?<kind>[A-Z].*)");

  static ModelName of(Class<?> model) {
    Matcher parts = PARTS.matcher(model.getSimpleName());
    if (!parts.matches()) {
      throw new IllegalStateException("a model whose name has no version: " + model.getName());
    }
    String group = parts.group("group");
    return new ModelName(
        group == null ? "" : group,
        parts.group("version").toLowerCase(Locale.ROOT),
        parts.group("kind"));
  }
}
