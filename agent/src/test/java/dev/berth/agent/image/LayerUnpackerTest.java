package dev.berth.agent.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Layers are laid over each other, and none reaches out of the root. */
class LayerUnpackerTest {
  @TempDir Path directory;
  private Path root;
  private Path outside;
  private LayerUnpacker unpacker;

  @BeforeEach
  void prepare() throws IOException {
    root = Files.createDirectory(directory.resolve("root"));
    outside = Files.createDirectory(directory.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "secret");
    unpacker = new LayerUnpacker(root);
  }

  /** A layer, written entry by entry. */
  private static final class Layer {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Layer add(String name, char type, String link, String content) {
      byte[] data = content.getBytes(StandardCharsets.UTF_8);
      byte[] header = new byte[512];
      put(header, 0, name);
      put(header, 100, "0000640");
      put(header, 108, "0000000");
      put(header, 116, "0000000");
      put(header, 124, "%011o".formatted(data.length));
      put(header, 136, "00000000001");
      header[156] = (byte) type;
      put(header, 157, link);
      put(header, 257, "ustar");
      bytes.writeBytes(header);
      bytes.writeBytes(data);
      bytes.writeBytes(new byte[(512 - data.length % 512) % 512]);
      return this;
    }

    private static void put(byte[] header, int offset, String text) {
      byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
      System.arraycopy(encoded, 0, header, offset, encoded.length);
    }

    Layer file(String name, String content) {
      return add(name, '0', "", content);
    }

    Layer directory(String name) {
      return add(name, '5', "", "");
    }

    Layer symbolicLink(String name, String target) {
      return add(name, '2', target, "");
    }

    Layer hardLink(String name, String target) {
      return add(name, '1', target, "");
    }

    TarReader read() {
      bytes.writeBytes(new byte[1024]);
      return new TarReader(new ByteArrayInputStream(bytes.toByteArray()));
    }
  }

  private void unpack(Layer layer) throws IOException {
    unpacker.unpack(layer.read());
  }

  @Test
  void laterLayersReplaceAndHideWhatEarlierOnesHave() throws IOException {
    unpack(
        new Layer()
            .directory("etc/")
            .file("etc/a", "1")
            .file("etc/b", "1")
            .file("opt/old/x", "1")
            .file("./srv/y", "1"));
    unpack(
        new Layer()
            .file("etc/a", "2")
            .file("etc/.wh.b", "")
            .file("opt/old/.wh..wh..opq", "")
            .file("opt/old/new", "2"));
    assertThat(root.resolve("etc/a")).hasContent("2");
    assertThat(root.resolve("etc/b")).doesNotExist();
    assertThat(root.resolve("opt/old/x")).doesNotExist();
    assertThat(root.resolve("opt/old/new")).hasContent("2");
    assertThat(root.resolve("srv/y")).hasContent("1");
    assertThat(unpacker.bytes()).isEqualTo(6);
  }

  @Test
  void linksOnTheWayAreFollowedWithinTheRoot() throws IOException {
    unpack(
        new Layer()
            .directory("usr/bin/")
            .symbolicLink("bin", "usr/bin")
            .symbolicLink("absolute", "/usr")
            .file("bin/tool", "1")
            .file("absolute/bin/other", "2")
            .hardLink("usr/same", "bin/tool"));
    assertThat(root.resolve("usr/bin/tool")).hasContent("1");
    assertThat(root.resolve("usr/bin/other")).hasContent("2");
    assertThat(root.resolve("usr/same")).hasContent("1");
  }

  @Test
  void linksThatPointOutDoNotLeadOut() throws IOException {
    unpack(
        new Layer()
            .symbolicLink("out", outside.toString())
            .symbolicLink("up", "../../../../../../.." + outside)
            .file("out/a", "x")
            .file("up/b", "x"));
    assertThat(outside.resolve("a")).doesNotExist();
    assertThat(outside.resolve("b")).doesNotExist();
  }

  @Test
  void aLinkInTheFilesPlaceIsReplacedAndNotWrittenThrough() throws IOException {
    unpack(new Layer().symbolicLink("f", outside.resolve("secret").toString()).file("f", "mine"));
    assertThat(outside.resolve("secret")).hasContent("secret");
    assertThat(root.resolve("f")).hasContent("mine");
  }

  @Test
  void hardLinksAndWhiteoutsStayWithinToo() throws IOException {
    unpack(new Layer().symbolicLink("out", outside.toString()));
    assertThatThrownBy(() -> unpack(new Layer().hardLink("stolen", "out/secret")))
        .isInstanceOf(IOException.class);
    unpack(new Layer().file("out/.wh.secret", ""));
    assertThat(outside.resolve("secret")).hasContent("secret");
  }

  @Test
  void namesThatClimbAreRefused() {
    assertThatThrownBy(() -> unpack(new Layer().file("a/../../x", "")))
        .hasMessageContaining("a/../../x");
    assertThatThrownBy(() -> unpack(new Layer().hardLink("x", "../outside/secret")))
        .hasMessageContaining("../outside/secret");
  }

  @Test
  void longNamesAndCutArchivesAreRead() throws IOException {
    String longName = "d/".repeat(80) + "file";
    unpack(new Layer().add("././@LongLink", 'L', "", longName + "\0").file("short", "1"));
    assertThat(root.resolve(longName)).hasContent("1");
    ByteArrayOutputStream cut = new ByteArrayOutputStream();
    Layer layer = new Layer().file("big", "x".repeat(600));
    cut.write(layer.bytes.toByteArray(), 0, 700);
    assertThatThrownBy(
            () -> unpacker.unpack(new TarReader(new ByteArrayInputStream(cut.toByteArray()))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ends within a file");
  }
}
