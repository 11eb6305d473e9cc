package dev.berth.policy.node;

import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.node.LeaseOwnership.Action;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeaseOwnershipTest {
  private static final JsonObject THE_NODE =
      object("apiVersion", "v1", "kind", "Node", "name", "n1", "uid", "u1");
  private static final JsonObject ANOTHER =
      object("apiVersion", "apps/v1", "kind", "DaemonSet", "name", "d", "uid", "d1");

  private static JsonObject lease(JsonObject... owners) {
    JsonObject metadata = JsonObject.of("name", "n1");
    return JsonObject.of(
        "metadata",
        owners.length == 0
            ? metadata
            : metadata.with("ownerReferences", JsonArray.of((Object[]) owners)));
  }

  private static Action decide(JsonObject lease, String uid) {
    return LeaseOwnership.decide(lease, uid.isEmpty() ? Optional.empty() : Optional.of(uid));
  }

  @Test
  void aLeaseThatItsNodeOwnsIsKept() {
    assertThat(decide(lease(THE_NODE), "u1")).isEqualTo(new Action.Keep());
    assertThat(decide(lease(ANOTHER, THE_NODE), "u1")).isEqualTo(new Action.Keep());
  }

  @Test
  void aLeaseWithoutAnOwnerBecomesItsNodes() {
    assertThat(decide(lease(), "u1")).isEqualTo(new Action.Own(JsonArray.of(THE_NODE)));
    assertThat(decide(lease(ANOTHER), "u1"))
        .isEqualTo(new Action.Own(JsonArray.of(ANOTHER, THE_NODE)));
  }

  @Test
  void aNodeThatWasMadeAgainTakesTheLeaseOver() {
    assertThat(decide(lease(THE_NODE), "u2"))
        .isEqualTo(new Action.Own(JsonArray.of(THE_NODE.with("uid", "u2"))));
  }

  @Test
  void aLeaseGoesWithItsNode() {
    assertThat(decide(lease(THE_NODE), "")).isEqualTo(new Action.Remove());
  }

  @Test
  void aLeaseWhoseNodeIsYetToComeIsWatched() {
    assertThat(decide(lease(), "")).isEqualTo(new Action.Watch());
    assertThat(decide(lease(ANOTHER), "")).isEqualTo(new Action.Watch());
  }

  @Test
  void aLeaseThatNobodyHasChangedSinceItWasWatchedGoes() {
    JsonObject lease = tree("{'metadata':{'name':'n1','resourceVersion':'7'}}");
    Optional<String> none = Optional.empty();
    Optional<String> node = Optional.of("u1");
    assertThat(LeaseOwnership.decide(lease, none, none)).isEqualTo(new Action.Watch());
    assertThat(LeaseOwnership.decide(lease, none, Optional.of("6"))).isEqualTo(new Action.Watch());
    assertThat(LeaseOwnership.decide(lease, none, Optional.of("7"))).isEqualTo(new Action.Remove());
    assertThat(LeaseOwnership.decide(lease, node, Optional.of("7")))
        .isEqualTo(new Action.Own(JsonArray.of(THE_NODE)));
  }
}
