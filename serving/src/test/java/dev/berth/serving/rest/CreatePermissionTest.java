package dev.berth.serving.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.access.Action;
import dev.berth.access.Authorizer;
import dev.berth.admission.AdmissionPlugins;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.serving.fixture.FakeExchange;
import dev.berth.serving.fixture.Requests;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nobody creates by other means what they may not create. */
class CreatePermissionTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

  /** Panda may change everything, and create nothing. */
  private final Authorizer panda =
      (user, action) ->
          user.name().equals("panda")
                  && action instanceof Action.OnResource on
                  && !on.verb().equals("create")
              ? new Authorizer.Decision.Allowed("")
              : Authorizer.Decision.NO_OPINION;

  private final Requests requests =
      new Requests(new TestCluster(AdmissionPlugins.standard()::chain), panda);

  @AfterEach
  void close() {
    requests.close();
  }

  private FakeExchange applied() {
    FakeExchange exchange =
        new FakeExchange("PATCH", MAPS + "/new?fieldManager=m")
            .with("User", "panda")
            .with("Content-Type", "application/apply-patch+yaml")
            .body(
                "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'new'},'data':{'a':'b'}}");
    requests.handle(exchange);
    return exchange;
  }

  @Test
  void whatIsAppliedIsMadeOnlyByWhoMayCreate() {
    FakeExchange refused = applied();
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.answer())
        .contains(
            "configmaps \\\"new\\\" is forbidden: User \\\"panda\\\" cannot create resource"
                + " \\\"configmaps\\\" in API group \\\"\\\" in the namespace \\\"default\\\"");
    requests.send("POST", MAPS, "{'metadata':{'name':'new'}}");
    assertThat(applied().status()).isEqualTo(200);
  }

  @Test
  void whatIsUpdatedIsMadeOnlyByWhoMayCreate() {
    String lease = "{'metadata':{'name':'new'}}";
    assertThat(requests.as("panda", "PUT", LEASES + "/new", lease).status()).isEqualTo(403);
    assertThat(requests.as("root", "PUT", LEASES + "/new", lease).status()).isEqualTo(201);
  }
}
