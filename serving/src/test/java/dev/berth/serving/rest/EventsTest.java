package dev.berth.serving.rest;

import static dev.berth.registry.fixture.TestCluster.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.admission.AdmissionPlugins;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.serving.fixture.Requests;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events are seen alike through both groups. */
class EventsTest {
  private static final String CORE = "/api/v1/namespaces/default/events";
  private static final String NEWER = "/apis/events.k8s.io/v1/namespaces/default/events";

  private final TestCluster cluster = new TestCluster(AdmissionPlugins.standard()::chain);
  private final Requests requests = new Requests(cluster);

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
    var selected = requests.get(CORE + "?fieldSelector=source=scheduler").json();
    assertThat(selected.array("items").size()).as("its source is who reports it").isEqualTo(1);
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

  /** What cannot be done is told by the name of the resource that was written to. */
  @Test
  void refusalsNameTheGroupThatIsWrittenTo() {
    old("e");
    String stale = "{'metadata':{'name':'e','resourceVersion':'1'}}";
    assertThat(requests.send("PATCH", NEWER + "/none", "{}").message())
        .isEqualTo("events.events.k8s.io \"none\" not found");
    assertThat(requests.send("PATCH", NEWER + "/e", stale).message())
        .startsWith("Operation cannot be fulfilled on events.events.k8s.io \"e\": the object has");
    assertThat(requests.send("PATCH", CORE + "/e", stale).message())
        .startsWith("Operation cannot be fulfilled on events \"e\": the object has");
    assertThat(requests.send("DELETE", NEWER + "/e", "{'preconditions':{'uid':'other'}}").message())
        .startsWith("Operation cannot be fulfilled on Event \"e\": the UID in the precondition");
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
}
