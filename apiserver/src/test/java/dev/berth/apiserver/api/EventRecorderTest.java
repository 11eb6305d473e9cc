package dev.berth.apiserver.api;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.client.event.EventRecorder;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventRecorderTest {
  private static final JsonObject POD =
      tree(
          "{'kind':'Pod','apiVersion':'v1','metadata':{'name':'web','namespace':'default',"
              + "'uid':'1234','resourceVersion':'7'}}");
  private static final JsonObject NODE =
      tree("{'kind':'Node','apiVersion':'v1','metadata':{'name':'n1','uid':'5678'}}");

  private final LocalCluster cluster = new LocalCluster(1);
  private final Loop loop = cluster.time.start("scheduler");
  private final EventRecorder recorder =
      EventRecorder.series(
          cluster.broken, loop, cluster.time, "default-scheduler", "default-scheduler-host");

  @AfterEach
  void close() {
    cluster.close();
  }

  private void record(JsonObject object, String reason, String note) {
    loop.offer(
        () -> recorder.record(object, EventRecorder.Type.WARNING, reason, "Scheduling", note));
    cluster.time.settle();
  }

  private List<JsonObject> events() {
    return ApiContract.page(cluster.api.list(ListRequest.of(Resources.EVENTS))).items();
  }

  @Test
  void anEventSaysWhatHappenedToWhat() {
    record(POD, "FailedScheduling", "0/1 nodes are available");

    JsonObject event = events().getFirst();
    assertThat(event.object("regarding"))
        .isEqualTo(
            tree(
                "{'kind':'Pod','namespace':'default','name':'web','uid':'1234','apiVersion':'v1',"
                    + "'resourceVersion':'7'}"));
    assertThat(event.text("reason")).isEqualTo("FailedScheduling");
    assertThat(event.text("action")).isEqualTo("Scheduling");
    assertThat(event.text("note")).isEqualTo("0/1 nodes are available");
    assertThat(event.text("type")).isEqualTo("Warning");
    assertThat(event.text("reportingController")).isEqualTo("default-scheduler");
    assertThat(event.text("reportingInstance")).isEqualTo("default-scheduler-host");
    assertThat(event.text("eventTime")).isEqualTo("2030-01-01T00:00:00.000000Z");
    assertThat(Metadata.of(event).name()).matches("web\\.[0-9a-f]{16}");
    assertThat(Metadata.of(event).namespace()).isEqualTo("default");
  }

  @Test
  void eventsAboutNodesAreInTheDefaultNamespace() {
    record(NODE, "NodeReady", "it is");

    assertThat(Metadata.of(events().getFirst()).namespace()).isEqualTo("default");
    assertThat(events().getFirst().object("regarding").has("namespace")).isFalse();
  }

  @Test
  void whatHappensAgainIsCountedUp() {
    record(POD, "FailedScheduling", "first");
    record(POD, "FailedScheduling", "second");

    JsonObject twice = events().getFirst();
    assertThat(events()).hasSize(1);
    assertThat(twice.object("series").integer("count")).hasValue(2);
    assertThat(twice.text("note")).isEqualTo("second");

    for (int i = 0; i < 50; i++) {
      record(POD, "FailedScheduling", "again");
    }
    int before = cluster.broken.sent;
    cluster.time.advance(Duration.ofSeconds(10));

    assertThat(events()).hasSize(1);
    assertThat(events().getFirst().object("series").integer("count")).hasValue(52);
    assertThat(cluster.broken.sent - before).isEqualTo(1);
  }

  @Test
  void aSeriesEndsAfterSixMinutes() {
    record(POD, "FailedScheduling", "first");
    cluster.time.advance(Duration.ofMinutes(6));
    record(POD, "FailedScheduling", "still the same");
    cluster.time.advance(Duration.ofMinutes(6).plusSeconds(1));
    record(POD, "FailedScheduling", "another");

    assertThat(events())
        .extracting(event -> event.text("note"))
        .containsExactlyInAnyOrder("still the same", "another");
  }

  @Test
  void whatHappensForAnotherReasonIsAnotherEvent() {
    record(POD, "FailedScheduling", "x");
    record(POD, "Preempted", "x");
    record(NODE, "Preempted", "x");

    assertThat(events()).hasSize(3);
    assertThat(events()).extracting(event -> Metadata.of(event).name()).doesNotHaveDuplicates();
  }

  @Test
  void aServerThatIsGoneForAWhileIsToldLater() {
    cluster.broken.unreachable();
    record(POD, "FailedScheduling", "x");
    cluster.time.advance(Duration.ofSeconds(30));
    cluster.broken.mended();
    cluster.time.advance(Duration.ofSeconds(10));

    assertThat(events()).hasSize(1);
    assertThat(recorder.refused()).isZero();
  }

  @Test
  void whatIsRefusedIsDroppedAndCounted() {
    record(tree("{'kind':'Pod','metadata':{'name':'a','namespace':'nowhere'}}"), "X", "x");

    assertThat(events()).isEmpty();
    assertThat(recorder.refused()).isEqualTo(1);
    assertThat(cluster.broken.sent).isEqualTo(1);
  }

  @Test
  void moreThanMayWaitAreDroppedAndCounted() {
    cluster.broken.unreachable();
    loop.offer(() -> {
      for (int i = 0; i < 10_100; i++) {
        JsonObject pod = POD.with("metadata", JsonObject.of("name", "p" + i));
        recorder.record(pod, EventRecorder.Type.NORMAL, "Scheduled", "Binding", "x");
      }
      assertThat(recorder.dropped()).isBetween(1L, 100L);
    });
    cluster.time.settle();

    assertThat(recorder.dropped()).isPositive();
  }

  @Test
  void aNoteIsNoLongerThanServersTake() {
    record(POD, "FailedScheduling", "é".repeat(2_000));

    assertThat(events().getFirst().text("note")).endsWith("é ...").hasSize(514);
  }
}
