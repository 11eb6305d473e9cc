package dev.berth.policy.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.network.ProxiedService;
import dev.berth.model.network.ServicePort;
import dev.berth.model.resource.ObjectName;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointChoiceTest {
  private static final ProxyNode NODE = new ProxyNode("n1", "a", List.of(), List.of());

  /**
   * An endpoint in a word: a letter for its name, then {@code r} ready, {@code t} terminating and
   * serving, {@code u} not ready; {@code l} on this node; {@code @n1} and {@code %a} for hints.
   */
  private static ProxyEndpoint endpoint(String word) {
    char state = word.charAt(1);
    return new ProxyEndpoint(
        word.substring(0, 1),
        80,
        state == 'r',
        state != 'u',
        state == 't',
        word.length() > 2 && word.charAt(2) == 'l',
        word.contains("@") ? Set.of(word.replaceAll(".*@|%.*", "")) : Set.of(),
        word.contains("%") ? Set.of(word.replaceAll(".*%", "")) : Set.of());
  }

  private static EndpointChoice choose(String policies, String endpoints) {
    ProxiedService service =
        new ProxiedService(
            new ObjectName("ns", "s"),
            List.of("10.0.0.1"),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            OptionalLong.empty(),
            policies.contains("internal"),
            policies.contains("external"),
            0);
    ServicePort port =
        new ServicePort("", "TCP", 80, 80, "", policies.contains("port") ? 30_000 : 0, null);
    List<ProxyEndpoint> all =
        endpoints.isEmpty()
            ? List.of()
            : List.of(endpoints.split(" ", -1)).stream().map(EndpointChoiceTest::endpoint).toList();
    return EndpointChoice.of(service, port, all, NODE);
  }

  private static String names(List<ProxyEndpoint> endpoints) {
    return String.join("", endpoints.stream().map(ProxyEndpoint::address).toList());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing                                                  | cluster               |                     |     |   | false
          ready ones                                               | cluster               | ar bu cr            | ac  |   | true
          terminating ones that serve, if none is ready            | cluster               | at bu               | a   |   | true
          none that only ends                                      | cluster               | au                  |     |   | false
          those of this zone                                       | cluster               | ar%a br%b           | a   |   | true
          all, if one has no hint                                  | cluster               | ar%a br             | ab  |   | true
          all, if none is for this zone                            | cluster               | ar%b br%c           | ab  |   | true
          a hint of one that is not ready does not count           | cluster               | ar%a bu             | a   |   | true
          those of this node before those of this zone             | cluster               | ar@n1%a br@n2%a     | a   |   | true
          this zone, if none is for this node                      | cluster               | ar@n2%a br@n3%b     | a   |   | true
          terminating ones whatever the hints                      | cluster               | at%b                | a   |   | true
          internal Local: those of this node alone                 | internal              | arl br              |     | a | true
          internal Local: none here, though there are some         | internal              | br                  |     |   | true
          internal Local: terminating ones here, before others     | internal              | atl br              |     | a | true
          external Local: both kinds                               | external port         | arl br              | ab  | a | true
          external Local without anything external                 | external              | arl br              | ab  |   | true
          both Local, with a node port                             | internal external port| arl br              | ab  | a | true
          external Local: terminating ones here are local only     | external port         | atl br              | b   | a | true
          """)
  void chooses(
      String name, String policies, String endpoints, String cluster, String local, boolean exist) {
    EndpointChoice choice = choose(policies, endpoints == null ? "" : endpoints);
    assertThat(names(choice.cluster())).isEqualTo(cluster == null ? "" : cluster);
    assertThat(names(choice.local())).isEqualTo(local == null ? "" : local);
    assertThat(choice.exist()).isEqualTo(exist);
  }
}
