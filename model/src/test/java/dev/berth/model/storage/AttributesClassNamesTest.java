package dev.berth.model.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever a claim has, had or will have keeps a class. */
class AttributesClassNamesTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          nothing              | {'spec':{}} | ``
          asks for one         | {'spec':{'volumeAttributesClassName':'a'}} | a
          asks for none again  | {'spec':{'volumeAttributesClassName':''},'status':{'currentVolumeAttributesClassName':'a'}} | a
          is being changed     | {'spec':{'volumeAttributesClassName':'c'},'status':{'currentVolumeAttributesClassName':'a','modifyVolumeStatus':{'targetVolumeAttributesClassName':'b'}}} | a,b,c
          """)
  void aClaimUses(String name, String claim, String classes) {
    JsonObject tree =
        JsonReader.object(
            claim.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.TRUSTED);
    assertThat(String.join(",", AttributesClassNames.ofClaim(tree))).isEqualTo(classes);
  }
}
