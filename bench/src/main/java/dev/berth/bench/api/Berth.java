package dev.berth.bench.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Berth in a process of its own, started as users start it, with one token for its client. */
public final class Berth implements AutoCloseable {
  public static final String TOKEN = "bench-0123456789";

  /** Of a user called tenant, who may do nothing unless somebody lets them. */
  public static final String TENANT_TOKEN = "tenant-0123456789";

  private static final Pattern READY = Pattern.compile("on port (\\d+)");
  public static final Path ROOT = Path.of(System.getProperty("berth.root", "."));

  private final Process process;
  private final int port;
  private final long startMillis;
  private final Instant began;

  private final Path directory;

  private Berth(Process process, Path directory, int port, Instant began, long startMillis) {
    this.process = process;
    this.directory = directory;
    this.port = port;
    this.began = began;
    this.startMillis = startMillis;
  }

  /**
   * Starts on a directory and waits until it says that it is ready.
   *
   * @param jvmOptions beyond those that the launcher gives; usually none
   */
  public static Berth start(Path directory, String... jvmOptions) throws IOException {
    return start(directory, List.of(), jvmOptions);
  }

  /** The same, for measurements of the API server: nothing else looks at the objects. */
  public static Berth serverAlone(Path directory, String... jvmOptions) throws IOException {
    return start(directory, List.of("--no-scheduler", "--no-controllers", "--no-node"), jvmOptions);
  }

  /** The same with options of {@code berth up}. */
  public static Berth start(Path directory, List<String> options, String... jvmOptions)
      throws IOException {
    return startClone(ROOT, directory, options, jvmOptions);
  }

  /** The same from any clone, which builds what is missing first. */
  public static Berth startClone(
      Path clone, Path directory, List<String> options, String... jvmOptions) throws IOException {
    Files.createDirectories(directory);
    Path tokens = directory.resolveSibling(directory.getFileName() + "-tokens.csv");
    Files.writeString(
        tokens, TOKEN + ",bench,bench,system:masters\n" + TENANT_TOKEN + ",tenant,tenant\n");
    List<String> command =
        new ArrayList<>(
            List.of(
                clone.resolve("berth").toString(),
                "up",
                "--port",
                "0",
                "--bind-address",
                "127.0.0.1",
                "--data",
                directory.toString(),
                "--token-auth-file",
                tokens.toString()));
    command.addAll(options);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    if (jvmOptions.length > 0) {
      builder.environment().put("BERTH_JAVA_OPTS", String.join(" ", jvmOptions));
    }
    Instant startedAt = Instant.now();
    long began = System.nanoTime();
    Process process = builder.start();
    BufferedReader out = process.inputReader(UTF_8);
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      Matcher ready = READY.matcher(line);
      if (ready.find()) {
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        return new Berth(process, directory, Integer.parseInt(ready.group(1)), startedAt, millis);
      }
    }
    throw new IOException("berth up ended before it was ready");
  }

  /** How long it took from the start of the launcher to the line that says "ready". */
  public long startMillis() {
    return startMillis;
  }

  /** When its launcher was started. */
  public Instant began() {
    return began;
  }

  public Path authority() {
    return directory.resolve("pki/ca.crt");
  }

  public long pid() {
    return process.pid();
  }

  public int port() {
    return port;
  }

  public Path directory() {
    return directory;
  }

  public String url(String path) {
    return "https://127.0.0.1:" + port + path;
  }

  /** Resident memory, in MB. */
  public double residentMegabytes() throws IOException {
    return residentMegabytes(process.pid());
  }

  /** Resident memory of any process, in MB. */
  public static double residentMegabytes(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
      }
    }
    throw new IOException("no VmRSS");
  }

  /** Time on all processors that the server has used, in microseconds. */
  public double cpuMicros() {
    return process.info().totalCpuDuration().orElseThrow().toNanos() / 1e3;
  }

  /** What lives in the heap, in MB, after a full collection. */
  public double liveMegabytes() throws IOException {
    jcmd("GC.run");
    Matcher used = Pattern.compile("used (\\d+)K").matcher(jcmd("GC.heap_info"));
    if (!used.find()) {
      throw new IOException("jcmd does not say how much of the heap is used");
    }
    return Long.parseLong(used.group(1)) / 1024.0;
  }

  /** What the JVM answers to a command of its diagnostic tool. */
  public String jcmd(String... command) throws IOException {
    List<String> all = new ArrayList<>();
    all.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    all.add(Long.toString(process.pid()));
    all.addAll(List.of(command));
    Process asked = new ProcessBuilder(all).start();
    return new String(asked.getInputStream().readAllBytes(), UTF_8);
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("berth up did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static List<String> headers(String contentType) {
    return List.of("authorization: Bearer " + TOKEN, "content-type: " + contentType);
  }
}
