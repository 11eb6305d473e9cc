package dev.berth.cli.foresight;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.sim.snapshot.Anonymiser;
import dev.berth.sim.snapshot.ClusterSnapshot;
import dev.berth.sim.snapshot.SnapshotFile;
import dev.berth.sim.snapshot.SnapshotRole;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Saves what can be seen of a running cluster. */
public final class SnapshotCommand implements Command {
  private static final Option ANONYMISE =
      Option.flag(
          "--anonymise",
          "Replaces names, labels, images and taints by others that fit together in the same way,"
              + " and leaves out annotations, commands, environments and addresses.");
  private static final Option PRINT_ROLE =
      Option.flag("--print-role", "Prints the ClusterRole that suffices, and does nothing else.");
  private static final Option OUTPUT =
      new Option("--output", "FILE", "The file to write (default: standard output).");

  @Override
  public String name() {
    return "snapshot";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Saves what decides where the pods of a running cluster run, for \"berth rehearse\".",
        "Reads nodes, pods, workloads, budgets, classes, volumes, quotas and the like from any"
            + " Kubernetes API server, and changes nothing. Secrets and config maps are never read."
            + " What cannot be seen is said on standard error, and in the snapshot.");
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(ClusterSource.RUNNING);
    options.addAll(List.of(ANONYMISE, PRINT_ROLE, OUTPUT));
    return options;
  }

  @Override
  public int run(Arguments arguments, Console console) throws InterruptedException {
    if (arguments.has(PRINT_ROLE.name())) {
      console.out().print(SnapshotRole.yaml());
      return ExitCode.OK;
    }
    arguments.path(OUTPUT.name()).ifPresent(file -> OutputFiles.check(OUTPUT, file));
    ClusterSnapshot seen = ClusterSource.running(arguments);
    ClusterSnapshot snapshot = arguments.has(ANONYMISE.name()) ? Anonymiser.anonymise(seen) : seen;
    Optional<Path> file = arguments.path(OUTPUT.name());
    try {
      if (file.isPresent()) {
        try (OutputStream out = Files.newOutputStream(file.get())) {
          SnapshotFile.write(snapshot, out);
        }
      } else {
        SnapshotFile.write(snapshot, console.bytes());
        console.bytes().flush();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the snapshot: " + e.getMessage(), e);
    }
    ClusterSource.tellUnseen(seen, console);
    console
        .err()
        .println(
            "%d nodes, %d pods%s"
                .formatted(
                    snapshot.list("nodes").size(),
                    snapshot.list("pods").size(),
                    file.map(path -> " in " + path).orElse("")));
    return ExitCode.OK;
  }
}
