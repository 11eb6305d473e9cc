package dev.berth.customresources.instance;

import dev.berth.customresources.definition.DefinitionView;
import dev.berth.model.tree.JsonObject;
import java.util.Optional;

/** What everybody is told who uses a deprecated version: to use a newer one, if there is one. */
final class DeprecationWarning {
  private DeprecationWarning() {}

  static Optional<String> of(DefinitionView definition, JsonObject version) {
    if (!version.flag("deprecated", false)) {
      return Optional.empty();
    }
    String own = version.text("deprecationWarning");
    if (own != null) {
      return Optional.of(own);
    }
    String name = version.text("name", "");
    String kind = definition.names().text("kind", "");
    String warning = "%s/%s %s is deprecated".formatted(definition.group(), name, kind);
    String newer =
        definition.versions().stream()
            .filter(v -> v.flag("served", false) && !v.flag("deprecated", false))
            .map(v -> v.text("name", ""))
            .filter(other -> VersionOrder.PREFERRED_FIRST.compare(other, name) < 0)
            .min(VersionOrder.PREFERRED_FIRST)
            .orElse("");
    return Optional.of(
        newer.isEmpty()
            ? warning
            : "%s; use %s/%s %s".formatted(warning, definition.group(), newer, kind));
  }
}
