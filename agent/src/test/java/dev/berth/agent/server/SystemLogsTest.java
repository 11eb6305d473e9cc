package dev.berth.agent.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.server.fixture.NodeWithServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The machine's own logs, as {@code kubectl get --raw} shows them through the API server. */
class SystemLogsTest {
  @TempDir static Path directory;
  private static NodeWithServer cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = new NodeWithServer(directory);
    Path logs = Files.createDirectories(directory.resolve("log/web <1>"));
    Files.writeString(logs.resolve("access.log"), "GET /\n");
    Files.writeString(logs.resolveSibling("syslog"), "booted\n");
    Files.writeString(logs.resolveSibling("berth-daemon.log"), "started\n");
    Files.createSymbolicLink(logs.resolveSibling("messages"), Path.of("syslog"));
    Files.writeString(directory.resolve("secret"), "hidden\n");
    Files.createSymbolicLink(
        logs.resolveSibling("outside.log"), directory.resolve("secret").toAbsolutePath());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static String path(String rest) {
    return "/api/v1/nodes/" + NodeWithServer.NODE + "/proxy/logs" + rest;
  }

  @Test
  void directoriesAreListedAndFilesAreShown() {
    assertThat(cluster.kubectl.run("get", "--raw", path("/")))
        .contains(
            "<a href=\"syslog\">syslog</a>\n", "<a href=\"web%20%3C1%3E/\">web &lt;1&gt;/</a>\n");
    assertThat(cluster.kubectl.run("get", "--raw", path("/syslog"))).isEqualTo("booted\n");
    assertThat(cluster.kubectl.run("get", "--raw", path("/messages"))).isEqualTo("booted\n");
    assertThat(cluster.kubectl.run("get", "--raw", path("/web%20%3C1%3E/access.log")))
        .isEqualTo("GET /\n");
  }

  @Test
  void servicesAreFoundByTheFilesThatTheyUsuallyLogTo() {
    assertThat(cluster.kubectl.run("get", "--raw", path("/?query=berth-daemon")))
        .isEqualTo("started\n");
    assertThat(cluster.kubectl.run("get", "--raw", path("/?query=berth-daemon&query=ghost")))
        .isEqualTo("started\n\nlog not found for ghost\n");
    assertThat(cluster.kubectl.run("get", "--raw", path("/?query=/syslog"))).isEqualTo("booted\n");
    assertThat(cluster.kubectl.run("get", "--raw", path("/?query=berth-daemon&tailLines=1")))
        .isEqualTo(
            """

            options present and query resolved to log files for [berth-daemon]
            try without specifying options
            """);
  }

  /** A link could have been put there by whoever may write a log. */
  @Test
  void nothingOutsideOfTheLogsIsShown() {
    assertThat(cluster.kubectl.run("get", "--raw", path("/outside.log"))).contains("NotFound");
    assertThat(cluster.kubectl.run("get", "--raw", path("/ghost.log"))).contains("NotFound");
    assertThat(cluster.kubectl.run("get", "--raw", path("/?query=outside")))
        .isEqualTo("\nlog not found for outside\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "?tailLines=3                             | query: Required value: cannot be empty with"
            + " options",
        "?query=a&tailLines=100001                | tailLines: Invalid value: 100001: must be"
            + " between 0 and 100000, inclusive",
        "?query=a&boot=1                          | boot: Invalid value: 1: must be less than 1",
        "?query=a&sinceTime=2026-01-02T00:00:00Z&untilTime=2026-01-01T00:00:00Z | untilTime:"
            + " Invalid value: \"2026-01-01T00:00:00Z\": must be after `sinceTime`",
        "?query=a%3Bb                             | query: Invalid value: \"a;b\": input contains"
            + " unsupported characters",
        "?query=a&query=/b                        | query: Invalid value: \"[/b], [a]\": cannot"
            + " specify a file and service",
        "?query=/b&boot=0                         | query: Invalid value: \"/b\": cannot specify"
            + " file with options",
        "?query=a&query=b&query=c&query=d&query=e | query: Too many: 5: must have at most 4 items",
        "?query=a&pattern=(                       | pattern: Invalid value: \"(\": Unclosed group",
        "syslog?query=a                           | path not allowed in query mode"
      })
  void saysWhatIsWrongWithAQueryThatCanBeRead(String query, String message) {
    assertThat(cluster.kubectl.run("get", "--raw", path("/" + query))).contains(message);
  }
}
