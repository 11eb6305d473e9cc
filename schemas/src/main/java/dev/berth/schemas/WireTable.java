package dev.berth.schemas;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.berth.model.schema.FieldSchema;
import dev.berth.model.schema.TypeSchema;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes how objects look in protobuf: a text with a line for each message, and below it one for
 * each field with its number, its name in JSON and its type.
 *
 * <p>Types are {@code string}, {@code int32} and so on, with a question mark where a zero stands
 * for nothing; {@code #Name} for a message; {@code ^Name} for one whose fields JSON has in the
 * object around it; {@code []} before the type of elements, {@code {}} before that of a map's
 * values; and a word of their own for the messages that are something else in JSON.
 */
final class WireTable {
  /** Messages that JSON has in another form. */
  private static final Map<String, String> FORMS =
      Map.ofEntries(
          Map.entry("io.k8s.apimachinery.pkg.api.resource.Quantity", "quantity"),
          Map.entry("io.k8s.apimachinery.pkg.apis.meta.v1.Time", "time"),
          Map.entry("io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime", "microTime"),
          Map.entry("io.k8s.apimachinery.pkg.util.intstr.IntOrString", "intOrString"),
          Map.entry("io.k8s.apimachinery.pkg.runtime.RawExtension", "json"),
          Map.entry("io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1", "json"),
          Map.entry(extensions("JSON"), "json"),
          Map.entry(extensions("JSONSchemaPropsOrArray"), "schemaOrArray"),
          Map.entry(extensions("JSONSchemaPropsOrBool"), "schemaOrBool"),
          Map.entry(extensions("JSONSchemaPropsOrStringArray"), "schemaOrStrings"),
          Map.entry("io.k8s.api.authentication.v1.ExtraValue", "strings"),
          Map.entry("io.k8s.api.authorization.v1.ExtraValue", "strings"),
          Map.entry("io.k8s.api.certificates.v1.ExtraValue", "strings"),
          Map.entry("io.k8s.apimachinery.pkg.apis.meta.v1.Verbs", "strings"));

  /** Messages that are sent by themselves, though OpenAPI does not know them. */
  private static final List<String> WITHOUT_SCHEMA =
      List.of(
          "io.k8s.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata",
          "io.k8s.apimachinery.pkg.apis.meta.v1.PartialObjectMetadataList");

  /** What the two artifacts disagree on; anything beyond this is news that wants a look. */
  private static final Set<String> ONLY_IN_ONE =
      Set.of(
          "io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerCondition observedGeneration",
          "io.k8s.api.certificates.v1beta1.PodCertificateRequestSpec stubPKCS10Request");

  private final Map<String, Descriptor> messages;
  private final Map<String, TypeSchema> schemas;
  private final ZeroOverlay zeros;

  WireTable(Map<String, Descriptor> messages, List<TypeSchema> schemas, ZeroOverlay zeros) {
    this.messages = messages;
    this.schemas = schemas.stream().collect(Collectors.toMap(TypeSchema::name, schema -> schema));
    this.zeros = zeros;
  }

  private static String extensions(String name) {
    return "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1." + name;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    for (Descriptor message : needed()) {
      text.append(ProtoMessages.name(message)).append('\n');
      lines(message).forEach((number, line) -> text.append(line).append('\n'));
    }
    if (!zeros.unused().isEmpty()) {
      throw new IllegalStateException("rows on zeros that fit nothing: " + zeros.unused());
    }
    return text.toString();
  }

  /** The messages that have a schema, and those inside them. */
  private Set<Descriptor> needed() {
    Deque<Descriptor> waiting = new ArrayDeque<>();
    messages.forEach((name, message) -> {
      if (schemas.containsKey(name) || WITHOUT_SCHEMA.contains(name)) {
        waiting.add(message);
      }
    });
    Set<Descriptor> needed = new LinkedHashSet<>();
    while (!waiting.isEmpty()) {
      Descriptor message = waiting.pop();
      if (!FORMS.containsKey(ProtoMessages.name(message)) && needed.add(message)) {
        for (FieldDescriptor field : message.getFields()) {
          FieldDescriptor value = field.isMapField() ? valueOf(field) : field;
          if (value.getType() == FieldDescriptor.Type.MESSAGE) {
            waiting.add(value.getMessageType());
          }
        }
      }
    }
    return needed;
  }

  private Map<Integer, String> lines(Descriptor message) {
    String type = ProtoMessages.name(message);
    TypeSchema schema = schemas.get(type);
    Map<String, FieldSchema> unmatched = new HashMap<>();
    if (schema != null) {
      schema.fields().forEach(field -> unmatched.put(letters(field.name()), field));
    }
    Map<Integer, String> lines = new TreeMap<>();
    for (FieldDescriptor field : message.getFields()) {
      FieldSchema known = unmatched.remove(letters(field.getName()));
      boolean inline = schema != null && known == null && isPlainMessage(field);
      if (inline) {
        flattened(field.getMessageType(), type, unmatched);
      } else if (schema != null && known == null) {
        expectKnown(type, field.getName());
        continue;
      }
      lines.put(
          field.getNumber(),
          "\t%d\t%s\t%s"
              .formatted(
                  field.getNumber(),
                  known == null ? field.getName() : known.name(),
                  inline
                      ? "^" + ProtoMessages.name(field.getMessageType())
                      : typeOf(type, field, known)));
    }
    unmatched.values().stream()
        .map(FieldSchema::name)
        .filter(name -> !name.equals("kind") && !name.equals("apiVersion"))
        .forEach(name -> expectKnown(type, name));
    return lines;
  }

  private static boolean isPlainMessage(FieldDescriptor field) {
    return field.getType() == FieldDescriptor.Type.MESSAGE && !field.isRepeated();
  }

  /** JSON has the fields of such a message in the object around it, all of them. */
  private static void flattened(
      Descriptor message, String around, Map<String, FieldSchema> unmatched) {
    for (FieldDescriptor field : message.getFields()) {
      if (unmatched.remove(letters(field.getName())) == null) {
        if (!isPlainMessage(field)) {
          throw new IllegalStateException(
              around
                  + " does not have the field "
                  + field.getName()
                  + " of "
                  + message.getFullName());
        }
        flattened(field.getMessageType(), around, unmatched);
      }
    }
  }

  private static void expectKnown(String type, String field) {
    if (!ONLY_IN_ONE.contains(type + " " + field)) {
      throw new IllegalStateException(
          "the field " + field + " of " + type + " is in one artifact only");
    }
  }

  private String typeOf(String type, FieldDescriptor field, @Nullable FieldSchema known) {
    if (field.isMapField()) {
      return "{}" + elementType(valueOf(field));
    }
    if (field.isRepeated()) {
      return "[]" + elementType(field);
    }
    if (field.getType() == FieldDescriptor.Type.MESSAGE) {
      return elementType(field);
    }
    boolean required = known != null && known.required();
    String name = known == null ? field.getName() : known.name();
    return elementType(field) + (zeros.keeps(type, name, required) ? "" : "?");
  }

  private static FieldDescriptor valueOf(FieldDescriptor map) {
    return map.getMessageType().findFieldByNumber(2);
  }

  private static String elementType(FieldDescriptor field) {
    return switch (field.getType()) {
      case STRING, BOOL, INT32, INT64, DOUBLE, BYTES ->
          field.getType().name().toLowerCase(Locale.ROOT);
      case MESSAGE -> {
        String message = ProtoMessages.name(field.getMessageType());
        yield FORMS.getOrDefault(message, "#" + message);
      }
      default -> throw new IllegalStateException("a type of a new sort: " + field);
    };
  }

  /** What a field's names in both worlds share: {@code $ref} and {@code ref}. */
  private static String letters(String name) {
    return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
  }
}
