package dev.berth.bench.agent;

import static dev.berth.bench.Figure.Better.LOWER;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.Figure;
import dev.berth.bench.Folders;
import dev.berth.bench.api.Berth;
import dev.berth.client.Resources;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Fifty pods in three ranges of priority on a node that is drained as for a shutdown: each range
 * should end when its last pod does, never later than its period, and nothing be killed early. Pods
 * write down when they are asked to end, and when they do. Needs root. {@code bench/run shutdown}.
 */
public final class ShutdownBench {
  private static final int PODS = 50;

  /** What all of it may be late: fifty processes share the machine with whatever measures them. */
  private static final int SLACK_MILLIS = 500;

  /** How often the pod that does not end says that it lives, and so when it was killed. */
  private static final int PULSE_MILLIS = 100;

  /**
   * A range of priorities.
   *
   * @param period in seconds
   * @param slowest what its slowest pod takes to end, in seconds, beside one that never does
   */
  private record Range(String name, int priority, int period, double slowest) {}

  private static final List<Range> RANGES =
      List.of(
          new Range("low", 0, 20, 4),
          new Range("middle", 1_000, 6, 3),
          new Range("high", 10_000, 20, 2));

  private static final String DEAF = "middle-deaf";

  /** A pod of the measurement. */
  private record Member(Range range, String name, double seconds) {
    boolean isDeaf() {
      return name.equals(DEAF);
    }
  }

  private final Path notes;
  private final List<Member> members = new ArrayList<>();

  private ShutdownBench(Path notes) {
    this.notes = notes;
    for (int i = 0; i < PODS - 1; i++) {
      Range range = RANGES.get(i % RANGES.size());
      double share = (double) (i / RANGES.size() + 1) / ((PODS - 2) / RANGES.size() + 1);
      members.add(new Member(range, range.name + "-" + i, range.slowest * share));
    }
    members.add(new Member(RANGES.get(1), DEAF, 0));
  }

  public static void main(String... arguments) throws Exception {
    Path folder = Files.createTempDirectory("berth-bench");
    try {
      System.out.println("load: " + Files.readString(Path.of("/proc/loadavg")).strip());
      new ShutdownBench(Files.createDirectories(folder.resolve("notes"))).measure(folder);
      System.out.println("load: " + Files.readString(Path.of("/proc/loadavg")).strip());
    } finally {
      Folders.delete(folder);
    }
  }

  private void measure(Path folder) throws Exception {
    StringBuilder periods = new StringBuilder("shutdownGracePeriodByPodPriority:\n");
    for (Range each : RANGES) {
      periods.append(
          "- {priority: %d, shutdownGracePeriodSeconds: %d}\n"
              .formatted(each.priority, each.period));
    }
    try (Berth server = Berth.start(folder.resolve("server"), List.of("--no-node"));
        LivePods pods = new LivePods(server);
        JoinedAgent agent = JoinedAgent.join(server, folder, periods.toString())) {
      pods.awaitNode();
      for (Range each : RANGES) {
        pods.create(
            Resources.PRIORITY_CLASSES,
            JsonObject.of("metadata", JsonObject.of("name", each.name))
                .with("value", (long) each.priority));
      }
      members.parallelStream().forEach(each -> pods.create(Resources.PODS, pod(each)));
      pods.awaitRunning(members.stream().map(Member::name).toList());
      for (Member each : members) {
        while (time(each, "up").isEmpty()) {
          Thread.sleep(PULSE_MILLIS);
        }
      }
      long ended = drain(agent);
      report(ended);
    }
  }

  /** Drains the node; when that was over. */
  private static long drain(JoinedAgent agent) throws IOException {
    Process drain =
        new ProcessBuilder(
                Berth.ROOT.resolve("berth").toString(),
                "node",
                "drain-and-stop",
                "--data",
                agent.directory().toString())
            .redirectErrorStream(true)
            .start();
    long ended = 0;
    try (BufferedReader said = drain.inputReader(UTF_8)) {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        System.out.println("  " + line);
        if (line.contains(" ended in ")) {
          ended = System.currentTimeMillis();
        }
      }
    }
    return ended;
  }

  private JsonObject pod(Member member) {
    String note = "date +%s%N > /notes/" + member.name;
    String script =
        member.isDeaf()
            ? "trap '%1$s.term' TERM; %1$s.up; while :; do %1$s.alive; sleep %2$s; done"
                .formatted(note, PULSE_MILLIS / 1e3)
            : "trap '%1$s.term; sleep %2$s; %1$s.end; exit 0' TERM; %1$s.up; sleep 100000 & wait $!"
                .formatted(note, member.seconds);
    JsonObject container =
        JsonObject.of("name", "main")
            .with("image", "any")
            .with("command", JsonArray.of("sh", "-c", script))
            .with(
                "volumeMounts",
                JsonArray.of(JsonObject.of("name", "notes").with("mountPath", "/notes")));
    return JsonObject.of(
            "metadata", JsonObject.of("name", member.name).with("namespace", "default"))
        .with(
            "spec",
            JsonObject.of("containers", JsonArray.of(container))
                .with("priorityClassName", member.range.name)
                .with("terminationGracePeriodSeconds", 600L)
                .with(
                    "volumes",
                    JsonArray.of(
                        JsonObject.of("name", "notes")
                            .with("hostPath", JsonObject.of("path", notes.toString())))));
  }

  /** What a pod wrote down, in milliseconds; empty if it did not. */
  private OptionalLong time(Member member, String what) throws IOException {
    Path note = notes.resolve(member.name + "." + what);
    String text = Files.exists(note) ? Files.readString(note).strip() : "";
    return text.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseLong(text) / 1_000_000);
  }

  private void report(long ended) throws IOException {
    long killedEarly = 0;
    for (int i = 0; i < RANGES.size(); i++) {
      Range range = RANGES.get(i);
      long began = asked(range);
      long next = i + 1 < RANGES.size() ? asked(RANGES.get(i + 1)) : ended;
      long lastEnd = 0;
      boolean hasDeaf = false;
      for (Member each : members) {
        if (!each.range.equals(range)) {
          continue;
        }
        if (each.isDeaf()) {
          hasDeaf = true;
          long killed = time(each, "alive").orElse(0) - began;
          killedEarly += killed < range.period * 1_000L - 2 * PULSE_MILLIS ? 1 : 0;
        } else {
          OptionalLong end = time(each, "end");
          killedEarly += end.isEmpty() ? 1 : 0;
          lastEnd = Math.max(lastEnd, end.orElse(0));
        }
      }
      if (hasDeaf) {
        new Figure(
                "range %s: longer than its %d s".formatted(range.name, range.period),
                "ms",
                SLACK_MILLIS,
                LOWER)
            .print(next - began - range.period * 1_000.0);
      } else {
        new Figure(
                "range %s: its last pod's end to its own".formatted(range.name),
                "ms",
                SLACK_MILLIS,
                LOWER)
            .print((double) (next - lastEnd));
      }
    }
    new Figure("of 50 pods, killed early", "pods", 0, LOWER).print((double) killedEarly);
  }

  /** When the first pod of a range was asked to end. */
  private long asked(Range range) throws IOException {
    long first = Long.MAX_VALUE;
    for (Member each : members) {
      if (each.range.equals(range)) {
        first = Math.min(first, time(each, "term").orElse(Long.MAX_VALUE));
      }
    }
    return first;
  }
}
