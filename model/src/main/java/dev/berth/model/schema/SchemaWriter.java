package dev.berth.model.schema;

import static java.util.stream.Collectors.joining;

import dev.berth.model.resource.GroupVersionKind;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * Writes schemas in their compact form, which {@link SchemaReader} reads: every string once, then
 * the schemas with strings by number, all deflated. The types of fields and how they merge are such
 * strings too, since few of them differ. It is written and read by the same build, so it has no
 * version. The same schemas always make the same bytes.
 */
public final class SchemaWriter {
  /** What stands before the name of a type, or of an element's or a value's. */
  static final String REFERENCE = "#";

  static final String LIST = "[]";
  static final String MAP = "{}";

  private final Map<String, Integer> strings = new LinkedHashMap<>();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(body);

  private SchemaWriter() {}

  /** Types, without descriptions. */
  public static byte[] types(List<TypeSchema> types) {
    try {
      SchemaWriter writer = new SchemaWriter();
      writer.out.writeShort(types.size());
      for (TypeSchema type : types) {
        writer.write(type);
      }
      return writer.deflated();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Descriptions: each type's in turn, followed by those of its fields. */
  public static byte[] descriptions(List<String> descriptions) {
    try {
      SchemaWriter writer = new SchemaWriter();
      writer.out.writeShort(descriptions.size());
      for (String description : descriptions) {
        writer.write(description);
      }
      return writer.deflated();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(TypeSchema type) throws IOException {
    write(type.name());
    GroupVersionKind kind = type.kind();
    out.writeBoolean(kind != null);
    if (kind != null) {
      write(kind.group());
      write(kind.version());
      write(kind.kind());
    }
    write(type.mapType().name());
    out.writeByte(type.fields().size());
    for (FieldSchema field : type.fields()) {
      write(field.name());
      write(text(field.type()));
      out.writeBoolean(field.required());
      write(text(field.merging()));
      write(field.zero().name());
    }
  }

  private static String text(FieldType type) {
    return switch (type) {
      case FieldType.Scalar scalar -> scalar.name();
      case FieldType.Reference reference -> REFERENCE + reference.type();
      case FieldType.ListOf list -> LIST + text(list.element());
      case FieldType.MapOf map -> MAP + text(map.value());
    };
  }

  private static String text(Merging merging) {
    String strategies =
        merging.patchStrategies().stream().map(Enum::name).sorted().collect(joining(","));
    return String.join(
        ";",
        merging.listType().name(),
        String.join(",", merging.listMapKeys()),
        strategies,
        merging.patchMergeKey(),
        merging.mapType().name());
  }

  private void write(String text) throws IOException {
    Integer number = strings.putIfAbsent(text, strings.size());
    out.writeShort(number == null ? strings.size() - 1 : number);
  }

  private byte[] deflated() throws IOException {
    if (strings.size() > 0xffff) {
      throw new IllegalStateException("more strings than numbers for them: " + strings.size());
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
    try (DataOutputStream whole = new DataOutputStream(new DeflaterOutputStream(bytes, deflater))) {
      whole.writeShort(strings.size());
      for (String text : strings.keySet()) {
        whole.writeUTF(text);
      }
      body.writeTo(whole);
    } finally {
      deflater.end();
    }
    return bytes.toByteArray();
  }
}
