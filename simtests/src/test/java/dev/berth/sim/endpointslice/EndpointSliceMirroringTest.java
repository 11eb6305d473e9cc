package dev.berth.sim.endpointslice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.controllers.endpointslicemirroring.EndpointSliceMirroringController;
import dev.berth.model.resource.ObjectName;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Endpoints that somebody writes by hand are in slices, too, on virtual time. */
class EndpointSliceMirroringTest {
  private static final ObjectName DB = new ObjectName("default", "db");

  private final VirtualCluster cluster = new VirtualCluster(1);

  @BeforeEach
  void start() {
    cluster.run(
        "endpointslice-mirroring",
        () ->
            EndpointSliceMirroringController.start(
                cluster.parts(EndpointSliceMirroringController.ACCOUNT)));
    cluster.create(
        Resources.ENDPOINTS,
        "{'metadata':{'namespace':'default','name':'db'},'subsets':[{'addresses':[{'ip':'10.1.2.3'}],'ports':[{'port':5432}]}]}");
    settle();
  }

  @AfterEach
  void close() {
    cluster.close();
    assertThat(cluster.warnings()).isEmpty();
  }

  private void service(String selector) {
    cluster.create(
        Resources.SERVICES,
        "{'metadata':{'namespace':'default','name':'db'},'spec':{%s'ports':[{'port':5432}]}}"
            .formatted(selector));
    settle();
  }

  private void settle() {
    cluster.advance(Duration.ofSeconds(1));
  }

  private List<String> addresses() {
    return cluster.list(Resources.ENDPOINT_SLICES).stream()
        .flatMap(slice -> slice.array("endpoints").objects().stream())
        .flatMap(endpoint -> endpoint.array("addresses").texts().stream())
        .toList();
  }

  @Test
  void theyAreMirroredFromWhenThereIsAServiceUntilTheyGo() {
    assertThat(addresses()).as("there is no service").isEmpty();

    service("");
    assertThat(addresses()).containsExactly("10.1.2.3");

    cluster.patch(
        Resources.ENDPOINTS,
        DB,
        "{'subsets':[{'addresses':[{'ip':'10.2.3.4'}],'ports':[{'port':5432}]}]}");
    settle();
    assertThat(addresses()).containsExactly("10.2.3.4");

    cluster.delete(Resources.ENDPOINTS, DB);
    settle();
    assertThat(cluster.list(Resources.ENDPOINT_SLICES)).isEmpty();
  }

  @Test
  void aServiceThatSelectsPodsHasOtherSlices() {
    service("'selector':{'app':'db'},");
    assertThat(addresses()).isEmpty();

    cluster.patch(Resources.SERVICES, DB, "{'spec':{'selector':null}}");
    settle();
    assertThat(addresses()).containsExactly("10.1.2.3");

    cluster.patch(Resources.SERVICES, DB, "{'spec':{'selector':{'app':'db'}}}");
    settle();
    assertThat(addresses()).isEmpty();
  }
}
