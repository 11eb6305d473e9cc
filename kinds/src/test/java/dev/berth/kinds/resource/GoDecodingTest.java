package dev.berth.kinds.resource;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.FieldSchema;
import dev.berth.model.schema.Schemas;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a kube-apiserver says of values that its types cannot hold. */
class GoDecodingTest {
  private static String problem(String group, String kind, String object) {
    return GoDecoding.problem(tree(object), new GroupVersionKind(group, "v1", kind)).orElse("");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {'metadata':'x'} | json: cannot unmarshal string into Go value of type v1.ObjectMeta
          {'metadata':{'labels':1,'annotations':'x'}} | json: cannot unmarshal string into Go struct field ObjectMeta.annotations of type map[string]string
          {'metadata':{'name':1}} | json: cannot unmarshal number into Go struct field ObjectMeta.name of type string
          {'metadata':{'labels':{'a':[]}}} | json: cannot unmarshal array into Go struct field ObjectMeta.labels of type string
          """)
  void tellsOfMetadataOfDefinedKindsInTheOrderOfTheirNames(String object, String problem) {
    assertThat(GoDecoding.metadataProblem(tree(object.replace('\'', '"')))).contains(problem);
  }

  @Test
  void hasNothingToSayOfMetadataThatAreSome() {
    assertThat(GoDecoding.metadataProblem(tree("{'metadata':{'name':'a'}}"))).isEmpty();
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          Lease | {'metadata':'x'} | string into Go struct field Lease.metadata of type v1.ObjectMeta
          Lease | {'metadata':{'name':5}} | number into Go struct field ObjectMeta.metadata.name of type string
          Lease | {'metadata':{'uid':5}} | number into Go struct field ObjectMeta.metadata.uid of type types.UID
          Lease | {'metadata':{'labels':[]}} | array into Go struct field ObjectMeta.metadata.labels of type map[string]string
          Lease | {'metadata':{'labels':{'a':{}}}} | object into Go struct field ObjectMeta.metadata.labels of type string
          Pod   | {'spec':{'containers':{}}} | object into Go struct field PodSpec.spec.containers of type []v1.Container
          Pod   | {'spec':{'containers':['c']}} | string into Go struct field PodSpec.spec.containers of type v1.Container
          Pod   | {'spec':{'containers':[{'resources':{'limits':true}}]}} | bool into Go struct field ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList
          Pod   | {'spec':{'restartPolicy':1}} | number into Go struct field PodSpec.spec.restartPolicy of type v1.RestartPolicy
          Pod   | {'spec':{'volumes':[{'hostPath':'x'}]}} | string into Go struct field Volume.spec.volumes.VolumeSource.hostPath of type v1.HostPathVolumeSource
          Pod   | {'spec':{'volumes':[{'configMap':{'name':1}}]}} | number into Go struct field ConfigMapVolumeSource.spec.volumes.VolumeSource.configMap.LocalObjectReference.name of type string
          Pod   | {'spec':{'containers':[{'livenessProbe':{'httpGet':1}}]}} | number into Go struct field Probe.spec.containers.livenessProbe.ProbeHandler.httpGet of type v1.HTTPGetAction
          Pod   | {'spec':{'hostNetwork':'yes'}} | string into Go struct field PodSpec.spec.hostNetwork of type bool
          Pod   | {'spec':{'activeDeadlineSeconds':1.5}} | number 1.5 into Go struct field PodSpec.spec.activeDeadlineSeconds of type int64
          Service | {'spec':{'ports':[{'port':2147483648}]}} | number 2147483648 into Go struct field ServicePort.spec.ports.port of type int32
          Service | {'spec':{'ports':[{'targetPort':[]}]}} | array into Go struct field ServicePort.spec.ports.targetPort of type int32
          PersistentVolume | {'spec':{'accessModes':[1]}} | number into Go struct field PersistentVolumeSpec.spec.accessModes of type v1.PersistentVolumeAccessMode
          Secret | {'data':{'a':['x']}} | string into Go struct field Secret.data of type uint8
          Node  | {'metadata':{'creationTimestamp':5}} | number into Go struct field ObjectMeta.metadata.creationTimestamp of type string
          """)
  void namesTheInnermostTypeAndTheFieldsThatLeadThere(String kind, String object, String said) {
    String group = kind.equals("Lease") ? "coordination.k8s.io" : "";
    assertThat(problem(group, kind, object)).isEqualTo("json: cannot unmarshal " + said);
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          Secret    | {'data':{'a':'x'}} | illegal base64 data at input byte 0
          Pod       | {'spec':{'overhead':{'cpu':'much'}}} | quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
          Pod       | {'spec':{'overhead':{'cpu':[]}}} | quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
          Node      | {'spec':{'taints':[{'timeAdded':'In'}]}} | parsing time "In" as "2006-01-02T15:04:05Z07:00": cannot parse "In" as "2006"
          """)
  void whatReadsItselfSaysNoPlace(String kind, String object, String said) {
    assertThat(problem("", kind, object)).isEqualTo(said);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          of several, the first is told   | {'spec':{'nodeName':1,'hostPID':2}}                         | json: cannot unmarshal number into Go struct field PodSpec.spec.nodeName of type string
          what reads itself ends it       | {'spec':{'nodeName':1,'overhead':{'cpu':{}},'hostPID':2}}   | quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
          a null is nothing               | {'spec':{'nodeName':null,'containers':[null]}}              | ``
          who does not know says nothing  | {'spec':{'other':1},'status':{'phase':'x'}}                 | ``
          """)
  void tellsOneThing(String rule, String object, String said) {
    assertThat(problem("", "Pod", object)).as(rule).isEqualTo(said);
  }

  @Test
  void ofSchemasThatReadThemselvesNothingIsSaid() {
    assertThat(
            problem(
                "apiextensions.k8s.io",
                "CustomResourceDefinition",
                "{'spec':{'versions':[{'schema':{'openAPIV3Schema':1}}]}}"))
        .isEmpty();
  }

  /** A row that fits nothing is a mistake, or a field that is gone. */
  @Test
  void everyRowOfTheTableIsAboutAFieldThatThereIs() throws IOException {
    List<String> strangers;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(GoDecoding.class.getResourceAsStream("go-types.tsv")),
                StandardCharsets.UTF_8))) {
      strangers =
          lines
              .lines()
              .filter(line -> !line.startsWith("#"))
              .map(line -> line.split("\t", -1))
              .filter(row ->
                  row.length != 4
                      || Schemas.builtIn()
                          .type(row[0])
                          .flatMap(type -> type.field(row[1]))
                          .map(FieldSchema::name)
                          .isEmpty())
              .map(row -> String.join(" ", row))
              .toList();
    }
    assertThat(strangers).isEmpty();
  }
}
