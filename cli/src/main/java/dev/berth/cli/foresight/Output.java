package dev.berth.cli.foresight;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.model.yaml.YamlWriter;
import java.util.function.BiConsumer;

/** How a command prints what it found: for people, or as JSON or YAML. */
enum Output {
  TEXT,
  JSON,
  YAML;

  static final Option OPTION =
      new Option("-o", "json|yaml", "Prints everything that was found, as JSON or YAML.");

  static Output of(Arguments arguments) {
    return switch (arguments.text(OPTION.name()).orElse("")) {
      case "" -> TEXT;
      case "json" -> JSON;
      case "yaml" -> YAML;
      default ->
          throw new UsageException(
              "-o must be json or yaml, not \"%s\"."
                  .formatted(arguments.text(OPTION.name()).orElse("")));
    };
  }

  void print(JsonObject found, Console console, BiConsumer<JsonObject, Screen> text) {
    switch (this) {
      case TEXT -> text.accept(found, Screen.of(console));
      case JSON -> console.out().println(JsonWriter.toText(found));
      case YAML -> console.out().print(new String(YamlWriter.toBytes(found), UTF_8));
    }
    console.out().flush();
  }
}
