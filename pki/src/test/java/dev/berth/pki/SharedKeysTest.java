package dev.berth.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A second server gets the keys of the first, and never those of two clusters. */
class SharedKeysTest {
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");

  @TempDir Path folder;
  private Path first;
  private Path second;

  @BeforeEach
  void begin() {
    first = folder.resolve("first/pki");
    second = folder.resolve("second/pki");
    make(first);
  }

  private static void make(Path pki) {
    ClusterCa.open(pki, NOW).server(ServerNames.of(List.of()), NOW);
    ServiceAccountKey.open(pki);
  }

  private void hand() {
    SharedKeys.of(SharedKeys.read(first).files()).install(second);
  }

  @Test
  void theSecondSignsAndTrustsAsTheFirst() throws IOException {
    hand();
    assertThat(ClusterCa.reopen(second, NOW).trusted())
        .isEqualTo(ClusterCa.reopen(first, NOW).trusted());
    assertThat(ServiceAccountKey.open(second).keys().verifying())
        .isEqualTo(ServiceAccountKey.open(first).keys().verifying());
    assertThat(second.resolve("apiserver.pem")).as("each has its own").doesNotExist();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(second)))
        .isEqualTo("rwx------");
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(second.resolve("ca.key"))))
        .isEqualTo("rw-------");
  }

  @Test
  void aRotationIsFollowedStepByStep() {
    hand();
    Rotation rotation = Rotation.ofAuthority(first);
    rotation.prepare(NOW);
    hand();
    assertThat(Rotation.ofAuthority(second).stage()).isEqualTo(Rotation.Stage.PREPARED);
    rotation.switchOver();
    hand();
    assertThat(Rotation.ofAuthority(second).stage()).isEqualTo(Rotation.Stage.SWITCHED);
    assertThat(second.resolve("ca-next.key")).doesNotExist();
    rotation.finish();
    hand();
    assertThat(Rotation.ofAuthority(second).stage()).isEqualTo(Rotation.Stage.NONE);
    assertThat(ClusterCa.reopen(second, NOW).trusted())
        .isEqualTo(ClusterCa.reopen(first, NOW).trusted());
  }

  @Test
  void theKeysOfAnotherClusterStay() throws IOException {
    make(second);
    String before = Files.readString(second.resolve("ca.key"));
    assertThatThrownBy(this::hand)
        .isInstanceOf(PkiException.class)
        .hasMessageContaining(second + " holds the keys of another cluster");
    assertThat(second.resolve("ca.key")).hasContent(before);
  }

  @Test
  void aKeyWithoutItsCertificateMayBeAnybodys() throws IOException {
    Files.createDirectories(second);
    Files.copy(first.resolve("sa.key"), second.resolve("sa.key"));
    assertThatThrownBy(this::hand).hasMessageContaining("another cluster");
  }

  @Test
  void whatIsMissingIsNamed() throws IOException {
    Files.delete(first.resolve("sa.pub"));
    assertThatThrownBy(() -> SharedKeys.read(first)).hasMessageContaining("sa.pub is missing in");
    assertThatThrownBy(() -> SharedKeys.of(Map.of("ca.key", "")))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("some are missing");
  }
}
