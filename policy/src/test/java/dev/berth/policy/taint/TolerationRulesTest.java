package dev.berth.policy.taint;

import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.taint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.Taint;
import dev.berth.model.core.Toleration;
import dev.berth.model.tree.JsonObject;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TolerationRulesTest {
  private static final JsonObject UNREACHABLE_LEGACY =
      object("key", "node.alpha.kubernetes.io/unreachable", "operator", "Exists");

  static Stream<Arguments> matching() {
    return Stream.of(
        argumentSet(
            "same key and effect, Exists",
            object("key", "key1", "operator", "Exists", "effect", "NoSchedule"),
            "key1=value1:NoSchedule"),
        argumentSet(
            "same key, value and effect, Equal",
            object("key", "key1", "operator", "Equal", "value", "value1", "effect", "NoSchedule"),
            "key1=value1:NoSchedule"),
        argumentSet(
            "Equal is the default operator",
            object("key", "key1", "value", "value1", "effect", "NoSchedule"),
            "key1=value1:NoSchedule"),
        argumentSet(
            "Equal with two empty values",
            object("key", "key1", "effect", "NoSchedule"),
            "key1:NoSchedule"),
        argumentSet(
            "empty key with Exists matches everything",
            object("operator", "Exists"),
            "anything=at-all:PreferNoSchedule"),
        argumentSet(
            "empty key with Exists and an effect matches every key of that effect",
            object("operator", "Exists", "effect", "NoExecute"),
            "key1:NoExecute"),
        argumentSet(
            "empty effect matches every effect",
            object("key", "key1", "operator", "Exists"),
            "key1=value1:NoExecute"),
        argumentSet(
            "the legacy unreachable key matches the modern taint",
            UNREACHABLE_LEGACY,
            "node.kubernetes.io/unreachable:NoExecute"),
        argumentSet(
            "the legacy unreachable key still matches itself",
            UNREACHABLE_LEGACY,
            "node.alpha.kubernetes.io/unreachable:NoExecute"),
        argumentSet(
            "the legacy notReady key matches the modern taint",
            object("key", "node.alpha.kubernetes.io/notReady", "operator", "Exists"),
            "node.kubernetes.io/not-ready:NoExecute"),
        argumentSet(
            "the legacy out-of-disk key matches disk-pressure",
            object("key", "node.kubernetes.io/out-of-disk", "operator", "Exists"),
            "node.kubernetes.io/disk-pressure:NoSchedule"));
  }

  @ParameterizedTest
  @MethodSource("matching")
  void matches(JsonObject toleration, String taint) {
    assertThat(TolerationRules.STANDARD.tolerates(Toleration.read(toleration), taint(taint)))
        .isTrue();
  }

  static Stream<Arguments> notMatching() {
    return Stream.of(
        argumentSet(
            "another key",
            object("key", "key2", "operator", "Exists", "effect", "NoSchedule"),
            "key1:NoSchedule"),
        argumentSet(
            "another effect",
            object("key", "key1", "operator", "Exists", "effect", "NoExecute"),
            "key1:NoSchedule"),
        argumentSet(
            "another value with Equal",
            object("key", "key1", "value", "value2", "effect", "NoSchedule"),
            "key1=value1:NoSchedule"),
        argumentSet(
            "no value with Equal against a value",
            object("key", "key1", "effect", "NoSchedule"),
            "key1=value1:NoSchedule"),
        argumentSet(
            "an unknown operator matches nothing",
            object("key", "key1", "operator", "In", "effect", "NoSchedule"),
            "key1:NoSchedule"),
        argumentSet(
            "an unknown effect matches nothing",
            object("key", "key1", "operator", "Exists", "effect", "NoAdmit"),
            "key1:NoSchedule"),
        argumentSet(
            "empty key with Equal matches nothing, though upstream would compare values",
            object("value", "value1"),
            "key1=value1:NoSchedule"),
        argumentSet(
            "a modern key does not match a legacy taint",
            object("key", "node.kubernetes.io/unreachable", "operator", "Exists"),
            "node.alpha.kubernetes.io/unreachable:NoExecute"),
        argumentSet(
            "a legacy key does not match another key's taint",
            UNREACHABLE_LEGACY,
            "node.kubernetes.io/not-ready:NoExecute"),
        argumentSet(
            "Lt while the gate is off",
            object("key", "sla", "operator", "Lt", "value", "10"),
            "sla=5:NoSchedule"),
        argumentSet(
            "Gt while the gate is off",
            object("key", "sla", "operator", "Gt", "value", "1"),
            "sla=5:NoSchedule"));
  }

  @ParameterizedTest
  @MethodSource("notMatching")
  void doesNotMatch(JsonObject toleration, String taint) {
    assertThat(TolerationRules.STANDARD.tolerates(Toleration.read(toleration), taint(taint)))
        .isFalse();
  }

  static Stream<Arguments> comparisons() {
    return Stream.of(
        argumentSet("Lt: the taint is less", "Lt", "10", "5", true),
        argumentSet("Lt: the taint is equal", "Lt", "5", "5", false),
        argumentSet("Lt: the taint is greater", "Lt", "5", "10", false),
        argumentSet("Gt: the taint is greater", "Gt", "950", "990", true),
        argumentSet("Gt: the taint is equal", "Gt", "990", "990", false),
        argumentSet("Gt: the taint is less", "Gt", "990", "950", false),
        argumentSet("compared as numbers, not as texts", "Gt", "9", "10", true),
        argumentSet("negative numbers", "Lt", "-1", "-2", true),
        argumentSet("zero", "Gt", "-1", "0", true),
        argumentSet("the ends of 64 bits", "Gt", "" + Long.MIN_VALUE, "" + Long.MAX_VALUE, true),
        argumentSet("the taint is beyond 64 bits", "Gt", "1", "9223372036854775808", false),
        argumentSet("the toleration is no integer", "Lt", "9.5", "5", false),
        argumentSet("the taint is no integer", "Lt", "10", "5.0", false),
        argumentSet("the taint is no number", "Lt", "10", "low", false),
        argumentSet("the taint has no value", "Lt", "10", "", false),
        argumentSet("a leading zero", "Lt", "10", "05", false),
        argumentSet("a plus sign", "Gt", "+1", "5", false),
        argumentSet("minus zero", "Gt", "-0", "5", false));
  }

  @ParameterizedTest
  @MethodSource("comparisons")
  void comparesIntegersWhileTheGateIsOn(
      String operator, String tolerated, String found, boolean matches) {
    Toleration toleration =
        Toleration.read(object("key", "sla", "operator", operator, "value", tolerated));
    Taint taint = taint("sla=" + found + ":NoSchedule");
    assertThat(TolerationRules.WITH_COMPARISONS.tolerates(toleration, taint)).isEqualTo(matches);
  }

  @Test
  void aTaintOfUnknownEffectIsToleratedByNothing() {
    Taint odd = Taint.read(object("key", "key1", "effect", "NoAdmit"));
    Toleration everything = Toleration.read(object("operator", "Exists"));
    assertThat(TolerationRules.STANDARD.tolerates(everything, odd)).isFalse();
  }
}
