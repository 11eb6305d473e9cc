package dev.berth.model.schema;

import static java.util.stream.Collectors.toSet;

import dev.berth.model.resource.GroupVersionKind;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/** Reads what {@link SchemaWriter} writes. */
final class SchemaReader {
  private final DataInputStream in;
  private final String[] strings;

  /** Types and ways to merge that were met already, so that equal ones are held once. */
  private final Map<String, FieldType> fieldTypes = new HashMap<>();

  private final Map<String, Merging> mergings = new HashMap<>();

  private SchemaReader(byte[] deflated) throws IOException {
    this.in =
        new DataInputStream(
            new BufferedInputStream(
                new InflaterInputStream(new ByteArrayInputStream(deflated)), 1 << 14));
    this.strings = new String[in.readUnsignedShort()];
    for (int i = 0; i < strings.length; i++) {
      strings[i] = in.readUTF();
    }
  }

  static List<TypeSchema> types(byte[] deflated) {
    try {
      SchemaReader reader = new SchemaReader(deflated);
      TypeSchema[] types = new TypeSchema[reader.in.readUnsignedShort()];
      for (int i = 0; i < types.length; i++) {
        types[i] = reader.type();
      }
      return Arrays.asList(types);
    } catch (IOException e) {
      throw new UncheckedIOException("the schemas are damaged", e);
    }
  }

  static List<String> descriptions(byte[] deflated) {
    try {
      SchemaReader reader = new SchemaReader(deflated);
      String[] descriptions = new String[reader.in.readUnsignedShort()];
      for (int i = 0; i < descriptions.length; i++) {
        descriptions[i] = reader.text();
      }
      return Arrays.asList(descriptions);
    } catch (IOException e) {
      throw new UncheckedIOException("the descriptions are damaged", e);
    }
  }

  private TypeSchema type() throws IOException {
    String name = text();
    @Nullable GroupVersionKind kind =
        in.readBoolean() ? new GroupVersionKind(text(), text(), text()) : null;
    Merging.MapType mapType = Merging.MapType.valueOf(text());
    FieldSchema[] fields = new FieldSchema[in.readUnsignedByte()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] =
          new FieldSchema(
              text(),
              fieldTypes.computeIfAbsent(text(), SchemaReader::fieldType),
              in.readBoolean(),
              mergings.computeIfAbsent(text(), SchemaReader::merging),
              ZeroForm.valueOf(text()));
    }
    return new TypeSchema(name, kind, mapType, Arrays.asList(fields));
  }

  private static FieldType fieldType(String text) {
    if (text.startsWith(SchemaWriter.REFERENCE)) {
      return new FieldType.Reference(text.substring(SchemaWriter.REFERENCE.length()));
    }
    if (text.startsWith(SchemaWriter.LIST)) {
      return new FieldType.ListOf(fieldType(text.substring(SchemaWriter.LIST.length())));
    }
    if (text.startsWith(SchemaWriter.MAP)) {
      return new FieldType.MapOf(fieldType(text.substring(SchemaWriter.MAP.length())));
    }
    return FieldType.Scalar.valueOf(text);
  }

  private static Merging merging(String text) {
    String[] parts = text.split(";", -1);
    return new Merging(
        Merging.ListType.valueOf(parts[0]),
        items(parts[1]),
        items(parts[2]).stream().map(Merging.PatchStrategy::valueOf).collect(toSet()),
        parts[3],
        Merging.MapType.valueOf(parts[4]));
  }

  private static List<String> items(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
  }

  private String text() throws IOException {
    return strings[in.readUnsignedShort()];
  }
}
