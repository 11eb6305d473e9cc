package dev.berth.bench.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.bench.Parallel;
import dev.berth.bench.api.H2load;
import dev.berth.client.Resources;
import dev.berth.client.http.HttpApi;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Renewals of 1,000 leases, each a change, half of them through each server. */
final class LeasePatches {
  private static final int LEASES = 1_000;
  private static final int SENDERS = 20;
  private static final int EACH = 400;
  private static final int STREAMS = 4;
  private static final int WARM_UP = 4;
  private static final int ROUNDS = 7;
  private static final String PATH = "/apis/coordination.k8s.io/v1/namespaces/default/leases/";

  private LeasePatches() {}

  static void measure(Cluster cluster, Path folder) throws Exception {
    try (HttpApi api = cluster.api(Cluster.SERVERS.getFirst())) {
      Parallel.send(
          LEASES,
          i ->
              () -> {
                Cluster.expect(api.create(Resources.LEASES, lease(i)));
                return new byte[0];
              });
    }
    double[] perSecond = new double[ROUNDS];
    for (int round = 0; round < WARM_UP + ROUNDS; round++) {
      double measured = round(cluster, folder, round);
      if (round == 0) {
        Figure.forComparison("lease patches, first round", "/s").print(measured);
      }
      if (round >= WARM_UP) {
        perSecond[round - WARM_UP] = measured;
      }
    }
    new Figure("lease patches through two servers", "/s", 1_500, Better.HIGHER).print(perSecond);
  }

  private static JsonObject lease(int i) {
    return JsonReader.object(
        """
        {"apiVersion":"coordination.k8s.io/v1","kind":"Lease",
         "metadata":{"name":"l%d","namespace":"default"},"spec":{"holderIdentity":"n"}}
        """
            .formatted(i)
            .getBytes(UTF_8),
        JsonLimits.TRUSTED);
  }

  /** Each sender has a time and an order of its own, so that nearly every patch is a change. */
  private static double round(Cluster cluster, Path folder, int round) throws Exception {
    List<H2load> senders = new ArrayList<>();
    for (int sender = 0; sender < SENDERS; sender++) {
      String host = Cluster.SERVERS.get(sender % Cluster.SERVERS.size());
      List<String> urls = new ArrayList<>();
      for (int i = 0; i < LEASES; i++) {
        urls.add(cluster.url(host, PATH + "l" + i));
      }
      Collections.shuffle(urls, new Random(sender));
      String time = "2026-01-01T%02d:%02d:00.000000Z".formatted(round, sender);
      Path body =
          Files.writeString(
              Files.createTempFile(folder, "body", ""),
              "{\"spec\":{\"renewTime\":\"" + time + "\"}}");
      senders.add(
          H2load.start(
              folder,
              EACH,
              1,
              STREAMS,
              urls,
              H2load.sending(body, "PATCH", "application/merge-patch+json")));
    }
    List<H2load.Answers> answers = new ArrayList<>();
    for (H2load sender : senders) {
      answers.add(sender.answers());
    }
    H2load.Answers all = H2load.Answers.together(answers);
    if (all.failed() > 0) {
      throw new IOException(all.failed() + " patches of leases failed");
    }
    return all.perSecond();
  }
}
