package dev.berth.agent.volume;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.time.fixture.SeededTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AtomicWriterTest {
  private static final Instant NOW = Instant.parse("2026-11-17T08:09:10.000000012Z");

  @TempDir Path volume;

  private boolean write(Map<String, ProjectedFile> files) throws IOException {
    return write(files, NOW);
  }

  private boolean write(Map<String, ProjectedFile> files, Instant now) throws IOException {
    return new AtomicWriter(volume).write(files, now, _ -> {});
  }

  private static ProjectedFile file(String content) {
    return new ProjectedFile(content.getBytes(UTF_8), 0640);
  }

  private Set<String> names() throws IOException {
    Set<String> names = new HashSet<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(volume)) {
      all.forEach(path -> names.add(path.getFileName().toString()));
    }
    return names;
  }

  @Test
  void looksAsKubeletsMakeIt() throws IOException {
    assertThat(write(Map.of("key", file("v"), "folder/deep/other", file("w")))).isTrue();
    String generation = "..2026_11_17_08_09_10.000000012";
    assertThat(names()).containsExactlyInAnyOrder("key", "folder", "..data", generation);
    assertThat(Files.readSymbolicLink(volume.resolve("..data"))).hasToString(generation);
    assertThat(Files.readSymbolicLink(volume.resolve("key"))).hasToString("..data/key");
    assertThat(Files.readSymbolicLink(volume.resolve("folder"))).hasToString("..data/folder");
    assertThat(volume.resolve("folder/deep/other")).hasContent("w");
    Path file = volume.resolve(generation).resolve("key");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r-----");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
        .isEqualTo("rwxr-xr-x");
  }

  @Test
  void whatIsAsItShouldBeIsNotWrittenAgain() throws IOException {
    write(Map.of("key", file("v")));
    Path before = Files.readSymbolicLink(volume.resolve("..data"));
    assertThat(write(Map.of("key", file("v")))).isFalse();
    assertThat(Files.readSymbolicLink(volume.resolve("..data"))).isEqualTo(before);
  }

  @Test
  void aNewGenerationReplacesTheOneBefore() throws IOException {
    write(Map.of("stays", file("1"), "goes", file("1"), "folder/goes", file("1")));
    assertThat(write(Map.of("stays", file("2"), "comes", file("2")))).isTrue();
    assertThat(names()).hasSize(4).contains("stays", "comes", "..data");
    assertThat(volume.resolve("stays")).hasContent("2");
    assertThat(volume.resolve("comes")).hasContent("2");
  }

  @Test
  void aFileThatGoesIsReasonEnough() throws IOException {
    write(Map.of("a", file("1"), "b", file("1")));
    assertThat(write(Map.of("a", file("1")))).isTrue();
    assertThat(names()).hasSize(3).contains("a");
  }

  @Test
  void anEmptyVolumeIsOneToo() throws IOException {
    assertThat(write(Map.of())).isTrue();
    assertThat(write(Map.of())).isFalse();
    assertThat(names()).hasSize(2);
  }

  @Test
  void whatAKilledWriterLeftIsRemoved() throws IOException {
    write(Map.of("key", file("1")));
    Path half = Files.createDirectory(volume.resolve("..2020_01_01_00_00_00.000000001"));
    Files.writeString(half.resolve("key"), "half");
    Files.createSymbolicLink(volume.resolve("..data_tmp"), half.getFileName());
    write(Map.of("key", file("2")));
    assertThat(names()).hasSize(3);
    assertThat(volume.resolve("key")).hasContent("2");
  }

  @Test
  void linksThatAKilledWriterDidNotMakeAreMade() throws IOException {
    write(Map.of("key", file("1")));
    Files.delete(volume.resolve("key"));
    assertThat(write(Map.of("key", file("1")))).isFalse();
    assertThat(volume.resolve("key")).hasContent("1");
  }

  @Test
  void placesForOtherVolumesStay() throws IOException {
    Files.createDirectory(volume.resolve("nested"));
    write(Map.of("key", file("1")));
    write(Map.of("key", file("2")));
    assertThat(volume.resolve("nested")).isDirectory();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|invalid path: must not be empty: \"\"",
        "/etc/passwd|invalid path: must be relative path: /etc/passwd",
        "a/../../b|invalid path: must not contain '..': a/../../b",
        "..|invalid path: must not contain '..': ..",
        "..data|invalid path: must not start with '..': ..data",
        "..data/key|invalid path: must not start with '..': ..data/key",
        ".|invalid path: must not be empty: \".\"",
      })
  void refusesPathsThatAreNotInTheVolume(String path, String message) {
    assertThatThrownBy(() -> write(Map.of(path, file("x"))))
        .isInstanceOf(IOException.class)
        .hasMessage(message);
    assertThat(volume).isEmptyDirectory();
  }

  @Test
  void refusesNamesThatAreTooLong() {
    assertThatThrownBy(() -> write(Map.of("x".repeat(256), file("x"))))
        .hasMessage("invalid path: filenames must be less than or equal to 255 characters");
    assertThatThrownBy(() -> write(Map.of("x/".repeat(2049), file("x"))))
        .hasMessage("invalid path: must be less than or equal to 4096 characters");
  }

  /** A reader that goes by one look at the link sees one generation, whenever it looks. */
  @SeededTest(fixed = 2, fresh = 1)
  void readersNeverSeeGenerationsMixed(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    write(generation(0, random));
    AtomicBoolean isDone = new AtomicBoolean();
    CountDownLatch began = new CountDownLatch(1);
    CompletableFuture<Integer> reader =
        CompletableFuture.supplyAsync(() -> {
          int seen = 0;
          while (!isDone.get()) {
            List<String> contents = readGeneration();
            if (!contents.isEmpty()) {
              assertThat(new HashSet<>(contents)).hasSize(1);
              assertThat(contents).hasSize(sizeSaidBy(contents.getFirst()));
              seen++;
              began.countDown();
            }
          }
          return seen;
        });
    try {
      began.await();
      for (int i = 1; i < 100; i++) {
        write(generation(i, random), NOW.plusNanos(i));
      }
    } finally {
      isDone.set(true);
    }
    assertThat(reader.get()).isPositive();
    assertThat(readGeneration()).allMatch(content -> content.startsWith("99 "));
    assertThat(names().stream().filter(name -> name.startsWith("..2026"))).hasSize(1);
  }

  /** Files that all say which generation they are of, and how many files it has. */
  private static Map<String, ProjectedFile> generation(int number, SplittableRandom random) {
    int size = 1 + random.nextInt(6);
    Map<String, ProjectedFile> files = new TreeMap<>();
    for (int i = 0; i < size; i++) {
      files.put((i % 2 == 0 ? "" : "folder/") + "f" + i, file(number + " " + size));
    }
    return files;
  }

  private static int sizeSaidBy(String content) {
    return Integer.parseInt(content.substring(content.indexOf(' ') + 1));
  }

  /** Empty if another generation has taken its place while it was read. */
  private List<String> readGeneration() {
    try {
      Path current = Files.readSymbolicLink(volume.resolve("..data"));
      List<String> contents = new ArrayList<>();
      try (var files = Files.walk(volume.resolve(current))) {
        for (Path path : files.filter(Files::isRegularFile).toList()) {
          contents.add(Files.readString(path));
        }
      }
      return Files.readSymbolicLink(volume.resolve("..data")).equals(current)
          ? contents
          : List.of();
    } catch (NoSuchFileException | UncheckedIOException gone) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
