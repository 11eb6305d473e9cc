package dev.berth.agent.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FsGroupTest {
  private static final FsGroup GROUP = new FsGroup(OptionalLong.of(2345), false);
  private static final int TYPE = 0170000;

  @TempDir Path folder;
  private Path volume;
  private Path outside;

  @BeforeEach
  void makeVolume() throws IOException {
    volume = Files.createDirectory(folder.resolve("volume"));
    Files.setAttribute(volume, "unix:mode", 0755);
    Files.createDirectory(volume.resolve("directory"));
    Files.setAttribute(volume.resolve("directory"), "unix:mode", 0700);
    Files.writeString(volume.resolve("directory/file"), "x");
    Files.setAttribute(volume.resolve("directory/file"), "unix:mode", 0604);
    outside = Files.writeString(folder.resolve("outside"), "x");
    Files.setAttribute(outside, "unix:mode", 0600);
    Files.createSymbolicLink(volume.resolve("link"), outside);
  }

  private static String look(Path path) throws IOException {
    int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & ~TYPE;
    return "%o %s".formatted(mode, Files.getAttribute(path, "unix:gid", LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void theGroupMayReadAndWriteAndWhatIsMadeIsTheGroups() throws IOException {
    GROUP.apply(volume, false);
    assertThat(look(volume)).isEqualTo("2775 2345");
    assertThat(look(volume.resolve("directory"))).isEqualTo("2770 2345");
    assertThat(look(volume.resolve("directory/file"))).isEqualTo("664 2345");
  }

  @Test
  void theGroupMayOnlyReadWhatIsReadOnly() throws IOException {
    GROUP.apply(volume, true);
    assertThat(look(volume)).isEqualTo("2755 2345");
    assertThat(look(volume.resolve("directory"))).isEqualTo("2750 2345");
    assertThat(look(volume.resolve("directory/file"))).isEqualTo("644 2345");
  }

  @Test
  void whatALinkPointsToIsLeftAlone() throws IOException {
    GROUP.apply(volume, false);
    assertThat(look(volume.resolve("link"))).endsWith(" 2345");
    assertThat(look(outside)).isEqualTo("600 0");
  }

  @Test
  void whatIsMountedInsideIsLeftAlone() throws IOException {
    Path mounted = Files.createDirectory(volume.resolve("mounted"));
    Mounts.tmpfs(mounted, "mode=700");
    try {
      GROUP.apply(volume, false);
      assertThat(look(mounted)).isEqualTo("700 0");
    } finally {
      Mounts.unmountBelow(volume);
    }
  }

  @Test
  void withoutAGroupNothingChanges() throws IOException {
    new FsGroup(OptionalLong.empty(), false).apply(volume, false);
    assertThat(look(volume)).isEqualTo("755 0");
  }

  @Test
  void onRootMismatchAVolumeThatIsRightIsLeftAsItIs() throws IOException {
    FsGroup onMismatch = new FsGroup(OptionalLong.of(2345), true);
    onMismatch.apply(volume, false);
    assertThat(look(volume.resolve("directory/file"))).isEqualTo("664 2345");

    Files.setAttribute(volume.resolve("directory/file"), "unix:gid", 0);
    onMismatch.apply(volume, false);
    assertThat(look(volume.resolve("directory/file"))).isEqualTo("664 0");
    onMismatch.always().apply(volume, false);
    assertThat(look(volume.resolve("directory/file"))).isEqualTo("664 2345");

    Files.setAttribute(volume.resolve("directory/file"), "unix:gid", 0);
    Files.setAttribute(volume, "unix:mode", 0775);
    onMismatch.apply(volume, false);
    assertThat(look(volume.resolve("directory/file"))).isEqualTo("664 2345");
  }
}
