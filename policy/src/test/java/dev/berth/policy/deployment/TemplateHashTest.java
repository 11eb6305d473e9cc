package dev.berth.policy.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TemplateHashTest {
  private static JsonObject tree(String json) {
    return JsonReader.object(
        json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.REQUEST);
  }

  private static final JsonObject TEMPLATE =
      tree("{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}");

  @Test
  void theLabelOfTheSetTheOrderOfFieldsAndWhatIsEmptyMakeNoDifference() {
    JsonObject same =
        tree(
            "{'spec':{'containers':[{'image':'i','name':'c','env':[]}]},'metadata':{'creationTimestamp':null,'labels':{'a':'b','pod-template-hash':'x'}}}");
    assertThat(TemplateHash.isSame(TEMPLATE, same)).isTrue();
    assertThat(TemplateHash.of(same, 0)).isEqualTo(TemplateHash.of(TEMPLATE, 0));
  }

  @Test
  void whatMakesOtherPodsMakesAnotherWord() {
    JsonObject other =
        tree("{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'j'}]}}");
    assertThat(TemplateHash.isSame(TEMPLATE, other)).isFalse();
    assertThat(TemplateHash.of(other, 0)).isNotEqualTo(TemplateHash.of(TEMPLATE, 0));
    assertThat(TemplateHash.of(TEMPLATE, 1)).isNotEqualTo(TemplateHash.of(TEMPLATE, 0));
  }

  @Test
  void wordsHaveNeitherVowelsNorLettersThatLookLikeNumbers() {
    for (int i = 0; i < 200; i++) {
      assertThat(TemplateHash.of(TEMPLATE, i)).matches("[bcdfghjklmnpqrstvwxz2456789]{1,10}");
    }
  }
}
