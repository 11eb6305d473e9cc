package dev.berth.cli;

import dev.berth.admission.AdmissionPlugins;
import dev.berth.apiserver.AccessConfig;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerConfig;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.ControllerSettings;
import dev.berth.controllers.Controllers;
import dev.berth.hollow.HollowNodes;
import dev.berth.hollow.HollowSettings;
import dev.berth.model.user.User;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.gate.FeatureGate;
import dev.berth.policy.gate.FeatureGates;
import dev.berth.policy.persistentvolume.LocalDirectory;
import dev.berth.scheduler.Scheduler;
import dev.berth.scheduler.profile.SchedulerConfiguration;
import dev.berth.serving.audit.AuditWriter;
import dev.berth.store.Store;
import dev.berth.store.embedded.EmbeddedStore;
import dev.berth.time.WallTime;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Starts Berth and runs until it is told to stop. */
final class UpCommand implements Command {
  private static final int USUAL_PORT = 6443;
  private static final int LAST_PORT = 65_535;

  private static final Option PORT =
      new Option(
          "--port",
          "N",
          "The port of the API (default: %d); 0 picks a free one.".formatted(USUAL_PORT));
  private static final Option BIND_ADDRESS =
      new Option("--bind-address", "ADDRESS", "The address to listen on (default: all of them).");
  private static final Option KUBECONFIG =
      new Option(
          "--kubeconfig-out",
          "FILE",
          "Where to write the administrator's kubeconfig (default: admin.kubeconfig in the data"
              + " directory). Nobody else can read it.");
  private static final Option TOKEN_FILE =
      new Option(
          "--token-auth-file",
          "FILE",
          "Static bearer tokens, one on each line: token,user,uid,\"group1,group2\" (default:"
              + " none).");

  private static final Option ENABLE_PLUGINS =
      new Option(
          "--enable-admission-plugins",
          "NAME,...",
          "Admission plugins to turn on beside those that are on by default.");
  private static final Option DISABLE_PLUGINS =
      new Option("--disable-admission-plugins", "NAME,...", "Admission plugins to turn off.");

  private static final Option AUDIT_LOG =
      new Option(
          "--audit-log",
          "FILE",
          "Records each request in a file, a line of JSON each (audit.k8s.io/v1); - is standard"
              + " output.");

  private static final Option SCHEDULER_CONFIG =
      new Option(
          "--scheduler-config",
          "FILE",
          "A KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1) for the scheduler"
              + " (default: upstream's defaults).");
  private static final Option NO_SCHEDULER =
      Option.flag("--no-scheduler", "Leaves pods alone that have no node.");

  private static final HollowOptions HOLLOW = HollowOptions.among();

  @Override
  public String name() {
    return "up";
  }

  @Override
  public List<String> description() {
    return List.of("Starts Berth and runs until it is interrupted (Ctrl-C) or terminated.");
  }

  @Override
  public List<Option> options() {
    List<Option> options =
        new ArrayList<>(
            List.of(
                DataOption.OPTION,
                PORT,
                BIND_ADDRESS,
                KUBECONFIG,
                TOKEN_FILE,
                ENABLE_PLUGINS,
                DISABLE_PLUGINS,
                AUDIT_LOG,
                SCHEDULER_CONFIG,
                NO_SCHEDULER,
                ServerControllers.NONE));
    options.addAll(ControllerOptions.options());
    options.add(GateOption.OPTION);
    return HOLLOW.with(options);
  }

  @Override
  public int run(Arguments arguments, Console console) throws InterruptedException {
    int port = arguments.number(PORT.name(), USUAL_PORT, 0, LAST_PORT);
    String address = arguments.text(BIND_ADDRESS.name()).orElse("::");
    FeatureGates gates = GateOption.read(arguments);
    AdmissionPlugins admission = admission(arguments, gates);
    ControllerSettings controlling =
        ControllerOptions.read(
            arguments, gates, List.of(Cidr.parse(AdmissionPlugins.SERVICE_RANGE).orElseThrow()));
    Path directory = DataOption.directory(arguments);
    Path access =
        arguments.path(KUBECONFIG.name()).orElseGet(() -> directory.resolve("admin.kubeconfig"));
    PrintWriter out = console.out();
    PrintWriter err = console.err();
    SchedulerConfiguration scheduling =
        SchedulerFile.read(arguments.path(SCHEDULER_CONFIG.name()), err).with(gates.tolerations());
    Optional<HollowSettings> hollow = HOLLOW.settings(arguments);
    WallTime time = new WallTime(failure -> err.println("berth: " + failure));
    Optional<AuditWriter> audit = arguments.text(AUDIT_LOG.name()).map(file -> audit(file, err));
    boolean isNew = !Files.exists(directory.resolve("berth.db"));
    Store store = EmbeddedStore.open(directory, EmbeddedStore.Options.DEFAULT);
    ApiServer server;
    try {
      server =
          ApiServer.start(
              new ApiServerConfig(
                  new InetSocketAddress(address, port),
                  directory.resolve("pki"),
                  store,
                  time,
                  (method, path, cause) -> report(err, method + " " + path, cause),
                  new AccessConfig(
                      arguments.path(TOKEN_FILE.name()).orElse(null),
                      AccessConfig.DEFAULT.issuer()),
                  gates,
                  admission,
                  audit));
      server.writeAdminKubeconfig(access);
    } catch (RuntimeException e) {
      time.close();
      store.close();
      throw e;
    }
    Optional<Scheduler> scheduler =
        arguments.has(NO_SCHEDULER.name())
            ? Optional.empty()
            : Optional.of(scheduler(server, time, scheduling, err));
    Optional<Controllers> controllers =
        arguments.has(ServerControllers.NONE.name())
            ? Optional.empty()
            : Optional.of(
                ServerControllers.start(
                    server,
                    time,
                    controlling.orRootCertificates(server.authorityPem()),
                    warning -> err.println("berth: " + warning)));
    if (isNew && controllers.isPresent()) {
      makeDefaultClass(server, err);
    }
    Optional<HollowNodes> nodes = hollow.map(settings -> hollowNodes(server, time, settings, err));
    Running.atTheEnd(
        out,
        () -> {
          controllers.ifPresent(Controllers::close);
          nodes.ifPresent(HollowNodes::close);
          scheduler.ifPresent(Scheduler::close);
          server.close();
          time.close();
          store.close();
          audit.ifPresent(AuditWriter::close);
        },
        "Stopped; everything is in " + directory + ".");
    out.printf(
        "Berth serves the Kubernetes API on port %d. Next: kubectl --kubeconfig %s get nodes%n",
        server.port(), access);
    return Running.untilStopped(out);
  }

  private static Scheduler scheduler(
      ApiServer server, WallTime time, SchedulerConfiguration configuration, PrintWriter err) {
    Scheduler scheduler =
        Scheduler.start(
            new Scheduler.Parts(
                server.api("system:kube-scheduler", "scheduler"),
                time,
                server.metrics(),
                configuration,
                "berth",
                warning -> err.println("berth: " + warning)));
    scheduler.lead();
    return scheduler;
  }

  /** A new cluster has storage; whoever does not want it deletes the class for good. */
  private static void makeDefaultClass(ApiServer server, PrintWriter err) {
    ApiResult made =
        server
            .api(User.authenticated("berth:up", List.of(User.MASTERS)), "up")
            .create(Resources.STORAGE_CLASSES, LocalDirectory.defaultClass());
    if (made instanceof ApiResult.Failure why && !made.isAlreadyExists()) {
      err.println("berth: cannot make the default storage class: " + why.message());
    }
  }

  private static HollowNodes hollowNodes(
      ApiServer server, WallTime time, HollowSettings settings, PrintWriter err) {
    return HollowNodes.start(
        new HollowNodes.Parts(
            server.api(User.authenticated("berth:hollow", List.of(User.MASTERS)), "hollow"),
            time,
            server.metrics(),
            settings,
            warning -> err.println("berth: " + warning)));
  }

  /** The gate of a plugin's name turns the plugin off too, unless somebody asks for it. */
  private static AdmissionPlugins admission(Arguments arguments, FeatureGates gates) {
    List<String> enabled = arguments.list(ENABLE_PLUGINS.name());
    List<String> disabled = new ArrayList<>(arguments.list(DISABLE_PLUGINS.name()));
    String taints = FeatureGate.TAINT_NODES_BY_CONDITION.word();
    if (!gates.isOn(FeatureGate.TAINT_NODES_BY_CONDITION) && !enabled.contains(taints)) {
      disabled.add(taints);
    }
    try {
      return AdmissionPlugins.choose(enabled, disabled);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static AuditWriter audit(String file, PrintWriter err) {
    Consumer<String> warnings = sentence -> err.println("berth: " + sentence);
    return file.equals("-")
        ? new AuditWriter(System.out, "standard output", warnings)
        : AuditWriter.toFile(Path.of(file), warnings);
  }

  /** A request that failed because of a bug was answered; the operator should hear of it too. */
  private static void report(PrintWriter err, String request, Throwable cause) {
    err.println("berth: " + request + " failed, which is a bug in Berth: " + cause);
  }
}
