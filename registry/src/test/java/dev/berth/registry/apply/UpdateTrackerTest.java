package dev.berth.registry.apply;

import static dev.berth.registry.patch.Trees.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UpdateTrackerTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final FieldManager KUBECTL = new FieldManager("kubectl-create", "v1", "");
  private static final FieldManager OTHER = new FieldManager("other", "v1", "");

  private final UpdateTracker tracker =
      new UpdateTracker(TestStructures.POD, FieldSet.of("status"), TestStructures.ZERO);

  private JsonObject create(String pod) {
    JsonObject created = tracker.track(JsonObject.EMPTY, object(pod), KUBECTL, NOON);
    return with(created, "uid", "u");
  }

  private static JsonObject with(JsonObject object, String field, Object value) {
    return object.with("metadata", object.object("metadata").with(field, value));
  }

  private static JsonArray entries(JsonObject object) {
    return object.object("metadata").array("managedFields");
  }

  private static List<String> managers(JsonObject object) {
    return entries(object).objects().stream().map(entry -> entry.text("manager", "")).toList();
  }

  private static JsonObject fields(JsonObject object, String manager) {
    return entries(object).objects().stream()
        .filter(entry -> entry.text("manager", "").equals(manager))
        .findFirst()
        .orElseThrow()
        .object("fieldsV1");
  }

  /** Upstream gives up tracking what it cannot read as its lists' keys say. */
  @Test
  void anElementWithoutTheKeysOfItsListCostsAnObjectItsEntries() {
    UpdateTracker accounts =
        new UpdateTracker(TestStructures.SERVICE_ACCOUNT, FieldSet.EMPTY, JsonObject.EMPTY);
    JsonObject nameless = object("{'metadata':{'uid':'u'},'secrets':[{}]}");
    JsonObject named = object("{'metadata':{'uid':'u'},'secrets':[{'name':'s'}]}");

    for (String when : List.of("seen first", "known by now")) {
      JsonObject created = accounts.track(JsonObject.EMPTY, nameless, KUBECTL, NOON);
      assertThat(entries(created).isEmpty()).as(when).isTrue();
    }
    JsonObject live = accounts.track(JsonObject.EMPTY, named, KUBECTL, NOON);
    assertThat(managers(live)).containsExactly(KUBECTL.name());
    JsonObject updated = accounts.track(live, nameless, OTHER, NOON);
    assertThat(updated.object("metadata").has("managedFields")).isFalse();
  }

  @Test
  void whoCreatesAnObjectOwnsAllThatItSets() {
    JsonObject pod =
        create(
            "{'metadata':{'name':'p','labels':{'app':'x'}},'spec':{'containers':[{'name':'c','image':'i','resources':{}}],'restartPolicy':'Always'},'status':{'phase':'Pending'}}");
    assertThat(entries(pod).get(0))
        .isEqualTo(
            object(
                """
                {'manager':'kubectl-create','operation':'Update','apiVersion':'v1',
                 'time':'2026-01-01T12:00:00Z','fieldsType':'FieldsV1','fieldsV1':{
                  'f:metadata':{'f:labels':{'.':{},'f:app':{}}},
                  'f:spec':{'f:containers':{'k:{\\"name\\":\\"c\\"}':{'.':{},'f:image':{},'f:name':{},'f:resources':{}}},
                            'f:restartPolicy':{}}}}
                """));
  }

  @Test
  void whoChangesAFieldTakesIt() {
    JsonObject live = create("{'metadata':{'labels':{'a':'1','b':'1'}},'spec':{'nodeName':'n'}}");
    JsonObject updated =
        tracker.track(
            live, live.with("spec", object("{'nodeName':'m'}")), OTHER, NOON.plusSeconds(5));
    assertThat(fields(updated, "other")).isEqualTo(object("{'f:spec':{'f:nodeName':{}}}"));
    assertThat(fields(updated, "kubectl-create"))
        .isEqualTo(object("{'f:metadata':{'f:labels':{'.':{},'f:a':{},'f:b':{}}}}"));
    assertThat(managers(updated)).containsExactly("kubectl-create", "other");
    assertThat(entries(updated).objects().get(1).text("time")).isEqualTo("2026-01-01T12:00:05Z");
  }

  @Test
  void aRemovedFieldIsNobodysAndLeavesTimesAlone() {
    JsonObject live = create("{'metadata':{'labels':{'a':'1','b':'1'}},'spec':{'nodeName':'n'}}");
    JsonObject updated =
        tracker.track(live, live.with("spec", JsonObject.EMPTY), OTHER, NOON.plusSeconds(5));
    assertThat(managers(updated)).containsExactly("kubectl-create");
    assertThat(fields(updated, "kubectl-create").names()).containsExactly("f:metadata");
    assertThat(entries(updated).objects().get(0).text("time")).isEqualTo("2026-01-01T12:00:00Z");
  }

  @Test
  void aManagerWithoutFieldsIsForgotten() {
    JsonObject live = create("{'spec':{'nodeName':'n'}}");
    JsonObject updated =
        tracker.track(live, live.with("spec", object("{'nodeName':'m'}")), OTHER, NOON);
    assertThat(managers(updated)).containsExactly("other");
  }

  @Test
  void aWriteThatChangesNothingIsTheSameTree() {
    JsonObject live = create("{'metadata':{'labels':{'a':'1'}},'spec':{'nodeName':'n'}}");
    assertThat(tracker.track(live, live, OTHER, NOON.plusSeconds(9))).isSameAs(live);
    JsonObject read = object(live.toString());
    JsonObject again = tracker.track(live, read, OTHER, NOON.plusSeconds(9));
    assertThat(again).isEqualTo(live);
  }

  @Test
  void aRepeatedChangeOnlyMovesTheTime() {
    JsonObject live = create("{'spec':{'nodeName':'n'}}");
    JsonObject changed = live.with("spec", object("{'nodeName':'m'}"));
    JsonObject updated = tracker.track(live, changed, KUBECTL, NOON.plusMillis(999));
    assertThat(entries(updated)).isSameAs(entries(live));
    JsonObject later = tracker.track(live, changed, KUBECTL, NOON.plusSeconds(1));
    assertThat(fields(later, "kubectl-create")).isSameAs(fields(live, "kubectl-create"));
    assertThat(entries(later)).isNotEqualTo(entries(live));
  }

  @Test
  void ignoredFieldsAreNotTracked() {
    JsonObject live = create("{'spec':{'nodeName':'n'},'status':{'phase':'Pending'}}");
    JsonObject updated =
        tracker.track(live, live.with("status", object("{'phase':'Running'}")), OTHER, NOON);
    assertThat(managers(updated)).containsExactly("kubectl-create");
  }

  @Test
  void aSubresourceHasItsOwnEntry() {
    UpdateTracker status =
        new UpdateTracker(TestStructures.POD, FieldSet.of("spec"), TestStructures.ZERO);
    JsonObject live = create("{'spec':{'nodeName':'n'},'status':{}}");
    FieldManager kubelet = new FieldManager("kubelet", "v1", "status");
    JsonObject sent =
        with(live.with("status", object("{'phase':'Running'}")), "managedFields", JsonArray.EMPTY);
    JsonObject updated = status.track(live, sent, kubelet, NOON);
    assertThat(managers(updated)).containsExactly("kubectl-create", "kubelet");
    assertThat(entries(updated).objects().get(1).text("subresource")).isEqualTo("status");
    assertThat(fields(updated, "kubelet")).isEqualTo(object("{'f:status':{'f:phase':{}}}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "[{}]"})
  void emptyEntriesResetAllAndStopTracking(String reset) {
    JsonObject live = create("{'spec':{'nodeName':'n'}}");
    JsonObject sent =
        with(
            live.with("spec", object("{'nodeName':'m'}")),
            "managedFields",
            object("{'x':" + reset + "}").array("x"));
    JsonObject updated = tracker.track(live, sent, OTHER, NOON);
    assertThat(updated.object("metadata").has("managedFields")).isFalse();
    JsonObject next =
        tracker.track(updated, updated.with("spec", object("{'nodeName':'o'}")), OTHER, NOON);
    assertThat(next.object("metadata").has("managedFields")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "'x'",
        "[1]",
        "[{'manager':'x'}]",
        "[{'manager':'x','operation':'Update','fieldsType':'FieldsV1','fieldsV1':{}}]",
        "[{'manager':'x','operation':'Update','apiVersion':'v1','fieldsV1':{}}]",
        "[{'manager':'x','operation':'Update','apiVersion':'v1','fieldsType':'FieldsV2'}]",
        "[{'manager':'x','operation':'Update','apiVersion':'v1','fieldsType':'FieldsV1','time':'now'}]",
        "[{'manager':'x','operation':'Update','apiVersion':'v1','fieldsType':'FieldsV1','fieldsV1':{'f:a':1}}]"
      })
  void damagedEntriesMeanTheLiveOnes(String damaged) {
    JsonObject live = create("{'spec':{'nodeName':'n'}}");
    Object sent = object("{'x':" + damaged + "}").get("x");
    JsonObject updated =
        tracker.track(live, with(live, "managedFields", sent == null ? "" : sent), OTHER, NOON);
    assertThat(entries(updated)).isEqualTo(entries(live));
  }

  @Test
  void absentEntriesMeanTheLiveOnes() {
    JsonObject live = create("{'metadata':{'name':'p'},'spec':{'nodeName':'n'}}");
    JsonObject sent = live.with("metadata", object("{'name':'p','uid':'u'}"));
    assertThat(entries(tracker.track(live, sent, OTHER, NOON))).isSameAs(entries(live));
  }

  @Test
  void clientsMayCorrectEntries() {
    JsonObject live = create("{'metadata':{'labels':{'a':'1'}},'spec':{'nodeName':'n'}}");
    JsonArray corrected =
        JsonArray.of(
            object(
                "{'manager':'mine','operation':'Apply','apiVersion':'v1','fieldsType':'FieldsV1','time':'2026-01-01T13:00:00+01:00','fieldsV1':{'f:spec':{'f:nodeName':{}}}}"));
    JsonObject updated = tracker.track(live, with(live, "managedFields", corrected), OTHER, NOON);
    assertThat(managers(updated)).containsExactly("mine");
    assertThat(entries(updated).objects().get(0).text("time")).isEqualTo("2026-01-01T12:00:00Z");
  }

  @Test
  void keepsTenUpdatersAndMergesTheOldest() {
    JsonObject live = create("{'metadata':{'labels':{'l0':'x'}}}");
    for (int i = 1; i < 13; i++) {
      JsonObject labels = live.object("metadata").object("labels").with("l" + i, "x");
      live =
          tracker.track(
              live,
              with(live, "labels", labels),
              new FieldManager("m" + i, "v1", ""),
              NOON.plus(Duration.ofMinutes(i)));
    }
    assertThat(managers(live))
        .containsExactly(
            "ancient-changes", "m4", "m5", "m6", "m7", "m8", "m9", "m10", "m11", "m12");
    assertThat(fields(live, "ancient-changes"))
        .isEqualTo(
            object("{'f:metadata':{'f:labels':{'.':{},'f:l0':{},'f:l1':{},'f:l2':{},'f:l3':{}}}}"));
    assertThat(entries(live).objects().get(0).text("time")).isEqualTo("2026-01-01T12:03:00Z");
  }
}
