package dev.berth.cli.options;

import dev.berth.cli.arguments.UsageException;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.yaml.YamlException;
import dev.berth.model.yaml.YamlReader;
import dev.berth.scheduler.profile.ConfigurationReader;
import dev.berth.scheduler.profile.SchedulerConfiguration;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads a KubeSchedulerConfiguration, in YAML or JSON. */
public final class SchedulerFile {
  private SchedulerFile() {}

  /** What a file says, or the defaults if there is none. What has no effect is said on err. */
  public static SchedulerConfiguration read(Optional<Path> file, PrintWriter err) {
    if (file.isEmpty()) {
      return ConfigurationReader.defaults();
    }
    return switch (ConfigurationReader.read(tree(file.get(), err))) {
      case ConfigurationReader.Result.Valid(SchedulerConfiguration configuration) -> {
        configuration.notes().forEach(note -> err.println("berth: " + file.get() + ": " + note));
        yield configuration;
      }
      case ConfigurationReader.Result.Invalid(List<FieldError> errors) ->
          throw new UsageException(
              "%s is not a valid KubeSchedulerConfiguration:%n  %s"
                  .formatted(
                      file.get(),
                      String.join(
                          System.lineSeparator() + "  ",
                          errors.stream().map(FieldError::toString).toList())));
    };
  }

  private static JsonObject tree(Path file, PrintWriter err) {
    try {
      Object tree =
          YamlReader.value(
              Files.readAllBytes(file),
              JsonLimits.REQUEST,
              field -> err.println("berth: " + file + ": " + field + " is set twice"));
      if (tree instanceof JsonObject object) {
        return object;
      }
      throw new UsageException(file + " must hold an object, not " + tree);
    } catch (NoSuchFileException e) {
      throw new UsageException("There is no file " + file + ".");
    } catch (IOException e) {
      throw new UsageException(file + " cannot be read: " + e.getMessage());
    } catch (YamlException | JsonException e) {
      throw new UsageException(file + " is neither YAML nor JSON: " + e.getMessage());
    }
  }
}
