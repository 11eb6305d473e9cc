package dev.berth.registry.apply;

import static dev.berth.registry.patch.Trees.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownFieldsTest {
  private static final JsonObject POD =
      object(
          "{'metadata':{'name':'p','uid':'u','labels':{'app':'x'}},'spec':{'nodeName':'n','containers':[{'name':'c','image':'i','ports':[{'containerPort':80}]}],'tolerations':[{'key':'k'}]}}");

  private final KnownFields known = new KnownFields(TestStructures.POD, TestStructures.ZERO);
  private int walks;

  private FieldSet collect(JsonObject object) {
    walks++;
    return Comparison.of(JsonObject.EMPTY, object, TestStructures.POD).changed();
  }

  private FieldSet fields(JsonObject object) {
    return known.of(object, this::collect);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'metadata':{'name':'q','uid':'v','labels':{'app':'y'}},'spec':{'nodeName':'m','containers':[{'name':'c','image':'j','ports':[{'containerPort':80}]}],'tolerations':[{'key':'l'}]}}",
        "{'metadata':{'name':'q','uid':'v','labels':{'app':'y'}},'spec':{'nodeName':'m','containers':[{'name':'c','image':'j','ports':[{'containerPort':80}]}],'tolerations':[]}}",
      })
  void objectsOfOneTemplateAreLookedAtOnce(String sibling) {
    FieldSet first = fields(POD);
    assertThat(fields(object(sibling))).isSameAs(first);
    assertThat(walks).isEqualTo(1);
  }

  /** Each of these differs from the known one in what its writer owns. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'metadata':{'name':'p','uid':'u','labels':{'other':'x'}},'spec':{'nodeName':'n','containers':[{'name':'c','image':'i','ports':[{'containerPort':80}]}],'tolerations':[{'key':'k'}]}}",
        "{'metadata':{'name':'p','uid':'u','labels':{'app':null}},'spec':{'nodeName':'n','containers':[{'name':'c','image':'i','ports':[{'containerPort':80}]}],'tolerations':[{'key':'k'}]}}",
        "{'metadata':{'name':'p','uid':'u','labels':{'app':'x'}},'spec':{'nodeName':'n','containers':[{'name':'d','image':'i','ports':[{'containerPort':80}]}],'tolerations':[{'key':'k'}]}}",
        "{'metadata':{'name':'p','uid':'u','labels':{'app':'x'}},'spec':{'nodeName':'n','containers':[{'name':'c','image':'i','ports':[{'containerPort':81}]}],'tolerations':[{'key':'k'}]}}",
        "{'metadata':{'name':'p','uid':'u','labels':{'app':'x'}},'spec':{'nodeName':'n','containers':[{'name':'c','image':'i','ports':[]}],'tolerations':[{'key':'k'}]}}",
        "{'metadata':{'name':'p','uid':'u','labels':'none'},'spec':{'nodeName':'n','containers':[{'name':'c','image':'i','ports':[{'containerPort':80}]}],'tolerations':[{'key':'k'}]}}",
      })
  void anObjectWithOtherFieldsIsLookedAtItself(String other) {
    JsonObject changed = object(other);
    fields(POD);
    assertThat(fields(changed))
        .isEqualTo(Comparison.of(JsonObject.EMPTY, changed, TestStructures.POD).changed());
    assertThat(walks).isEqualTo(2);
  }

  @Test
  void theLastFewAreRemembered() {
    List<JsonObject> pods =
        List.of("a", "b", "c", "d", "e", "f", "g", "h").stream()
            .map(name -> object("{'metadata':{'labels':{'" + name + "':''}}}"))
            .toList();
    pods.forEach(this::fields);
    pods.forEach(this::fields);
    assertThat(walks).isEqualTo(8);

    fields(object("{'metadata':{'labels':{'i':''}}}"));
    fields(pods.getFirst());
    assertThat(walks).isEqualTo(10);
  }
}
