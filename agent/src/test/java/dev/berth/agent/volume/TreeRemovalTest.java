package dev.berth.agent.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeRemovalTest {
  @TempDir Path folder;

  @AfterEach
  void unmount() throws IOException {
    Mounts.unmountBelow(folder);
  }

  private Path outside() throws IOException {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Files.writeString(outside.resolve("precious"), "data");
    return outside;
  }

  private Path tree() throws IOException {
    return Files.createDirectory(folder.resolve("tree"));
  }

  @Test
  void removesAllButWhatLinksPointTo() throws IOException {
    Path outside = outside();
    Path tree = tree();
    Files.createDirectories(tree.resolve("a/b/c"));
    Files.writeString(tree.resolve("a/b/c/file"), "x");
    Files.createSymbolicLink(tree.resolve("a/link"), outside);
    Files.createSymbolicLink(tree.resolve("a/b/file-link"), outside.resolve("precious"));
    Files.createLink(tree.resolve("hard"), outside.resolve("precious"));
    TreeRemoval.remove(tree);
    assertThat(tree).doesNotExist();
    assertThat(outside.resolve("precious")).hasContent("data");
  }

  @Test
  void aLinkInThePlaceOfTheDirectoryIsRemovedItself() throws IOException {
    Path outside = outside();
    Path link = Files.createSymbolicLink(folder.resolve("link"), outside);
    TreeRemoval.remove(link);
    assertThat(Files.isSymbolicLink(link)).isFalse();
    assertThat(outside.resolve("precious")).hasContent("data");
  }

  @Test
  void whatIsNotThereIsRemovedAlready() throws IOException {
    TreeRemoval.remove(folder.resolve("none"));
    TreeRemoval.remove(folder.resolve("none/at/all"));
  }

  /** Deeper than paths may be long, and than a process has open files. */
  @Test
  void directoriesThatAreNestedWithoutEnd() throws IOException {
    Mounts.tmpfs(folder, "");
    Path tree = tree();
    byte[] name = Handle.bytes("directory");
    Handle at = Handle.directory(tree);
    for (int i = 0; i < 20_000; i++) {
      at.makeDirectory(name, 0700);
      Handle next = at.openDirectory(name);
      at.close();
      at = next;
    }
    at.close();
    TreeRemoval.remove(tree);
    assertThat(tree).doesNotExist();
  }

  @Test
  void manyFilesAndDirectories() throws IOException {
    Path tree = tree();
    for (int i = 0; i < 60; i++) {
      Path directory = Files.createDirectories(tree.resolve("d" + i + "/inner/most"));
      for (int j = 0; j < 30; j++) {
        Files.createFile(directory.resolve("file" + j));
        Files.createFile(tree.resolve("file" + i + "-" + j));
      }
    }
    TreeRemoval.remove(tree);
    assertThat(tree).doesNotExist();
  }

  @Test
  void namesThatAreNoText() throws IOException {
    Path tree = tree();
    try (Handle top = Handle.directory(tree)) {
      top.makeDirectory(new byte[] {(byte) 0xff, (byte) 0xfe}, 0700);
      top.makeDirectory(new byte[] {'\n', ' ', '\\'}, 0700);
    }
    TreeRemoval.remove(tree);
    assertThat(tree).doesNotExist();
  }

  @Test
  void namesThatItGivesItself() throws IOException {
    Path tree = tree();
    Files.createDirectories(tree.resolve(".removing-0/full/er"));
    Files.createDirectories(tree.resolve("a/b/c"));
    Files.createFile(tree.resolve(".removing-1"));
    TreeRemoval.remove(tree);
    assertThat(tree).doesNotExist();
  }

  @Test
  void whatIsMountedInsideIsNotTouched() throws IOException {
    Path tree = tree();
    Path mounted = Files.createDirectories(tree.resolve("a/mounted"));
    Mounts.tmpfs(mounted, "size=1048576");
    Files.writeString(mounted.resolve("precious"), "data");
    assertThatThrownBy(() -> TreeRemoval.remove(tree))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot remove " + tree + ": unlinkat: device or resource busy");
    assertThat(mounted.resolve("precious")).hasContent("data");
    Mounts.unmountBelow(tree);
    TreeRemoval.remove(tree);
    assertThat(tree).doesNotExist();
  }
}
