package dev.berth.policy.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.tree.JsonObject;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NodeLabelsTest {
  private static final String OS = "kubernetes.io/os";
  private static final String ARCH = "kubernetes.io/arch";

  static Stream<Arguments> labels() {
    return Stream.of(
        argumentSet("no labels", Map.of(), Map.of()),
        argumentSet("right", Map.of(OS, "linux", "beta." + OS, "linux"), Map.of()),
        argumentSet("the older one is missing", Map.of(OS, "linux"), Map.of("beta." + OS, "linux")),
        argumentSet(
            "the older one differs",
            Map.of(ARCH, "arm64", "beta." + ARCH, "amd64"),
            Map.of("beta." + ARCH, "arm64")),
        argumentSet("today's is missing", Map.of("beta." + OS, "linux"), Map.of()),
        argumentSet(
            "both",
            Map.of(OS, "linux", ARCH, "arm64"),
            Map.of("beta." + OS, "linux", "beta." + ARCH, "arm64")));
  }

  @ParameterizedTest
  @MethodSource("labels")
  void theOlderLabelsFollow(Map<String, String> labels, Map<String, String> corrections) {
    JsonObject corrected = NodeLabels.corrections(labels::get);
    assertThat(corrected.size()).isEqualTo(corrections.size());
    corrections.forEach((name, value) -> assertThat(corrected.text(name)).isEqualTo(value));
  }
}
