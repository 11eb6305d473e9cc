package dev.berth.bench.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.bench.Folders;
import dev.berth.bench.Parallel;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What custom resources cost: memory and start with many definitions, and writes of objects with a
 * large schema and rules in CEL. {@code bench/run customresources [definitions]}.
 */
public final class CustomResourcesBench {
  private static final int FIELDS = 100;
  private static final int OBJECTS = 5_000;
  private static final int ROUNDS = 5;
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  private CustomResourcesBench() {}

  public static void main(String... arguments) throws Exception {
    int definitions = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 500;
    System.out.printf(
        "load of the machine before: %.2f%n",
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    Path folder = Files.createTempDirectory("berth-bench");
    Path data = folder.resolve("data");
    try {
      double live;
      try (Berth berth = Berth.serverAlone(data)) {
        Control control = new Control(berth);
        live = berth.liveMegabytes();
        new Figure("start with no definition", "ms", 2_000, Better.LOWER)
            .print((double) berth.startMillis());
        writes(control);
        double before = berth.liveMegabytes();
        Parallel.send(
            definitions, i -> () -> control.post(DEFINITIONS, definition("many" + i, false)));
        await(control, "many" + (definitions - 1));
        new Figure("heap of a definition", "MB", 1, Better.LOWER)
            .print((berth.liveMegabytes() - before) / definitions);
      }
      try (Berth again = Berth.serverAlone(data)) {
        new Figure("start with " + definitions + " definitions", "ms", 2_000, Better.LOWER)
            .print((double) again.startMillis());
        Figure.forComparison("heap with no definition", "MB").print(live);
        Figure.forComparison("heap with all", "MB").print(again.liveMegabytes());
      }
    } finally {
      Folders.delete(folder);
    }
  }

  private static void writes(Control control) throws Exception {
    control.post(DEFINITIONS, definition("ruled", true));
    await(control, "ruled");
    String path = "/apis/bench.example.com/v1/namespaces/default/ruled";
    double[] rates = new double[ROUNDS];
    for (int round = -1; round < ROUNDS; round++) {
      int number = round;
      long began = System.nanoTime();
      Parallel.send(OBJECTS, i -> () -> control.post(path, object("o" + number + "-" + i)));
      double seconds = (System.nanoTime() - began) / 1e9;
      if (round >= 0) {
        rates[round] = OBJECTS / seconds;
      }
    }
    new Figure("creates, 100 fields and 5 rules", "1/s", 2_000, Better.HIGHER).print(rates);
  }

  /** Waits until objects of a kind can be listed. */
  private static void await(Control control, String plural) throws Exception {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (System.nanoTime() < end) {
      try {
        var _ = control.get("/apis/bench.example.com/v1/" + plural);
        return;
      } catch (java.io.IOException _) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }
    throw new IllegalStateException(plural + " is not served");
  }

  private static byte[] definition(String plural, boolean rules) {
    StringBuilder fields = new StringBuilder();
    for (int i = 0; i < FIELDS; i++) {
      fields
          .append(i == 0 ? "" : ",")
          .append(
              "\"field%d\":{\"type\":\"%s\",\"description\":\"The field %d.\"%s}"
                  .formatted(
                      i,
                      i % 2 == 0 ? "string" : "integer",
                      i,
                      i % 2 == 0 ? ",\"maxLength\":64" : ",\"minimum\":0"));
    }
    String validations =
        rules
            ? """
            "x-kubernetes-validations":[
              {"rule":"self.field1 <= self.field3"},
              {"rule":"self.field0.startsWith('v')"},
              {"rule":"size(self.field2) > 0","message":"field2 must be set"},
              {"rule":"self.field5 + self.field7 < 1000000"},
              {"rule":"!has(self.field9) || self.field9 != 13"}],
            """
            : "";
    String kind = plural.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + plural.substring(1);
    return """
    {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
     "metadata":{"name":"%1$s.bench.example.com"},
     "spec":{"group":"bench.example.com","scope":"Namespaced",
       "names":{"plural":"%1$s","singular":"%1$s","kind":"%2$s"},
       "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
         {"type":"object","properties":{"spec":{"type":"object",%3$s"properties":{%4$s}}}}}}]}}
    """
        .formatted(plural, kind, validations, fields)
        .getBytes(UTF_8);
  }

  private static byte[] object(String name) {
    StringBuilder fields = new StringBuilder();
    for (int i = 0; i < FIELDS; i++) {
      fields
          .append(i == 0 ? "" : ",")
          .append("\"field" + i + "\":" + (i % 2 == 0 ? "\"value" + i + "\"" : i));
    }
    return """
    {"apiVersion":"bench.example.com/v1","kind":"Ruled","metadata":{"name":"%s"},"spec":{%s}}
    """
        .formatted(name, fields)
        .getBytes(UTF_8);
  }
}
