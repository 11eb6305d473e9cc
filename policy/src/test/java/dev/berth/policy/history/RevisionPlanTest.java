package dev.berth.policy.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class RevisionPlanTest {
  private static final JsonObject A = template("a");
  private static final JsonObject B = template("b");

  private static JsonObject template(String image) {
    return new JsonObject.Builder()
        .put("metadata", JsonObject.of("labels", JsonObject.of("app", "x")))
        .put("spec", JsonObject.of("hostname", image))
        .build();
  }

  private static Revision revision(String name, long number, JsonObject template) {
    return Revision.read(
        new JsonObject.Builder()
            .put("metadata", new JsonObject.Builder().put("name", name).put("uid", name).build())
            .put("data", RevisionData.of(template))
            .put("revision", number)
            .build());
  }

  private static final Revision A1 = revision("x-a", 1, A);
  private static final Revision B2 = revision("x-b", 2, B);

  @Test
  void theFirstRevisionIsNumberOne() {
    assertThat(RevisionPlan.decide(A, List.of())).isEqualTo(new RevisionPlan.Create(1));
  }

  @Test
  void aNewTemplateGetsTheNextNumber() {
    assertThat(RevisionPlan.decide(template("c"), List.of(B2, A1)))
        .isEqualTo(new RevisionPlan.Create(3));
  }

  @Test
  void theLatestStays() {
    assertThat(RevisionPlan.decide(B, List.of(A1, B2))).isEqualTo(new RevisionPlan.Keep(B2));
  }

  @Test
  void whoeverGoesBackToATemplateGoesBackToItsRevision() {
    assertThat(RevisionPlan.decide(A, List.of(A1, B2))).isEqualTo(new RevisionPlan.Renumber(A1, 3));
  }

  @Test
  void ofTwoThatShareANumberOnlyOneIsTheLatest() {
    Revision other = revision("x-c", 2, template("c"));
    assertThat(RevisionPlan.decide(B, List.of(B2, other)))
        .isEqualTo(new RevisionPlan.Renumber(B2, 3));
  }

  @Test
  void theOldestThatNobodyUsesGo() {
    List<Revision> all = List.of(B2, A1, revision("x-c", 3, A), revision("x-d", 4, A));
    assertThat(RevisionPlan.beyond(all, r -> r.name().equals("x-d"), 1))
        .extracting(Revision::name)
        .containsExactly("x-a", "x-b");
    assertThat(RevisionPlan.beyond(all, r -> r.equals(A1) || r.name().equals("x-d"), 0))
        .extracting(Revision::name)
        .containsExactly("x-b", "x-c");
    assertThat(RevisionPlan.beyond(all, _ -> false, 10)).isEmpty();
  }

  @Test
  void dataRestoreTheTemplateAndIgnoreOrderAndNulls() {
    JsonObject reordered =
        new JsonObject.Builder()
            .put("spec", JsonObject.of("hostname", "a"))
            .put(
                "metadata",
                new JsonObject.Builder()
                    .put("creationTimestamp", JsonNull.NULL)
                    .put("labels", JsonObject.of("app", "x"))
                    .build())
            .build();
    assertThat(RevisionData.template(RevisionData.of(A))).isEqualTo(A);
    assertThat(RevisionData.matches(RevisionData.of(A), reordered)).isTrue();
    assertThat(RevisionData.matches(RevisionData.of(A), B)).isFalse();
  }

  @Test
  void hashesAreWordsThatDependOnTheTemplateAndTheCollisions() {
    String hash = RevisionHash.of(A, 0);
    assertThat(hash)
        .matches("[bcdfghjklmnpqrstvwxz2456789]{1,10}")
        .isEqualTo(RevisionHash.of(A, 0));
    assertThat(RevisionHash.of(B, 0)).isNotEqualTo(hash);
    assertThat(RevisionHash.of(A, 1)).isNotEqualTo(hash);
  }
}
