package dev.berth.apiserver.api;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.client.event.EventRecorder;
import dev.berth.client.event.EventRecorder.EventDetails;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CountedEventsTest {
  private static final JsonObject JOB =
      tree(
          "{'kind':'Job','apiVersion':'batch/v1','metadata':{'name':'import','namespace':'default',"
              + "'uid':'1234'}}");

  private final LocalCluster cluster = new LocalCluster(1);
  private final Loop loop = cluster.time.start("job-controller");
  private final EventRecorder recorder =
      EventRecorder.counting(cluster.broken, loop, cluster.time, "job-controller");

  @AfterEach
  void close() {
    cluster.close();
  }

  private static EventDetails details(String reason, String note) {
    return EventDetails.of(JOB, EventRecorder.Type.NORMAL, reason, "Creating", note);
  }

  private void record(EventDetails details) {
    loop.offer(() -> recorder.record(details));
    cluster.time.settle();
  }

  private void record(String note) {
    record(details("SuccessfulCreate", note));
  }

  private List<JsonObject> events() {
    return ApiContract.page(cluster.api.list(ListRequest.of(Resources.CORE_EVENTS))).items();
  }

  private JsonObject event(String message) {
    return events().stream()
        .filter(event -> event.text("message").equals(message))
        .findFirst()
        .orElseThrow();
  }

  private static long count(JsonObject event) {
    return event.integer("count").orElseThrow();
  }

  @Test
  void anEventCarriesWhatToolsRead() {
    record("Created pod: import-x");

    JsonObject event = events().getFirst();
    assertThat(event.object("source")).isEqualTo(tree("{'component':'job-controller'}"));
    assertThat(event.text("firstTimestamp")).isEqualTo("2030-01-01T00:00:00Z");
    assertThat(event.text("lastTimestamp")).isEqualTo("2030-01-01T00:00:00Z");
    assertThat(count(event)).isEqualTo(1);
    assertThat(event.text("type")).isEqualTo("Normal");
    assertThat(event.text("reason")).isEqualTo("SuccessfulCreate");
    assertThat(event.text("message")).isEqualTo("Created pod: import-x");
    assertThat(event.text("reportingComponent")).isEqualTo("job-controller");
    assertThat(event.object("involvedObject"))
        .isEqualTo(
            tree(
                "{'kind':'Job','namespace':'default','name':'import','uid':'1234',"
                    + "'apiVersion':'batch/v1'}"));
  }

  @Test
  void aNodeAgentSaysOnWhichNodeItIs() {
    record(details("Evicted", "low on memory").reportedBy("n1"));

    assertThat(events().getFirst().object("source"))
        .isEqualTo(tree("{'component':'job-controller','host':'n1'}"));
  }

  @Test
  void theSameMessageIsCountedUp() {
    record("same");
    cluster.time.advance(Duration.ofSeconds(90));
    record("same");

    assertThat(events()).hasSize(1);
    assertThat(count(event("same"))).isEqualTo(2);
    assertThat(event("same").text("firstTimestamp")).isEqualTo("2030-01-01T00:00:00Z");
    assertThat(event("same").text("lastTimestamp")).isEqualTo("2030-01-01T00:01:30Z");
  }

  @Test
  void fromTheTenthMessageOnSimilarEventsAreCombined() {
    for (int i = 1; i <= 12; i++) {
      record("Created pod: " + i);
    }

    assertThat(events()).hasSize(10);
    assertThat(count(event("(combined from similar events): Created pod: 12"))).isEqualTo(3);
    assertThat(count(event("Created pod: 9"))).isEqualTo(1);
  }

  @Test
  void tenQuietMinutesEndTheCombining() {
    for (int i = 1; i <= 10; i++) {
      record("Created pod: " + i);
    }
    cluster.time.advance(Duration.ofMinutes(10).plusSeconds(1));
    record("Created pod: 11");

    assertThat(count(event("Created pod: 11"))).isEqualTo(1);
  }

  @Test
  void aboutOneObjectAreAtMost25WritesAndThenOneEveryFiveMinutes() {
    for (int i = 0; i < 100; i++) {
      record("same");
    }
    assertThat(count(event("same"))).isEqualTo(25);
    assertThat(cluster.broken.sent).isEqualTo(25);

    cluster.time.advance(Duration.ofMinutes(5).minusSeconds(1));
    record("same");
    assertThat(count(event("same"))).isEqualTo(25);

    cluster.time.advance(Duration.ofSeconds(1));
    record("same");
    assertThat(count(event("same"))).as("with those that were not written").isEqualTo(102);
  }

  @Test
  void warningsHaveALimitOfTheirOwn() {
    for (int i = 0; i < 30; i++) {
      record("same");
    }
    record(EventDetails.of(JOB, EventRecorder.Type.WARNING, "FailedCreate", "Creating", "quota"));

    assertThat(count(event("quota"))).isEqualTo(1);
  }

  @Test
  void anEventThatHasExpiredIsCreatedAgainWithItsCount() {
    record("same");
    JsonObject first = events().getFirst();
    LocalCluster.done(cluster.api.delete(Resources.CORE_EVENTS, ObjectName.of(first)));
    record("same");

    assertThat(count(event("same"))).isEqualTo(2);
  }

  @Test
  void whatHappensWhileAWriteIsUnderWayIsWrittenTogetherAfterwards() {
    loop.offer(() -> {
      for (int i = 0; i < 5; i++) {
        recorder.record(details("SuccessfulCreate", "same"));
      }
    });
    cluster.time.settle();

    assertThat(count(event("same"))).isEqualTo(5);
    assertThat(cluster.broken.sent).isEqualTo(2);
  }

  @Test
  void aWriteWhoseAnswerWasLostIsNotMadeTwice() {
    cluster.broken.losesAnswers();
    record("same");
    cluster.broken.mended();
    cluster.time.advance(Duration.ofSeconds(10));

    assertThat(events()).hasSize(1);
    assertThat(recorder.refused()).isZero();
  }
}
