package dev.berth.serving.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.serving.wire.WireFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What clients ask for, and what they get. */
class RepresentationTest {
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          application/json                                       | OBJECTS JSON
          */*                                                    | OBJECTS JSON
          *                                                      | OBJECTS JSON
          application/*                                          | OBJECTS JSON
          application/yaml                                       | OBJECTS YAML
          PROTO                                                  | OBJECTS PROTOBUF
          PROTO,application/json                                 | OBJECTS PROTOBUF
          application/json, PROTO                                | OBJECTS JSON
          PROTO;q=0.5, application/json;q=0.8, */*;q=0.1         | OBJECTS JSON
          */*, application/yaml                                  | OBJECTS YAML
          text/html, application/yaml;q=0.2                      | OBJECTS YAML
          nonsense, application/json;q=x                         | OBJECTS JSON
          PROTO;stream=watch,PROTO                               | OBJECTS PROTOBUF
          application/yaml;stream=watch, application/json        | OBJECTS JSON
          application/json;as=Table;v=v1;g=meta.k8s.io           | TABLE JSON
          application/yaml;as=Table;v=v1;g=meta.k8s.io           | TABLE YAML
          PROTO;as=Table;v=v1;g=meta.k8s.io, application/json    | OBJECTS JSON
          PROTO;as=PartialObjectMetadata;g=meta.k8s.io;v=v1      | METADATA PROTOBUF
          application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1beta1 | METADATA JSON
          application/json;as=Chart;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io | TABLE JSON
          """)
  void theBestThatIsServedIsTaken(String accept, String expected) {
    Representation taken =
        Representation.negotiate(List.of(accept.replace("PROTO", PROTOBUF)), () -> true, false);
    assertThat(taken.form() + " " + taken.format()).isEqualTo(expected);
  }

  @Test
  void whoAsksForNothingGetsJson() {
    assertThat(Representation.negotiate(List.of(), () -> true, false).format())
        .isEqualTo(WireFormat.JSON);
  }

  @ParameterizedTest
  @CsvSource({
    "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io",
    "application/json;as=Table;v=v2;g=meta.k8s.io",
    "application/json;as=Table",
    "application/yaml;stream=watch",
    "application/json;stream=other"
  })
  void whatIsNotServedIsRefused(String accept) {
    assertThatThrownBy(() -> Representation.negotiate(List.of(accept), () -> true, false))
        .hasMessage(
            "only the following media types are accepted: application/json, application/yaml,"
                + " application/vnd.kubernetes.protobuf");
  }

  @ParameterizedTest
  @CsvSource({
    "false,''",
    "true,', application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch'"
  })
  void whoTakesNothingThatIsServedIsToldWhatIs(boolean streams, String more) {
    assertThatThrownBy(() -> Representation.negotiate(List.of("text/html"), () -> true, streams))
        .hasMessage(
            "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml,"
                + " application/vnd.kubernetes.protobuf"
                + more);
  }

  /** Kubernetes serves custom resources by other paths, where every refusal has the same words. */
  @ParameterizedTest
  @CsvSource({"text/html", PROTOBUF, "application/json;as=Foo;v=v1;g=meta.k8s.io"})
  void whoTakesNoCustomResourceIsToldWhatIsServed(String accept) {
    assertThatThrownBy(() -> Representation.negotiateCustom(List.of(accept)))
        .hasMessage(
            "only the following media types are accepted: application/json, application/yaml,"
                + " application/vnd.kubernetes.protobuf");
    assertThat(Representation.negotiateCustom(List.of(accept, "*/*")).format())
        .isEqualTo(WireFormat.JSON);
  }

  @Test
  void whatHasNoMessageIsNotServedAsOne() {
    assertThat(
            Representation.negotiate(List.of(PROTOBUF + ",application/yaml"), () -> false, false)
                .format())
        .isEqualTo(WireFormat.YAML);
    assertThat(
            Representation.negotiate(
                    List.of(PROTOBUF + ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1"),
                    () -> false,
                    false)
                .format())
        .isEqualTo(WireFormat.PROTOBUF);
  }

  @ParameterizedTest
  @CsvSource({
    "application/vnd.kubernetes.protobuf, PROTOBUF",
    "application/yaml, YAML",
    "text/html, JSON",
    "'', JSON",
    "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io, JSON"
  })
  void failuresAreToldInAnyFormatThatFits(String accept, WireFormat expected) {
    assertThat(Representation.format(List.of(accept))).isEqualTo(expected);
  }
}
