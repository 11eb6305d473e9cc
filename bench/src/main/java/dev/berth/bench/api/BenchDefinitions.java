package dev.berth.bench.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A custom resource of a hundred fields, with rules in CEL or without. */
public final class BenchDefinitions {
  public static final String PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  /** Of the definition called "ruled". */
  public static final String OBJECTS = "/apis/bench.example.com/v1/namespaces/default/ruled";

  private static final int FIELDS = 100;
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private BenchDefinitions() {}

  /** Waits until objects of a kind can be listed. */
  public static void await(Control control, String plural) throws Exception {
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

  public static byte[] definition(String plural, boolean rules) {
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

  public static String object() {
    StringBuilder fields = new StringBuilder();
    for (int i = 0; i < FIELDS; i++) {
      fields
          .append(i == 0 ? "" : ",")
          .append("\"field" + i + "\":" + (i % 2 == 0 ? "\"value" + i + "\"" : i));
    }
    return """
    {"apiVersion":"bench.example.com/v1","kind":"Ruled","metadata":{"generateName":"o-"},"spec":{%s}}
    """
        .formatted(fields);
  }
}
