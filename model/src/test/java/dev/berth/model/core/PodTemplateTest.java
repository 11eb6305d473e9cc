package dev.berth.model.core;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodTemplateTest {
  private static final PodTemplate EMPTY = new PodTemplate(JsonObject.EMPTY);

  private static PodTemplate template(String spec) {
    return new PodTemplate(tree("{'spec':{%s}}".formatted(spec)));
  }

  @Test
  void itsPodsGetLabelsAnnotationsAndFinalizersAndNothingElse() {
    PodTemplate template =
        new PodTemplate(
            tree(
                "{'metadata':{'name':'t','creationTimestamp':null,'labels':{'a':'b'},'finalizers':['f']}}"));
    assertThat(template.podMetadata()).isEqualTo(tree("{'labels':{'a':'b'},'finalizers':['f']}"));
    assertThat(EMPTY.podMetadata()).isEqualTo(JsonObject.EMPTY);
  }

  @Test
  void labelsComeAndGo() {
    PodTemplate labelled = EMPTY.withLabel("a", "b");
    assertThat(labelled.labels()).isEqualTo(tree("{'a':'b'}"));
    assertThat(labelled.withoutLabel("a").labels().isEmpty()).isTrue();
    assertThat(EMPTY.withoutLabel("a")).isEqualTo(EMPTY);
  }

  @Test
  void aVolumeTakesThePlaceOfTheOneOfItsName() {
    PodTemplate template = template("'volumes':[{'name':'data','emptyDir':{}},{'name':'tmp'}]");
    JsonObject data = tree("{'name':'data','persistentVolumeClaim':{'claimName':'c'}}");
    assertThat(template.withVolumes(List.of(data)).spec().array("volumes").objects())
        .containsExactly(data, tree("{'name':'tmp'}"));
    assertThat(template.withVolumes(List.of())).isEqualTo(template);
  }

  @Test
  void aVariableIsSetWhereThereIsNoneOfItsName() {
    PodTemplate template =
        template("'containers':[{'name':'a'},{'name':'b','env':[{'name':'X','value':'own'}]}]");
    JsonObject from = tree("{'fieldRef':{'fieldPath':'metadata.name'}}");
    assertThat(template.withVariable("X", from))
        .isEqualTo(
            template(
                "'containers':[{'name':'a','env':[{'name':'X','valueFrom':{'fieldRef':{'fieldPath':'metadata.name'}}}]},"
                    + "{'name':'b','env':[{'name':'X','value':'own'}]}]"));
  }
}
