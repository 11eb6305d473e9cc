package dev.berth.bench.cost;

import dev.berth.bench.api.BenchDefinitions;
import dev.berth.bench.api.BenchPods;
import dev.berth.bench.api.BenchPolicies;
import dev.berth.bench.api.Berth;
import dev.berth.bench.api.Control;
import dev.berth.bench.api.CreateRounds;
import java.nio.file.Path;
import java.util.List;

/** Creates over HTTPS, in a server without scheduler and node and with idle controllers. */
final class ApiWork {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final int OBJECTS = 10_000;
  private static final int WARM_UP = 4;

  private ApiWork() {}

  static void measure(CostBench bench, Path folder) throws Exception {
    List<String> alone = List.of("--no-scheduler", "--no-node");
    try (Berth berth = Berth.start(folder.resolve("alone"), alone)) {
      Control control = new Control(berth);
      CreateRounds rounds = new CreateRounds(folder, berth, OBJECTS);
      creates(bench, berth, rounds, "pod created", PODS, BenchPods.created());
      control.post(BenchDefinitions.PATH, BenchDefinitions.definition("ruled", true));
      BenchDefinitions.await(control, "ruled");
      creates(
          bench,
          berth,
          rounds,
          "custom resource, 100 fields, 5 rules",
          BenchDefinitions.OBJECTS,
          BenchDefinitions.object());
      BenchPolicies.create(control);
      creates(bench, berth, rounds, "pod under 8 policies", PODS, BenchPods.created());
    }
  }

  private static void creates(
      CostBench bench, Berth berth, CreateRounds rounds, String what, String path, String body)
      throws Exception {
    for (int i = 0; i < WARM_UP; i++) {
      var _ = rounds.round(path, body, 30, 4);
    }
    bench.measure(
        what,
        berth,
        OBJECTS,
        () -> {
          var _ = rounds.round(path, body, 30, 4);
        });
  }
}
