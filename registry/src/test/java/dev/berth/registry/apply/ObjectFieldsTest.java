package dev.berth.registry.apply;

import static dev.berth.registry.patch.Trees.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectFieldsTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          scalars are leaves | {'spec':{'nodeName':'a'}} | {'f:spec':{'f:nodeName':{}}}
          entries of maps | {'metadata':{'labels':{'a':'1'}}} | {'f:metadata':{'f:labels':{'f:a':{}}}}
          elements by key | {'spec':{'containers':[{'name':'c','image':'i'}]}} | {'f:spec':{'f:containers':{'k:{#name#:#c#}':{'.':{},'f:image':{},'f:name':{}}}}}
          keys that have a default | {'spec':{'containers':[{'name':'c','ports':[{'containerPort':80}]}]}} | {'f:spec':{'f:containers':{'k:{#name#:#c#}':{'.':{},'f:name':{},'f:ports':{'k:{#containerPort#:80,#protocol#:#TCP#}':{'.':{},'f:containerPort':{}}}}}}}
          sets by value | {'metadata':{'finalizers':['x','y']}} | {'f:metadata':{'f:finalizers':{'v:#x#':{},'v:#y#':{}}}}
          atomic lists | {'spec':{'tolerations':[{'key':'a'}]}} | {'f:spec':{'f:tolerations':{}}}
          lists of scalars are atomic | {'spec':{'containers':[{'name':'c','args':['x']}]}} | {'f:spec':{'f:containers':{'k:{#name#:#c#}':{'.':{},'f:args':{},'f:name':{}}}}}
          atomic types | {'spec':{'nodeSelector':{'a':'b'}}} | {'f:spec':{'f:nodeSelector':{}}}
          empty structs | {'spec':{'volumes':[{'name':'v','emptyDir':{}}]}} | {'f:spec':{'f:volumes':{'k:{#name#:#v#}':{'.':{},'f:emptyDir':{},'f:name':{}}}}}
          nulls | {'spec':{'nodeName':null,'securityContext':null}} | {'f:spec':{'f:nodeName':{},'f:securityContext':{}}}
          empty lists are nobody's | {'spec':{'containers':[]}} | {}
          unknown fields are deduced | {'spec':{'new':{'a':{'b':[1]}}}} | {'f:spec':{'f:new':{'.':{},'f:a':{'.':{},'f:b':{}}}}}
          quotes in keys | {'spec':{'containers':[{'name':'\\u0022'}]}} | {'f:spec':{'f:containers':{'k:{#name#:#\\\\\\u0022#}':{'.':{},'f:name':{}}}}}
          """)
  void areWhatAnApplierOwns(String name, String object, String expected) {
    assertThat(ObjectFields.of(object(object), TestStructures.POD).tree())
        .as(name)
        .isEqualTo(object(expected.replace("#", "\\\"")));
  }

  @Test
  void areDeducedWithoutASchema() {
    JsonObject custom =
        object("{'metadata':{'finalizers':['x']},'spec':{'a':{'b':1},'l':[{'name':'x'}]}}");
    assertThat(ObjectFields.of(custom, TestStructures.CUSTOM).tree())
        .isEqualTo(
            object(
                "{'f:metadata':{'f:finalizers':{'v:\\\"x\\\"':{}}},"
                    + "'f:spec':{'.':{},'f:a':{'.':{},'f:b':{}},'f:l':{}}}"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a scalar | {'spec':{'nodeName':'a','hostname':'h'}} | {'f:spec':{'f:nodeName':{}}} | {'spec':{'hostname':'h'}}
          what gets empty goes | {'spec':{'securityContext':{'runAsUser':1},'hostname':'h'}} | {'f:spec':{'f:securityContext':{'f:runAsUser':{}}}} | {'spec':{'hostname':'h'}}
          an element | {'spec':{'containers':[{'name':'a'},{'name':'b'}]}} | {'f:spec':{'f:containers':{'k:{#name#:#a#}':{'.':{},'f:name':{}}}}} | {'spec':{'containers':[{'name':'b'}]}}
          a part of an element | {'spec':{'containers':[{'name':'a','image':'i'}]}} | {'f:spec':{'f:containers':{'k:{#name#:#a#}':{'f:image':{}}}}} | {'spec':{'containers':[{'name':'a'}]}}
          a value of a set | {'metadata':{'finalizers':['x','y']}} | {'f:metadata':{'f:finalizers':{'v:#x#':{}}}} | {'metadata':{'finalizers':['y']}}
          nothing in an atomic list | {'spec':{'tolerations':[{'key':'a'}]}} | {'f:spec':{'f:tolerations':{'i:0':{}}}} | {'spec':{'tolerations':[{'key':'a'}]}}
          """)
  void areTakenAway(String name, String object, String set, String expected) {
    FieldSet fields = FieldSet.parse(object(set.replace("#", "\\\"")));
    assertThat(ObjectFields.without(object(object), fields, TestStructures.POD))
        .as(name)
        .isEqualTo(object(expected));
  }
}
