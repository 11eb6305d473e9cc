package dev.berth.registry.patch;

import static dev.berth.registry.patch.Trees.object;
import static dev.berth.registry.patch.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.schema.Schemas;
import dev.berth.model.schema.TypeSchema;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cases are fields of a pod's spec, unless they name metadata. */
class StrategicMergePatchTest {
  private static final TypeSchema POD =
      Schemas.builtIn().type("io.k8s.api.core.v1.Pod").orElseThrow();

  private static JsonObject patch(String live, String patch) {
    return new StrategicMergePatch(Schemas.builtIn()).apply(POD, whole(live), whole(patch));
  }

  private static JsonObject whole(String part) {
    JsonObject fields = object(part);
    return fields.has("metadata") ? fields : JsonObject.of("spec", fields);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          set a scalar | {'nodeName':'a'} | {'nodeName':'b'} | {'nodeName':'b'}
          null deletes | {'nodeName':'a','hostname':'x'} | {'nodeName':null} | {'hostname':'x'}
          null of an absent field is dropped | {'hostname':'x'} | {'nodeName':null,'dnsConfig':{'options':null}} | {'hostname':'x','dnsConfig':{}}
          merge a struct | {'securityContext':{'runAsUser':1}} | {'securityContext':{'runAsGroup':2}} | {'securityContext':{'runAsUser':1,'runAsGroup':2}}
          merge a map | {'nodeSelector':{'a':'1','b':'2'}} | {'nodeSelector':{'b':null,'c':'3'}} | {'nodeSelector':{'a':'1','c':'3'}}
          replace a struct | {'securityContext':{'runAsUser':1}} | {'securityContext':{'$patch':'replace','runAsGroup':2,'fsGroup':null}} | {'securityContext':{'runAsGroup':2}}
          delete a struct | {'securityContext':{'runAsUser':1}} | {'securityContext':{'$patch':'delete'}} | {'securityContext':{}}
          a directive without a target leaves nothing | {} | {'securityContext':{'$patch':'delete'}} | {}
          a list without strategy is replaced | {'readinessGates':[{'conditionType':'a'}]} | {'readinessGates':[{'conditionType':'b'}]} | {'readinessGates':[{'conditionType':'b'}]}
          a new list loses directives and nulls | {} | {'containers':[{'name':'a','image':null},{'name':'b','$patch':'delete'}]} | {'containers':[{'name':'a'}]}
          merge an element | {'containers':[{'name':'a','image':'1'},{'name':'b','image':'1'}]} | {'containers':[{'name':'b','image':'2'}]} | {'containers':[{'name':'a','image':'1'},{'name':'b','image':'2'}]}
          add an element | {'containers':[{'name':'a'}]} | {'containers':[{'name':'b','image':'2','env':null}]} | {'containers':[{'name':'b','image':'2'},{'name':'a'}]}
          delete an element | {'containers':[{'name':'a'},{'name':'b'}]} | {'containers':[{'name':'a','$patch':'delete'}]} | {'containers':[{'name':'b'}]}
          delete an absent element | {'containers':[{'name':'a'}]} | {'containers':[{'name':'x','$patch':'delete'}]} | {'containers':[{'name':'a'}]}
          replace a list | {'containers':[{'name':'a'},{'name':'b'}]} | {'containers':[{'name':'c'},{'$patch':'replace'}]} | {'containers':[{'name':'c'}]}
          empty a list | {'containers':[{'name':'a'}]} | {'containers':[{'$patch':'replace'}]} | {'containers':[]}
          an empty patch list changes nothing | {'containers':[{'name':'a'}]} | {'containers':[]} | {'containers':[{'name':'a'}]}
          merge a list in an element | {'containers':[{'name':'a','env':[{'name':'X','value':'1'},{'name':'Y','value':'1'}]}]} | {'containers':[{'name':'a','env':[{'name':'Y','value':'2'}]}]} | {'containers':[{'name':'a','env':[{'name':'X','value':'1'},{'name':'Y','value':'2'}]}]}
          merge by a numeric key | {'containers':[{'name':'a','ports':[{'containerPort':80,'name':'web'}]}]} | {'containers':[{'name':'a','ports':[{'containerPort':80,'protocol':'TCP'},{'containerPort':81}]}]} | {'containers':[{'name':'a','ports':[{'containerPort':80,'name':'web','protocol':'TCP'},{'containerPort':81}]}]}
          replace an element by directive | {'containers':[{'name':'a','image':'1'},{'name':'b'}]} | {'containers':[{'name':'a','command':['x']},{'name':'b','$patch':'delete'}]} | {'containers':[{'name':'a','image':'1','command':['x']}]}
          a scalar list without strategy is replaced | {'containers':[{'name':'a','args':['x','y']}]} | {'containers':[{'name':'a','args':['z']}]} | {'containers':[{'name':'a','args':['z']}]}
          tolerations are replaced | {'tolerations':[{'key':'a'}]} | {'tolerations':[{'key':'b'}]} | {'tolerations':[{'key':'b'}]}
          merge scalars | {'metadata':{'finalizers':['a','b']}} | {'metadata':{'finalizers':['b','c']}} | {'metadata':{'finalizers':['a','b','c']}}
          delete scalars | {'metadata':{'finalizers':['a','b','c']}} | {'metadata':{'$deleteFromPrimitiveList/finalizers':['b','x']}} | {'metadata':{'finalizers':['a','c']}}
          delete scalars of nothing | {'metadata':{'name':'x'}} | {'metadata':{'$deleteFromPrimitiveList/finalizers':['b']}} | {'metadata':{'name':'x'}}
          delete scalars of any list | {'containers':[{'name':'a','args':['x','y']}]} | {'containers':[{'name':'a','$deleteFromPrimitiveList/args':['x']}]} | {'containers':[{'name':'a','args':['y']}]}
          order scalars | {'metadata':{'finalizers':['a','b','c']}} | {'metadata':{'$setElementOrder/finalizers':['c','a']}} | {'metadata':{'finalizers':['b','c','a']}}
          order, delete and add scalars | {'metadata':{'finalizers':['a','b','c']}} | {'metadata':{'$setElementOrder/finalizers':['d','c','a'],'$deleteFromPrimitiveList/finalizers':['b'],'finalizers':['d']}} | {'metadata':{'finalizers':['d','c','a']}}
          order elements | {'containers':[{'name':'a'},{'name':'b'},{'name':'c'}]} | {'$setElementOrder/containers':[{'name':'c'},{'name':'b'},{'name':'a'}]} | {'containers':[{'name':'c'},{'name':'b'},{'name':'a'}]}
          order and add an element | {'containers':[{'name':'a'},{'name':'b'}]} | {'$setElementOrder/containers':[{'name':'a'},{'name':'x'},{'name':'b'}],'containers':[{'name':'x','image':'1'}]} | {'containers':[{'name':'a'},{'name':'x','image':'1'},{'name':'b'}]}
          keep what only the server has in its place | {'containers':[{'name':'a'},{'name':'side'},{'name':'b'}]} | {'$setElementOrder/containers':[{'name':'b'},{'name':'a'}],'containers':[{'name':'b','image':'1'}]} | {'containers':[{'name':'side'},{'name':'b','image':'1'},{'name':'a'}]}
          order a new list | {} | {'$setElementOrder/containers':[{'name':'b'},{'name':'a'}],'containers':[{'name':'b'},{'name':'a'}]} | {'containers':[{'name':'b'},{'name':'a'}]}
          order nothing | {'nodeName':'a'} | {'$setElementOrder/containers':[{'name':'b'}]} | {'nodeName':'a'}
          retain keys | {'volumes':[{'name':'v','emptyDir':{}}]} | {'volumes':[{'name':'v','$retainKeys':['name','hostPath'],'hostPath':{'path':'/x'}}]} | {'volumes':[{'name':'v','hostPath':{'path':'/x'}}]}
          retain keys lets nulls pass | {'securityContext':{'runAsUser':1,'fsGroup':2}} | {'securityContext':{'$retainKeys':['fsGroup'],'runAsUser':null}} | {'securityContext':{'fsGroup':2}}
          merge unknown fields | {'other':{'a':1,'l':[1]}} | {'other':{'b':{'c':null,'d':2},'l':[2]}} | {'other':{'a':1,'l':[2],'b':{'d':2}}}
          another kind of value replaces | {'nodeSelector':{'a':'1'}} | {'nodeSelector':'x'} | {'nodeSelector':'x'}
          a null in the live object | {'containers':null} | {'containers':[{'name':'a'}]} | {'containers':[{'name':'a'}]}
          """)
  void merges(String name, String live, String patch, String expected) {
    assertThat(patch(live, patch)).as(name).isEqualTo(whole(expected));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          no merge key | {'containers':[{'name':'a'}]} | {'containers':[{'image':'x'}]} | FAILED | map: map[image:x] does not contain declared merge key: name
          no merge key to delete | {'containers':[{'name':'a'}]} | {'containers':[{'$patch':'delete'}]} | FAILED | map: map[$patch:delete] does not contain declared merge key: name
          unknown directive | {'securityContext':{}} | {'securityContext':{'$patch':'frob'}} | FAILED | unknown patch type: frob in map: map[$patch:frob]
          unknown directive in a list | {'containers':[{'name':'a'}]} | {'containers':[{'name':'a','$patch':'frob'}]} | FAILED | unknown patch type: frob in map: map[$patch:frob name:a]
          merge as a directive | {'containers':[{'name':'a'}]} | {'containers':[{'name':'a','$patch':'merge'}]} | FAILED | merging lists cannot yet be specified in the patch
          lists of lists | {'containers':[[1]]} | {'containers':[{'name':'a'}]} | UNPROCESSABLE | lists of lists are not supported
          a list among objects | {'containers':[{'name':'a'}]} | {'containers':[[1]]} | FAILED | list element types are not identical: [[map[name:a]] [[1]]]
          mixed elements | {'containers':[{'name':'a'}]} | {'containers':['x']} | FAILED | list element types are not identical: [[map[name:a]] [x]]
          retainKeys that are no list | {'securityContext':{}} | {'securityContext':{'$retainKeys':'x'}} | BAD_REQUEST | invalid patch format of retainKeys
          a field beside retainKeys | {'securityContext':{}} | {'securityContext':{'$retainKeys':['a'],'fsGroup':1}} | BAD_REQUEST | invalid patch format of retainKeys
          a list without a field | {} | {'$deleteFromPrimitiveList':['x']} | BAD_REQUEST | invalid patch format of primitive list
          an order without a field | {} | {'$setElementOrder':[]} | BAD_REQUEST | invalid patch format of setElementOrder list
          an order that is none | {} | {'$setElementOrder/containers':'x'} | FAILED | expected a []interface {}, but received a string
          an order that misses an element | {'containers':[{'name':'a'}]} | {'$setElementOrder/containers':[{'name':'a'}],'containers':[{'name':'b'}]} | FAILED | `the order in patch list:\n[map[name:b]]\n doesn't match $setElementOrder list:\n[map[name:a]]`
          """)
  void refuses(String name, String live, String patch, PatchException.Kind kind, String message) {
    assertThatThrownBy(() -> patch(live, patch))
        .as(name)
        .isInstanceOfSatisfying(PatchException.class, e -> assertThat(e.kind()).isEqualTo(kind))
        .hasMessage(message.replace("\\n", "\n"));
  }

  @Test
  void refusesAPatchThatIsNoObject() {
    assertThatThrownBy(() ->
            new StrategicMergePatch(Schemas.builtIn()).apply(POD, JsonObject.EMPTY, tree("'x'")))
        .hasMessage("error decoding patch: expected an object, found a string");
  }

  @Test
  void sharesWhatItDoesNotChange() {
    String live = "{'containers':[{'name':'a','image':'x'}],'nodeSelector':{'a':'b'}}";
    JsonObject pod = whole(live);
    JsonObject same =
        new StrategicMergePatch(Schemas.builtIn())
            .apply(POD, pod, whole("{'containers':[{'name':'a','image':'x'}],'nodeName':null}"));
    assertThat(same).isSameAs(pod);
  }

  /** Both would take minutes if elements were looked for one by one. */
  @Test
  void mergesLongListsAndLargeMaps() {
    List<Object> ports = new ArrayList<>();
    JsonObject.Builder selector = new JsonObject.Builder();
    for (long i = 0; i < 20_000; i++) {
      ports.add(object("{'containerPort':" + i + "}"));
      selector.put("key" + i, "value");
    }
    JsonObject container = object("{'name':'a'}").with("ports", JsonArray.copyOf(ports));
    JsonObject spec =
        JsonObject.of("containers", JsonArray.of(container)).with("nodeSelector", selector.build());
    JsonObject pod = JsonObject.of("spec", spec);
    assertThat(new StrategicMergePatch(Schemas.builtIn()).apply(POD, pod, pod)).isSameAs(pod);
  }
}
