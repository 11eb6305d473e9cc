package dev.berth.bench.workloads;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.Parallel;
import dev.berth.bench.api.Berth;
import dev.berth.bench.api.Control;
import dev.berth.bench.nodes.NodeWatcher;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/** A server with hollow nodes, and what is asked of it; all answers are in seconds. */
final class WorkloadRun implements AutoCloseable {
  private static final String APPS = "/apis/apps/v1/namespaces/default/";
  private static final String NAMESPACES = "/api/v1/namespaces";
  private static final int PATIENCE_SECONDS = 600;

  private final int nodes;
  private final Berth berth;
  private final Control control;

  WorkloadRun(int nodes, Path folder) throws IOException, InterruptedException {
    this.nodes = nodes;
    List<String> options =
        List.of(
            "--hollow",
            Integer.toString(nodes),
            "--hollow-start-latency=0s",
            "--hollow-stop-latency=0s");
    berth = Berth.start(Files.createTempDirectory(folder, "data"), options);
    control = new Control(berth);
    try (NodeWatcher watcher = new NodeWatcher(control, nodes)) {
      watcher.awaitAllReady(PATIENCE_SECONDS);
    }
  }

  /** A deployment of no pods is scaled up, until all of them are ready. */
  double deployment(int pods) throws IOException, InterruptedException {
    control.post(APPS + "deployments", json(workload(0, "")));
    long began = System.nanoTime();
    control.patch(APPS + "deployments/web/scale", json("{'spec':{'replicas':%d}}".formatted(pods)));
    await(APPS + "deployments", status -> counts(status, "readyReplicas", pods));
    return since(began);
  }

  /** A daemon set is made, until its pods are ready on all nodes. */
  double daemonSet() throws IOException, InterruptedException {
    String update = "'updateStrategy':{'rollingUpdate':{'maxUnavailable':'10%'}},";
    long began = System.nanoTime();
    control.post(APPS + "daemonsets", json(workload(-1, update)));
    await(APPS + "daemonsets", status -> counts(status, "numberReady", nodes));
    return since(began);
  }

  /** The template of that daemon set changes, until all pods are of the new one, and ready. */
  double rollingUpdate() throws IOException, InterruptedException {
    long began = System.nanoTime();
    control.patch(
        APPS + "daemonsets/web",
        json("{'spec':{'template':{'metadata':{'annotations':{'version':'2'}}}}}"));
    await(
        APPS + "daemonsets",
        status ->
            counts(status, "observedGeneration", 2)
                && counts(status, "updatedNumberScheduled", nodes)
                && counts(status, "numberReady", nodes));
    return since(began);
  }

  /** A namespace goes, with config maps, secrets and service accounts in it. */
  double namespace(int objects) throws Exception {
    control.post(NAMESPACES, json("{'metadata':{'name':'full'}}"));
    List<String> kinds = List.of("configmaps", "secrets", "serviceaccounts");
    Parallel.send(
        objects,
        i -> {
          String path = NAMESPACES + "/full/" + kinds.get(i % kinds.size());
          return () -> control.post(path, json("{'metadata':{'generateName':'one-'}}"));
        });
    long began = System.nanoTime();
    try (InputStream watch = watch(NAMESPACES, "full")) {
      control.delete(NAMESPACES + "/full");
      awaitLine(watch, line -> line.startsWith("{\"type\":\"DELETED\""));
    }
    return since(began);
  }

  private static String workload(int replicas, String more) {
    String count = replicas < 0 ? "" : "'replicas':%d,".formatted(replicas);
    return "{'metadata':{'name':'web'},'spec':{"
        + count
        + more
        + "'selector':{'matchLabels':{'app':'web'}},'template':{'metadata':{'labels':{'app':'web'}},"
        + "'spec':{'terminationGracePeriodSeconds':0,'containers':[{'name':'c','image':'i',"
        + "'resources':{'requests':{'cpu':'10m','memory':'10Mi'}}}]}}}}";
  }

  private void await(String collection, Predicate<JsonObject> wanted)
      throws IOException, InterruptedException {
    try (InputStream watch = watch(collection, "web")) {
      awaitLine(
          watch,
          line ->
              wanted.test(
                  JsonReader.object(line.getBytes(UTF_8), JsonLimits.TRUSTED)
                      .object("object")
                      .object("status")));
    }
  }

  private InputStream watch(String collection, String name)
      throws IOException, InterruptedException {
    return control.stream(collection + "?watch=1&fieldSelector=metadata.name%3D" + name);
  }

  private static void awaitLine(InputStream watch, Predicate<String> wanted) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(watch, UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (wanted.test(line)) {
        return;
      }
    }
    throw new IOException("the watch ended before its object was as wanted");
  }

  private static boolean counts(JsonObject status, String counter, int value) {
    return status.integer(counter).orElse(0) == value;
  }

  private static byte[] json(String text) {
    return text.replace('\'', '"').getBytes(UTF_8);
  }

  private static double since(long began) {
    return (System.nanoTime() - began) / 1e9;
  }

  @Override
  public void close() throws IOException {
    berth.close();
  }
}
