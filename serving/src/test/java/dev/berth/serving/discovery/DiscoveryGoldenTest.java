package dev.berth.serving.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.BuiltIns;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares what Berth says it serves with what Kubernetes 1.36 says by default, resource by
 * resource: kinds, scopes, verbs, short names, categories and subresources.
 */
class DiscoveryGoldenTest {
  /** Groups that are not built in yet. */
  private static final Set<String> NOT_SERVED =
      Set.of("apiextensions.k8s.io/v1", "apiregistration.k8s.io/v1");

  /** Resources that are not built in yet, of groups that are. */
  private static final Set<String> NOT_BUILT_IN =
      Set.of(
          "mutatingadmissionpolicies",
          "mutatingadmissionpolicybindings",
          "validatingadmissionpolicies",
          "validatingadmissionpolicies/status",
          "validatingadmissionpolicybindings",
          "pods/resize");

  @Test
  void servesWhatKubernetesServes() throws IOException {
    List<String> expected = new ArrayList<>();
    for (String line : golden().lines().toList()) {
      String[] fields = line.split("\t", -1);
      boolean wanted =
          !line.startsWith("#")
              && !NOT_SERVED.contains(fields[0])
              && !NOT_BUILT_IN.contains(fields[1]);
      if (wanted) {
        expected.add(line);
      }
    }
    assertThat(served(expected)).containsExactlyInAnyOrderElementsOf(expected);
  }

  /** By them clients see whether objects are stored in another version than before. */
  @ParameterizedTest
  @CsvSource({
    "apps/v1,deployments,8aSe+NMegvE=",
    "storage.k8s.io/v1,csidrivers,hL6j/rwBV5w=",
    "admissionregistration.k8s.io/v1,mutatingadmissionpolicies,LYmCf+UMVdg=",
    "admissionregistration.k8s.io/v1,mutatingadmissionpolicybindings,90V5FRZZ3Zg="
  })
  void hashesStorageVersionsAsKubernetes(String version, String plural, String hash) {
    byte[] body =
        new DiscoveryDocuments(BuiltIns.catalog())
            .answer("/apis/" + version, List.of())
            .orElseThrow()
            .body()
            .getFirst();
    assertThat(JsonReader.object(body, JsonLimits.TRUSTED).array("resources").objects())
        .filteredOn(resource -> resource.text("name", "").equals(plural))
        .extracting(resource -> resource.text("storageVersionHash", ""))
        .containsExactly(hash);
  }

  private static String golden() throws IOException {
    try (InputStream in =
        DiscoveryGoldenTest.class.getResourceAsStream("kubernetes-1.36-discovery.tsv")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
    }
  }

  private static List<String> served(List<String> expected) {
    DiscoveryDocuments documents = new DiscoveryDocuments(BuiltIns.catalog());
    List<String> lines = new ArrayList<>();
    expected.stream()
        .map(line -> line.substring(0, line.indexOf('\t')))
        .distinct()
        .forEach(version -> {
          String path = (version.contains("/") ? "/apis/" : "/api/") + version;
          byte[] body = documents.answer(path, List.of()).orElseThrow().body().getFirst();
          JsonReader.object(body, JsonLimits.TRUSTED).array("resources").objects().stream()
              .filter(resource -> !NOT_BUILT_IN.contains(resource.text("name", "")))
              .forEach(resource -> lines.add(line(version, resource)));
        });
    return lines;
  }

  private static String line(String version, JsonObject resource) {
    String kind = resource.text("kind", "");
    if (resource.has("version")) {
      kind = resource.text("group", "") + "/" + resource.text("version", "") + "/" + kind;
    }
    return String.join(
        "\t",
        version,
        resource.text("name", ""),
        kind,
        resource.flag("namespaced", false) ? "namespaced" : "cluster",
        list(resource, "verbs"),
        list(resource, "shortNames"),
        list(resource, "categories"),
        resource.text("singularName", "").isEmpty() ? "-" : resource.text("singularName", ""));
  }

  private static String list(JsonObject resource, String field) {
    List<String> texts = resource.array(field).texts();
    return texts.isEmpty() ? "-" : String.join(",", texts);
  }
}
