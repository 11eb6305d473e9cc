package dev.berth.cli.foresight;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.options.ClusterOptions;
import dev.berth.cli.options.DataOption;
import dev.berth.cli.running.ChosenCluster;
import dev.berth.cli.running.Running;
import dev.berth.client.ApiResult;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.ConnectionException;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.snapshot.ClusterSnapshot;
import dev.berth.sim.snapshot.SnapshotFile;
import dev.berth.sim.snapshot.SnapshotReader;
import dev.berth.time.VirtualTime;
import dev.berth.time.WallTime;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** The cluster that a command is about: a running one, which it only reads, or a saved one. */
final class ClusterSource {
  static final String COMPONENT = "foresight";

  private static final Option KUBECONFIG =
      new Option(
          ClusterOptions.KUBECONFIG.name(),
          "FILE",
          "The kubeconfig of the cluster, which is only read (default: $KUBECONFIG, or else the one"
              + " that \"berth up\" has written).");
  private static final Option SNAPSHOT =
      new Option("--snapshot", "FILE", "A saved snapshot instead of a running cluster.");

  /** Those of a running cluster. */
  static final List<Option> RUNNING =
      List.of(KUBECONFIG, ClusterOptions.CONTEXT, DataOption.OPTION);

  /** Those of either. */
  static final List<Option> OPTIONS = Stream.concat(RUNNING.stream(), Stream.of(SNAPSHOT)).toList();

  private ClusterSource() {}

  static ClusterSnapshot read(Arguments arguments) throws InterruptedException {
    Optional<Path> file = arguments.path(SNAPSHOT.name());
    if (file.isPresent() && arguments.has(KUBECONFIG.name())) {
      throw new UsageException(
          "%s and %s cannot be combined.".formatted(SNAPSHOT.name(), KUBECONFIG.name()));
    }
    return file.isPresent() ? SnapshotFile.read(file.get()) : running(arguments);
  }

  /**
   * By what is chosen among nodes that are equally good: always the same, so that the same cluster
   * gives the same answer.
   */
  static RandomGenerator chance() {
    return new VirtualTime(1, _ -> {}).random("foresight");
  }

  /** Says what could not be seen. */
  static void tellUnseen(ClusterSnapshot snapshot, Console console) {
    snapshot.unseen().forEach(line -> console.err().println("not seen: " + line));
  }

  /** Reads a running one. */
  static ClusterSnapshot running(Arguments arguments) throws InterruptedException {
    try (WallTime time = Running.time();
        HttpApi api = new HttpApi(ChosenCluster.connection(arguments), time, COMPONENT)) {
      ClusterSnapshot snapshot = SnapshotReader.readAtOnce(api, time.now());
      if (snapshot.list("nodes").isEmpty()) {
        throw new ConnectionException(
            "No nodes can be seen: "
                + snapshot.unseen().stream()
                    .filter(line -> line.startsWith("nodes:"))
                    .findFirst()
                    .orElse("there are none."));
      }
      return snapshot;
    }
  }

  /** Complains if the cluster is a saved one, which does not change. */
  static void mustRun(Arguments arguments, String option) {
    if (arguments.has(SNAPSHOT.name())) {
      throw new UsageException(
          "%s needs a running cluster, not %s.".formatted(option, SNAPSHOT.name()));
    }
  }

  /** An object with all that snapshots leave out; empty if the cluster is a saved one. */
  static Optional<JsonObject> whole(
      Arguments arguments, GroupVersionResource resource, ObjectName name) {
    if (arguments.has(SNAPSHOT.name())) {
      return Optional.empty();
    }
    try (WallTime time = Running.time();
        HttpApi api = new HttpApi(ChosenCluster.connection(arguments), time, COMPONENT)) {
      return api.get(resource, name) instanceof ApiResult.Done(JsonObject object)
          ? Optional.of(object)
          : Optional.empty();
    }
  }
}
