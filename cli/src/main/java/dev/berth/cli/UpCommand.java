package dev.berth.cli;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerConfig;
import dev.berth.apiserver.audit.AuditWriter;
import dev.berth.store.Store;
import dev.berth.store.embedded.EmbeddedStore;
import dev.berth.time.WallTime;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Starts Berth and runs until it is told to stop. */
@Command(
    name = "up",
    description = "Starts Berth and runs until it is interrupted (Ctrl-C) or terminated.")
final class UpCommand implements Callable<Integer> {
  private static final int LAST_PORT = 65_535;

  @Mixin private DataOption data = new DataOption();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "The port of the API (default: ${DEFAULT-VALUE}); 0 picks a free one.")
  private int port = 6443;

  @Option(
      names = "--bind-address",
      paramLabel = "ADDRESS",
      description = "The address to listen on (default: all of them).")
  private String address = "::";

  @Option(
      names = "--kubeconfig-out",
      paramLabel = "FILE",
      description =
          "Where to write the administrator's kubeconfig (default: admin.kubeconfig in the data"
              + " directory). Nobody else can read it.")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--audit-log",
      paramLabel = "FILE",
      description =
          "Records each request in a file, a line of JSON each (audit.k8s.io/v1); - is standard"
              + " output.")
  private @Nullable String auditLog;

  @Override
  public Integer call() throws InterruptedException {
    if (port < 0 || port > LAST_PORT) {
      throw new ParameterException(
          spec.commandLine(), "--port is between 0 and " + LAST_PORT + ", not " + port + ".");
    }
    Path directory = data.directory();
    Path access = kubeconfig == null ? directory.resolve("admin.kubeconfig") : kubeconfig;
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    WallTime time = new WallTime(failure -> err.println("berth: " + failure));
    Optional<AuditWriter> audit = Optional.ofNullable(auditLog).map(file -> audit(file, err));
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
                  audit));
      server.writeAdminKubeconfig(access);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  server.close();
                  time.close();
                  store.close();
                  audit.ifPresent(AuditWriter::close);
                  out.println("Stopped; everything is in " + directory + ".");
                  out.flush();
                  stopped.countDown();
                  // What Java would exit with after a signal is not what a supervisor calls
                  // success.
                  Runtime.getRuntime().halt(Main.OK);
                },
                "shutdown"));
    out.printf(
        "Berth serves the Kubernetes API on port %d. Next: kubectl --kubeconfig %s get nodes%n",
        server.port(), access);
    out.flush();
    stopped.await();
    return Main.OK;
  }

  private static AuditWriter audit(String file, PrintWriter err) {
    Consumer<String> complaints = sentence -> err.println("berth: " + sentence);
    return file.equals("-")
        ? new AuditWriter(System.out, "standard output", complaints)
        : AuditWriter.toFile(Path.of(file), complaints);
  }

  /** A request that failed because of a bug was answered; the operator should hear of it too. */
  private static void report(PrintWriter err, String request, Throwable cause) {
    err.println("berth: " + request + " failed, which is a bug in Berth: " + cause);
  }
}
