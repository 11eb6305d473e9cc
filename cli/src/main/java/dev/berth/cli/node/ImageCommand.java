package dev.berth.cli.node;

import dev.berth.agent.Agent;
import dev.berth.agent.image.ImageStore;
import dev.berth.agent.image.ImportedImage;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.Suggestion;
import dev.berth.cli.arguments.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Gives the containers of this machine something else to run in than its own files. */
public final class ImageCommand implements Command {
  private static final List<String> VERBS = List.of("import", "list", "remove");

  @Override
  public String name() {
    return "image";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Gives the containers of this machine something else to run in than its own files.",
        "berth image import NAME FILE unpacks an archive (\"docker save\", or an OCI image in a"
            + " tar); containers of the image NAME run in it from then on.",
        "berth image list shows which there are; berth image remove NAME removes one.");
  }

  @Override
  public List<String> parameters() {
    return List.of("VERB");
  }

  @Override
  public List<String> optionalParameters() {
    return List.of("NAME", "FILE");
  }

  @Override
  public List<Option> options() {
    return List.of(AgentDirectories.DATA);
  }

  @Override
  public int run(Arguments arguments, Console console) {
    List<String> words = arguments.parameters();
    String verb = words.getFirst();
    if (!VERBS.contains(verb)) {
      throw new UsageException(
          "Unknown verb \"%s\".%s Known: %s."
              .formatted(verb, Suggestion.of(verb, VERBS), String.join(", ", VERBS)));
    }
    if (words.size() != expected(verb)) {
      throw new UsageException(
          switch (verb) {
            case "import" -> "berth image import needs NAME and FILE.";
            case "list" -> "berth image list takes no argument.";
            default -> "berth image remove needs NAME.";
          });
    }
    List<Path> roots = AgentDirectories.find(arguments);
    if (roots.size() != 1) {
      throw new UsageException(
          roots.isEmpty()
              ? "There is no node to have images: %s.".formatted(AgentDirectories.none(arguments))
              : "Two agents have run on this machine: name one, by --data=%s."
                  .formatted(roots.getFirst()));
    }
    ImageStore images = new ImageStore(roots.getFirst().resolve("images"));
    try {
      Optional<String> endpoint = Agent.runtimeEndpoint(roots.getFirst());
      if (endpoint.isPresent()) {
        throw new UsageException(
            "The images of this node are those of the runtime at %s: use its own tools, such as \"ctr -n k8s.io images import\"."
                .formatted(endpoint.get()));
      }
      return switch (verb) {
        case "import" -> importFile(images, words.get(1), Path.of(words.get(2)), console);
        case "list" -> list(images, console);
        default -> remove(images, words.get(1), console);
      };
    } catch (IOException e) {
      console.err().println("berth: " + e.getMessage() + ".");
      return ExitCode.FAILED;
    }
  }

  /** How many words there are with a verb. */
  private static int expected(String verb) {
    return switch (verb) {
      case "import" -> 3;
      case "remove" -> 2;
      default -> 1;
    };
  }

  private static int importFile(ImageStore images, String name, Path file, Console console)
      throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new UsageException("%s is not a file.".formatted(file));
    }
    ImportedImage image = images.importArchive(name, file);
    console.out().printf("Imported %s (%s).%n", name, image.id());
    return ExitCode.OK;
  }

  private static int list(ImageStore images, Console console) {
    console.out().printf("%-50s %-14s %s%n", "NAME", "ID", "SIZE");
    for (ImportedImage image : images.list()) {
      String id = image.id().replaceFirst("^.*sha256:", "");
      console
          .out()
          .printf(
              "%-50s %-14s %.1f MB%n",
              String.join(",", image.names()),
              id.substring(0, Math.min(12, id.length())),
              image.bytes() / 1e6);
    }
    return ExitCode.OK;
  }

  private static int remove(ImageStore images, String name, Console console) throws IOException {
    if (!images.remove(name)) {
      console.err().println("berth: There is no imported image \"%s\".".formatted(name));
      return ExitCode.FAILED;
    }
    console.out().println("Removed " + name + ".");
    return ExitCode.OK;
  }
}
