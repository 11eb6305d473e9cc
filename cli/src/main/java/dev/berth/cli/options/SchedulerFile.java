package dev.berth.cli.options;

import dev.berth.model.config.ConfigFile;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.profile.ConfigurationReader;
import dev.berth.scheduler.profile.SchedulerConfiguration;
import java.io.PrintWriter;
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
    JsonObject tree =
        ConfigFile.tree(file.get(), twice -> err.println("berth: " + file.get() + ": " + twice));
    return switch (ConfigurationReader.read(tree)) {
      case ConfigurationReader.Result.Valid(SchedulerConfiguration configuration) -> {
        configuration.notes().forEach(note -> err.println("berth: " + file.get() + ": " + note));
        yield configuration;
      }
      case ConfigurationReader.Result.Invalid(List<FieldError> errors) ->
          throw ConfigFile.invalid(file.get(), "KubeSchedulerConfiguration", errors);
    };
  }
}
