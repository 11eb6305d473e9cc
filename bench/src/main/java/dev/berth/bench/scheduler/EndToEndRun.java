package dev.berth.bench.scheduler;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.Parallel;
import dev.berth.bench.api.Berth;
import dev.berth.bench.api.Control;
import dev.berth.bench.api.H2load;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * From a client that creates pods, in another process and over TLS, through a server that stores
 * them durably and its scheduler, to a watcher that sees them bound.
 */
final class EndToEndRun {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String NODES = "/api/v1/nodes";
  private static final int CREATORS = 30;
  private static final byte[] ADDED = "{\"type\":\"ADDED\"".getBytes(UTF_8);
  private static final JsonLimits ANY_SIZE = JsonLimits.TRUSTED;

  private final Workload workload;
  private final int nodes;
  private final Path folder;

  EndToEndRun(Workload workload, int nodes, Path folder) {
    this.workload = workload;
    this.nodes = nodes;
    this.folder = folder;
  }

  /** What a run gave: the rate, and the processor time that the server took for each pod. */
  record Outcome(double podsPerSecond, double serverMicros) {}

  /**
   * Places the pods again and again on one server, which is rid of them in between.
   *
   * @param warmUp rounds before those that count
   */
  List<Outcome> run(int warmUp, int rounds) throws Exception {
    List<Outcome> outcomes = new ArrayList<>();
    // These nodes are objects that nobody brings to life: controllers would notice that.
    List<String> options = List.of("--no-controllers", "--no-node");
    try (Berth berth = Berth.start(Files.createTempDirectory(folder, "data"), options)) {
      Control control = new Control(berth);
      makeNodes(control);
      for (int round = -warmUp; round < rounds; round++) {
        placeBefore(control);
        Outcome outcome = measure(berth, control);
        control.delete(PODS + "?gracePeriodSeconds=0");
        if (round >= 0) {
          outcomes.add(outcome);
        }
      }
    }
    return outcomes;
  }

  private Outcome measure(Berth berth, Control control) throws Exception {
    String revision =
        JsonReader.object(control.get(PODS + "?limit=1"), ANY_SIZE)
            .object("metadata")
            .text("resourceVersion", "");
    try (InputStream watch =
            control.stream(
                PODS + "?watch=1&fieldSelector=spec.nodeName!%3D&resourceVersion=" + revision);
        Intruders _ = Intruders.start(workload, pod -> send(control, pod))) {
      double cpuBefore = berth.cpuMicros();
      long began = System.nanoTime();
      H2load load = create(berth, control);
      count(watch, workload.measured);
      double seconds = (System.nanoTime() - began) / 1e9;
      double cpu = (berth.cpuMicros() - cpuBefore) / workload.measured;
      if (load != null) {
        load.close();
      }
      return new Outcome(workload.measured / seconds, cpu);
    }
  }

  private void makeNodes(Control control) throws Exception {
    control.post(
        "/apis/scheduling.k8s.io/v1/priorityclasses",
        JsonWriter.toBytes(
            Workload.tree(
                "{'kind':'PriorityClass','apiVersion':'scheduling.k8s.io/v1','metadata':{'name':'high'},'value':1000}")));
    Parallel.send(
        nodes,
        i ->
            () -> {
              control.post(NODES, JsonWriter.toBytes(workload.node(i)));
              return control.patch(
                  NODES + "/" + Workload.nodeName(i), JsonWriter.toBytes(workload.nodeTaints(i)));
            });
  }

  private void placeBefore(Control control) throws Exception {
    Parallel.send(
        workload.placed,
        i ->
            () -> {
              JsonObject pod = workload.placedPod(i);
              JsonObject spec = pod.object("spec").with("nodeName", Workload.nodeName(i % nodes));
              return control.post(PODS, JsonWriter.toBytes(pod.with("spec", spec)));
            });
  }

  /** Pods that differ from each other are sent by this process, the others by one that is lean. */
  private @Nullable H2load create(Berth berth, Control control) throws Exception {
    if (workload != Workload.DAEMONS) {
      Path body =
          Files.write(
              Files.createTempFile(folder, "pod", ""), JsonWriter.toBytes(workload.unnamedPod()));
      return H2load.start(
          folder,
          workload.measured,
          CREATORS,
          4,
          List.of(berth.url(PODS)),
          H2load.sending(body, "POST", "application/json"));
    }
    Parallel.send(
        workload.measured,
        i -> () -> control.post(PODS, JsonWriter.toBytes(workload.measuredPod(i))));
    return null;
  }

  private static void send(Control control, JsonObject pod) {
    try {
      control.post(PODS, JsonWriter.toBytes(pod));
    } catch (IOException e) {
      System.err.println(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads until so many lines began with an addition. */
  private static void count(InputStream watch, int wanted) throws IOException {
    byte[] buffer = new byte[1 << 16];
    int seen = 0;
    int matched = 0;
    while (seen < wanted) {
      int read = watch.read(buffer);
      if (read < 0) {
        throw new IOException("the watch ended after " + seen + " pods");
      }
      for (int i = 0; i < read; i++) {
        if (buffer[i] == '\n') {
          matched = 0;
        } else if (matched >= 0 && matched < ADDED.length && buffer[i] == ADDED[matched]) {
          matched++;
          seen += matched == ADDED.length ? 1 : 0;
        } else {
          matched = ADDED.length;
        }
      }
    }
  }
}
