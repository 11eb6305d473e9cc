package dev.berth.serving.connect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.http.outgoing.Destination;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.registry.status.StatusException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubeletConnectorTest {
  private static final String ADDRESSES =
      "'addresses':[{'type':'Hostname','address':'box'},{'type':'InternalIP','address':'10.1.2.3'},"
          + "{'type':'InternalIP','address':'fd00::1'}]";

  private static final SSLContext OF_THE_CLUSTER = InsecureTls.context(null);
  private static final SSLContext OF_ANYBODY = InsecureTls.context(null);

  private static KubeletConnector preferring(String... types) {
    return connector(true, types);
  }

  private static KubeletConnector connector(boolean verifies, String... types) {
    return new KubeletConnector(
        List.of(types), () -> OF_THE_CLUSTER, () -> OF_ANYBODY, verifies, false);
  }

  private static JsonObject node(String status) {
    return JsonReader.object(
        "{'metadata':{'name':'n'},'status':{%s}}"
            .formatted(status)
            .replace('\'', '"')
            .getBytes(UTF_8),
        JsonLimits.TRUSTED);
  }

  @Test
  void takesTheAddressThatIsPreferredAndThePortThatTheNodeSays() {
    JsonObject node = node(ADDRESSES + ",'daemonEndpoints':{'kubeletEndpoint':{'Port':10350}}");
    assertThat(preferring("InternalIP", "Hostname").kubelet(node, true).authority())
        .isEqualTo("10.1.2.3:10350");
    assertThat(preferring("ExternalIP", "Hostname").kubelet(node, true).authority())
        .isEqualTo("box:10350");
  }

  @Test
  void thePortIsTheUsualOneIfTheNodeSaysNothing() {
    assertThat(preferring("InternalIP").kubelet(node(ADDRESSES), true).port()).isEqualTo(10250);
  }

  @ParameterizedTest(name = "server verifies {0}, request wants it {1}: {2}")
  @CsvSource({"true,true,true", "true,false,false", "false,true,false", "false,false,false"})
  void aCertificateIsVerifiedUnlessTheServerOrTheRequestDoesNotWantThat(
      boolean server, boolean request, boolean verified) {
    Destination kubelet = connector(server, "InternalIP").kubelet(node(ADDRESSES), request);
    assertThat(kubelet.tls()).containsSame(verified ? OF_THE_CLUSTER : OF_ANYBODY);
    assertThat(kubelet.verifiesName()).isEqualTo(verified);
  }

  @Test
  void saysWhatIsMissing() {
    assertThatThrownBy(() -> preferring("ExternalIP").kubelet(node(ADDRESSES), true))
        .isInstanceOf(StatusException.class)
        .hasMessageContaining(
            "no preferred addresses found for node n; known addresses: [box, 10.1.2.3, fd00::1]");
    String hollow = ADDRESSES + ",'nodeInfo':{'containerRuntimeVersion':'hollow://1'}";
    assertThatThrownBy(() -> preferring("InternalIP").kubelet(node(hollow), true))
        .isInstanceOf(StatusException.class)
        .hasMessageContaining("node n is simulated");
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1,true",
    "2001:db8::1,true",
    "127.0.0.1,false",
    "::1,false",
    "0.0.0.0,false",
    "169.254.169.254,false",
    "224.0.0.1,false",
    "fe80::1,false",
  })
  void addressesOfThisMachineItselfAreNotProxiedTo(String address, boolean allowed)
      throws UnknownHostException {
    assertThat(preferring().mayProxyTo(InetAddress.getByName(address))).isEqualTo(allowed);
  }
}
