package dev.berth.agent.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubPathsTest {
  @TempDir Path folder;
  private Path volume;
  private Path outside;
  private Path at;

  @BeforeEach
  void makeVolume() throws IOException {
    volume = Files.createDirectory(folder.resolve("volume"));
    outside = Files.createDirectory(folder.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "of the machine");
    at = folder.resolve("subpaths/c/0");
  }

  @AfterEach
  void unmount() throws IOException {
    Mounts.unmountBelow(folder);
  }

  private void mount(String subPath) throws IOException {
    SubPaths.mount(volume.toString(), subPath, at);
  }

  @Test
  void aDirectoryOfTheVolumeAppears() throws IOException {
    Files.createDirectories(volume.resolve("a/b"));
    Files.writeString(volume.resolve("a/b/file"), "x");
    mount("a/b");
    assertThat(at.resolve("file")).hasContent("x");
  }

  @Test
  void aFileOfTheVolumeAppears() throws IOException {
    Files.writeString(volume.resolve("file"), "x");
    mount("file");
    assertThat(at).hasContent("x");
  }

  @Test
  void whatIsNotThereIsMadeWithThePermissionsOfTheVolume() throws IOException {
    Files.setAttribute(volume, "unix:gid", 2345);
    Files.setAttribute(volume, "unix:mode", 02775);
    mount("logs//./web");
    for (String made : new String[] {"logs", "logs/web"}) {
      assertThat((int) Files.getAttribute(volume.resolve(made), "unix:mode") & 07777)
          .isEqualTo(02775);
      assertThat(Files.getAttribute(volume.resolve(made), "unix:gid")).isEqualTo(2345);
    }
    Files.writeString(at.resolve("file"), "x");
    assertThat(volume.resolve("logs/web/file")).hasContent("x");
  }

  @Test
  void linksWithinTheVolumeAreFollowed() throws IOException {
    new AtomicWriter(volume)
        .write(Map.of("key", new ProjectedFile(new byte[] {'v'}, 0644)), Instant.EPOCH, _ -> {});
    mount("key");
    assertThat(at).hasContent("v");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "absolute",
        "absolute/secret",
        "relative",
        "relative/secret",
        "absolute/made",
        "parent",
        "inner/relative",
        "process",
        "file",
        "inner/../../outside"
      })
  void linksOutOfTheVolumeAreNot(String subPath) throws IOException {
    Files.createSymbolicLink(volume.resolve("absolute"), outside);
    Files.createSymbolicLink(volume.resolve("relative"), Path.of("../outside"));
    Files.createSymbolicLink(volume.resolve("parent"), Path.of(".."));
    Files.createDirectory(volume.resolve("inner"));
    Files.createSymbolicLink(volume.resolve("inner/relative"), Path.of("../../outside"));
    Files.createSymbolicLink(volume.resolve("process"), Path.of("/proc/self/root"));
    Files.createSymbolicLink(volume.resolve("file"), outside.resolve("secret"));
    assertThatThrownBy(() -> mount(subPath)).isInstanceOf(IOException.class);
    assertThat(Mounts.below(folder)).isEmpty();
    assertThat(outside.resolve("made")).doesNotExist();
  }

  @Test
  void aDanglingLinkMakesNothing() throws IOException {
    Files.createSymbolicLink(volume.resolve("link"), outside.resolve("made"));
    assertThatThrownBy(() -> mount("link")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> mount("link/deeper")).isInstanceOf(IOException.class);
    assertThat(outside.resolve("made")).doesNotExist();
  }

  @Test
  void aContainerThatStartsAgainFindsTheSame() throws IOException {
    mount("data");
    mount("data");
    assertThat(Mounts.below(folder)).containsExactly(at);
  }

  @Test
  void whatHasTakenTheNameSinceIsMountedInstead() throws IOException {
    mount("data");
    Files.move(volume.resolve("data"), volume.resolve("old"));
    Files.writeString(volume.resolve("data"), "a file now");
    mount("data");
    assertThat(at).hasContent("a file now");
    assertThat(Mounts.below(folder)).containsExactly(at);
  }

  /** A neighbour exchanges a directory for a link again and again: it never gets through. */
  @Test
  void nobodyIsQuickEnoughToPutALinkInBetween() throws Exception {
    Files.createDirectory(volume.resolve("real"));
    Files.writeString(volume.resolve("real/secret"), "of the volume");
    AtomicBoolean isDone = new AtomicBoolean();
    CompletableFuture<Void> neighbour =
        CompletableFuture.runAsync(() -> {
          try {
            Files.createSymbolicLink(volume.resolve("good"), Path.of("real"));
            Files.createSymbolicLink(volume.resolve("evil"), outside);
            while (!isDone.get()) {
              swap("good");
              swap("evil");
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    try {
      for (int i = 0; i < 500; i++) {
        try {
          mount("data");
        } catch (IOException refused) {
          continue;
        }
        if (Files.exists(at.resolve("secret"), LinkOption.NOFOLLOW_LINKS)) {
          assertThat(at.resolve("secret")).hasContent("of the volume");
        }
      }
    } finally {
      isDone.set(true);
    }
    neighbour.get();
  }

  /**
   * Puts a copy of a link in the place of the directory that is to be mounted, if it gets to it.
   */
  private void swap(String link) throws IOException {
    Path copy = volume.resolve("copy");
    Files.createSymbolicLink(copy, Files.readSymbolicLink(volume.resolve(link)));
    try {
      Files.move(copy, volume.resolve("data"), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException lost) {
      Files.deleteIfExists(copy);
    }
  }
}
