package dev.berth.registry.apply;

import static dev.berth.registry.patch.Trees.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.tree.JsonObject;
import dev.berth.registry.apply.ApplyResult.Conflicts;
import dev.berth.registry.patch.PatchException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerSideApplyTest {
  private AppliedCluster cluster = new AppliedCluster(TestStructures.DEPLOYMENT);

  @BeforeEach
  void start() {
    cluster = new AppliedCluster(TestStructures.DEPLOYMENT);
  }

  @Test
  void createsAnObject() {
    cluster.apply("a", "{'metadata':{'name':'d','labels':{'x':'1'}},'spec':{'replicas':3}}");
    cluster.assertObject("{'metadata':{'name':'d','labels':{'x':'1'}},'spec':{'replicas':3}}");
    assertThat(cluster.entry("a"))
        .isEqualTo(
            object(
                """
                {'manager':'a','operation':'Apply','apiVersion':'apps/v1','time':'2026-01-01T12:00:00Z',
                 'fieldsType':'FieldsV1',
                 'fieldsV1':{'f:metadata':{'f:labels':{'f:x':{}}},'f:spec':{'f:replicas':{}}}}
                """));
  }

  /** Each step is a letter for the manager, = for apply, ! for forced apply, or ~ for update. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a dropped field goes | a={'spec':{'replicas':3,'paused':true}} ; a={'spec':{'replicas':3}} | {'spec':{'replicas':3}}
          a dropped struct goes | a={'spec':{'strategy':{'type':'Recreate'},'replicas':1}} ; a={'spec':{'replicas':1}} | {'spec':{'replicas':1}}
          all that was applied goes | a={'spec':{'strategy':{'type':'Recreate'}}} ; a={} | {}
          a field that another applies stays | a={'spec':{'replicas':3}} ; b={'spec':{'replicas':3}} ; a={} | {'spec':{'replicas':3}}
          a field that another updated stays | a={'spec':{'strategy':{'type':'x'}}} ; c~{'spec':{'strategy':{'type':'x','rollingUpdate':{'maxSurge':1}}}} ; a={} | {'spec':{'strategy':{'rollingUpdate':{'maxSurge':1}}}}
          a field that another took stays | a={'spec':{'replicas':3}} ; c~{'spec':{'replicas':4}} ; a={} | {'spec':{'replicas':4}}
          an empty struct keeps the parts of others | a={'spec':{'strategy':{'type':'x'}}} ; c~{'spec':{'strategy':{'type':'x','rollingUpdate':{'maxSurge':1}}}} ; a={'spec':{'strategy':{}}} | {'spec':{'strategy':{'rollingUpdate':{'maxSurge':1}}}}
          a null struct keeps the parts of others | a={'spec':{'strategy':{'type':'x'}}} ; c~{'spec':{'strategy':{'type':'x','rollingUpdate':{'maxSurge':1}}}} ; a={'spec':{'strategy':null}} | {'spec':{'strategy':{'rollingUpdate':{'maxSurge':1}}}}
          a null removes an own scalar | a={'spec':{'replicas':3,'paused':true}} ; a={'spec':{'replicas':null,'paused':true}} | {'spec':{'paused':true}}
          nulls are not stored | a={'metadata':{'creationTimestamp':null},'spec':{'replicas':null,'paused':true}} | {'metadata':{},'spec':{'paused':true}}
          entries of maps are merged | a={'metadata':{'labels':{'x':'1'}}} ; b={'metadata':{'labels':{'y':'1'}}} | {'metadata':{'labels':{'x':'1','y':'1'}}}
          a dropped entry of a map goes | a={'metadata':{'labels':{'x':'1','y':'1'}}} ; a={'metadata':{'labels':{'y':'1'}}} | {'metadata':{'labels':{'y':'1'}}}
          elements are merged by key | a={'spec':{'template':{'spec':{'containers':[{'name':'x','image':'1'}]}}}} ; b={'spec':{'template':{'spec':{'containers':[{'name':'x','tty':true},{'name':'y'}]}}}} | {'spec':{'template':{'spec':{'containers':[{'name':'x','image':'1','tty':true},{'name':'y'}]}}}}
          a dropped element goes with all of it | a={'spec':{'template':{'spec':{'containers':[{'name':'x','image':'1'},{'name':'y'}]}}}} ; c~{'spec':{'template':{'spec':{'containers':[{'name':'x','image':'1'},{'name':'y'}],'hostname':'h'}}}} ; a={'spec':{'template':{'spec':{'containers':[{'name':'y'}]}}}} | {'spec':{'template':{'spec':{'containers':[{'name':'y'}],'hostname':'h'}}}}
          a shared element only loses the own part | a={'spec':{'template':{'spec':{'containers':[{'name':'x','image':'1'}]}}}} ; b={'spec':{'template':{'spec':{'containers':[{'name':'x','tty':true}]}}}} ; a={} | {'spec':{'template':{'spec':{'containers':[{'name':'x','tty':true}]}}}}
          ports without a protocol are of TCP | a={'spec':{'template':{'spec':{'containers':[{'name':'x','ports':[{'containerPort':80,'protocol':'TCP'}]}]}}}} ; b={'spec':{'template':{'spec':{'containers':[{'name':'x','ports':[{'containerPort':80,'name':'web'}]}]}}}} | {'spec':{'template':{'spec':{'containers':[{'name':'x','ports':[{'containerPort':80,'protocol':'TCP','name':'web'}]}]}}}}
          sets are united | a={'metadata':{'finalizers':['x']}} ; b={'metadata':{'finalizers':['y']}} | {'metadata':{'finalizers':['x','y']}}
          a dropped value of a set goes | a={'metadata':{'finalizers':['x','y']}} ; b={'metadata':{'finalizers':['y']}} ; a={} | {'metadata':{'finalizers':['y']}}
          atomic lists are replaced | a={'spec':{'template':{'spec':{'tolerations':[{'key':'x'}]}}}} ; a={'spec':{'template':{'spec':{'tolerations':[{'key':'y'}]}}}} | {'spec':{'template':{'spec':{'tolerations':[{'key':'y'}]}}}}
          atomic maps are replaced | a={'spec':{'selector':{'matchLabels':{'x':'1'}}}} ; a={'spec':{'selector':{'matchLabels':{'y':'1'}}}} | {'spec':{'selector':{'matchLabels':{'y':'1'}}}}
          force takes over | a={'spec':{'replicas':3}} ; b!{'spec':{'replicas':4}} ; a!{} | {'spec':{'replicas':4}}
          the order applied wins | a={'spec':{'template':{'spec':{'containers':[{'name':'x'},{'name':'y'}]}}}} ; a={'spec':{'template':{'spec':{'containers':[{'name':'y'},{'name':'x'}]}}}} | {'spec':{'template':{'spec':{'containers':[{'name':'y'},{'name':'x'}]}}}}
          others' elements stay where they were | a={'spec':{'template':{'spec':{'containers':[{'name':'x'},{'name':'z'}]}}}} ; c~{'spec':{'template':{'spec':{'containers':[{'name':'x'},{'name':'side'},{'name':'z'}]}}}} ; a={'spec':{'template':{'spec':{'containers':[{'name':'x'},{'name':'z'},{'name':'new'}]}}}} | {'spec':{'template':{'spec':{'containers':[{'name':'x'},{'name':'side'},{'name':'z'},{'name':'new'}]}}}}
          """)
  void followsTheRules(String name, String steps, String expected) {
    for (String step : steps.split(" ; ", -1)) {
      String manager = step.substring(0, 1);
      String body = step.substring(2);
      switch (step.charAt(1)) {
        case '=' -> cluster.apply(manager, body);
        case '!' -> cluster.forceApply(manager, body);
        default -> cluster.update(manager, body);
      }
    }
    cluster.assertObject(expected);
  }

  @Test
  void conflictsWithWhomeverOwnsAChangedField() {
    cluster.update("kubectl-client-side-apply", "{'spec':{'replicas':3}}");
    assertThat(cluster.conflicts("a", "{'spec':{'replicas':4}}").message())
        .isEqualTo(
            "Apply failed with 1 conflict: conflict with \"kubectl-client-side-apply\" using"
                + " apps/v1: .spec.replicas");
  }

  @Test
  void listsConflictsByManager() {
    cluster.update("up", "{'spec':{'replicas':3,'minReadySeconds':1}}");
    cluster.apply(
        "ap",
        "{'spec':{'template':{'spec':{'containers':[{'name':'x','image':'1'}]}}},'metadata':{'finalizers':['f']}}");
    Conflicts conflicts =
        cluster.conflicts(
            "b",
            "{'spec':{'replicas':4,'minReadySeconds':2,'template':{'spec':{'containers':[{'name':'x','image':'2'}]}}}}");
    assertThat(conflicts.message())
        .isEqualTo(
            """
            Apply failed with 3 conflicts: conflicts with "ap":
            - .spec.template.spec.containers[name="x"].image
            conflicts with "up" using apps/v1:
            - .spec.minReadySeconds
            - .spec.replicas\
            """);
    assertThat(conflicts.conflicts().getFirst().message()).isEqualTo("conflict with \"ap\"");
  }

  @Test
  void equalValuesAreSharedWithoutConflict() {
    cluster.update("up", "{'spec':{'replicas':3}}");
    cluster.apply("a", "{'spec':{'replicas':3}}");
    assertThat(cluster.fields("a")).isEqualTo(object("{'f:spec':{'f:replicas':{}}}"));
    assertThat(cluster.fields("up")).isEqualTo(object("{'f:spec':{'f:replicas':{}}}"));
    assertThat(cluster.conflicts("a", "{'spec':{'replicas':4}}").conflicts()).hasSize(1);
  }

  @Test
  void forceTakesFieldsFromOthers() {
    cluster.update("up", "{'spec':{'replicas':3,'paused':true}}");
    cluster.forceApply("a", "{'spec':{'replicas':4}}");
    assertThat(cluster.fields("up")).isEqualTo(object("{'f:spec':{'f:paused':{}}}"));
    cluster.update("up", "{'spec':{'replicas':5,'paused':true}}");
    assertThat(cluster.managers()).containsExactly("up");
  }

  @Test
  void anApplierOwnsWhatItAppliesNow() {
    cluster.apply("a", "{'spec':{'replicas':3,'paused':true}}");
    cluster.apply("a", "{'spec':{'paused':true}}");
    assertThat(cluster.fields("a")).isEqualTo(object("{'f:spec':{'f:paused':{}}}"));
    cluster.apply("a", "{}");
    assertThat(cluster.managers()).isEmpty();
  }

  @Test
  void applyingAgainChangesNothingNotEvenTheTime() {
    String configuration =
        "{'metadata':{'name':'d','labels':{'x':'1'}},'spec':{'replicas':3,'template':{'spec':{'containers':[{'name':'x','ports':[{'containerPort':80}]}],'tolerations':[{'key':'k'}]}}}}";
    cluster.apply("a", configuration);
    JsonObject before = cluster.live();
    cluster.advance(60);
    cluster.apply("a", configuration);
    assertThat(cluster.live()).isSameAs(before);
    cluster.apply("b", "{'spec':{'replicas':3}}");
    assertThat(cluster.entry("b").text("time")).isEqualTo("2026-01-01T12:01:00Z");
    assertThat(cluster.entry("a").text("time")).isEqualTo("2026-01-01T12:00:00Z");
  }

  @Test
  void anUntrackedObjectIsTheWorkOfSomeoneBefore() {
    cluster.store(
        object("{'metadata':{'name':'d','uid':'u'},'spec':{'replicas':3,'paused':true}}"));
    assertThat(cluster.conflicts("a", "{'spec':{'replicas':4}}").message())
        .isEqualTo(
            "Apply failed with 1 conflict: conflict with \"before-first-apply\" using apps/v1:"
                + " .spec.replicas");
    cluster.apply("a", "{'spec':{'replicas':3}}");
    assertThat(cluster.managers()).containsExactly("a", "before-first-apply");
    assertThat(cluster.fields("before-first-apply"))
        .isEqualTo(object("{'f:spec':{'f:paused':{},'f:replicas':{}}}"));
  }

  @Test
  void kubectlMayChangeWhatItAppliedFromTheClientSide() {
    String lastApplied =
        "{\\\"apiVersion\\\":\\\"apps/v1\\\",\\\"spec\\\":{\\\"replicas\\\":3,\\\"paused\\\":true}}";
    String annotation = "kubectl.kubernetes.io/last-applied-configuration";
    cluster.update(
        "kubectl-client-side-apply",
        "{'metadata':{'annotations':{'"
            + annotation
            + "':'"
            + lastApplied
            + "'}},'spec':{'replicas':3,'paused':true}}");
    cluster.update(
        "scaler",
        "{'metadata':{'annotations':{'"
            + annotation
            + "':'"
            + lastApplied
            + "'}},'spec':{'replicas':5,'paused':true}}");
    assertThat(cluster.conflicts("kubectl", "{'spec':{'replicas':4,'paused':false}}").message())
        .isEqualTo(
            "Apply failed with 1 conflict: conflict with \"scaler\" using apps/v1: .spec.replicas");
    assertThat(cluster.conflicts("other", "{'spec':{'paused':false}}").conflicts()).hasSize(1);
    cluster.apply("kubectl", "{'spec':{'paused':false}}");
    assertThat(cluster.live().object("spec")).isEqualTo(object("{'replicas':5,'paused':false}"));
    assertThat(cluster.live().object("metadata").object("annotations").text(annotation))
        .isEqualTo(
            "{\"spec\":{\"paused\":false},\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\"}\n");
  }

  @Test
  void ignoredFieldsAreNotOwned() {
    cluster.apply("a", "{'spec':{'replicas':3},'status':{'replicas':3}}");
    assertThat(cluster.fields("a")).isEqualTo(object("{'f:spec':{'f:replicas':{}}}"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          managed fields | {'metadata':{'managedFields':[]}} | metadata.managedFields must be nil
          another version | {'apiVersion':'apps/v2'} | Incorrect version specified in apply patch. Specified patch version: apps/v2, expected: apps/v1
          unknown field | {'metadata':{'name':'d','namespace':'n'},'spec':{'foo':1}} | failed to create typed patch object (n/d; apps/v1, Kind=Deployment): .spec.foo: field not declared in schema
          an element without a key | {'spec':{'template':{'spec':{'volumes':[1]}}}} | failed to create typed patch object (/; apps/v1, Kind=Deployment): .spec.template.spec.volumes: element 0: associative list with keys may not have non-map elements
          an element twice | {'spec':{'template':{'spec':{'volumes':[{'name':'v'},{'name':'v'}]}}}} | failed to create typed patch object (/; apps/v1, Kind=Deployment): .spec.template.spec.volumes: duplicate entries for key [name="v"]
          an unknown field in an atomic list | {'spec':{'template':{'spec':{'tolerations':[{'key':'a'},{'foo':1}]}}}} | failed to create typed patch object (/; apps/v1, Kind=Deployment): .spec.template.spec.tolerations[1].foo: field not declared in schema
          an atomic struct that is none | {'spec':{'selector':[1]}} | failed to create typed patch object (/; apps/v1, Kind=Deployment): .spec.selector: expected map, got [1]
          an atomic list that is none | {'spec':{'template':{'spec':{'tolerations':{}}}}} | failed to create typed patch object (/; apps/v1, Kind=Deployment): .spec.template.spec.tolerations: expected list, got {}
          no struct and no list | {'metadata':'x','spec':{'template':{'spec':{'containers':'y'}}}} | `failed to create typed patch object (/; apps/v1, Kind=Deployment): errors:\n  .metadata: expected map, got x\n  .spec.template.spec.containers: expected list, got y`
          """)
  void refuses(String name, String configuration, String message) {
    assertThatThrownBy(() -> cluster.apply("a", configuration))
        .as(name)
        .isInstanceOfSatisfying(
            PatchException.class,
            e -> assertThat(e.kind()).isEqualTo(PatchException.Kind.BAD_REQUEST))
        .hasMessage(message.replace("\\n", "\n"));
  }

  /** Although an atomic list is owned as a whole, as in Kubernetes. */
  @Test
  void refusesAValueThatIsTwiceInASetWithinAnAtomicList() {
    cluster = new AppliedCluster(TestStructures.ENDPOINT_SLICE);
    assertThatThrownBy(
            () -> cluster.apply("a", "{'endpoints':[{'addresses':['1.1.1.1','1.1.1.1']}]}"))
        .hasMessageEndingWith(
            ": .endpoints[0].addresses: duplicate entries for key [=\"1.1.1.1\"]");
  }

  /** Their schemas say which may be null. */
  @Test
  void objectsOfDefinedKindsKeepNulls() {
    cluster = new AppliedCluster(TestStructures.CUSTOM);
    cluster.apply("a", "{'spec':{'x':null,'y':1}}");
    cluster.assertObject("{'spec':{'x':null,'y':1}}");
    assertThat(cluster.fields("a")).isEqualTo(object("{'f:spec':{'.':{},'f:x':{},'f:y':{}}}"));
  }

  @Test
  void mergesKindsWithoutSchemaFieldByField() {
    cluster = new AppliedCluster(TestStructures.CUSTOM);
    cluster.apply("a", "{'spec':{'x':{'a':1},'list':[1]}}");
    cluster.apply("b", "{'spec':{'x':{'b':1}}}");
    cluster.assertObject("{'spec':{'x':{'a':1,'b':1},'list':[1]}}");
    assertThat(cluster.conflicts("b", "{'spec':{'list':[2]}}").message())
        .isEqualTo("Apply failed with 1 conflict: conflict with \"a\": .spec.list");
    cluster.apply("a", "{}");
    cluster.assertObject("{'spec':{'x':{'b':1}}}");
  }
}
