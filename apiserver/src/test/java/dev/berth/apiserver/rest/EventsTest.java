package dev.berth.apiserver.rest;

import static dev.berth.apiserver.registry.World.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.event.EventExpiry;
import dev.berth.apiserver.registry.World;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events are seen alike through both groups, and fade. */
class EventsTest {
  private static final String CORE = "/api/v1/namespaces/default/events";
  private static final String NEWER = "/apis/events.k8s.io/v1/namespaces/default/events";

  private final World world = World.withPolicies();
  private final Requests requests = new Requests(world);

  @AfterEach
  void close() {
    requests.close();
  }

  private void old(String name) {
    Requests.Answer created =
        requests.send(
            "POST",
            CORE,
            "{'metadata':{'name':'%s'},'involvedObject':{'kind':'Pod','namespace':'default','name':'web'},"
                    .formatted(name)
                + "'reason':'Pulled','message':'got it','type':'Normal','count':3,"
                + "'source':{'component':'kubelet','host':'n1'},"
                + "'firstTimestamp':'2030-01-01T00:00:00Z','lastTimestamp':'2030-01-01T00:00:00Z'}");
    assertThat(created.status()).isEqualTo(201);
  }

  @Test
  void whatTheCoreGroupWritesTheNewerGroupReads() {
    old("e");
    var event = requests.get(NEWER + "/e").json();
    assertThat(at(event, "apiVersion")).isEqualTo("events.k8s.io/v1");
    assertThat(at(event, "regarding.name")).isEqualTo("web");
    assertThat(at(event, "note")).isEqualTo("got it");
    assertThat(at(event, "deprecatedCount")).isEqualTo("3");
    assertThat(at(event, "deprecatedSource.host")).isEqualTo("n1");
    assertThat(at(event, "deprecatedLastTimestamp")).isEqualTo("2030-01-01T00:00:00Z");
    assertThat(event.has("message")).isFalse();
    assertThat(at(event, "metadata.resourceVersion"))
        .isEqualTo(at(requests.get(CORE + "/e").json(), "metadata.resourceVersion"));
  }

  @Test
  void whatTheNewerGroupWritesTheCoreGroupReads() {
    Requests.Answer created =
        requests.send(
            "POST",
            NEWER,
            "{'metadata':{'name':'e'},'regarding':{'kind':'Pod','namespace':'default','name':'web'},"
                + "'reason':'Scheduled','note':'on n1','type':'Normal','action':'Binding',"
                + "'eventTime':'2030-01-01T00:00:00.000000Z','reportingController':'scheduler',"
                + "'reportingInstance':'s-1'}");
    assertThat(created.status()).isEqualTo(201);
    assertThat(at(created.json(), "note")).isEqualTo("on n1");
    var event = requests.get(CORE + "/e").json();
    assertThat(at(event, "apiVersion")).isEqualTo("v1");
    assertThat(at(event, "involvedObject.name")).isEqualTo("web");
    assertThat(at(event, "message")).isEqualTo("on n1");
    assertThat(at(event, "reportingComponent")).isEqualTo("scheduler");
    assertThat(at(event, "eventTime")).isEqualTo("2030-01-01T00:00:00.000000Z");
  }

  @Test
  void aPatchInOneFormIsSeenInTheOther() {
    old("e");
    Requests.Answer patched =
        requests.send(
            "PATCH",
            NEWER + "/e",
            "{'series':{'count':4,'lastObservedTime':'2030-01-01T00:00:05.000000Z'}}");
    assertThat(patched.status()).isEqualTo(200);
    assertThat(at(patched.json(), "apiVersion")).isEqualTo("events.k8s.io/v1");
    assertThat(at(requests.get(CORE + "/e").json(), "series.count")).isEqualTo("4");
    assertThat(at(requests.get(CORE + "/e").json(), "message")).isEqualTo("got it");
  }

  @Test
  void bothAreListedAndSelected() {
    old("e");
    old("f");
    var list = requests.get(NEWER + "?fieldSelector=regarding.name=web,reason=Pulled").json();
    assertThat(at(list, "kind")).isEqualTo("EventList");
    assertThat(list.array("items").size()).isEqualTo(2);
    assertThat(at(list, "items[0].regarding.name")).isEqualTo("web");
    assertThat(
            requests
                .get(CORE + "?fieldSelector=involvedObject.kind=Pod,metadata.name=f")
                .json()
                .array("items")
                .size())
        .isEqualTo(1);
    assertThat(
            requests
                .get(NEWER + "?fieldSelector=regarding.name=other")
                .json()
                .array("items")
                .size())
        .isEqualTo(0);
  }

  @Test
  void anEventIsInTheNamespaceOfItsObject() {
    assertThat(
            requests
                .send(
                    "POST",
                    CORE,
                    "{'metadata':{'name':'e'},'involvedObject':{'kind':'Pod','namespace':'other'}}")
                .message())
        .endsWith(
            "involvedObject.namespace: Invalid value: \"other\": does not match event.namespace");
  }

  @Test
  void anEventIsGoneAnHourAfterItHappenedLast() {
    new EventExpiry(world.registry, EventExpiry.ONE_HOUR, world.time).start();
    old("once");
    old("again");
    world.time.advance(Duration.ofMinutes(30));
    requests.send("PATCH", CORE + "/again", "{'lastTimestamp':'2030-01-01T00:30:00Z','count':4}");
    world.time.advance(Duration.ofMinutes(29));
    assertThat(requests.get(CORE + "/once").status()).isEqualTo(200);
    world.time.advance(Duration.ofMinutes(1));
    assertThat(requests.get(CORE + "/once").status()).isEqualTo(404);
    assertThat(requests.get(CORE + "/again").status()).isEqualTo(200);
    world.time.advance(Duration.ofMinutes(30));
    assertThat(requests.get(CORE + "/again").status()).isEqualTo(404);
  }
}
