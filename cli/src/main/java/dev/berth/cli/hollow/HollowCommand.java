package dev.berth.cli.hollow;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.Suggestion;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.options.DataOption;
import dev.berth.cli.options.HollowOptions;
import dev.berth.cli.running.Running;
import dev.berth.cli.running.ServerFile;
import dev.berth.cli.running.StandaloneProcess;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.hollow.HollowSettings;
import dev.berth.hollow.fleet.HollowNodes;
import dev.berth.time.WallTime;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Runs hollow nodes for any Kubernetes API server, or changes how running ones behave. */
public final class HollowCommand implements Command {
  private static final String NAME = "hollow";
  private static final HollowOptions NODES = HollowOptions.alone();
  private static final Option KUBECONFIG =
      new Option(
          "--kubeconfig",
          "FILE",
          "The kubeconfig of the API server to work for (default: the one that \"berth up\" has"
              + " written for --data).");
  private static final Option NODE_CERTIFICATES =
      new Option(
          "--node-certificates",
          "DIR",
          "Lets each node register and report its health on a connection of its own, with a"
              + " certificate of system:node:NAME that the cluster's authority in this directory"
              + " signs (the pki folder of the data directory; default: all with --kubeconfig).");
  private static final Option ALL = Option.flag("--all", "All hollow nodes.");
  private static final Option SELECTOR =
      new Option("--selector", "LABELS", "The nodes with these labels, such as a=b,c!=d.");
  private static final Option REASON =
      new Option(
          "--reason",
          "TEXT",
          "The reason that nodes give for not being ready (default: told to be not ready).");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> description() {
    return List.of(
        "Runs hollow nodes for any Kubernetes API server, or changes how running ones behave.",
        "Hollow nodes register, renew leases, report status, and start, stop and reject pods as"
            + " real nodes do, but run nothing. \"berth up --hollow N\" runs them too.",
        "berth hollow --nodes N runs them until it is interrupted. While they run, here or"
            + " elsewhere:",
        "berth hollow silence TARGET makes them stop reporting, as if they were cut off;",
        "berth hollow pressure memory|disk|pid|network TARGET makes them report that condition;",
        "berth hollow not-ready TARGET makes them report that they are not ready;",
        "berth hollow resume TARGET makes them healthy again.",
        "TARGET is the name of a node or of a zone, or --all, or --selector LABELS.");
  }

  @Override
  public List<Option> options() {
    return Running.with(
        NODES.with(
            List.of(
                KUBECONFIG,
                DataOption.OPTION,
                StandaloneProcess.METRICS,
                NODE_CERTIFICATES,
                ALL,
                SELECTOR,
                REASON)));
  }

  @Override
  public List<String> optionalParameters() {
    return List.of("VERB", "KIND", "TARGET");
  }

  @Override
  public int run(Arguments arguments, Console console) throws InterruptedException {
    List<String> words = arguments.parameters();
    if (words.isEmpty()) {
      return runNodes(arguments, console);
    }
    HollowVerb verb = verb(words, arguments);
    boolean takesKind = words.getFirst().equals("pressure");
    List<String> targets = words.subList(takesKind ? 2 : 1, words.size());
    HollowControl.Target target = target(targets, arguments);
    Connection connection = connection(arguments);
    WallTime time = Running.time();
    try (HttpApi api = new HttpApi(connection, time, NAME)) {
      int told = new HollowControl(api, time).tell(target, verb);
      console
          .out()
          .println("Told %d %s %s.".formatted(told, told == 1 ? "node" : "nodes", verb.done()));
    } finally {
      time.close();
    }
    return ExitCode.OK;
  }

  private static HollowVerb verb(List<String> words, Arguments arguments) {
    String verb = words.getFirst();
    if (arguments.has(REASON.name()) && !verb.equals("not-ready")) {
      throw new UsageException("--reason only applies to berth hollow not-ready.");
    }
    return switch (verb) {
      case "silence" -> HollowVerb.silence();
      case "resume" -> HollowVerb.resume();
      case "not-ready" ->
          HollowVerb.notReady(arguments.text(REASON.name()).orElse("told to be not ready"));
      case "pressure" -> {
        if (words.size() < 2) {
          throw new UsageException(
              "Which pressure? Use berth hollow pressure memory|disk|pid|network TARGET.");
        }
        yield HollowVerb.pressure(words.get(1));
      }
      default ->
          throw new UsageException(
              "berth hollow has no verb \"%s\".%s Verbs are %s."
                  .formatted(
                      verb,
                      Suggestion.of(verb, HollowVerb.NAMES),
                      String.join(", ", HollowVerb.NAMES)));
    };
  }

  private static HollowControl.Target target(List<String> names, Arguments arguments) {
    boolean all = arguments.has(ALL.name());
    Optional<String> selector = arguments.text(SELECTOR.name());
    int ways = names.size() + (all ? 1 : 0) + (selector.isPresent() ? 1 : 0);
    if (ways != 1) {
      throw new UsageException(
          (ways == 0 ? "Which nodes? " : "Only one target can be given. ")
              + "Give the name of a node or of a zone, or --all, or --selector=LABELS.");
    }
    if (all) {
      return new HollowControl.Target.All();
    }
    return selector
        .<HollowControl.Target>map(HollowControl.Target.Selected::new)
        .orElseGet(() -> new HollowControl.Target.Named(names.getFirst()));
  }

  private static Connection connection(Arguments arguments) {
    Path file =
        arguments
            .path(KUBECONFIG.name())
            .orElseGet(() -> ServerFile.kubeconfigIn(DataOption.directory(arguments)));
    return Kubeconfig.read(file).connection();
  }

  private static int runNodes(Arguments arguments, Console console) throws InterruptedException {
    HollowSettings settings =
        NODES
            .settings(arguments)
            .orElseThrow(() ->
                new UsageException(
                    "How many? Give --nodes=N, or change nodes that are running: berth hollow %s TARGET."
                        .formatted(String.join("|", HollowVerb.NAMES))));
    Connection connection = connection(arguments);
    WallTime time = Running.time();
    Optional<NodeIdentities> identities =
        arguments
            .path(NODE_CERTIFICATES.name())
            .map(directory -> NodeIdentities.signedIn(directory, connection, time));
    try (StandaloneProcess process =
        StandaloneProcess.start(NAME, arguments, console, connection)) {
      process
          .supervisor()
          .run(
              "hollow-nodes",
              scope ->
                  HollowNodes.start(
                      new HollowNodes.Parts(
                          process.api(),
                          scope.time(),
                          process.metrics(),
                          settings,
                          identities.map(Function.identity()))));
      return process.untilStopped(
          settings.fleet().nodes() + " hollow nodes",
          "Stopped. The Node objects remain and will become NotReady.");
    } finally {
      identities.ifPresent(NodeIdentities::close);
      time.close();
    }
  }
}
