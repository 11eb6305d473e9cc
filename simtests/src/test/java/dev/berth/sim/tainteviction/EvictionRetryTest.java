package dev.berth.sim.tainteviction;

import static dev.berth.sim.VirtualCluster.podName;
import static dev.berth.sim.tainteviction.EvictionCluster.forEver;
import static dev.berth.sim.tainteviction.EvictionCluster.forSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.InterceptedApi;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Row T5 with a server that refuses, is not there, or does not say when taints were added. */
class EvictionRetryTest {
  private static final String KEY1 = "key1=value1:NoExecute";

  private final EvictionCluster eviction = new EvictionCluster();
  private final VirtualCluster cluster = eviction.cluster();
  private final Set<JsonObject> written = NoTimeAddedApi.nothingWritten();
  private int deletes;
  private ApiResult answer = new ApiResult.Unreachable("no answer");
  private boolean refuses = true;

  @BeforeEach
  void begin() {
    cluster.node("node1", "4");
  }

  @AfterEach
  void close() {
    eviction.close();
  }

  private ApiResult refusesDeletes(ApiRequest request, Api real) {
    if (request instanceof ApiRequest.Delete) {
      deletes++;
      if (refuses) {
        return answer;
      }
    }
    return real.send(request);
  }

  private void evictWithRefusals() {
    eviction.evict(api -> new InterceptedApi(api, this::refusesDeletes));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 403, 404, 409, 429, 500, 503})
  void aRefusedDeleteIsTriedAgainUntilItSucceeds(int code) {
    if (code > 0) {
      answer = new ApiResult.Refused(ApiError.of(code, "no"));
    }
    evictWithRefusals();
    eviction.pod("web", "node1");
    eviction.taint("node1", KEY1);
    eviction.assertStays("web");
    eviction.advance(3600);
    eviction.assertStays("web");
    // Neither given up nor hurried: with 30 to 60 s in between, and a few more at the beginning.
    assertThat(deletes).isBetween(60, 140);

    refuses = false;
    eviction.advance(60);
    eviction.assertGone("web");
    assertThat(eviction.events("web")).hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void theServersWishToBeLeftAloneIsHonoured() {
    answer = new ApiResult.Refused(ApiError.of(429, "busy").retryAfter(Duration.ofSeconds(100)));
    evictWithRefusals();
    eviction.pod("web", "node1");
    eviction.taint("node1", KEY1);
    eviction.advance(99);
    assertThat(deletes).isEqualTo(1);
    refuses = false;
    eviction.advance(1);
    eviction.assertGone("web");
  }

  @Test
  void whatIsTriedAgainIsGivenUpWhenTheTaintIsGone() {
    evictWithRefusals();
    eviction.pod("web", "node1");
    eviction.taint("node1", KEY1);
    eviction.advance(10);
    eviction.untaint("node1");
    refuses = false;
    assertThat(eviction.events("web"))
        .containsExactly(
            "Marking for deletion Pod default/web because of taint key1=value1:NoExecute on node"
                + " node1",
            "Cancelling deletion of Pod default/web");
    eviction.advance(86_400);
    eviction.assertStays("web");
  }

  @Test
  void whatIsTriedAgainIsGivenUpWhenTheTolerationIsLonger() {
    evictWithRefusals();
    eviction.pod("web", "node1", forSeconds(10));
    eviction.taint("node1", KEY1);
    eviction.advance(20);
    eviction.tolerate("web", forSeconds(1000));
    refuses = false;
    eviction.advance(979);
    eviction.assertStays("web");
    eviction.advance(1);
    eviction.assertGone("web");
  }

  @Test
  void aTolerationEditedWhileTheRequestIsOnItsWayIsHonoured() {
    eviction.evict(api ->
        new InterceptedApi(
            api,
            (request, real) -> {
              if (request instanceof ApiRequest.Delete && refuses) {
                refuses = false;
                editToleration();
              }
              return real.send(request);
            }));
    eviction.pod("web", "node1", forSeconds(10));
    eviction.taint("node1", KEY1);
    eviction.advance(10);
    eviction.assertStays("web");
    eviction.advance(989);
    eviction.assertStays("web");
    eviction.advance(1);
    eviction.assertGone("web");
  }

  private void editToleration() {
    JsonObject spec = cluster.getPod("web").object("spec");
    String edited =
        spec.array("tolerations")
            .toString()
            .replace("\"tolerationSeconds\":10", "\"tolerationSeconds\":1000");
    cluster.patch(Resources.PODS, podName("web"), "{'spec':{'tolerations':" + edited + "}}");
  }

  @Test
  void aPodRecreatedWhileTheDeleteIsTriedAgainIsAnotherOne() {
    evictWithRefusals();
    eviction.pod("web", "node1");
    eviction.taint("node1", KEY1);
    eviction.advance(20);
    cluster.delete(Resources.PODS, podName("web"));
    eviction.pod("web", "node1", forEver());
    refuses = false;
    eviction.advance(86_400);
    eviction.assertStays("web");
  }

  @Test
  void aTaintWithoutATimeGetsOneAndARestartDoesNotRestartTheCountdown() {
    eviction.evict(api -> new NoTimeAddedApi(api, written));
    eviction.pod("web", "node1", forSeconds(300));
    cluster.patch(Resources.NODES, ObjectName.of("node1"), "{'metadata':{'labels':{'a':'b'}}}");
    eviction.taint("node1", "other=x:NoSchedule", KEY1);
    assertThat(written)
        .hasSize(2)
        .anySatisfy(taint -> {
          assertThat(taint.text("key")).isEqualTo("key1");
          assertThat(taint.text("timeAdded")).isEqualTo("2030-01-01T00:00:00Z");
        });

    eviction.advance(150);
    eviction.restart();
    eviction.advance(149);
    eviction.assertStays("web");
    eviction.advance(2);
    eviction.assertGone("web");
    JsonObject node = cluster.list(Resources.NODES).getFirst();
    assertThat(node.object("spec").array("taints").size()).isEqualTo(2);
    assertThat(node.object("metadata").object("labels").text("a")).isEqualTo("b");
  }

  @Test
  void untilATimeIsStoredItCountsFromWhenTheTaintWasSeen() {
    eviction.evict(api ->
        new InterceptedApi(
            new NoTimeAddedApi(api, written),
            (request, real) ->
                request instanceof ApiRequest.Patch patch
                        && patch.target().resource().equals(Resources.NODES)
                        && refuses
                    ? new ApiResult.Refused(ApiError.of(409, "somebody else was first"))
                    : real.send(request)));
    eviction.pod("web", "node1", forSeconds(300));
    eviction.taint("node1", KEY1);
    eviction.advance(100);
    assertThat(written).isEmpty();
    refuses = false;
    eviction.advance(60);
    assertThat(written)
        .extracting(taint -> taint.text("timeAdded"))
        .containsExactly("2030-01-01T00:00:00Z");

    eviction.advance(139);
    eviction.assertStays("web");
    eviction.advance(1);
    eviction.assertGone("web");
  }
}
