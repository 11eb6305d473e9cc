package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a JVM notes of one start of Berth, so that the many others of a whole run of the tests need
 * not find it out again: two fifths of what such a start costs. Whichever test process is first
 * makes it; the pom says where, and that there is none for a single test, which would wait for it
 * in vain.
 */
final class AotCache {
  private static final String PROPERTY = "berth.test.aot";
  private static final Optional<Path> CACHE =
      Optional.ofNullable(System.getProperty(PROPERTY)).map(Path::of);

  /** Made when the first Berth is started, not when this class is looked at. */
  private static final class Made {
    static final List<String> OPTIONS = CACHE.map(AotCache::upToDate).orElse(List.of());
  }

  private AotCache() {}

  /** The options of a JVM that starts Berth. */
  static List<String> options() {
    return Made.OPTIONS;
  }

  /** The options of a JVM that runs a program of the tests, which may start Berth. */
  static List<String> forPrograms() {
    return CACHE.map(cache -> List.of("-D%s=%s".formatted(PROPERTY, cache))).orElse(List.of());
  }

  /** Berth's class path: a cache is of jars alone, and so this module's folders do not do. */
  static String classPath() {
    if (CACHE.isEmpty()) {
      return System.getProperty("java.class.path");
    }
    Path target = Objects.requireNonNull(CACHE.get().getParent());
    List<String> jars = new ArrayList<>();
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (each.equals(target.resolve("classes").toString())) {
        jars.add(ownJar(target).toString());
      } else if (each.endsWith(".jar")) {
        jars.add(each);
      }
    }
    return String.join(File.pathSeparator, jars);
  }

  private static Path ownJar(Path target) {
    try (Stream<Path> files = Files.list(target)) {
      return files
          .filter(each -> each.toString().endsWith("SNAPSHOT.jar"))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> upToDate(Path cache) {
    Path lock = cache.resolveSibling("berth.aot.lock");
    try (FileChannel channel =
            FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var _ = channel.lock()) {
      if (!isNewerThanJars(cache)) {
        make(cache);
      }
      return List.of("-XX:AOTCache=" + cache);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isNewerThanJars(Path cache) {
    long made = cache.toFile().lastModified();
    return Arrays.stream(classPath().split(File.pathSeparator, -1))
        .allMatch(jar -> new File(jar).lastModified() < made);
  }

  /** Has Berth start, with this machine as a node that runs a pod, and end. */
  private static void make(Path cache) throws IOException {
    Path folder = Files.createTempDirectory("berth-aot");
    Path made = folder.resolve("made");
    Path log = folder.resolve("log");
    String kubeconfig = folder.resolve("kubeconfig").toString();
    List<String> words =
        List.of(
            "up",
            "--ephemeral",
            "--port=0",
            "--bind-address=127.0.0.1",
            "--data=" + folder.resolve("data"),
            "--kubeconfig-out=" + kubeconfig,
            "--cluster-cidr=" + BerthProcess.podRange());
    Process berth =
        new ProcessBuilder(BerthProcess.command(List.of("-XX:AOTCacheOutput=" + made), words))
            .redirectError(log.toFile())
            .start();
    try (BufferedReader said = berth.inputReader(UTF_8)) {
      String ready = said.readLine();
      kubectl(kubeconfig, "run", "once", "--image=any", "--restart=Never", "--", "true");
      kubectl(
          kubeconfig,
          "wait",
          "--for=jsonpath={.status.phase}=Succeeded",
          "--timeout=3m",
          "pod/once");
      berth.toHandle().destroy();
      String end = ready + said.lines().collect(joining("\n"));
      if (berth.onExit().join().exitValue() != 0 || !Files.exists(made)) {
        throw new AssertionError(end + "\n" + Files.readString(log));
      }
    } finally {
      berth.destroyForcibly();
    }
    Files.move(made, cache, StandardCopyOption.REPLACE_EXISTING);
    for (Path left : List.of(log, folder.resolve("kubeconfig"), folder.resolve("data"), folder)) {
      Files.deleteIfExists(left);
    }
  }

  private static void kubectl(String kubeconfig, String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("kubectl", "--kubeconfig", kubeconfig));
    command.addAll(List.of(words));
    new ProcessBuilder(command).redirectOutput(Redirect.DISCARD).start().onExit().join();
  }
}
