package dev.berth.model.network;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceViewTest {

  @Test
  void whatIsAbsentIsWhatKubernetesTakesItFor() {
    ServiceView service = ServiceView.read(JsonObject.EMPTY);
    assertThat(service.selector().isEmpty()).isTrue();
    assertThat(service.isHeadless()).isFalse();
    assertThat(service.publishNotReadyAddresses()).isFalse();
    assertThat(service.allocatesNodePorts()).isTrue();
    assertThat(service.ports()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'port':80|0|``",
        "'port':80,'targetPort':8080|8080|``",
        "'port':80,'targetPort':'http'|0|http",
        "'port':80,'targetPort':0|0|``",
        "'port':80,'targetPort':-1|0|``",
      })
  void aTargetIsANumberOrAName(String port, long number, String name) {
    ServicePort read = ServicePort.read(tree("{" + port + "}"));
    assertThat(read.port()).isEqualTo(80);
    assertThat(read.protocol()).isEqualTo("TCP");
    assertThat(read.targetPort()).isEqualTo(number);
    assertThat(read.targetPortName()).isEqualTo(name);
  }
}
