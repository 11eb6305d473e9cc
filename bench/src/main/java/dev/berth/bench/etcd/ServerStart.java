package dev.berth.bench.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.bench.api.BenchPods;
import dev.berth.bench.api.H2load;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How long a server takes from the command that starts it until it is ready, with many objects, and
 * then until it has listed them all.
 */
final class ServerStart {
  private static final int OBJECTS = 50_000;
  private static final int STARTS = 5;
  private static final int CONNECTIONS = 10;
  private static final String PATH = "/api/v1/namespaces/default/pods";

  private ServerStart() {}

  static void measure(Cluster cluster, Path folder) throws Exception {
    fill(cluster, folder);
    double[] seconds = new double[STARTS];
    double[] processor = new double[STARTS];
    double[] listed = new double[STARTS];
    for (int i = 0; i < STARTS; i++) {
      cluster.script("kill", "b", "server");
      long began = System.nanoTime();
      cluster.script("start", "b");
      seconds[i] = (System.nanoTime() - began) / 1e9;
      processor[i] = processorSeconds(cluster);
      H2load.Answers answers =
          H2load.start(folder, 1, 1, 1, List.of(cluster.url("b", PATH)), H2load.asking()).answers();
      if (answers.failed() > 0) {
        throw new IOException("the pods could not be listed");
      }
      listed[i] = (System.nanoTime() - began) / 1e9;
    }
    new Figure("start of a server on 50,000 pods", "s", 5, Better.LOWER).print(seconds);
    Figure.forComparison("... its processor time until then", "s").print(processor);
    Figure.forComparison("... until a list of all pods has come", "s").print(listed);
  }

  private static double processorSeconds(Cluster cluster) throws IOException {
    Path file = cluster.folder().resolve("b/data/berth.pid");
    long pid = Long.parseLong(Files.readAllLines(file).getFirst().strip());
    return ProcessHandle.of(pid)
            .flatMap(process -> process.info().totalCpuDuration())
            .orElseThrow()
            .toMillis()
        / 1e3;
  }

  /** Of a scheduler that does not run, so that nobody writes while a server starts. */
  private static String pod() {
    JsonObject pod = JsonReader.object(BenchPods.created().getBytes(UTF_8), JsonLimits.TRUSTED);
    JsonObject spec = pod.object("spec").without("nodeName").with("schedulerName", "nobody");
    return JsonWriter.toText(pod.with("spec", spec));
  }

  private static void fill(Cluster cluster, Path folder) throws Exception {
    Path body = Files.writeString(Files.createTempFile(folder, "pod", ""), pod());
    List<H2load> senders = new ArrayList<>();
    for (String host : Cluster.SERVERS) {
      senders.add(
          H2load.start(
              folder,
              OBJECTS / Cluster.SERVERS.size(),
              CONNECTIONS,
              2,
              List.of(cluster.url(host, PATH)),
              H2load.sending(body, "POST", "application/json")));
    }
    List<H2load.Answers> answers = new ArrayList<>();
    for (H2load sender : senders) {
      answers.add(sender.answers());
    }
    H2load.Answers all = H2load.Answers.together(answers);
    if (all.failed() > 0) {
      throw new IOException(all.failed() + " pods could not be created");
    }
    Figure.forComparison("pods created through two servers", "/s").print(all.perSecond());
  }
}
