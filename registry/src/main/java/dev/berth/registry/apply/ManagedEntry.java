package dev.berth.registry.apply;

import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Comparator;

/**
 * One entry of {@code metadata.managedFields}: the fields of one manager. Held as the tree that it
 * is, so that an entry that does not change is the same tree.
 */
record ManagedEntry(JsonObject tree) {
  static final String APPLY = "Apply";
  static final String UPDATE = "Update";
  private static final String FIELDS = "fieldsV1";

  /** Kubernetes does not note when this one was written. */
  static final String SCALE = "scale";

  /** The order in which entries stand: updates after applies, older before newer. */
  static final Comparator<ManagedEntry> ORDER =
      Comparator.comparing(ManagedEntry::operation)
          .thenComparing(ManagedEntry::time)
          .thenComparing(ManagedEntry::manager)
          .thenComparing(ManagedEntry::apiVersion)
          .thenComparing(ManagedEntry::subresource);

  /**
   * What tells entries apart: an applier is the same one in every version. Has an order, by which
   * hash tables find keys that somebody chose for their hashes.
   */
  record Key(String manager, String operation, String apiVersion, String subresource)
      implements Comparable<Key> {
    private static final Comparator<Key> BY_TEXT =
        Comparator.comparing(Key::manager)
            .thenComparing(Key::operation)
            .thenComparing(Key::apiVersion)
            .thenComparing(Key::subresource);

    @Override
    public int compareTo(Key other) {
      return BY_TEXT.compare(this, other);
    }
  }

  static Key key(FieldManager manager, String operation) {
    return new Key(
        manager.name(),
        operation,
        operation.equals(APPLY) ? "" : manager.apiVersion(),
        manager.subresource());
  }

  static ManagedEntry of(FieldManager manager, String operation, FieldSet fields, Instant time) {
    JsonObject.Builder tree =
        new JsonObject.Builder()
            .put("manager", manager.name())
            .put("operation", operation)
            .put("apiVersion", manager.apiVersion());
    if (!manager.subresource().equals(SCALE)) {
      tree.put("time", Times.format(time));
    }
    tree.put("fieldsType", "FieldsV1").put(FIELDS, fields.tree());
    if (!manager.subresource().isEmpty()) {
      tree.put("subresource", manager.subresource());
    }
    return new ManagedEntry(tree.build());
  }

  /**
   * An entry that a client sent.
   *
   * @throws JsonException if it is none
   */
  static ManagedEntry parse(JsonObject tree, int index) {
    ManagedEntry entry = new ManagedEntry(tree);
    if (!entry.operation().equals(APPLY) && !entry.operation().equals(UPDATE)) {
      throw new JsonException("operation must be `Apply` or `Update`");
    }
    if (entry.apiVersion().isEmpty()) {
      throw new JsonException("apiVersion must not be empty");
    }
    String type = tree.text("fieldsType", "");
    if (!type.equals("FieldsV1")) {
      throw new JsonException(
          type.isEmpty()
              ? "missing fieldsType in managed fields entry " + index
              : "invalid fieldsType \"" + type + "\" in managed fields entry " + index);
    }
    String time = entry.time();
    if (!time.isEmpty()) {
      entry = entry.at(parsed(time));
    }
    FieldSet fields = FieldSet.parse(tree.object(FIELDS));
    return fields.isEmpty() ? entry : entry.with(fields);
  }

  private static Instant parsed(String time) {
    try {
      return Times.parse(time);
    } catch (IllegalArgumentException e) {
      throw new JsonException("time: " + e.getMessage());
    }
  }

  Key key() {
    return new Key(manager(), operation(), isApply() ? "" : apiVersion(), subresource());
  }

  String manager() {
    return tree.text("manager", "");
  }

  String operation() {
    return tree.text("operation", "");
  }

  boolean isApply() {
    return operation().equals(APPLY);
  }

  String apiVersion() {
    return tree.text("apiVersion", "");
  }

  String subresource() {
    return tree.text("subresource", "");
  }

  /** As it is written: in UTC and in seconds, so that texts sort like times. */
  String time() {
    return tree.text("time", "");
  }

  FieldSet fields() {
    return FieldSet.trusted(tree.object(FIELDS));
  }

  ManagedEntry with(FieldSet fields) {
    return SetOperations.same(fields.tree(), tree.get(FIELDS))
        ? this
        : new ManagedEntry(tree.with(FIELDS, fields.tree()));
  }

  ManagedEntry at(Instant time) {
    if (subresource().equals(SCALE) && time().isEmpty()) {
      return this;
    }
    return new ManagedEntry(tree.with("time", Times.format(time)));
  }

  ManagedEntry in(String apiVersion) {
    return new ManagedEntry(tree.with("apiVersion", apiVersion));
  }

  /** The manager as messages name it. */
  String text() {
    String through = subresource().isEmpty() ? "" : " with subresource \"" + subresource() + "\"";
    return '"' + manager() + '"' + through + (isApply() ? "" : " using " + apiVersion());
  }
}
