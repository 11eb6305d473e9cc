package dev.berth.bench.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.bench.Folders;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a webhook adds to the creation of a pod: {@code bench/run webhook}. One client creates one
 * pod after the other, round by round without a webhook, with one that validates, and with one that
 * mutates; all three take turns, so that each has the same share of a machine that is not quiet.
 */
public final class WebhookBench {
  private static final int PODS = 1_000;
  private static final int WARM_UP = 4;
  private static final int ROUNDS = 7;
  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";

  private WebhookBench() {}

  public static void main(String... arguments) throws Exception {
    System.out.printf(
        "load of the machine before: %.2f%n",
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    Path folder = Files.createTempDirectory("berth-bench");
    try (WebhookProcess webhook = WebhookProcess.start();
        Berth berth = Berth.serverAlone(folder.resolve("data"))) {
      Control control = new Control(berth);
      CreateRounds rounds = new CreateRounds(folder, berth, PODS);
      Round none = new Round(rounds);
      Round validating = new Round(rounds);
      Round mutating = new Round(rounds);
      for (int i = -WARM_UP; i < ROUNDS; i++) {
        none.run(i);
        with(control, "Validating", webhook.clientConfig(), validating, i);
        with(control, "Mutating", webhook.clientConfig(), mutating, i);
      }
      Figure.forComparison("a pod without a webhook, median", "ms").print(none.medians);
      Figure.forComparison("through a validating webhook, first " + PODS, "ms")
          .print(validating.first);
      added("a validating webhook adds at the median", validating, none);
      added("a mutating webhook adds at the median", mutating, none);
    } finally {
      Folders.delete(folder);
    }
  }

  /** The medians of the rounds of one kind. */
  private static final class Round {
    private final CreateRounds rounds;
    private final double[] medians = new double[ROUNDS];
    private double first;

    Round(CreateRounds rounds) {
      this.rounds = rounds;
    }

    void run(int number) throws Exception {
      double median =
          rounds
              .round("/api/v1/namespaces/default/pods", BenchPods.created(), 1, 1)
              .percentileMillis(0.5);
      if (number == -WARM_UP) {
        first = median;
      }
      if (number >= 0) {
        medians[number] = median;
      }
    }
  }

  private static void added(String what, Round with, Round without) {
    double[] added = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      added[i] = with.medians[i] - without.medians[i];
    }
    new Figure(what, "ms", 2, Better.LOWER).print(added);
  }

  private static void with(
      Control control, String kind, String clientConfig, Round round, int number) throws Exception {
    String path = GROUP + kind.toLowerCase(java.util.Locale.ROOT) + "webhookconfigurations";
    control.post(path, configuration(kind, clientConfig));
    try {
      round.run(number);
    } finally {
      delete(control, path + "/bench");
    }
  }

  private static void delete(Control control, String path)
      throws IOException, InterruptedException {
    var _ = control.delete(path);
  }

  private static byte[] configuration(String kind, String clientConfig) {
    return """
    {"apiVersion":"admissionregistration.k8s.io/v1","kind":"%sWebhookConfiguration",
     "metadata":{"name":"bench"},
     "webhooks":[{"name":"bench.example.com","clientConfig":%s,"sideEffects":"None",
       "admissionReviewVersions":["v1"],
       "rules":[{"apiGroups":[""],"apiVersions":["v1"],"resources":["pods"],
         "operations":["CREATE"]}]}]}
    """
        .formatted(kind, clientConfig)
        .getBytes(UTF_8);
  }
}
