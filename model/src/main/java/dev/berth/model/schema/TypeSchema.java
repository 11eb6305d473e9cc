package dev.berth.model.schema;

import dev.berth.model.resource.GroupVersionKind;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One type, named as in Kubernetes' OpenAPI: {@code io.k8s.api.core.v1.Pod}.
 *
 * @param kind what objects of the type call themselves; null for a type that only occurs in others
 * @param mapType how objects of the type merge unless the field that holds one says otherwise
 * @param fields in alphabetical order
 */
public record TypeSchema(
    String name,
    @Nullable GroupVersionKind kind,
    Merging.MapType mapType,
    List<FieldSchema> fields) {

  public TypeSchema {
    fields = List.copyOf(fields);
  }

  /** The field of a name, if the type has it. */
  public Optional<FieldSchema> field(String field) {
    int index = indexOf(field);
    return index < 0 ? Optional.empty() : Optional.of(fields.get(index));
  }

  /** Where in {@link #fields} a field is, negative if it is not there. */
  int indexOf(String field) {
    int low = 0;
    int high = fields.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = fields.get(middle).name().compareTo(field);
      if (order == 0) {
        return middle;
      }
      low = order < 0 ? middle + 1 : low;
      high = order < 0 ? high : middle - 1;
    }
    return -1;
  }
}
