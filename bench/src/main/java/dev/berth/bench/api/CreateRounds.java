package dev.berth.bench.api;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Objects of one kind created by h2load, round after round: the first round shows what a server
 * gives that has just started, the last ones what it gives once its compiler is done.
 */
public final class CreateRounds {
  private static final int CONNECTIONS = 30;
  private static final int STREAMS = 4;

  /**
   * Rounds before those that count. A server runs for months, and its compiler is busy for its
   * first minute under load.
   */
  private static final int WARM_UP = 5;

  private static final int REPETITIONS = 5;

  private final Path folder;
  private final Berth berth;
  private final int objects;

  /**
   * @param objects how many a round creates
   */
  public CreateRounds(Path folder, Berth berth, int objects) {
    this.folder = folder;
    this.berth = berth;
    this.objects = objects;
  }

  /**
   * Runs all rounds and prints their figures.
   *
   * @param body of each request; the server gives each object its name
   * @param wanted how many a second the last rounds are to reach
   */
  void run(String what, String path, String body, double wanted) throws Exception {
    double[] rates = new double[REPETITIONS];
    double[] p99 = new double[REPETITIONS];
    double[] cpu = new double[REPETITIONS];
    for (int i = -WARM_UP; i < REPETITIONS; i++) {
      double before = berth.cpuMicros();
      H2load.Answers answers = round(path, body, CONNECTIONS, STREAMS);
      double each = (berth.cpuMicros() - before) / answers.tookMicros().size();
      if (i == -WARM_UP) {
        Figure.forComparison(what + ", first " + objects, "/s").print(answers.perSecond());
        Figure.forComparison("  processor time of the server, each", "us").print(each);
      }
      if (i >= 0) {
        rates[i] = answers.perSecond();
        p99[i] = answers.percentileMillis(0.99);
        cpu[i] = each;
      }
    }
    new Figure(what, "/s", wanted, Better.HIGHER).print(rates);
    Figure.forComparison("  99th percentile", "ms").print(p99);
    Figure.forComparison("  processor time of the server, each", "us").print(cpu);
  }

  /** One round; fails unless every request succeeds. */
  public H2load.Answers round(String path, String body, int connections, int streams)
      throws Exception {
    Path file = Files.writeString(Files.createTempFile(folder, "body", ""), body);
    try (H2load load =
        H2load.start(
            folder,
            objects,
            connections,
            streams,
            List.of(berth.url(path)),
            H2load.sending(file, "POST", "application/json"))) {
      H2load.Answers answers = load.answers();
      if (answers.failed() > 0) {
        throw new IOException(answers.failed() + " of " + objects + " requests failed");
      }
      return answers;
    }
  }
}
