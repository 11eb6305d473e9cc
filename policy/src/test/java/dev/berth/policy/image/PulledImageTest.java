package dev.berth.policy.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who may use an image that was pulled for somebody. */
class PulledImageTest {
  private static final String NAME = "registry.example/app";
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant LATER = NOW.plusSeconds(9);

  private static final PullSecret ONE = new PullSecret("u1", "team-a", "login", "h1");

  private static PulledImage with(PullSecret... secrets) {
    PulledImage image = PulledImage.unknown("sha256:1", NOW);
    for (PullSecret each : secrets) {
      image = image.pulled(NAME, Optional.of(each), NOW);
    }
    return image;
  }

  private static boolean mayUse(PulledImage image, PullSecret... secrets) {
    return image.use(NAME, List.of(secrets), LATER).isAllowed();
  }

  @Test
  void nobodyMayUseWhatNobodyKnowsTheSecretOf() {
    assertThat(mayUse(PulledImage.unknown("sha256:1", NOW), ONE)).isFalse();
  }

  @Test
  void whatWasPulledWithoutASecretIsForAllUnderThatNameAlone() {
    PulledImage image = with(ONE).pulled(NAME, Optional.empty(), LATER);
    assertThat(mayUse(image)).isTrue();
    assertThat(image.needsSecrets(NAME)).isFalse();
    assertThat(image.updated()).isEqualTo(LATER);
    assertThat(image.use("mirror.example/app", List.of(ONE), LATER).isAllowed()).isFalse();
    assertThat(image.pulled(NAME, Optional.of(ONE), LATER)).as("stays so").isSameAs(image);
  }

  @Test
  void podsWithoutTheSecretPullItThemselves() {
    assertThat(with(ONE).needsSecrets(NAME)).isTrue();
    assertThat(mayUse(with(ONE))).isFalse();
    assertThat(mayUse(with(ONE), new PullSecret("u2", "team-b", "login", "h2"))).isFalse();
  }

  @Test
  void theSameSecretMayUseItAndNothingIsNew() {
    PulledImage image = with(ONE);
    assertThat(image.use(NAME, List.of(ONE), LATER)).isEqualTo(new PulledImage.Use(true, image));
  }

  @Test
  void theSameLoginInAnotherSecretMayUseItAndIsNoted() {
    PullSecret copy = new PullSecret("u2", "team-b", "login", "h1");
    PulledImage.Use use = with(ONE).use(NAME, List.of(copy), LATER);
    assertThat(use.isAllowed()).isTrue();
    assertThat(use.record()).isEqualTo(with(ONE).pulled(NAME, Optional.of(copy), LATER));
    PullSecret changed = new PullSecret("u2", "team-b", "login", "h9");
    assertThat(mayUse(use.record(), changed)).as("the copy, when it has changed").isTrue();
  }

  @Test
  void aSecretThatHasChangedMayUseItAndItsNewLoginIsNoted() {
    PullSecret changed = new PullSecret("u1", "team-a", "login", "h2");
    PulledImage.Use use = with(ONE).use(NAME, List.of(changed), LATER);
    assertThat(use.isAllowed()).isTrue();
    assertThat(use.record().byName())
        .containsEntry(NAME, new PulledImage.Access(false, List.of(changed)));
    PullSecret namesake = new PullSecret("u7", "team-a", "login", "h7");
    assertThat(mayUse(with(ONE), namesake)).as("another object of its name").isFalse();
  }

  @Test
  void aLoginWithoutAHashIsNobodysElse() {
    PullSecret unhashed = new PullSecret("u1", "team-a", "login", "");
    assertThat(mayUse(with(unhashed), new PullSecret("u2", "team-b", "login", ""))).isFalse();
  }

  @Test
  void aHundredAreNotedAndThenOnlyWhatIsKnownCounts() {
    PulledImage image = PulledImage.unknown("sha256:1", NOW);
    for (int i = 0; i < 100; i++) {
      image = image.pulled(NAME, Optional.of(new PullSecret("u" + i, "n", "s" + i, "h" + i)), NOW);
    }
    assertThat(mayUse(image, new PullSecret("u1", "n", "s1", "changed"))).isFalse();
    PullSecret copy = new PullSecret("x", "n", "copy", "h1");
    assertThat(image.use(NAME, List.of(copy), LATER)).isEqualTo(new PulledImage.Use(true, image));
  }
}
