package dev.berth.policy.resourceclaim;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.device.ResourceClaimView;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When claims are given back. */
class ClaimReleasePlanTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          in use                        | p1     | -  | true  | false | false | -                      | false | false
          one of two is gone            | p1 p2  | p1 | true  | false | false | allocation, [p2]       | false | false
          the last is gone              | p1     | p1 | true  | false | false | no allocation, []      | true  | false
          nobody has used it yet        | -      | -  | true  | false | false | -                      | false | false
          deleted while in use          | p1     | -  | true  | true  | false | -                      | false | false
          deleted, and not in use       | -      | -  | true  | true  | false | no allocation, []      | true  | false
          deleted, not allocated        | -      | -  | false | true  | false | -                      | true  | false
          its pod has ended             | p1     | p1 | true  | false | true  | no allocation, []      | true  | true
          its pod ended unscheduled     | -      | -  | false | false | true  | -                      | false | true
          its pod has ended, others use | p1 p2  | p1 | true  | false | true  | allocation, [p2]       | false | false
          """)
  void isGivenBack(
      String row,
      String consumers,
      String gone,
      boolean allocated,
      boolean deleted,
      boolean ownerDone,
      String status,
      boolean losesFinalizer,
      boolean isDeleted) {
    StringBuilder reserved = new StringBuilder();
    for (String uid : consumers == null ? new String[0] : consumers.split(" ")) {
      reserved
          .append(reserved.isEmpty() ? "" : ",")
          .append("{'resource':'pods','name':'x','uid':'" + uid + "'}");
    }
    String claim =
        "{'metadata':{'name':'c','finalizers':['resource.kubernetes.io/delete-protection']"
            + (deleted ? ",'deletionTimestamp':'2030-01-01T00:00:00Z'" : "")
            + "},'status':{"
            + (allocated ? "'allocation':{}," : "")
            + "'reservedFor':["
            + reserved
            + "]}}";
    ClaimReleasePlan plan =
        ClaimReleasePlan.decide(
            new ClaimUsers(
                ResourceClaimView.read(tree(claim)),
                gone == null ? Set.of() : Set.of(gone.split(" ")),
                ownerDone));
    String written =
        plan.status()
            .map(ResourceClaimView::read)
            .map(view ->
                (view.allocation() == null ? "no allocation, " : "allocation, ")
                    + view.reservedFor().stream().map(ResourceClaimView.Consumer::uid).toList())
            .orElse(null);
    assertThat(written).isEqualTo(status);
    assertThat(plan.losesFinalizer()).isEqualTo(losesFinalizer);
    assertThat(plan.isDeleted()).isEqualTo(isDeleted);
  }
}
