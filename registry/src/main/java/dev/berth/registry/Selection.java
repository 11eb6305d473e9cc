package dev.berth.registry;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.selector.FieldSelector;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.status.Failures;
import dev.berth.store.Store.Entry;
import dev.berth.store.Topic;
import java.util.Optional;

/**
 * Which objects of a resource a request is about.
 *
 * @param namespace empty for all namespaces, and for a resource that has none
 */
public record Selection(String namespace, LabelSelector labels, FieldSelector fields) {
  public static final Selection ALL =
      new Selection("", LabelSelector.EVERYTHING, FieldSelector.EVERYTHING);

  public static Selection in(String namespace) {
    return new Selection(namespace, LabelSelector.EVERYTHING, FieldSelector.EVERYTHING);
  }

  /** Refuses fields that the resource cannot be selected by. */
  public void check(Resource resource) {
    for (FieldSelector.Term term : fields.terms()) {
      if (!resource.isSelectable(term.field())) {
        throw Failures.badRequest(unsupported(resource, term.field()));
      }
    }
  }

  private static String unsupported(Resource resource, String field) {
    if (!resource.hasOwnSelectableFields() && resource.custom().isEmpty()) {
      return "\"%s\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
          .formatted(field);
    }
    return switch (resource.groupResource().toString()) {
      case "jobs.batch" -> "field label \"%s\" not supported for Job".formatted(field);
      case "resourceslices.resource.k8s.io" ->
          "field label not supported for %s, Kind=ResourceSlice: %s"
              .formatted(resource.kind().apiVersion(), field);
      default -> "field label not supported: " + field;
    };
  }

  boolean selectsEverything() {
    return labels.selectsEverything() && fields.selectsEverything();
  }

  boolean matches(Resource resource, Entry entry) {
    return selectsEverything() || matches(resource, StoredEncoding.tree(resource, entry));
  }

  /** Whether an object is selected. */
  public boolean matches(Resource resource, JsonObject object) {
    return labels.matches(object.object("metadata").object("labels"))
        && fields.matches(field -> resource.selectableField(field, object).orElse(""));
  }

  /** The one name that an object must have, if the selection says so. */
  Optional<String> name() {
    return fields.exactValue(IndexedFields.NAME);
  }

  /** The one value that the indexed field must have, if the selection says so. */
  Optional<String> indexedValue(Resource resource) {
    return IndexedFields.hasNodeName(resource)
        ? fields.exactValue(IndexedFields.NODE_NAME)
        : Optional.empty();
  }

  /** The writes that may change what is selected. */
  Topic topic(Resource resource) {
    return name()
        .<Topic>map(Topic.Name::new)
        .or(() -> indexedValue(resource).map(Topic.Value::new))
        .orElse(Topic.ALL);
  }

  /** What the keys of the selected objects begin with. */
  String prefix(Resource resource) {
    return ObjectKeys.prefix(resource, resource.isNamespaced() ? namespace : "");
  }
}
