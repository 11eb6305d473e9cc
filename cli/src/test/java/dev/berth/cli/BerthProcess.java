package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code berth up} as a process of its own, and {@code kubectl} against it. */
public final class BerthProcess implements AutoCloseable {
  private static final Pattern READY =
      Pattern.compile("Berth serves the Kubernetes API on port (\\d+)\\. Next: kubectl .*");

  /** Longer than anything should take, on a machine that others use, too. */
  private static final String PATIENCE = "--timeout=3m";

  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Process process;
  private final BufferedReader output;
  private final Path log;
  private final Path data;
  private final int port;

  private BerthProcess(Process process, BufferedReader output, Path log, Path data, int port) {
    this.process = process;
    this.output = output;
    this.log = log;
    this.data = data;
    this.port = port;
  }

  /** Returns when it says that it is ready. This machine is a node only of a test that says so. */
  public static BerthProcess up(Path data, int port, String... further) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "up",
                "--bind-address",
                "127.0.0.1",
                "--port",
                Integer.toString(port),
                "--data",
                data.toString()));
    words.addAll(List.of(further));
    words.add(
        words.contains("--node")
            ? "--node-config=" + anyPort(Objects.requireNonNull(data.getParent()))
            : "--no-node");
    Path log = data.resolveSibling(data.getFileName() + ".stderr");
    Process process =
        new ProcessBuilder(command(words)).redirectError(Redirect.appendTo(log.toFile())).start();
    BufferedReader output = process.inputReader(UTF_8);
    String line = output.readLine();
    Matcher ready = READY.matcher(line == null ? "" : line);
    if (!ready.matches()) {
      process.destroyForcibly();
      throw new AssertionError("berth up said: " + line + "\n" + Files.readString(log));
    }
    return new BerthProcess(process, output, log, data, Integer.parseInt(ready.group(1)));
  }

  /** A number that other runs of the tests on this machine hardly have. */
  private static int ownNumber(int below) {
    return (int) ((ProcessHandle.current().pid() * 7 + NUMBER.incrementAndGet()) % below);
  }

  /** Addresses for the pods of a node on this machine that no other test gives to its own. */
  static String podRange() {
    int number = ownNumber(16 * 256);
    return "10.%d.%d.0/24".formatted(224 + number / 256, number % 256);
  }

  /**
   * A port for a server that is started again on it: one that the kernel gives to nobody who asks
   * for any, and that no other test process takes meanwhile.
   */
  static int steadyPort() throws IOException {
    while (true) {
      int port = 10_000 + ownNumber(20_000);
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (BindException e) {
        // Somebody has it; so the next one.
      }
    }
  }

  /**
   * The configuration of a node beside others on this machine: kubelets have one port, and another
   * test may have turned swap on.
   */
  static Path anyPort(Path folder) throws IOException {
    return Files.writeString(
        folder.resolve("any-port.yaml"),
        """
        apiVersion: kubelet.config.k8s.io/v1beta1
        kind: KubeletConfiguration
        port: 0
        failSwapOn: false
        """);
  }

  /** Berth as a process of its own. */
  public static List<String> command(List<String> words) {
    return command(AotCache.options(), words);
  }

  static List<String> command(List<String> options, List<String> words) {
    List<String> command = java(options, AotCache.classPath(), Main.class);
    command.addAll(words);
    return command;
  }

  /** A program of the tests, which may start Berth, as a process of its own. */
  public static List<String> program(Class<?> main, String... arguments) {
    List<String> command =
        java(AotCache.forPrograms(), System.getProperty("java.class.path"), main);
    command.addAll(List.of(arguments));
    return command;
  }

  private static List<String> java(List<String> options, String classPath, Class<?> main) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of(
            "-XX:+UseCompactObjectHeaders",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classPath,
            main.getName()));
    return command;
  }

  /** What it logged so far. */
  List<String> log() throws IOException {
    return Files.readAllLines(log);
  }

  public int port() {
    return port;
  }

  public Path kubeconfig() {
    return data.resolve("admin.kubeconfig");
  }

  Process kubectl(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("kubectl", "--kubeconfig", kubeconfig().toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("HOME", data.toString());
    // Over WebSockets kubectl may miss what a command says before it is ready to hear it.
    builder.environment().put("KUBECTL_REMOTE_COMMAND_WEBSOCKETS", "false");
    try {
      return builder.start();
    } catch (IOException e) {
      throw new AssertionError(
          "kubectl is missing: install the Debian package kubernetes-client", e);
    }
  }

  /** What kubectl says, whether it likes it or not. */
  String said(String... arguments) throws IOException {
    Process kubectl = kubectl(arguments);
    kubectl.getOutputStream().close();
    return new String(kubectl.getInputStream().readAllBytes(), UTF_8);
  }

  /** Waits until something holds of objects, in the words of {@code kubectl wait --for}. */
  void await(String condition, String... objects) throws IOException {
    List<String> words = new ArrayList<>(List.of("wait", "--for=" + condition, PATIENCE));
    words.addAll(List.of(objects));
    succeeds(words);
  }

  /** Waits until kubectl says, successfully, what matches a pattern. */
  void awaitSaid(String pattern, String... words) {
    Pattern wanted = Pattern.compile(pattern, Pattern.DOTALL);
    Await.until(
        "\"%s\" of kubectl %s".formatted(pattern, String.join(" ", words)),
        () -> {
          Process kubectl = kubectl(words);
          kubectl.getOutputStream().close();
          String said = new String(kubectl.getInputStream().readAllBytes(), UTF_8);
          return kubectl.onExit().join().exitValue() == 0 && wanted.matcher(said).find();
        });
  }

  /** Waits until a Deployment is rolled out. */
  void awaitRollout(String deployment) throws IOException {
    succeeds(List.of("rollout", "status", deployment, PATIENCE));
  }

  /** Waits until there are nodes, and all that there are by then are ready. */
  void awaitNodes() throws IOException {
    // To wait for what is not there yet, kubectl wants its name.
    awaitSaid("node/", "get", "node", "-o", "name");
    await("condition=Ready", "node", "--all");
  }

  private void succeeds(List<String> words) throws IOException {
    Process kubectl = kubectl(words.toArray(String[]::new));
    kubectl.getOutputStream().close();
    String said = new String(kubectl.getInputStream().readAllBytes(), UTF_8);
    if (kubectl.onExit().join().exitValue() != 0) {
      throw new AssertionError("kubectl " + String.join(" ", words) + ": " + said);
    }
  }

  /** Stops or continues the process, which notices nothing but the time. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
        .inheritIO()
        .start()
        .waitFor();
  }

  /** Asks the process to end; returns how it did. */
  int terminate() throws InterruptedException {
    // Not the process's own method, which would also close what we read its last words from.
    process.toHandle().destroy();
    return process.waitFor();
  }

  /** Asks it to end, and sees that it does so as it should. */
  void terminateInPeace() throws InterruptedException {
    int code = terminate();
    if (code != 0) {
      throw new AssertionError("berth up ended with status " + code);
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Kills the process where it stands. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** What it said after it was ready, once it has ended. */
  List<String> lastWords() {
    return output.lines().toList();
  }

  @Override
  public void close() {
    kill();
  }
}
