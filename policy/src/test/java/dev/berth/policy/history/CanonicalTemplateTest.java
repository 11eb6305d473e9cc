package dev.berth.policy.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.model.yaml.YamlReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalTemplateTest {

  private static JsonObject yaml(String text) {
    return (JsonObject) YamlReader.value(text.getBytes(UTF_8), JsonLimits.TRUSTED, _ -> {});
  }

  private static String bytes(JsonObject tree) {
    return new String(JsonWriter.toBytes(tree), UTF_8);
  }

  @Test
  void aRevisionHoldsTheBytesThatUpstreamWrites() {
    JsonObject template =
        yaml(
            """
            metadata:
              creationTimestamp: null
              labels: {tier: web, app: x}
            spec:
              volumes:
              - name: scratch
                emptyDir: {}
              - name: claim
                ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce]}}}
              containers:
              - name: main
                image: "x:1"
                command: [sh, -c, "a && b > c"]
                env:
                - name: EMPTY
                  value: ""
                - name: CPU
                  valueFrom: {resourceFieldRef: {resource: limits.cpu}}
                ports: []
                stdin: false
                securityContext: {privileged: false}
              hostNetwork: false
              automountServiceAccountToken: false
              securityContext: {}
              tolerations: []
              nodeSelector: {}
            """);
    assertThat(bytes(RevisionData.of(template)))
        .isEqualTo(
            """
            {"spec":{"template":{"$patch":"replace",\
            "metadata":{"labels":{"app":"x","tier":"web"}},\
            "spec":{"automountServiceAccountToken":false,\
            "containers":[{"command":["sh","-c","a \\u0026\\u0026 b \\u003e c"],\
            "env":[{"name":"EMPTY"},\
            {"name":"CPU","valueFrom":{"resourceFieldRef":{"divisor":"0","resource":"limits.cpu"}}}],\
            "image":"x:1","name":"main","resources":{},"securityContext":{"privileged":false}}],\
            "securityContext":{},\
            "volumes":[{"emptyDir":{},"name":"scratch"},\
            {"ephemeral":{"volumeClaimTemplate":{"metadata":{},\
            "spec":{"accessModes":["ReadWriteOnce"],"resources":{}}}},"name":"claim"}]}}}}\
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{spec: {hostPID: false}}                         | {spec: {}}",
        "{spec: {containers: []}}                         | {spec: {}}",
        "{metadata: {annotations: {}}}                    | {spec: {}}",
        "{spec: {containers: [{name: a, resources: {}}]}} | {spec: {containers: [{name: a}]}}",
        "{spec: {tolerations: [{key: a, value: ''}]}}     | {spec: {tolerations: [{key: a}]}}",
      })
  void whatMeansTheSameHasOneForm(String one, String other) {
    assertThat(CanonicalTemplate.of(yaml(one))).isEqualTo(CanonicalTemplate.of(yaml(other)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{spec: {hostUsers: false}}                             | {spec: {}}",
        "{spec: {terminationGracePeriodSeconds: 0}}             | {spec: {}}",
        "{spec: {volumes: [{csi: {driver: d, readOnly: false}}]}} | {spec: {volumes: [{csi: {driver: d}}]}}",
        "{spec: {volumes: [{hostPath: {path: p, type: ''}}]}}   | {spec: {volumes: [{hostPath: {path: p}}]}}",
        "{metadata: {labels: {value: ''}}}                      | {metadata: {}}",
        "{spec: {securityContext: {}}}                          | {spec: {}}",
      })
  void aZeroThatMeansSomethingStays(String one, String other) {
    assertThat(CanonicalTemplate.of(yaml(one))).isNotEqualTo(CanonicalTemplate.of(yaml(other)));
  }
}
