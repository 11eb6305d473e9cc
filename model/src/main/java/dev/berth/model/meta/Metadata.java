package dev.berth.model.meta;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an object, read where it stands in the tree. What is absent is empty; what has
 * the wrong shape fails, because the server lets no such object in.
 */
public record Metadata(JsonObject tree) {
  private static final String ANNOTATIONS = "annotations";
  private static final String FINALIZERS = "finalizers";
  private static final String OWNERS = "ownerReferences";

  public static Metadata of(JsonObject object) {
    return new Metadata(object.object("metadata"));
  }

  /** The object with its metadata changed; itself if they did not change. */
  public static JsonObject update(JsonObject object, UnaryOperator<JsonObject> change) {
    return object.with("metadata", change.apply(object.object("metadata")));
  }

  /** The object with an annotation; itself if it has it. */
  public static JsonObject annotate(JsonObject object, String key, String value) {
    return update(
        object, metadata -> metadata.update(ANNOTATIONS, others -> others.with(key, value)));
  }

  /** The object without an annotation; itself if it has none of that key. */
  public static JsonObject withoutAnnotation(JsonObject object, String key) {
    return update(object, metadata -> metadata.update(ANNOTATIONS, others -> others.without(key)));
  }

  /** The object with a finalizer; itself if it has it. */
  public static JsonObject withFinalizer(JsonObject object, String finalizer) {
    return of(object).finalizers().contains(finalizer)
        ? object
        : update(
            object,
            metadata -> metadata.with(FINALIZERS, metadata.array(FINALIZERS).append(finalizer)));
  }

  /** The object without a finalizer; itself if it does not have it. */
  public static JsonObject withoutFinalizer(JsonObject object, String finalizer) {
    return update(
        object,
        metadata -> {
          int index = metadata.array(FINALIZERS).values().indexOf(finalizer);
          if (index < 0) {
            return metadata;
          }
          JsonArray left = metadata.array(FINALIZERS).without(index);
          return left.isEmpty() ? metadata.without(FINALIZERS) : metadata.with(FINALIZERS, left);
        });
  }

  public String name() {
    return tree.text("name", "");
  }

  public String generateName() {
    return tree.text("generateName", "");
  }

  /** The namespace, empty for an object that is in none. */
  public String namespace() {
    return tree.text("namespace", "");
  }

  public String uid() {
    return tree.text("uid", "");
  }

  public String resourceVersion() {
    return tree.text("resourceVersion", "");
  }

  /**
   * Whether this is an earlier state of an object than another one. Revisions are numbers that grow
   * with each write, which Kubernetes promises since 1.35; of those that are not, none is earlier.
   */
  public boolean isBefore(Metadata other) {
    String own = resourceVersion();
    String others = other.resourceVersion();
    if (!isNumber(own) || !isNumber(others)) {
      return false;
    }
    return own.length() == others.length()
        ? own.compareTo(others) < 0
        : own.length() < others.length();
  }

  private static boolean isNumber(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /** The version of the desired state; 0 where it is not counted. */
  public long generation() {
    return tree.integer("generation").orElse(0);
  }

  public JsonObject labels() {
    return tree.object("labels");
  }

  public Optional<String> label(String key) {
    return Optional.ofNullable(labels().text(key));
  }

  public JsonObject annotations() {
    return tree.object(ANNOTATIONS);
  }

  public Optional<String> annotation(String key) {
    return Optional.ofNullable(annotations().text(key));
  }

  public List<String> finalizers() {
    return tree.array(FINALIZERS).texts();
  }

  public List<OwnerReference> ownerReferences() {
    JsonArray references = ownerReferencesAsWritten();
    return references.isEmpty()
        ? List.of()
        : references.objects().stream().map(OwnerReference::fromTree).toList();
  }

  /** The owners as the tree has them; {@link OwnerReference#fromTree} reads them. */
  public JsonArray ownerReferencesAsWritten() {
    return tree.array(OWNERS);
  }

  /** The owner that manages this object, if there is one. */
  public Optional<OwnerReference> controller() {
    JsonObject owner = controllerAsWritten();
    return owner == null ? Optional.empty() : Optional.of(OwnerReference.fromTree(owner));
  }

  /** Its uid alone, for those who look at many objects; null if there is none. */
  public @Nullable String controllerUid() {
    JsonObject owner = controllerAsWritten();
    return owner == null ? null : owner.text("uid", "");
  }

  private @Nullable JsonObject controllerAsWritten() {
    JsonArray references = ownerReferencesAsWritten();
    for (int i = 0; i < references.size(); i++) {
      if (references.get(i) instanceof JsonObject owner && owner.flag("controller", false)) {
        return owner;
      }
    }
    return null;
  }

  public boolean isControlledBy(String uid) {
    return uid.equals(controllerUid());
  }

  public Optional<Instant> creationTimestamp() {
    return time("creationTimestamp");
  }

  /** When the object is to be gone; present from the moment its deletion was asked for. */
  public Optional<Instant> deletionTimestamp() {
    return time("deletionTimestamp");
  }

  public boolean isBeingDeleted() {
    return tree.text("deletionTimestamp") != null;
  }

  public OptionalLong deletionGracePeriodSeconds() {
    return tree.integer("deletionGracePeriodSeconds");
  }

  private Optional<Instant> time(String field) {
    return Optional.ofNullable(tree.text(field)).map(Times::parse);
  }
}
