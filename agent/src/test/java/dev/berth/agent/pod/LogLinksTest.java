package dev.berth.agent.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.PodId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogLinksTest {
  @TempDir private Path root;
  private Path log;
  private LogLinks links;

  @BeforeEach
  void begin() throws IOException {
    links = new LogLinks(root.resolve("log"));
    log = root.resolve("log/pods/default_web_u1/main/0.log");
    Files.createDirectories(log.getParent());
    Files.writeString(log, "said\n");
  }

  private void start(String container, Path file) {
    links.add(
        new PodId("default", "web", "u1"),
        new ContainerStatus(
            "cafe", container, 0, "", "", List.of(), "", Instant.EPOCH, file.toString(), null));
  }

  private List<String> names() throws IOException {
    Path directory = root.resolve("log/containers");
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> found = Files.list(directory)) {
      return found.map(link -> link.getFileName().toString()).toList();
    }
  }

  @Test
  void aLogIsFoundByTheNamesOfItsPodAndContainer() throws IOException {
    start("main", log);
    start("main", log);
    assertThat(names()).containsExactly("web_default_main-cafe.log");
    assertThat(root.resolve("log/containers/web_default_main-cafe.log")).hasContent("said");
  }

  @Test
  void aNameIsCutWhereTheFileSystemWouldRefuseIt() throws IOException {
    start("c".repeat(300), log);
    assertThat(names()).singleElement().satisfies(name -> assertThat(name).hasSize(255));
  }

  @Test
  void logsElsewhereHaveNoLinks() throws IOException {
    start("main", root.resolve("data/logs/0.log"));
    assertThat(names()).isEmpty();
  }

  @Test
  void linksGoWithTheirLogs() throws IOException {
    start("main", log);
    links.removeDead();
    assertThat(names()).hasSize(1);
    links.clear();
    assertThat(root.resolve("log/pods")).isDirectory();

    Files.delete(log);
    links.removeDead();
    assertThat(names()).isEmpty();
    links.clear();
    assertThat(root.resolve("log/containers")).doesNotExist();
  }
}
