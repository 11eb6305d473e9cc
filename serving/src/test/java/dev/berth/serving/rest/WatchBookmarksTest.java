package dev.berth.serving.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.fixture.Fixtures;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.serving.fixture.FakeExchange;
import dev.berth.serving.fixture.Requests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When watches say how far they are. */
class WatchBookmarksTest {
  private final TestCluster cluster = new TestCluster();
  private final Requests requests = new Requests(cluster);

  @AfterEach
  void close() {
    requests.close();
  }

  /** What a watch told, of which there was something new each second until its time was over. */
  private List<JsonObject> watch(int seconds, String query) {
    String path =
        "/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=%d&timeoutSeconds=%d"
            .formatted(cluster.store.revision(), seconds);
    FakeExchange exchange =
        new FakeExchange("GET", path + query)
            .with("User", "root")
            .onFlush(() -> {
              cluster.time.advance(Duration.ofSeconds(1));
              cluster.create("configmaps", "{'metadata':{'generateName':'c'}}");
            });
    requests.handle(exchange);
    return exchange.answer().lines().map(Fixtures::tree).toList();
  }

  /** The seconds at which there was a bookmark, each with the revision of what came before it. */
  private static List<Integer> bookmarks(List<JsonObject> events) {
    List<Integer> seconds = new ArrayList<>();
    String last = "";
    int second = 0;
    for (JsonObject event : events) {
      String revision = TestCluster.at(event, "object.metadata.resourceVersion");
      if (event.text("type", "").equals("BOOKMARK")) {
        assertThat(revision).isEqualTo(last);
        seconds.add(second);
      } else {
        second++;
      }
      last = revision;
    }
    return seconds;
  }

  @Test
  void aBookmarkPrecedesTheTimeoutByTwoSeconds() {
    assertThat(bookmarks(watch(30, "&allowWatchBookmarks=true"))).containsExactly(28);
  }

  @Test
  void aBookmarkIsSentEachMinuteAndBeforeTheTimeout() {
    assertThat(bookmarks(watch(150, "&allowWatchBookmarks=true"))).containsExactly(60, 120, 148);
    assertThat(bookmarks(watch(120, "&allowWatchBookmarks=true"))).containsExactly(60, 118);
    assertThat(bookmarks(watch(62, "&allowWatchBookmarks=true"))).containsExactly(60);
  }

  @Test
  void aWatchThatEndsTooSoonHasNone() {
    assertThat(bookmarks(watch(2, "&allowWatchBookmarks=true"))).isEmpty();
  }

  @Test
  void whoDoesNotAskForBookmarksGetsNone() {
    assertThat(bookmarks(watch(150, ""))).isEmpty();
  }
}
