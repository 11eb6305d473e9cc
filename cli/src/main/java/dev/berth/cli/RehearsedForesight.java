package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.client.Resources;
import dev.berth.controllers.ControllerSettings;
import dev.berth.hollow.HollowSettings;
import dev.berth.sim.ComponentNetwork;
import dev.berth.sim.WholeCluster;
import dev.berth.sim.snapshot.SnapshotFile;
import dev.berth.sim.snapshot.SnapshotReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Runs the commands that foresee: outages, faults, and explanations and forecasts of a cluster that
 * runs and of a saved one, which has so many nodes and pods that what looks at each of them is
 * busy. The build does this once while the JVM takes notes, as for {@link Rehearsal}; these
 * commands have an AOT cache of their own, since a server does not need what they need, nor they
 * its connections and disks.
 *
 * <p>Arguments: an empty directory, and the data directory of a server with hollow nodes.
 */
final class RehearsedForesight {
  private static final int NODES = 600;

  private static final String OUTAGE =
      """
      duration: 1h
      cluster:
        nodes: [{name: node, count: 150, zones: [a, b, c]}]
        workloads:
          - {name: web, replicas: 200, spread: zone, budget: {maxUnavailable: 20%}}
          - {name: db, kind: StatefulSet, replicas: 9}
          - {name: agent, kind: DaemonSet}
      timeline: [{at: 10m, silence: {zone: a, for: 20m}}]
      expect: [{workload: web, available: ">= 1"}]
      """;
  private static final String KILL = "{duration: 15m, timeline: [{at: 1m, kill: {count: 20}}]}";

  private static final String DEPLOYMENT =
      """
      {'metadata':{'namespace':'default','name':'web'},
       'spec':{'replicas':2400,'selector':{'matchLabels':{'app':'web'}},
        'template':{'metadata':{'labels':{'app':'web'}},
         'spec':{'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'500m'}}}]}}}}
      """;

  private final Path directory;

  private RehearsedForesight(Path directory) {
    this.directory = directory;
  }

  public static void main(String[] arguments) {
    try {
      new RehearsedForesight(Path.of(arguments[0])).rehearse("--data=" + arguments[1]);
      System.exit(ExitCode.OK);
    } catch (IOException | RuntimeException e) {
      e.printStackTrace();
      System.exit(ExitCode.FAILED);
    }
  }

  private void rehearse(String data) throws IOException {
    String report = "--report=" + directory.resolve("r.html");
    run("simulate", file("outage.yaml", OUTAGE), report);
    run("fuzz", "--seed=1", "--seeds=2");
    run("explain", "node", "hollow-0", data);
    run("forecast", "lose", "percent", "40", data);
    String saved = "--snapshot=" + save();
    run("explain", "pod", "picky", saved);
    run("explain", "workload", "deployment/web", saved);
    run("forecast", "lose", "zone", "a", saved);
    run("rehearse", saved, "--scenario=" + file("kill.yaml", KILL), report);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  private void run(String... command) {
    PrintWriter err = new PrintWriter(System.err, true, UTF_8);
    Console console = new Console(new PrintWriter(Writer.nullWriter()), err);
    if (Main.run(List.of(command), console) != ExitCode.OK) {
      throw new IllegalStateException(String.join(" ", command) + " failed");
    }
  }

  /** A snapshot of a cluster on virtual time. */
  private Path save() throws IOException {
    HollowSettings nodes = HollowSettings.of(NODES).zones("a", "b", "c").unsentHeartbeats();
    Path file = directory.resolve("snapshot");
    try (WholeCluster cluster =
            new WholeCluster(1, nodes, ControllerSettings.standard(), ComponentNetwork.DIRECT);
        OutputStream out = Files.newOutputStream(file)) {
      cluster.cluster().create(Resources.DEPLOYMENTS, DEPLOYMENT);
      cluster.cluster().pod("picky", "3", "{'nodeSelector':{'disk':'ssd'}}");
      cluster.advance(Duration.ofMinutes(5));
      SnapshotFile.write(
          SnapshotReader.read(cluster.cluster().admin(), cluster.cluster().time().now()), out);
    }
    return file;
  }
}
