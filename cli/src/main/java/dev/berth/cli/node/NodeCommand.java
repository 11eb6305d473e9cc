package dev.berth.cli.node;

import dev.berth.agent.Agent;
import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.join.CertificatePurpose;
import dev.berth.agent.join.ClusterDiscovery;
import dev.berth.agent.join.JoinToken;
import dev.berth.agent.join.NodeBootstrap;
import dev.berth.agent.join.NodeFiles;
import dev.berth.agent.join.RotatingApi;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.running.Running;
import dev.berth.cli.running.StandaloneProcess;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.pki.Certificates;
import dev.berth.pki.KubeconfigFile;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** Makes this machine a node of a cluster, Berth's or any other. */
public final class NodeCommand implements Command {
  private static final String NAME = "node";
  private static final String JOIN = "join";
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  private static final Option KUBECONFIG =
      new Option(
          "--kubeconfig",
          "FILE",
          "The kubeconfig of the node (default: the one that joining has made in --data).");
  private static final Option BOOTSTRAP =
      new Option(
          "--bootstrap-kubeconfig",
          "FILE",
          "A kubeconfig to ask for a node's certificate with, if there is no --kubeconfig yet.");
  private static final Option TOKEN =
      new Option("--token", "ID.SECRET", "The bootstrap token to join with.");
  private static final Option UNSAFE =
      Option.flag(
          "--unsafe-skip-ca-verification",
          "Joins without --ca-hash: whoever knows the token can pretend to be the cluster.");
  private static final Option ONLY_JOIN =
      Option.flag(
          "--only-join", "Ends when the machine has its certificate, and does not run the node.");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> description() {
    return List.of(
        "Makes this machine a node of a cluster, and runs it.",
        "berth node join https://HOST:PORT --token=T --ca-hash=sha256:... asks the cluster for a"
            + " node's certificate, keeps it in --data, and runs the node; \"berth token create\""
            + " prints that line. Of several servers, https://A:6443,https://B:6443, it asks"
            + " another one when one does not answer.",
        "berth node runs the node of a machine that has joined.",
        "berth node status shows how the agent that runs on this machine stands: its runtime,"
            + " cgroups, reservations, what its managers gave to whom, and its shutdown.",
        "berth node drain-and-stop does what the agent does when its machine is shut down, for"
            + " machines without systemd: the node takes no new pods, regular pods end, then"
            + " critical ones, and then the agent stops.");
  }

  @Override
  public List<String> optionalParameters() {
    return List.of("VERB", "URL");
  }

  @Override
  public List<Option> options() {
    List<Option> options =
        new ArrayList<>(
            List.of(KUBECONFIG, BOOTSTRAP, TOKEN, JoinOptions.CA_HASH, UNSAFE, ONLY_JOIN));
    options.addAll(NodeOptions.ALL);
    options.add(StatusVerb.OUTPUT);
    options.addAll(DrainVerb.OPTIONS);
    options.add(StandaloneProcess.METRICS);
    return Running.with(options);
  }

  @Override
  public int run(Arguments arguments, Console console) throws InterruptedException {
    List<String> words = arguments.parameters();
    String verb = words.isEmpty() ? "" : words.getFirst();
    only(arguments, List.of(StatusVerb.OUTPUT), StatusVerb.NAME, verb);
    only(arguments, DrainVerb.OPTIONS, DrainVerb.NAME, verb);
    if (verb.equals(StatusVerb.NAME) || verb.equals(DrainVerb.NAME)) {
      if (words.size() > 1) {
        throw new UsageException(
            "berth node %s does not take the argument \"%s\".".formatted(verb, words.get(1)));
      }
      return verb.equals(StatusVerb.NAME)
          ? StatusVerb.run(arguments, console)
          : DrainVerb.run(arguments, console);
    }
    AgentSettings settings = NodeOptions.read(arguments, console.err());
    if (words.isEmpty()) {
      for (Option option : List.of(TOKEN, JoinOptions.CA_HASH, UNSAFE, ONLY_JOIN)) {
        if (arguments.has(option.name())) {
          throw new UsageException(option.name() + " is for \"berth node join URL\".");
        }
      }
    } else {
      try {
        Agent.requireFree(settings.root());
      } catch (IOException e) {
        console.err().println("berth: this machine cannot join: " + e.getMessage() + ".");
        return ExitCode.FAILED;
      }
      join(words, arguments, settings, console);
      if (arguments.has(ONLY_JOIN.name())) {
        return ExitCode.OK;
      }
    }
    return runNode(arguments, settings, console);
  }

  private static void only(Arguments arguments, List<Option> options, String verb, String given) {
    for (Option option : options) {
      if (arguments.has(option.name()) && !given.equals(verb)) {
        throw new UsageException("%s is for \"berth node %s\".".formatted(option.name(), verb));
      }
    }
  }

  private static void join(
      List<String> words, Arguments arguments, AgentSettings settings, Console console)
      throws InterruptedException {
    if (!words.getFirst().equals(JOIN) || words.size() < 2) {
      throw new UsageException(
          "berth node takes nothing, or \"join https://HOST:PORT[,https://HOST:PORT...]\", or \"status\", or \"drain-and-stop\", not \"%s\"."
              .formatted(String.join(" ", words)));
    }
    List<URI> addresses = JoinOptions.addresses(words.get(1));
    JoinToken token =
        JoinToken.parse(
            arguments
                .text(TOKEN.name())
                .orElseThrow(() ->
                    new UsageException(
                        "berth node join needs --token; \"berth token create\" prints one.")));
    if (arguments.has(JoinOptions.CA_HASH.name()) && arguments.has(UNSAFE.name())) {
      throw new UsageException(UNSAFE.name() + " says the opposite of --ca-hash.");
    }
    Set<String> hashes =
        arguments.has(UNSAFE.name())
            ? Set.of()
            : JoinOptions.hashes(arguments, "berth token create");
    NodeFiles files = new NodeFiles(settings.root());
    String node = settings.node().name();
    try (WallTime time = Running.time()) {
      ClusterDiscovery.Cluster cluster = ClusterDiscovery.discover(addresses, token, hashes, time);
      forgetCertificates(files);
      KubeconfigFile.writeWithToken(
          files.bootstrapKubeconfig(), addresses, cluster.authorities(), token.text());
      NodeBootstrap.connect(
          node, files, Kubeconfig.read(files.bootstrapKubeconfig()).connection(), PATIENCE, time);
      KubeconfigFile.writeForNode(
          files.kubeconfig(),
          addresses,
          cluster.authorities(),
          files.credential(CertificatePurpose.CLIENT).current());
    }
    console
        .out()
        .printf(
            "This machine has joined %s as the node \"%s\"; its certificate is in %s.%n",
            addresses.getFirst(), node, settings.root().resolve("pki"));
    console.out().flush();
  }

  /** Those of another cluster, or of this one before, are of no use in the one that is joined. */
  private static void forgetCertificates(NodeFiles files) {
    for (CertificatePurpose purpose : CertificatePurpose.values()) {
      Path current = files.credential(purpose).current();
      try {
        Files.deleteIfExists(current);
      } catch (IOException e) {
        throw new UncheckedIOException(current + " cannot be deleted: " + e.getMessage(), e);
      }
    }
  }

  private static int runNode(Arguments arguments, AgentSettings settings, Console console)
      throws InterruptedException {
    NodeFiles files = new NodeFiles(settings.root());
    Connection connection = connection(arguments, settings, files);
    String node = settings.node().name();
    AtomicBoolean isDrained = new AtomicBoolean();
    try (StandaloneProcess process = StandaloneProcess.start(NAME, arguments, console, connection);
        RotatingApi api = new RotatingApi(connection, process.time(), NAME)) {
      // What has a certificate of ours is renewed by us; any other identity is its owner's to keep.
      boolean isOwn =
          Files.exists(files.credential(CertificatePurpose.CLIENT).current())
              && connection.identity() instanceof Connection.Identity.Certificate;
      try (Agent _ =
          Agent.start(
              settings,
              new Agent.Parts(
                  api,
                  process.time(),
                  process.metrics(),
                  process.supervisor(),
                  authorities(settings, connection),
                  isOwn ? Optional.of(api::use) : Optional.empty(),
                  why -> {
                    console.err().println("berth: " + why + ".");
                    console.err().flush();
                    Runtime.getRuntime().halt(ExitCode.FAILED);
                  },
                  () -> {
                    isDrained.set(true);
                    System.exit(ExitCode.OK);
                  }))) {
        return process.untilStopped(
            "the node \"" + node + "\"",
            () ->
                isDrained.get()
                    ? "Stopped. The node was drained before."
                    : "Stopped. Pods go on until the node is started again.");
      } catch (IOException e) {
        console.err().println("berth: this machine cannot run pods: " + e.getMessage());
        return ExitCode.FAILED;
      }
    }
  }

  /** Whose clients the node's port knows by certificate. */
  private static List<X509Certificate> authorities(AgentSettings settings, Connection connection) {
    return settings
        .port()
        .clientCaFile()
        .map(Certificates::read)
        .orElseGet(() ->
            connection.trust() instanceof Connection.Trust.Authorities known
                ? known.certificates()
                : List.of());
  }

  private static Connection connection(Arguments arguments, AgentSettings settings, NodeFiles files)
      throws InterruptedException {
    Optional<Path> bootstrap =
        arguments
            .path(BOOTSTRAP.name())
            .or(() -> Optional.of(files.bootstrapKubeconfig()).filter(Files::exists));
    Path kubeconfig = arguments.path(KUBECONFIG.name()).orElse(files.kubeconfig());
    try (WallTime time = Running.time()) {
      boolean mustAsk = bootstrap.isPresent() && hasExpired(files, time.now());
      if (Files.exists(kubeconfig) && !mustAsk) {
        return Kubeconfig.read(kubeconfig).connection();
      }
      if (bootstrap.isEmpty()) {
        throw new UsageException(
            "Which cluster?%s Join one with \"berth node join https://HOST:PORT\", or give"
                    .formatted(
                        arguments
                            .path(KUBECONFIG.name())
                            .map(missing -> " There is no file %s.".formatted(missing))
                            .orElse(""))
                + " --kubeconfig or --bootstrap-kubeconfig.");
      }
      return NodeBootstrap.connect(
          settings.node().name(),
          files,
          Kubeconfig.read(bootstrap.get()).connection(),
          PATIENCE,
          time);
    }
  }

  /** A machine that was off for too long asks again, if it still may. */
  private static boolean hasExpired(NodeFiles files, Instant now) {
    return files
        .credential(CertificatePurpose.CLIENT)
        .read()
        .filter(found -> !now.isBefore(found.notAfter()))
        .isPresent();
  }
}
