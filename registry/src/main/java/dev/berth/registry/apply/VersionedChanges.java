package dev.berth.registry.apply;

import dev.berth.model.tree.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a request changes, in each version in which somebody owns fields: a field may have another
 * name there. An object is converted only when there is such an owner.
 */
final class VersionedChanges {
  /** Of an object that nobody owns in another version. */
  static final Function<String, Optional<OwnedForm>> ONE_VERSION = _ -> Optional.empty();

  private final JsonObject live;
  private final JsonObject updated;
  private final Function<String, Optional<OwnedForm>> forms;
  private final Map<String, Comparison> others = new HashMap<>();
  private final String version;
  private final Comparison own;

  /**
   * @param version that of the request, in which the objects are
   * @param own what differs between them, in that version
   * @param forms the object's form in another version; empty if there is no such version, where
   *     fields are taken to have the names that they have in the request's
   */
  VersionedChanges(
      String version,
      Comparison own,
      JsonObject live,
      JsonObject updated,
      Function<String, Optional<OwnedForm>> forms) {
    this.version = version;
    this.own = own;
    this.live = live;
    this.updated = updated;
    this.forms = forms;
  }

  Comparison own() {
    return own;
  }

  /** What differs for the owner of an entry. */
  Comparison of(ManagedEntry entry) {
    String owners = entry.apiVersion();
    return owners.equals(version)
        ? own
        : others.computeIfAbsent(
            owners, other -> forms.apply(other).map(this::compare).orElse(own));
  }

  private Comparison compare(OwnedForm form) {
    return Comparison.of(
            form.convert().apply(live), form.convert().apply(updated), form.structure())
        .minusAllBelow(form.ignored());
  }
}
