package dev.berth.serving.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.registry.fixture.TestCluster;
import dev.berth.serving.fixture.FakeExchange;
import dev.berth.serving.fixture.Requests;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaderRequestsTest {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  private final TestCluster cluster = new TestCluster();
  private final Requests requests = new Requests(cluster);

  @AfterEach
  void close() {
    requests.close();
  }

  private FakeExchange said(String method, String leader) {
    FakeExchange exchange =
        new FakeExchange(method, CONFIG_MAPS)
            .with("User", "root")
            .with("Berth-Leader", leader)
            .with("Content-Type", "application/json")
            .body("{'metadata':{'name':'m'}}");
    requests.handle(exchange);
    return exchange;
  }

  @Test
  void aWriteWithAHeaderThatIsNoneIsRefused() {
    FakeExchange refused = said("POST", "me");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.answer())
        .contains(
            "the header Berth-Leader is \\\"me\\\": it must be NAMESPACE/NAME of a lease, its"
                + " leaseTransitions and its holderIdentity, URL-encoded");
    assertThat(said("GET", "me").status()).as("of a read").isEqualTo(200);
  }

  @Test
  void aLeaderOfAnOldTermIsRefusedAndOneOfTheLeasesTermIsNot() {
    cluster.create(
        "coordination.k8s.io",
        "leases",
        "kube-system",
        "{'metadata':{'name':'l'},'spec':{'holderIdentity':'a/1','leaseTransitions':2}}");
    FakeExchange refused = said("POST", "kube-system/l 1 a%2F1");
    assertThat(refused.status()).isEqualTo(412);
    assertThat(refused.answer()).contains("LeaderDeposed");
    assertThat(said("POST", "kube-system/l 2 a%2F1").status()).isEqualTo(201);
  }
}
