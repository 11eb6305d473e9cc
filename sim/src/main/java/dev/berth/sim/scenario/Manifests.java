package dev.berth.sim.scenario;

import dev.berth.model.config.ConfigException;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.yaml.YamlException;
import dev.berth.model.yaml.YamlReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Objects in files, as {@code kubectl apply -f} takes them. */
public final class Manifests {
  private static final Pattern SEPARATOR = Pattern.compile("(?m)^---(?:[ \\t].*)?$");

  private Manifests() {}

  /** The objects of a file, or of all YAML and JSON files of a directory in the order of names. */
  public static List<JsonObject> read(Path place) {
    List<JsonObject> objects = new ArrayList<>();
    try {
      if (!Files.isDirectory(place)) {
        readFile(place, objects);
        return objects;
      }
      try (Stream<Path> files = Files.list(place)) {
        for (Path file : files.filter(Manifests::isManifest).sorted().toList()) {
          readFile(file, objects);
        }
      }
    } catch (IOException e) {
      throw new ConfigException("There is no file or directory " + place + " that can be read.");
    }
    return objects;
  }

  private static boolean isManifest(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json");
  }

  private static void readFile(Path file, List<JsonObject> objects) throws IOException {
    for (String document : SEPARATOR.split(Files.readString(file), -1)) {
      try {
        Object tree =
            YamlReader.value(
                document.getBytes(StandardCharsets.UTF_8),
                JsonLimits.REQUEST,
                twice -> {
                  throw new ConfigException(file + ": " + twice);
                });
        if (!(tree instanceof JsonNull)) {
          add(file, tree, objects);
        }
      } catch (YamlException | JsonException e) {
        throw new ConfigException(file + " is neither YAML nor JSON: " + e.getMessage());
      }
    }
  }

  private static void add(Path file, Object tree, List<JsonObject> objects) {
    if (!(tree instanceof JsonObject object)
        || object.text("kind", "").isEmpty()
        || object.text("apiVersion", "").isEmpty()) {
      throw new ConfigException(
          file + " must hold Kubernetes objects, each with apiVersion and kind");
    }
    if (object.text("kind", "").endsWith("List") && object.has("items")) {
      object.array("items").objects().forEach(item -> add(file, item, objects));
    } else {
      objects.add(object);
    }
  }
}
