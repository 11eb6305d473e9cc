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
import java.util.List;
import org.junit.jupiter.api.Test;

/** A request for a certificate says who asks. */
class RequesterIdentityTest {
  private final TestCluster cluster = new TestCluster();

  private JsonObject specOf(User user, String claimed) {
    AdmissionRequest request =
        new AdmissionRequest(
            Operation.CREATE,
            cluster.resource("certificates.k8s.io", "certificatesigningrequests"),
            ObjectName.of("r"),
            "",
            tree("{'spec':{%s}}".formatted(claimed)),
            JsonObject.EMPTY,
            user,
            false,
            AdmissionNotices.NONE,
            () -> JsonObject.EMPTY);
    return new RequesterIdentity().mutate(request).object("spec");
  }

  @Test
  void theServerWritesDownAllThatItKnowsOfTheRequester() {
    User user = new User("ann", List.of("staff")).withUid("7").withExtra("example.com/from", "x");
    assertThat(specOf(user, ""))
        .isEqualTo(
            tree(
                "{'username':'ann','groups':['staff'],'uid':'7','extra':{'example.com/from':['x']}}"));
  }

  @Test
  void whatTheRequestClaimsIsForgotten() {
    User user = new User("ann", List.of("staff"));
    assertThat(specOf(user, "'username':'root','groups':['all'],'uid':'0','extra':{'a':['b']}"))
        .isEqualTo(tree("{'username':'ann','groups':['staff']}"));
  }
}
