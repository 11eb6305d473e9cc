package dev.berth.agent.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostPathPluginTest {
  @TempDir Path folder;

  @BeforeEach
  void makeFiles() throws IOException {
    Files.createDirectory(folder.resolve("directory"));
    Files.createFile(folder.resolve("file"));
    Files.createSymbolicLink(folder.resolve("link"), folder.resolve("directory"));
    ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    socket.bind(UnixDomainSocketAddress.of(folder.resolve("socket")));
    socket.close();
  }

  private PreparedVolume setUp(String path, String type) throws Exception {
    return new HostPathPlugin().setUp(path, type, false);
  }

  @ParameterizedTest(name = "{0} as {1}: {2}")
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "directory, ``, ``",
        "none, ``, ``",
        "directory, Directory, ``",
        "link, Directory, ``",
        "file, Directory, is not a directory",
        "none, Directory, is not a directory",
        "directory, DirectoryOrCreate, ``",
        "file, DirectoryOrCreate, is not a directory",
        "file, File, ``",
        "directory, File, is not a file",
        "none, File, is not a file",
        "file, FileOrCreate, ``",
        "directory, FileOrCreate, is not a file",
        "socket, Socket, ``",
        "file, Socket, is not a socket file",
        "file, CharDevice, is not a character device",
        "file, BlockDevice, is not a block device",
      })
  void typesAreChecked(String name, String type, String problem) throws Exception {
    String path = folder.resolve(name).toString();
    if (problem.isEmpty()) {
      assertThat(setUp(path, type)).isEqualTo(new PreparedVolume(path, false));
    } else {
      assertThatThrownBy(() -> setUp(path, type))
          .isInstanceOf(SetUpException.class)
          .hasMessage("hostPath type check failed: " + path + " " + problem);
    }
  }

  @Test
  void devicesAreDevices() throws Exception {
    assertThat(setUp("/dev/null", "CharDevice").path()).isEqualTo("/dev/null");
  }

  @Test
  void whatIsMissingIsMade() throws Exception {
    Path directory = folder.resolve("a/b");
    setUp(directory.toString(), "DirectoryOrCreate");
    assertThat((int) Files.getAttribute(directory, "unix:mode") & 07777).isEqualTo(0755);
    Path file = directory.resolve("file");
    setUp(file.toString(), "FileOrCreate");
    assertThat((int) Files.getAttribute(file, "unix:mode") & 07777).isEqualTo(0644);
  }

  @Test
  void refusesWhatIsNoPathOrType() {
    assertThatThrownBy(() -> setUp("/a/../b", ""))
        .hasMessage("invalid HostPath `/a/../b`: must not contain '..'");
    assertThatThrownBy(() -> setUp("a", ""))
        .hasMessage("invalid HostPath `a`: must be an absolute path");
    assertThatThrownBy(() -> setUp("/tmp", "Folder"))
        .hasMessage("Folder is an invalid volume type");
  }
}
