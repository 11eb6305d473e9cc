package dev.berth.schemas;

import dev.berth.model.schema.SchemaWriter;
import dev.berth.model.schema.Schemas;
import dev.berth.model.schema.TypeSchema;
import dev.berth.schemas.ModelFields.ModelField;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Writes the schemas of the built-in types, from the classes of {@code client-java-api} and an
 * overlay of what these do not say, and how they look in protobuf, from the messages of {@code
 * client-java-proto} and another overlay. Part of the build; does nothing when its output is newer
 * than all it is made from.
 */
public final class GenerateSchemas {
  private final ClientClasses classes = new ClientClasses();
  private final ProtoMessages messages = new ProtoMessages();
  private final Path overlay;
  private final Path zeros;
  private final Path types;
  private final Path descriptions;
  private final Path wire;

  private GenerateSchemas(Path overlays, Path output) {
    this.overlay = overlays.resolve("schema-overlay.tsv");
    this.zeros = overlays.resolve("zero-overlay.tsv");
    this.wire = output.resolve(Schemas.WIRE_RESOURCE);
    this.types = output.resolve(Schemas.TYPES_RESOURCE);
    this.descriptions = output.resolve(Schemas.DESCRIPTIONS_RESOURCE);
  }

  /** Takes the directory of the overlays and the directory of the class path to write to. */
  public static void main(String[] arguments) throws IOException, URISyntaxException {
    GenerateSchemas generator = new GenerateSchemas(Path.of(arguments[0]), Path.of(arguments[1]));
    if (!generator.isUpToDate()) {
      generator.generate();
    }
  }

  private boolean isUpToDate() throws IOException, URISyntaxException {
    if (!Stream.of(types, descriptions, wire).allMatch(Files::exists)) {
      return false;
    }
    long oldest = Math.min(Math.min(modified(types), modified(descriptions)), modified(wire));
    return Stream.of(overlay, zeros, classes.jar(), messages.jar())
            .allMatch(input -> modified(input) < oldest)
        && newestClass(GenerateSchemas.class) < oldest
        && newestClass(SchemaWriter.class) < oldest;
  }

  /** When the newest class beside a class was compiled, or the jar that holds them written. */
  private static long newestClass(Class<?> type) throws IOException, URISyntaxException {
    Path source = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (!Files.isDirectory(source)) {
      return modified(source);
    }
    try (Stream<Path> files = Files.list(source.resolve(type.getPackageName().replace('.', '/')))) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .mapToLong(GenerateSchemas::modified)
          .max()
          .orElse(0);
    }
  }

  private static long modified(Path file) {
    return file.toFile().lastModified();
  }

  private void generate() throws IOException {
    TypeNames names = new TypeNames(classes);
    Overlay merging = new Overlay(Files.readAllLines(overlay));
    ZeroOverlay zeroForms = new ZeroOverlay(Files.readAllLines(zeros));
    SchemaBuilder builder = new SchemaBuilder(names, merging, zeroForms);
    Map<String, Class<?>> models = new TreeMap<>();
    classes.models().forEach(model -> models.put(names.name(model), model));

    List<TypeSchema> schemas = models.values().stream().map(builder::schema).toList();
    if (!merging.unused().isEmpty()) {
      throw new IllegalStateException("rows of the overlay that fit nothing: " + merging.unused());
    }
    Files.createDirectories(types.getParent());
    Files.write(types, SchemaWriter.types(schemas));
    WireTable table = new WireTable(messages.all(), schemas, zeroForms);
    Files.writeString(wire, table.text());
    Files.write(descriptions, SchemaWriter.descriptions(descriptions(models.values().stream())));
  }

  private static List<String> descriptions(Stream<Class<?>> models) {
    List<String> descriptions = new ArrayList<>();
    models.forEach(model -> {
      descriptions.add(ModelFields.description(model));
      for (ModelField field : ModelFields.of(model)) {
        descriptions.add(description(field));
      }
    });
    return descriptions;
  }

  /**
   * The artifact has lost the descriptions of fields that refer to a type: the type's stands in.
   */
  private static String description(ModelField field) {
    return field.description().isEmpty() && field.type() instanceof Class<?> type
        ? ModelFields.description(type)
        : field.description();
  }
}
