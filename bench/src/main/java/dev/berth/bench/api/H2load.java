package dev.berth.bench.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs nghttp2's load generator, a client that nobody here wrote and that costs little itself. */
public final class H2load implements AutoCloseable {
  private static final Pattern DATA = Pattern.compile("\\((\\d+)\\) data");

  private final Process process;
  private final Path log;
  private final Path output;

  private H2load(Process process, Path log, Path output) {
    this.process = process;
    this.log = log;
    this.output = output;
  }

  /** Requests that were answered: when the first began, when the last ended, how long each took. */
  public record Answers(long beganMicros, long endedMicros, List<Long> tookMicros, long failed) {

    public double perSecond() {
      return tookMicros.size() * 1e6 / (endedMicros - beganMicros);
    }

    double percentileMillis(double share) {
      List<Long> sorted = tookMicros.stream().sorted().toList();
      return sorted.get((int) Math.min(sorted.size() - 1, sorted.size() * share)) / 1e3;
    }

    /** All of several runs at the same time. */
    public static Answers together(List<Answers> all) {
      return new Answers(
          all.stream().mapToLong(Answers::beganMicros).min().orElseThrow(),
          all.stream().mapToLong(Answers::endedMicros).max().orElseThrow(),
          all.stream().flatMap(a -> a.tookMicros().stream()).toList(),
          all.stream().mapToLong(Answers::failed).sum());
    }
  }

  /**
   * Starts sending.
   *
   * @param urls asked for in turn
   * @param extra what to send with each; see below
   */
  public static H2load start(
      Path folder,
      int requests,
      int connections,
      int streams,
      List<String> urls,
      List<String> extra)
      throws IOException {
    Path uris = Files.write(Files.createTempFile(folder, "uris", ""), urls);
    Path log = Files.createTempFile(folder, "log", "");
    Path output = Files.createTempFile(folder, "out", "");
    Files.delete(log);
    List<String> command =
        new ArrayList<>(
            List.of(
                "h2load",
                "-n",
                Integer.toString(requests),
                "-c",
                Integer.toString(connections),
                "-m",
                Integer.toString(streams),
                "-i",
                uris.toString(),
                "--log-file=" + log));
    command.addAll(extra);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new H2load(process, log, output);
  }

  /** The options that send a body. */
  public static List<String> sending(Path body, String method, String contentType) {
    List<String> options = new ArrayList<>(List.of("-d", body.toString()));
    options.addAll(List.of("-H", ":method: " + method));
    for (String header : Berth.headers(contentType)) {
      options.addAll(List.of("-H", header));
    }
    return options;
  }

  /** The options of a request without a body. */
  public static List<String> asking() {
    return List.of("-H", Berth.headers("application/json").getFirst());
  }

  boolean isRunning() {
    return process.isAlive();
  }

  /** Waits for the last answer. */
  public Answers answers() throws IOException, InterruptedException {
    process.waitFor();
    long began = Long.MAX_VALUE;
    long ended = 0;
    long failed = 0;
    List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
    List<Long> took = new ArrayList<>();
    for (String line : lines) {
      String[] columns = line.split("\t", -1);
      long start = Long.parseLong(columns[0]);
      long micros = Long.parseLong(columns[2]);
      took.add(micros);
      began = Math.min(began, start);
      ended = Math.max(ended, start + micros);
      failed += columns[1].startsWith("2") ? 0 : 1;
    }
    if (took.isEmpty()) {
      throw new IOException("h2load got no answers: " + Files.readString(output, UTF_8));
    }
    return new Answers(began, ended, took, failed);
  }

  /** How many bytes of bodies it got, after its end. */
  long bodyBytes() throws IOException {
    Matcher data = DATA.matcher(Files.readString(output, UTF_8));
    if (!data.find()) {
      throw new IOException("h2load does not say how much it got");
    }
    return Long.parseLong(data.group(1));
  }

  @Override
  public void close() {
    process.destroy();
  }
}
