package dev.berth.agent.config;

import dev.berth.model.config.ConfigException;
import dev.berth.model.config.ConfigFields;
import dev.berth.model.config.ConfigFile;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Reads a KubeletConfiguration, and the files of a directory that change some of its fields: those
 * in it and below whose names end in {@code .conf}, in the order of their paths. Objects are
 * merged, all else is replaced. Unknown fields are refused with their path; what becomes of known
 * ones is {@link KubeletField}'s to say.
 */
public final class KubeletConfigurationFile {
  static final String KIND = "KubeletConfiguration";
  static final String VERSION = "kubelet.config.k8s.io/v1beta1";

  private KubeletConfigurationFile() {}

  /**
   * Settings with what the files say.
   *
   * @param flags fields that were set otherwise, and count more than what files say
   * @param warnings gets a sentence for each field, and one for all gates, that has no effect
   * @throws ConfigException if something cannot be used
   */
  public static AgentSettings read(
      Optional<Path> file,
      Optional<Path> dropIns,
      JsonObject flags,
      AgentSettings otherwise,
      Consumer<String> warnings) {
    JsonObject merged = JsonObject.EMPTY;
    List<Path> files = new ArrayList<>();
    file.ifPresent(files::add);
    dropIns.ifPresent(directory -> files.addAll(listed(directory)));
    for (Path each : files) {
      merged = merge(merged, tree(each));
    }
    merged = merge(merged, flags);
    if (merged.isEmpty()) {
      return otherwise;
    }
    List<FieldError> errors = new ArrayList<>();
    ConfigFields fields = new ConfigFields(merged, FieldPath.ROOT, errors);
    check(fields, warnings);
    AgentSettings settings =
        new KubeletConfigurationReader(fields, KubeletGates.read(fields, warnings))
            .apply(otherwise);
    if (!errors.isEmpty()) {
      throw files.isEmpty()
          ? new ConfigException("The options are not valid: " + errors.getFirst())
          : ConfigFile.invalid(files.getFirst(), KIND, errors);
    }
    return settings;
  }

  private static List<Path> listed(Path directory) {
    try (Stream<Path> found = Files.walk(directory, FileVisitOption.FOLLOW_LINKS)) {
      return found
          .filter(file -> file.toString().endsWith(".conf") && Files.isRegularFile(file))
          .sorted()
          .toList();
    } catch (IOException | UncheckedIOException e) {
      throw new ConfigException(
          "The directory " + directory + " cannot be read: " + e.getMessage());
    }
  }

  private static JsonObject tree(Path file) {
    JsonObject tree =
        ConfigFile.tree(
            file,
            twice -> {
              throw new ConfigException(file + ": " + twice);
            });
    List<FieldError> errors = new ArrayList<>();
    ConfigFields fields = new ConfigFields(tree, FieldPath.ROOT, errors);
    fields.expect("apiVersion", List.of(VERSION));
    fields.expect("kind", List.of(KIND));
    if (!errors.isEmpty()) {
      throw ConfigFile.invalid(file, KIND, errors);
    }
    return tree;
  }

  private static JsonObject merge(JsonObject below, JsonObject above) {
    JsonObject merged = below;
    for (int i = 0; i < above.size(); i++) {
      String name = above.name(i);
      Object value =
          merged.get(name) instanceof JsonObject before
                  && above.value(i) instanceof JsonObject after
              ? merge(before, after)
              : above.value(i);
      merged = merged.with(name, value);
    }
    return merged;
  }

  private static void check(ConfigFields fields, Consumer<String> warnings) {
    fields
        .tree()
        .forEach((name, value) -> {
          if (name.equals("apiVersion") || name.equals("kind")) {
            return;
          }
          KubeletField field = KubeletField.ALL.get(name);
          if (field == null) {
            fields.error(FieldError.forbidden(fields.path(name), "unknown field"));
            return;
          }
          String text = value instanceof String words ? words : JsonWriter.toText(value);
          boolean isSaid = !(value instanceof JsonNull) && !field.defaults().contains(text);
          switch (field.use()) {
            case HONOURED -> {}
            case NO_EFFECT -> {
              if (isSaid) {
                warnings.accept("%s has no effect: %s".formatted(name, field.why()));
              }
            }
            case ONLY_DEFAULT -> {
              if (isSaid) {
                fields.error(
                    FieldError.forbidden(
                        fields.path(name),
                        "cannot be anything but its default here: " + field.why()));
              }
            }
          }
        });
  }
}
