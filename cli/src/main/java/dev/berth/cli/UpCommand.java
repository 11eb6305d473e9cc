package dev.berth.cli;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerConfig;
import dev.berth.apiserver.admission.AdmissionPlugins;
import dev.berth.store.Store;
import dev.berth.store.embedded.EmbeddedStore;
import dev.berth.time.WallTime;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
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
      names = "--enable-admission-plugins",
      paramLabel = "NAME",
      split = ",",
      description = "Admission plugins to turn on beside those that are on by default.")
  private List<String> enabledPlugins = List.of();

  @Option(
      names = "--disable-admission-plugins",
      paramLabel = "NAME",
      split = ",",
      description = "Admission plugins to turn off.")
  private List<String> disabledPlugins = List.of();

  @Override
  public Integer call() throws InterruptedException {
    if (port < 0 || port > LAST_PORT) {
      throw new ParameterException(
          spec.commandLine(), "--port is between 0 and " + LAST_PORT + ", not " + port + ".");
    }
    AdmissionPlugins admission = admission();
    Path directory = data.directory();
    Path access = kubeconfig == null ? directory.resolve("admin.kubeconfig") : kubeconfig;
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    WallTime time = new WallTime(failure -> err.println("berth: " + failure));
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
                  admission));
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

  private AdmissionPlugins admission() {
    try {
      return AdmissionPlugins.choose(enabledPlugins, disabledPlugins);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** A request that failed because of a bug was answered; the operator should hear of it too. */
  private static void report(PrintWriter err, String request, Throwable cause) {
    err.println("berth: " + request + " failed, which is a bug in Berth: " + cause);
  }
}
