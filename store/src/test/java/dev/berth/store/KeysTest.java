package dev.berth.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {

  @Test
  void thePrefixEndsBehindItsLastKey() {
    assertThat(Keys.endOfPrefix("/registry/pods/")).isEqualTo("/registry/pods0");
    assertThat(Keys.endOfPrefix("/a\uffff")).isEqualTo("/b");
    assertThat(Keys.endOfPrefix("\uffff\uffff")).isEqualTo(Keys.NO_END);
    assertThat(Keys.endOfPrefix("")).isEqualTo(Keys.NO_END);
  }

  @Test
  void aResourceEndsWithTheThirdSlash() {
    assertThat(Keys.resource("/registry/pods/default/web")).isEqualTo("/registry/pods/");
    assertThat(Keys.resource("/registry/nodes/n1")).isEqualTo("/registry/nodes/");
    assertThat(Keys.resource("/registry/nodes/")).isEqualTo("/registry/nodes/");
    assertThat(Keys.resource("/registry/nodes")).isEqualTo("/registry/nodes");
    assertThat(Keys.resource("")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/registry/pods/a", "/ü/中/\u0000", "/😀"})
  void acceptsWellFormedKeys(String key) {
    assertThat(Keys.check(key)).isSameAs(key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/\ud83d", "/\ude00\ud83d", "/\ud83dx"})
  void refusesKeysThatNoMediumKeeps(String key) {
    assertThatThrownBy(() -> Keys.check(key)).isInstanceOf(IllegalArgumentException.class);
  }
}
