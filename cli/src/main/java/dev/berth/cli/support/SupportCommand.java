package dev.berth.cli.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.options.DataOption;
import dev.berth.cli.running.FoundServer;
import dev.berth.cli.running.ServerFile;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.ConnectionException;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collects what one needs to find out what is wrong with a cluster. */
public final class SupportCommand implements Command {
  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final int USUAL_RECORDING = 60;
  private static final int MOST_LOG_BYTES = 5 << 20;

  private static final Option KUBECONFIG =
      new Option(
          "--kubeconfig",
          "FILE",
          "The kubeconfig of an administrator (default: the one that \"berth up\" wrote for the"
              + " data directory).");
  private static final Option OUT =
      new Option("--out", "FILE", "The zip file to create (default: berth-support-TIME.zip here).");
  private static final Option RECORDING =
      new Option(
          "--jfr-seconds",
          "N",
          "How long JFR records what the server does; 0 leaves the recording out (default: %d)."
              .formatted(USUAL_RECORDING));

  /** The documents of a running server. */
  private static final Map<String, String> PAGES =
      new TreeMap<>(
          Map.of(
              "version.json",
              "/version",
              "livez.txt",
              "/livez?verbose",
              "readyz.txt",
              "/readyz?verbose",
              "metrics.txt",
              "/metrics",
              "settings.txt",
              SupportPages.PATH + "settings",
              "log.txt",
              SupportPages.PATH + "log",
              "store.txt",
              SupportPages.PATH + "store",
              "threads.txt",
              SupportPages.PATH + "threads"));

  @Override
  public String name() {
    return "support";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Collects in one file what helps to find out what is wrong with a cluster.",
        "That is the version, the settings, the end of the log, metrics, health, figures of the"
            + " store, the stacks of all threads, and a recording by JFR. It holds no Secrets,"
            + " tokens or keys, but names of objects, users and addresses.",
        "If the server does not answer, the file holds what the data directory tells.");
  }

  @Override
  public List<Option> options() {
    return List.of(DataOption.OPTION, KUBECONFIG, OUT, RECORDING);
  }

  @Override
  public int run(Arguments arguments, Console console) {
    int seconds =
        arguments.number(
            RECORDING.name(), USUAL_RECORDING, 0, SupportPages.LONGEST_RECORDING_SECONDS);
    try (WallTime time = new WallTime(_ -> {})) {
      Path out = arguments.path(OUT.name()).orElseGet(() -> usualFile(time));
      List<String> missing;
      try (SupportArchive archive = SupportArchive.create(out)) {
        archive.add("berth.txt", () -> thisProgram().getBytes(UTF_8));
        if (!arguments.has(KUBECONFIG.name())) {
          addDirectory(archive, directory(arguments));
        }
        if (seconds > 0) {
          console.out().printf("Recording for %d s...%n", seconds);
          console.out().flush();
        }
        addServer(archive, arguments, time, seconds);
        missing = archive.missing();
      }
      missing.forEach(line -> console.err().println("berth: missing: " + line));
      console.out().println("Wrote " + out + ".");
      return ExitCode.OK;
    }
  }

  private static Path usualFile(WallTime time) {
    String now = time.now().truncatedTo(ChronoUnit.SECONDS).toString().replace(":", "");
    return Path.of("berth-support-" + now + ".zip");
  }

  private static String thisProgram() {
    String version = SupportCommand.class.getPackage().getImplementationVersion();
    return "berth %s, Java %s%n"
        .formatted(version == null ? "from unpacked classes" : version, Runtime.version());
  }

  private static void addDirectory(SupportArchive archive, Path directory) {
    archive.add("directory.txt", () -> DirectoryListing.of(directory).getBytes(UTF_8));
    Path log = directory.resolve(ServerFile.LOG);
    if (Files.exists(log)) {
      archive.add(ServerFile.LOG, () -> end(log));
    }
  }

  private static byte[] end(Path file) throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      long from = Math.max(0, in.length() - MOST_LOG_BYTES);
      in.seek(from);
      byte[] bytes = new byte[(int) (in.length() - from)];
      in.readFully(bytes);
      return bytes;
    }
  }

  private static void addServer(
      SupportArchive archive, Arguments arguments, WallTime time, int seconds) {
    Path kubeconfig =
        arguments
            .path(KUBECONFIG.name())
            .orElseGet(() -> ServerFile.kubeconfigIn(directory(arguments)));
    try (HttpApi api = new HttpApi(Kubeconfig.read(kubeconfig).connection(), time, "support")) {
      PAGES.forEach((name, path) -> archive.add(name, () -> page(api, path, ANSWER)));
      if (seconds > 0) {
        String path = SupportPages.PATH + "jfr?seconds=" + seconds;
        archive.add(
            "recording.jfr", () -> page(api, path, ANSWER.plus(Duration.ofSeconds(seconds))));
      }
    } catch (ConnectionException e) {
      archive.add(
          "server",
          () -> {
            throw new IOException(e.getMessage(), e);
          });
    }
  }

  /** That of the server that runs, or else where one would. */
  private static Path directory(Arguments arguments) {
    List<Path> places = FoundServer.places(arguments);
    return FoundServer.in(places).stream()
        .map(FoundServer::directory)
        .findFirst()
        .orElseGet(places::getFirst);
  }

  /** Health is worth having also when it is bad. */
  private static byte[] page(HttpApi api, String path, Duration timeout) throws IOException {
    HttpResponse<byte[]> answer = api.page(path, timeout);
    boolean isHealth = path.startsWith("/livez") || path.startsWith("/readyz");
    if (answer.statusCode() != 200 && !isHealth) {
      throw new IOException("the server answered %d".formatted(answer.statusCode()));
    }
    return answer.body();
  }
}
