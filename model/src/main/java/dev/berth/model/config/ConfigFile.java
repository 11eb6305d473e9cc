package dev.berth.model.config;

import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.yaml.YamlException;
import dev.berth.model.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads a configuration file, in YAML or JSON. Whatever is wrong with it is a {@link
 * ConfigException} that names the file and the fields.
 */
public final class ConfigFile {
  private ConfigFile() {}

  /**
   * Reads a file of one kind.
   *
   * @param reader makes something of its fields, and notes those that are wrong
   */
  public static <T> T read(
      Path file, String apiVersion, String kind, Function<ConfigFields, T> reader) {
    return read(file, List.of(apiVersion), kind, reader);
  }

  /** The same for a kind of several versions that have the same fields. */
  public static <T> T read(
      Path file, List<String> apiVersions, String kind, Function<ConfigFields, T> reader) {
    JsonObject tree =
        tree(
            file,
            twice -> {
              throw new ConfigException(file + ": " + twice);
            });
    List<FieldError> errors = new ArrayList<>();
    ConfigFields fields = new ConfigFields(tree, FieldPath.ROOT, errors);
    fields.expect("apiVersion", apiVersions);
    fields.expect("kind", List.of(kind));
    T made = reader.apply(fields);
    if (!errors.isEmpty()) {
      throw invalid(file, kind, errors);
    }
    return made;
  }

  /** What is wrong with a file, a line for each field. */
  public static ConfigException invalid(Path file, String kind, List<FieldError> errors) {
    String separator = System.lineSeparator() + "  ";
    return new ConfigException(
        "%s is not a valid %s:%s%s"
            .formatted(
                file,
                kind,
                separator,
                String.join(separator, errors.stream().map(FieldError::toString).toList())));
  }

  /**
   * The object that a file holds.
   *
   * @param duplicates is told of fields that are set twice
   */
  public static JsonObject tree(Path file, Consumer<String> duplicates) {
    try {
      Object tree = YamlReader.value(Files.readAllBytes(file), JsonLimits.REQUEST, duplicates);
      if (tree instanceof JsonObject object) {
        return object;
      }
      throw new ConfigException(
          tree instanceof JsonNull
              ? file + " is empty"
              : file + " must hold an object, not " + tree);
    } catch (NoSuchFileException e) {
      throw new ConfigException("There is no file " + file + ".");
    } catch (IOException e) {
      throw new ConfigException(file + " cannot be read: " + e.getMessage());
    } catch (YamlException | JsonException e) {
      throw new ConfigException(file + " is neither YAML nor JSON: " + e.getMessage());
    }
  }
}
