package dev.berth.schemas;

import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.FieldSchema;
import dev.berth.model.schema.FieldType;
import dev.berth.model.schema.FieldType.Scalar;
import dev.berth.model.schema.TypeSchema;
import dev.berth.schemas.ModelFields.ModelField;
import io.kubernetes.client.common.KubernetesType;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns model classes into schemas. */
final class SchemaBuilder {
  /** Types of {@code meta/v1} that are sent by themselves, though their classes do not say so. */
  private static final Set<String> TOP_LEVEL_META =
      Set.of(
          "APIGroup", "APIGroupList", "APIResourceList", "APIVersions", "DeleteOptions", "Status");

  /** Times in microseconds; the artifact has one Java type for both sorts of time. */
  private static final Set<String> MICRO_TIMES =
      Set.of(
          "io.k8s.api.coordination.v1.LeaseSpec acquireTime",
          "io.k8s.api.coordination.v1.LeaseSpec renewTime",
          "io.k8s.api.coordination.v1alpha2.LeaseCandidateSpec pingTime",
          "io.k8s.api.coordination.v1alpha2.LeaseCandidateSpec renewTime",
          "io.k8s.api.coordination.v1beta1.LeaseCandidateSpec pingTime",
          "io.k8s.api.coordination.v1beta1.LeaseCandidateSpec renewTime",
          "io.k8s.api.core.v1.Event eventTime",
          "io.k8s.api.core.v1.EventSeries lastObservedTime",
          "io.k8s.api.events.v1.Event eventTime",
          "io.k8s.api.events.v1.EventSeries lastObservedTime");

  private static final Map<Class<?>, FieldType> SCALARS =
      Map.ofEntries(
          Map.entry(String.class, Scalar.STRING),
          Map.entry(byte[].class, Scalar.BYTES),
          Map.entry(Integer.class, Scalar.INT32),
          Map.entry(Long.class, Scalar.INT64),
          Map.entry(Double.class, Scalar.NUMBER),
          Map.entry(Boolean.class, Scalar.BOOLEAN),
          Map.entry(IntOrString.class, Scalar.INT_OR_STRING),
          Map.entry(Quantity.class, Scalar.QUANTITY),
          Map.entry(OffsetDateTime.class, Scalar.TIME),
          Map.entry(Object.class, Scalar.ANY));

  private final TypeNames names;
  private final Overlay overlay;
  private final ZeroOverlay zeros;

  SchemaBuilder(TypeNames names, Overlay overlay, ZeroOverlay zeros) {
    this.names = names;
    this.overlay = overlay;
    this.zeros = zeros;
  }

  TypeSchema schema(Class<?> model) {
    String name = names.name(model);
    List<FieldSchema> fields =
        ModelFields.of(model).stream().map(field -> schema(name, field)).toList();
    return new TypeSchema(name, kind(model), overlay.of(name), fields);
  }

  private FieldSchema schema(String type, ModelField field) {
    FieldType fieldType =
        MICRO_TIMES.contains(type + " " + field.name())
            ? Scalar.MICRO_TIME
            : fieldType(field.type());
    return new FieldSchema(
        field.name(),
        fieldType,
        field.required(),
        overlay.of(type, field.name()),
        zeros.form(type, field.name(), fieldType, field.required()));
  }

  private FieldType fieldType(Type type) {
    return switch (type) {
      case Class<?> plain -> {
        FieldType scalar = SCALARS.get(plain);
        yield scalar == null ? new FieldType.Reference(names.name(plain)) : scalar;
      }
      case ParameterizedType generic when generic.getRawType() == List.class ->
          new FieldType.ListOf(fieldType(generic.getActualTypeArguments()[0]));
      case ParameterizedType generic when generic.getRawType() == Map.class ->
          new FieldType.MapOf(fieldType(generic.getActualTypeArguments()[1]));
      default -> throw new IllegalStateException("a type of a new sort: " + type);
    };
  }

  private @Nullable GroupVersionKind kind(Class<?> model) {
    ModelName name = ModelName.of(model);
    ApiGroup group = names.group(model);
    boolean topLevel =
        KubernetesType.class.isAssignableFrom(model)
            || (group.equals(ApiGroup.META) && TOP_LEVEL_META.contains(name.kind()));
    return topLevel ? new GroupVersionKind(group.name(), name.version(), name.kind()) : null;
  }
}
