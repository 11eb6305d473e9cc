package dev.berth.bench.firstminute;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.bench.Parallel;
import dev.berth.bench.api.Berth;
import dev.berth.bench.api.Control;
import dev.berth.bench.api.H2load;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Renewals of 1,000 leases by a service account, each a change. The first round is what a server
 * gives that has just started; the others are longer, so that starting fifty clients does not count
 * for much.
 */
final class LeaseRounds {
  private static final int ROUNDS = 4;
  private static final int LEASES = 1_000;
  private static final int SENDERS = 50;
  private static final int COLD_EACH = 400;
  private static final int WARM_EACH = 2_000;
  private static final String ACCOUNT = "bench";
  private static final String PATH = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

  private final Berth berth;
  private final Control control;
  private final Path folder;
  private final String token;
  private final List<String> urls = new ArrayList<>();

  private LeaseRounds(Berth berth, Path folder) throws IOException, InterruptedException {
    this.berth = berth;
    this.control = new Control(berth);
    this.folder = folder;
    this.token = token();
  }

  static void measure(Launch launch, Rounds figures) throws Exception {
    try (Berth berth = launch.start("--no-node")) {
      LeaseRounds leases = new LeaseRounds(berth, launch.folder());
      leases.create();
      for (int round = 1; round <= ROUNDS; round++) {
        leases.run(round, figures);
      }
    }
  }

  private String token() throws IOException, InterruptedException {
    String accounts = "/api/v1/namespaces/default/serviceaccounts";
    control.post(accounts, "{\"metadata\":{\"name\":\"bench\"}}".getBytes(UTF_8));
    String rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/";
    control.post(
        rbac + "roles",
        """
        {"metadata":{"name":"bench"},"rules":[{"apiGroups":["coordination.k8s.io"],
         "resources":["leases"],"verbs":["patch"]}]}
        """
            .getBytes(UTF_8));
    control.post(
        rbac + "rolebindings",
        """
        {"metadata":{"name":"bench"},
         "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"bench"},
         "subjects":[{"kind":"ServiceAccount","name":"bench","namespace":"default"}]}
        """
            .getBytes(UTF_8));
    byte[] answer =
        control.post(accounts + "/" + ACCOUNT + "/token", "{\"spec\":{}}".getBytes(UTF_8));
    return JsonReader.object(answer, JsonLimits.TRUSTED).object("status").text("token", "");
  }

  private void create() throws Exception {
    Parallel.send(
        LEASES,
        i ->
            () ->
                control.post(
                    PATH,
                    "{\"metadata\":{\"name\":\"l%d\"},\"spec\":{\"holderIdentity\":\"n\"}}"
                        .formatted(i)
                        .getBytes(UTF_8)));
    for (int i = 0; i < LEASES; i++) {
      urls.add(berth.url(PATH + "/l" + i));
    }
  }

  /** Each sender has a time and an order of its own, so that nearly every patch is a change. */
  private void run(int round, Rounds figures) throws Exception {
    int each = round == 1 ? COLD_EACH : WARM_EACH;
    long revision = revision();
    double cpuBefore = berth.cpuMicros();
    List<H2load> senders = new ArrayList<>();
    for (int sender = 0; sender < SENDERS; sender++) {
      Collections.shuffle(urls, new Random(sender));
      String time = "2026-01-01T%02d:%02d:00.000000Z".formatted(round, sender);
      Path body =
          Files.writeString(
              Files.createTempFile(folder, "body", ""),
              "{\"spec\":{\"renewTime\":\"" + time + "\"}}");
      List<String> options =
          new ArrayList<>(List.of("-d", body.toString(), "-H", ":method: PATCH"));
      options.addAll(List.of("-H", "content-type: application/merge-patch+json"));
      options.addAll(List.of("-H", "authorization: Bearer " + token));
      senders.add(H2load.start(folder, each, 1, 4, urls, options));
    }
    List<H2load.Answers> answers = new ArrayList<>();
    for (H2load sender : senders) {
      answers.add(sender.answers());
    }
    H2load.Answers all = H2load.Answers.together(answers);
    if (all.failed() > 0) {
      throw new IOException(all.failed() + " renewals of leases failed");
    }
    double bar =
        switch (round) {
          case 1 -> 6_000;
          case ROUNDS -> 15_000;
          default -> Double.NaN;
        };
    figures.add(
        new Figure("lease patches, round " + round, "/s", bar, Better.HIGHER), all.perSecond());
    int patches = SENDERS * each;
    figures.add(
        Figure.forComparison("  server, each", "us " + round),
        (berth.cpuMicros() - cpuBefore) / patches);
    figures.add(
        Figure.forComparison("  of them changed their lease", "% " + round),
        100.0 * (revision() - revision) / patches);
  }

  private long revision() throws IOException, InterruptedException {
    return Long.parseLong(
        JsonReader.object(control.get(PATH + "?limit=1"), JsonLimits.TRUSTED)
            .object("metadata")
            .text("resourceVersion", ""));
  }
}
