package dev.berth.cli;

import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.component.Supervisor;
import dev.berth.hollow.HollowNodes;
import dev.berth.hollow.HollowSettings;
import dev.berth.metrics.Metrics;
import dev.berth.time.FatalError;
import dev.berth.time.WallTime;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Runs hollow nodes for any Kubernetes API server, or tells those that run what to do. */
final class HollowCommand implements Command {
  private static final HollowOptions NODES = HollowOptions.alone();
  private static final Option KUBECONFIG =
      new Option(
          "--kubeconfig",
          "FILE",
          "Where the API server is, and who to be there (default: admin.kubeconfig in the data"
              + " directory, as \"berth up\" writes it).");
  private static final Option ALL = Option.flag("--all", "Tells all hollow nodes.");
  private static final Option SELECTOR =
      new Option("--selector", "LABELS", "Tells the nodes with these labels, such as a=b,c!=d.");
  private static final Option REASON =
      new Option(
          "--reason",
          "TEXT",
          "Why nodes say that they are not ready (default: told to be not ready).");

  @Override
  public String name() {
    return "hollow";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Runs hollow nodes for any Kubernetes API server, or tells them what to do.",
        "Hollow nodes register, renew leases, report status, and start, stop and refuse pods as"
            + " real ones do, but run nothing. berth up --hollow has them in it.",
        "berth hollow --nodes N runs them until it is interrupted. While they run, there or"
            + " elsewhere, they can be told:",
        "berth hollow silence TARGET: to say nothing any more, as if they were cut off;",
        "berth hollow pressure memory|disk|pid|network TARGET: to report that condition;",
        "berth hollow not-ready TARGET: to report that they are not ready;",
        "berth hollow resume TARGET: to be well again, whatever they were told.",
        "TARGET is the name of a node or of a zone; --all and --selector stand for one too.");
  }

  @Override
  public List<Option> options() {
    return NODES.with(
        List.of(KUBECONFIG, DataOption.OPTION, Running.METRICS, ALL, SELECTOR, REASON));
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
    WallTime time = new WallTime(FatalError::end);
    try (HttpApi api = new HttpApi(connection, time, "hollow")) {
      int told = new HollowControl(api, time).tell(target, verb);
      console
          .out()
          .println("Told %d %s %s.".formatted(told, told == 1 ? "node" : "nodes", verb.done()));
    } finally {
      time.close();
    }
    return Main.OK;
  }

  private static HollowVerb verb(List<String> words, Arguments arguments) {
    String verb = words.getFirst();
    if (arguments.has(REASON.name()) && !verb.equals("not-ready")) {
      throw new UsageException("--reason is for berth hollow not-ready.");
    }
    return switch (verb) {
      case "silence" -> HollowVerb.silence();
      case "resume" -> HollowVerb.resume();
      case "not-ready" ->
          HollowVerb.notReady(arguments.text(REASON.name()).orElse("told to be not ready"));
      case "pressure" -> {
        if (words.size() < 2) {
          throw new UsageException(
              "Which pressure? Say berth hollow pressure memory TARGET, or disk, pid or network.");
        }
        yield HollowVerb.pressure(words.get(1));
      }
      default ->
          throw new UsageException(
              "berth hollow knows %s, not \"%s\".%s"
                  .formatted(HollowVerb.NAMES, verb, Suggestion.of(verb, HollowVerb.NAMES)));
    };
  }

  private static HollowControl.Target target(List<String> names, Arguments arguments) {
    boolean all = arguments.has(ALL.name());
    Optional<String> selector = arguments.text(SELECTOR.name());
    int ways = names.size() + (all ? 1 : 0) + (selector.isPresent() ? 1 : 0);
    if (ways != 1) {
      throw new UsageException(
          (ways == 0 ? "Which nodes? " : "That are several targets. ")
              + "Say the name of a node or of a zone, or --all, or --selector=LABELS.");
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
            .orElseGet(() -> DataOption.directory(arguments).resolve("admin.kubeconfig"));
    return Kubeconfig.read(file).connection();
  }

  private static int runNodes(Arguments arguments, Console console) throws InterruptedException {
    PrintWriter out = console.out();
    PrintWriter err = console.err();
    HollowSettings settings =
        NODES
            .settings(arguments)
            .orElseThrow(() ->
                new UsageException(
                    "How many? Say --nodes=N; or tell those that run: berth hollow %s TARGET."
                        .formatted(String.join("|", HollowVerb.NAMES))));
    Connection connection = connection(arguments);
    Metrics metrics = new Metrics();
    WallTime time = new WallTime(FatalError::end);
    Supervisor supervisor = new Supervisor(time, metrics);
    Optional<MetricsServer> served = Running.serveMetrics(arguments, metrics, supervisor.health());
    HttpApi api = new HttpApi(connection, time, "hollow");
    supervisor.run(
        "hollow-nodes",
        scope ->
            HollowNodes.start(
                new HollowNodes.Parts(
                    api,
                    scope.time(),
                    metrics,
                    settings,
                    warning -> err.println("berth: " + warning))));
    Running.atTheEnd(
        out,
        () -> {
          Running.stop(supervisor);
          time.close();
          api.close();
          served.ifPresent(MetricsServer::close);
        },
        "Stopped. The nodes are still there, and will be lost soon.");
    out.printf("%d hollow nodes run at %s.%n", settings.fleet().nodes(), connection.server());
    return Running.untilStopped(out);
  }
}
