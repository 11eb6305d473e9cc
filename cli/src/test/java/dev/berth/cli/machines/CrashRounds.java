package dev.berth.cli.machines;

import dev.berth.cli.Await;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Rounds in which pods are started and something is killed with -9 at a random moment: the agent,
 * the server, both, or the processes of a pod; while pods start, run or end. Whatever was killed is
 * started again, and then every container must have run exactly as often as it should, with its
 * exit codes and all of its lines; and when the pods are deleted, nothing of them may be left.
 *
 * <p>A program of its own, which {@link NodeCrashTest} runs on a machine of its own.
 */
final class CrashRounds {
  private static final int LONGEST_MICROS = 1_500_000;

  private final CrashCluster cluster;
  private final Path runs;
  private final SplittableRandom random;
  private final Map<String, Integer> kills = new HashMap<>();

  private CrashRounds(CrashCluster cluster, Path runs, SplittableRandom random) {
    this.cluster = cluster;
    this.runs = runs;
    this.random = random;
  }

  /** What is killed in a round. */
  private enum Victim {
    AGENT,
    SERVER,
    BOTH,
    POD,
    POD_AND_AGENT;

    static Victim of(int chance) {
      if (chance < 50) {
        return AGENT;
      }
      if (chance < 65) {
        return SERVER;
      }
      if (chance < 75) {
        return BOTH;
      }
      return chance < 85 ? POD : POD_AND_AGENT;
    }
  }

  /** Arguments: a folder, how many rounds, and a seed. */
  static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    int rounds = Integer.parseInt(arguments[1]);
    long seed = Long.parseLong(arguments[2]);
    Path runs = Files.createDirectories(folder.resolve("runs"));
    try (CrashCluster cluster = new CrashCluster(folder)) {
      for (int round = 0; round < rounds; round++) {
        // A round follows from its own seed, so that one can be repeated alone.
        CrashRounds crash = new CrashRounds(cluster, runs, new SplittableRandom(seed + round));
        try {
          crash.run(round);
        } catch (IOException | RuntimeException | Error e) {
          List<String> log = cluster.agentLog().lines().toList();
          log.subList(Math.max(0, log.size() - 50), log.size()).forEach(System.out::println);
          System.out.println("failed in round %d, whose seed is %d".formatted(round, seed + round));
          e.printStackTrace(System.out);
          System.out.flush();
          cluster.stop();
          Runtime.getRuntime().halt(1);
        }
        System.out.println("round " + round);
        System.out.flush();
      }
    }
    System.out.println("done");
    Runtime.getRuntime().halt(0);
  }

  private void run(int round) throws IOException {
    List<CrashPod> pods = pods(round);
    Victim victim = Victim.of(random.nextInt(100));
    boolean isDuringDeletion = random.nextInt(4) == 0;
    int micros = random.nextInt(LONGEST_MICROS);
    String story =
        "%s %d µs after pods were %s"
            .formatted(victim, micros, isDuringDeletion ? "deleted" : "created");
    try {
      for (CrashPod pod : pods) {
        cluster.create(pod.manifest());
      }
      if (!isDuringDeletion) {
        kill(victim, micros, pods);
      }
      awaitEnds(pods);
      List<String> uids = new ArrayList<>();
      for (JsonObject pod : cluster.pods()) {
        uids.add(Metadata.of(pod).uid());
      }
      for (CrashPod pod : pods) {
        check(pod);
      }
      for (CrashPod pod : pods) {
        cluster.delete(pod.name());
      }
      if (isDuringDeletion) {
        kill(victim, micros, List.of());
      }
      awaitNothing(uids);
    } catch (IOException | RuntimeException | Error e) {
      throw new AssertionError(story, e);
    }
  }

  private List<CrashPod> pods(int round) {
    String prefix = "r" + round + "-";
    int code = 1 + random.nextInt(120);
    return List.of(
        pod(prefix + "short", "Never").ending("main", 20, false, code).build(),
        pod(prefix + "flood", "Never").ending("main", 30_000, true, code).build(),
        pod(prefix + "retry", "OnFailure").failingOnce("main", 10, code).build(),
        pod(prefix + "steps", "Never")
            .first("one", 5)
            .first("two", 5)
            .ending("main", 10, false, 0)
            .ending("other", 15, false, code)
            .build(),
        pod(prefix + "beside", "Never").sidecar("side").ending("main", 25, false, 0).build(),
        pod(prefix + "long", "Always").endless("main").build());
  }

  private CrashPod.Builder pod(String name, String restartPolicy) {
    return new CrashPod.Builder(name, restartPolicy, runs.toString());
  }

  private void kill(Victim victim, int micros, List<CrashPod> pods) throws IOException {
    LockSupport.parkNanos(1000L * micros);
    switch (victim) {
      case AGENT -> cluster.killAgent();
      case SERVER -> cluster.killServer();
      case BOTH -> {
        cluster.killAgent();
        cluster.killServer();
      }
      case POD -> killPods(pods);
      case POD_AND_AGENT -> {
        killPods(pods);
        cluster.killAgent();
      }
    }
    cluster.restart();
  }

  /** Kills what runs of a pod that is started again. */
  private void killPods(List<CrashPod> pods) {
    for (CrashPod pod : pods) {
      if (pod.isEndless() && killed(pod)) {
        kills.merge(pod.name(), 1, Integer::sum);
      }
    }
  }

  /** A shell that has forked and not yet begun its child's command is there twice. */
  private boolean killed(CrashPod pod) {
    List<ProcessHandle> running =
        ProcessHandle.allProcesses().filter(process -> isOf(pod, process)).toList();
    running.forEach(ProcessHandle::destroyForcibly);
    return !running.isEmpty();
  }

  private boolean isOf(CrashPod pod, ProcessHandle process) {
    return Leftovers.environment(process.pid())
            .contains("CRASH_POD=" + runs.resolve(pod.name()) + "\0")
        && process.info().commandLine().orElse("").contains("/runs/");
  }

  private void awaitEnds(List<CrashPod> pods) {
    Await.until(
        "the end of " + pods.stream().map(CrashPod::name).toList(),
        () -> {
          try {
            Map<String, JsonObject> shown = new HashMap<>();
            for (JsonObject pod : cluster.pods()) {
              shown.put(Metadata.of(pod).name(), pod);
            }
            return pods.stream()
                .allMatch(pod -> hasEnded(pod, shown.getOrDefault(pod.name(), JsonObject.EMPTY)));
          } catch (IOException e) {
            return false; // the server is about to be there again
          }
        });
  }

  private boolean hasEnded(CrashPod pod, JsonObject shown) {
    String phase = shown.object("status").text("phase", "");
    if (!pod.isEndless()) {
      return phase.equals("Succeeded") || phase.equals("Failed");
    }
    JsonObject container =
        shown.object("status").array("containerStatuses").objects().stream()
            .findFirst()
            .orElse(JsonObject.EMPTY);
    return !container.object("state").object("running").isEmpty()
        && container.integer("restartCount").orElse(0) == kills.getOrDefault(pod.name(), 0);
  }

  private void check(CrashPod pod) throws IOException {
    JsonObject status =
        cluster.pods().stream()
            .filter(each -> Metadata.of(each).name().equals(pod.name()))
            .findFirst()
            .orElseThrow()
            .object("status");
    List<JsonObject> containers = new ArrayList<>(status.array("initContainerStatuses").objects());
    containers.addAll(status.array("containerStatuses").objects());
    require(containers.size() == pod.lines().size(), pod.name() + " has other containers");
    for (JsonObject container : containers) {
      check(pod, container);
    }
  }

  private void check(CrashPod pod, JsonObject shown) throws IOException {
    String container = shown.text("name", "");
    String what = pod.name() + " " + container + ": ";
    List<Integer> exits = new ArrayList<>(pod.exits().getOrDefault(container, List.of()));
    int killed = kills.getOrDefault(pod.name(), 0);
    int runsWanted = exits.isEmpty() ? 1 + killed : exits.size();
    Path note = runs.resolve(pod.name() + "-" + container);
    List<String> notes = Files.readAllLines(note);
    require(notes.size() == runsWanted, what + "ran " + notes.size() + " times: " + shown);
    require(
        shown.integer("restartCount").orElse(-1) == runsWanted - 1,
        what + "counts restarts wrongly: " + shown);
    if (!exits.isEmpty()) {
      requireExit(shown.object("state"), exits.getLast(), what);
    }
    if (runsWanted > 1) {
      int before = exits.isEmpty() ? 137 : exits.get(exits.size() - 2);
      requireExit(shown.object("lastState"), before, what + "before, ");
      requireLines(pod, container, true);
    }
    requireLines(pod, container, false);
  }

  private static void requireExit(JsonObject state, int code, String what) {
    long shown = state.object("terminated").integer("exitCode").orElse(-1);
    require(shown == code, "%sended with %d, not with %d: %s".formatted(what, shown, code, state));
  }

  /** All lines are there, once each and in order. */
  private void requireLines(CrashPod pod, String container, boolean previous) throws IOException {
    HttpResponse<String> answer = awaitLog(pod, container, previous);
    List<String> lines = answer.body().lines().toList();
    int wanted = pod.lines().getOrDefault(container, 0);
    String what = pod.name() + " " + container;
    require(
        wanted == 0 || lines.size() == wanted,
        "%s wrote %d lines, not %d".formatted(what, lines.size(), wanted));
    for (int i = 0; i < lines.size(); i++) {
      // The last line of one that goes on, or was killed, need not be whole.
      boolean isPartial = wanted == 0 && i == lines.size() - 1;
      require(
          isPartial || lines.get(i).equals("line " + (i + 1)),
          "%s: line %d is \"%s\"".formatted(what, i + 1, lines.get(i)));
    }
  }

  /** A restarted agent may have to be found first. */
  private HttpResponse<String> awaitLog(CrashPod pod, String container, boolean previous) {
    List<HttpResponse<String>> answers = new ArrayList<>();
    Await.until(
        "the log of %s %s".formatted(pod.name(), container),
        () -> {
          HttpResponse<String> answer = cluster.log(pod.name(), container, previous);
          answers.add(answer);
          return answer.statusCode() == 200;
        });
    return answers.getLast();
  }

  private void awaitNothing(List<String> uids) throws IOException {
    List<String> left = new ArrayList<>();
    try {
      Await.until(
          "that nothing is left",
          () -> {
            left.clear();
            try {
              for (JsonObject pod : cluster.pods()) {
                left.add("pod " + Metadata.of(pod).name());
              }
              if (left.isEmpty()) {
                left.addAll(Leftovers.of(cluster.node()));
                for (String uid : uids) {
                  left.addAll(Leftovers.cgroups(uid));
                }
              }
            } catch (IOException e) {
              left.add(e.toString());
            }
            return left.isEmpty();
          });
    } catch (AssertionError e) {
      throw new AssertionError("left: " + left, e);
    }
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }
}
