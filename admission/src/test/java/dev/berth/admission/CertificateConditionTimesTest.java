package dev.berth.admission;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.admission.AdmissionNotices;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.admission.AdmissionRequest.Operation;
import dev.berth.registry.fixture.TestCluster;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The server dates the conditions of certificate signing requests that nobody dated. */
class CertificateConditionTimesTest {
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
  private static final String THEN = "2026-04-01T00:00:00Z";

  private final TestCluster cluster = new TestCluster();

  private JsonObject mutate(String subresource, String before, String after) {
    AdmissionRequest request =
        new AdmissionRequest(
            Operation.UPDATE,
            cluster.resource("certificates.k8s.io", "certificatesigningrequests"),
            ObjectName.of("r"),
            subresource,
            tree("{'status':{'conditions':[%s]}}".formatted(after)),
            tree("{'status':{'conditions':[%s]}}".formatted(before)),
            new User("ann", List.of()),
            false,
            AdmissionNotices.NONE,
            () -> JsonObject.EMPTY);
    return new CertificateConditionTimes(() -> NOW).mutate(request).object("status");
  }

  @Test
  void aNewConditionIsDatedNow() {
    assertThat(mutate("approval", "", "{'type':'Approved','status':'True'}"))
        .isEqualTo(
            tree(
                "{'conditions':[{'type':'Approved','status':'True','lastUpdateTime':'%s','lastTransitionTime':'%s'}]}"
                    .formatted(NOW, NOW)));
  }

  @Test
  void whatIsDatedStaysSo() {
    String dated =
        "{'type':'Failed','status':'True','lastUpdateTime':'%s','lastTransitionTime':'%s'}"
            .formatted(THEN, THEN);
    assertThat(mutate("status", "", dated)).isEqualTo(tree("{'conditions':[" + dated + "]}"));
  }

  @Test
  void aConditionThatWasSoBeforeKeepsItsTransition() {
    assertThat(
            mutate(
                    "approval",
                    "{'type':'Approved','status':'True','lastTransitionTime':'%s'}".formatted(THEN),
                    "{'type':'Approved','status':'True','reason':'Again'}")
                .array("conditions")
                .objects()
                .getFirst()
                .text("lastTransitionTime"))
        .isEqualTo(THEN);
  }

  @Test
  void theObjectItselfIsNotTouched() {
    assertThat(mutate("", "", "{'type':'Approved','status':'True'}"))
        .isEqualTo(tree("{'conditions':[{'type':'Approved','status':'True'}]}"));
  }
}
