package dev.berth.registry.apply;

import static dev.berth.registry.patch.Trees.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          nothing | {'spec':{'nodeName':'a'}} | {'spec':{'nodeName':'a'}} | {} | {}
          in another order | {'spec':{'nodeName':'a','hostname':'h'}} | {'spec':{'hostname':'h','nodeName':'a'}} | {} | {}
          a scalar | {'spec':{'nodeName':'a'}} | {'spec':{'nodeName':'b'}} | {'f:spec':{'f:nodeName':{}}} | {}
          numbers by value | {'spec':{'priority':1}} | {'spec':{'priority':1.0}} | {} | {}
          numbers that differ | {'spec':{'priority':1}} | {'spec':{'priority':1.5}} | {'f:spec':{'f:priority':{}}} | {}
          an added struct with all below | {'spec':{}} | {'spec':{'securityContext':{'runAsUser':1}}} | {'f:spec':{'f:securityContext':{'.':{},'f:runAsUser':{}}}} | {}
          a removed struct with all below | {'spec':{'securityContext':{'runAsUser':1}}} | {'spec':{}} | {} | {'f:spec':{'f:securityContext':{'.':{},'f:runAsUser':{}}}}
          a list that was null | {'spec':{'containers':null}} | {'spec':{'nodeName':'a','containers':[{'name':'c'}]}} | {'f:spec':{'f:containers':{'k:{#name#:#c#}':{'.':{},'f:name':{}}},'f:nodeName':{}}} | {}
          an added element | {'spec':{'containers':[{'name':'a'}]}} | {'spec':{'containers':[{'name':'b'},{'name':'a'}]}} | {'f:spec':{'f:containers':{'k:{#name#:#b#}':{'.':{},'f:name':{}}}}} | {}
          a removed element | {'spec':{'containers':[{'name':'a'},{'name':'b'}]}} | {'spec':{'containers':[{'name':'b'}]}} | {} | {'f:spec':{'f:containers':{'k:{#name#:#a#}':{'.':{},'f:name':{}}}}}
          a field of an element | {'spec':{'containers':[{'name':'a','image':'1'}]}} | {'spec':{'containers':[{'name':'a','image':'2'}]}} | {'f:spec':{'f:containers':{'k:{#name#:#a#}':{'f:image':{}}}}} | {}
          elements in another order | {'spec':{'containers':[{'name':'a'},{'name':'b'}]}} | {'spec':{'containers':[{'name':'b'},{'name':'a'}]}} | {} | {}
          a key that has a default | {'spec':{'containers':[{'name':'a','ports':[{'containerPort':1}]}]}} | {'spec':{'containers':[{'name':'a','ports':[{'containerPort':1,'protocol':'TCP'}]}]}} | {'f:spec':{'f:containers':{'k:{#name#:#a#}':{'f:ports':{'k:{#containerPort#:1,#protocol#:#TCP#}':{'f:protocol':{}}}}}}} | {}
          an atomic list | {'spec':{'tolerations':[{'key':'a'}]}} | {'spec':{'tolerations':[{'key':'b'}]}} | {'f:spec':{'f:tolerations':{}}} | {}
          a set | {'metadata':{'finalizers':['a','b']}} | {'metadata':{'finalizers':['b','c']}} | {'f:metadata':{'f:finalizers':{'v:#c#':{}}}} | {'f:metadata':{'f:finalizers':{'v:#a#':{}}}}
          a map | {'metadata':{'labels':{'a':'1','b':'1'}}} | {'metadata':{'labels':{'b':'2','c':'1'}}} | {'f:metadata':{'f:labels':{'f:b':{},'f:c':{}}}} | {'f:metadata':{'f:labels':{'f:a':{}}}}
          a new map | {'metadata':{}} | {'metadata':{'labels':{'a':'1'}}} | {'f:metadata':{'f:labels':{'.':{},'f:a':{}}}} | {}
          null is a value of leaves | {'spec':{'nodeName':null,'hostname':'h'}} | {'spec':{'hostname':null}} | {'f:spec':{'f:hostname':{}}} | {'f:spec':{'f:nodeName':{}}}
          null that was added | {'spec':{}} | {'spec':{'containers':null}} | {'f:spec':{'f:containers':{}}} | {}
          null that was empty | {'spec':{'containers':null}} | {'spec':{'containers':[]}} | {'f:spec':{'f:containers':{}}} | {}
          what nobody owns | {'apiVersion':'v1','metadata':{'name':'a','resourceVersion':'1'}} | {'apiVersion':'v2','metadata':{'name':'b','uid':'u','generation':1,'resourceVersion':'2'}} | {} | {}
          names of templates are owned | {'spec':{'other':{'metadata':{'name':'a'}}}} | {'spec':{'other':{'metadata':{'name':'b'}}}} | {'f:spec':{'f:other':{'f:metadata':{'f:name':{}}}}} | {}
          elements without keys | {'spec':{'containers':['a']}} | {'spec':{'containers':['b']}} | {'f:spec':{'f:containers':{}}} | {}
          elements that occur twice | {'spec':{'containers':[{'name':'a','image':'1'}]}} | {'spec':{'containers':[{'name':'a','image':'1'},{'name':'a','image':'2'}]}} | {'f:spec':{'f:containers':{'k:{#name#:#a#}':{}}}} | {'f:spec':{'f:containers':{'k:{#name#:#a#}':{'.':{},'f:image':{},'f:name':{}}}}}
          elements that still occur twice | {'spec':{'containers':[{'name':'a','image':'1'},{'name':'a','image':'2'}]}} | {'spec':{'containers':[{'name':'a','image':'1'},{'name':'a','image':'3'}]}} | {'f:spec':{'f:containers':{'k:{#name#:#a#}':{}}}} | {}
          elements that no longer occur twice | {'spec':{'containers':[{'name':'a'},{'name':'a'}]}} | {'spec':{'containers':[{'name':'a'}]}} | {'f:spec':{'f:containers':{'k:{#name#:#a#}':{'.':{},'f:name':{}}}}} | {'f:spec':{'f:containers':{'k:{#name#:#a#}':{}}}}
          another kind of value | {'spec':{'other':{'a':1}}} | {'spec':{'other':'x'}} | {'f:spec':{'f:other':{}}} | {'f:spec':{'f:other':{'f:a':{}}}}
          """)
  void finds(String name, String from, String to, String changed, String removed) {
    Comparison comparison = Comparison.of(object(from), object(to), TestStructures.POD);
    assertThat(comparison)
        .as(name)
        .isEqualTo(
            new Comparison(
                FieldSet.parse(object(changed.replace("#", "\\\""))),
                FieldSet.parse(object(removed.replace("#", "\\\""))),
                !name.equals("elements without keys")));
  }

  /** It would take minutes if each entry were searched for among all. */
  @Test
  void comparesLargeMapsInAnyOrder() {
    JsonObject.Builder one = new JsonObject.Builder();
    JsonObject.Builder other = new JsonObject.Builder();
    for (int i = 0; i < 100_000; i++) {
      one.put("key" + i, "x");
      other.put("key" + (99_999 - i), "x");
    }
    JsonObject from = JsonObject.of("metadata", JsonObject.of("labels", one.build()));
    JsonObject to = JsonObject.of("metadata", JsonObject.of("labels", other.build()));
    assertThat(Comparison.of(from, to, TestStructures.POD).isEmpty()).isTrue();
    FieldSet all = ObjectFields.of(from, TestStructures.POD);
    assertThat(ObjectFields.without(to, all, TestStructures.POD)).isEqualTo(JsonObject.EMPTY);
  }
}
