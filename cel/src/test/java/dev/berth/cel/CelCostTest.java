package dev.berth.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cel.check.CostEstimate;
import dev.berth.cel.check.SizeBounds;
import dev.berth.cel.eval.CelResult;
import dev.berth.cel.library.AccessCheck;
import dev.berth.cel.schema.SchemaType;
import dev.berth.cel.schema.SchemaTypes;
import dev.berth.cel.value.CelType;
import dev.berth.model.tree.JsonObject;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What expressions cost: the facts of Kubernetes' own tests. While it runs, a list of constants
 * costs 10 less than there and a map 30 less, since a server folds them first.
 */
class CelCostTest {
  private static final String COSTS =
      """
      ip.isCanonical('192.168.0.1') | 3..3 | 3
      ip.isCanonical('2001:db8:3333:4444:5555:6666:7777:8888') | 8..8 | 8
      ip.isCanonical('2001:db8::abcd') | 3..3 | 3
      'ABCDEFGHIJ abcdefghij'.lowerAscii() | 3..3 | 3
      'ABCDEFGHIJ abcdefghij'.lowerAscii() == 'abcdefghij ABCDEFGHIJ'.lowerAscii() | 7..9 | 9
      'ABCDEFGHIJ abcdefghij'.upperAscii() | 3..3 | 3
      'ABCDEFGHIJ abcdefghij'.upperAscii() == 'abcdefghij ABCDEFGHIJ'.upperAscii() | 7..9 | 9
      strings.quote('ABCDEFGHIJ abcdefghij') | 3..3 | 3
      strings.quote('ABCDEFGHIJ abcdefghij') == strings.quote('ABCDEFGHIJ abcdefghij') | 7..11 | 9
      'abc 123 def 123'.replace('123', '456') | 3..3 | 3
      'abc 123 def 123'.replace('', 'x') | 3..3 | 3
      'abc 123 def 123'.replace('123', '') | 3..3 | 3
      'abc 123 def 123'.replace('123', '456', 1) | 3..3 | 3
      'abc 123 def 123'.split(' ') | 3..3 | 3
      'abc 123 def 123'.split(' ', 1) | 3..3 | 3
      'abc 123 def 123'.substring(5) | 2..2 | 2
      'abc 123 def 123'.substring(5, 8) | 2..2 | 2
      '  abc 123 def 123  '.trim() | 2..2 | 2
      'abc 123 def 123'.find('123') | 2..2 | 2
      'abc 123 def 123'.findAll('123') | 2..2 | 2
      'abc 123 def 123'.findAll('123', 1) | 2..2 | 2
      jsonpatch.escapeKey('abc/def~ abc/def~') | 2..2 | 2
      authorizer.path('/healthz') | 2..2 | 2
      authorizer.group('apps').resource('deployments').subresource('status').namespace('test').name('backend') | 6..6 | 6
      authorizer.group('').resource('pods').fieldSelector('spec.nodeName=example-node-name.fully.qualified.domain.name.example.com') | 1821..1821 | 1821
      authorizer.group('').resource('pods').labelSelector('spec.nodeName=example-node-name.fully.qualified.domain.name.example.com') | 1821..1821 | 1821
      authorizer.path('/healthz').check('get').allowed() | 350003..350003 | 350003
      authorizer.group('apps').resource('deployments').subresource('status').namespace('test').name('backend').check('create').allowed() | 350007..350007 | 350007
      authorizer.group('apps').resource('deployments').subresource('status').namespace('test').name('backend').check('create').errored() | 350007..350007 | 350007
      authorizer.group('apps').resource('deployments').subresource('status').namespace('test').name('backend').check('create').error() | 350007..350007 | 350007
      quantity("12Mi") | 1..1 | 1
      isQuantity("20") | 1..1 | 1
      isQuantity("20M") | 1..1 | 1
      quantity("200M") == quantity("200M") | 3..3 | 3
      quantity("200M") == quantity("0.2G") && quantity("0.2G") == quantity("200M") | 3..6 | 6
      quantity("2M") == quantity("0.002G") && quantity("2000k") == quantity("2M") && quantity("0.002G") == quantity("2000k") | 3..9 | 9
      quantity("50M").isLessThan(quantity("50Mi")) | 3..3 | 3
      quantity("50Mi").isGreaterThan(quantity("50M")) | 3..3 | 3
      quantity("200M").compareTo(quantity("0.2G")) > 0 | 4..4 | 4
      quantity("50k").add(quantity("20")) == quantity("50.02k") | 5..5 | 5
      quantity("50k").sub(quantity("20")) == quantity("49.98k") | 5..5 | 5
      quantity("50k").sub(20) == quantity("49980") | 4..4 | 4
      quantity("50k").add(20).sub(quantity("100k")).asInteger() > 0 | 6..6 | 6
      quantity("50k").add(20).sub(quantity("100k")).sub(-50000).asInteger() > 0 | 7..7 | 7
      quantity("50k").asInteger() > 0 | 3..3 | 3
      quantity("50").isInteger() | 2..2 | 2
      quantity("50.703k").asApproximateFloat() > 0.0 | 3..3 | 3
      format.named("dns1123subdomain") | 1..1 | 1
      format.named("dns1123Label").value().validate("my-name") | 34..34 | 10
      format.named("dns1123Label").value() == format.named("dns1123Label").value() | 5..11 | 5
      sets.contains([], []) | 21..21 | 1
      sets.contains([1], []) | 21..21 | 1
      sets.contains([1], [1]) | 22..22 | 2
      sets.contains([1], [1, 1]) | 23..23 | 3
      sets.contains([1, 1], [1]) | 23..23 | 3
      sets.contains([2, 1], [1]) | 23..23 | 3
      sets.contains([1, 2, 3, 4], [2, 3]) | 29..29 | 9
      !sets.contains([1], [2]) | 23..23 | 3
      !sets.contains([1], [1, 2]) | 24..24 | 4
      sets.equivalent([], []) | 21..21 | 1
      sets.equivalent([1], [1]) | 23..23 | 3
      sets.equivalent([1], [1, 1]) | 25..25 | 5
      sets.equivalent([1, 1], [1]) | 25..25 | 5
      !sets.equivalent([2, 1], [1]) | 26..26 | 6
      !sets.equivalent([1], [1, 2]) | 26..26 | 6
      sets.intersects([1], [1]) | 22..22 | 2
      sets.intersects([1], [1, 1]) | 23..23 | 3
      sets.intersects([1, 1], [1]) | 23..23 | 3
      sets.intersects([2, 1], [1]) | 23..23 | 3
      sets.intersects([1], [1, 2]) | 23..23 | 3
      !sets.intersects([], []) | 22..22 | 2
      !sets.intersects([1], []) | 22..22 | 2
      !sets.intersects([1], [2]) | 23..23 | 3
      semver("1.0.0") | 1..1 | 1
      semver("1234.56789012345.67890123456789") | 4..4 | 4
      isSemver("1.0.0") | 1..1 | 1
      isSemver("1234.56789012345.67890123456789") | 4..4 | 4
      semver("1.2.3").major() | 2..2 | 2
      semver("1.2.3").minor() | 2..2 | 2
      semver("1.2.3").patch() | 2..2 | 2
      semver("1.0.0").isLessThan(semver("1.1.0")) | 3..3 | 3
      semver("1.1.0").isGreaterThan(semver("1.0.0")) | 3..3 | 3
      semver("1.0.0").compareTo(semver("1.2.3")) | 3..3 | 3
      {'a': 1, 'b': 2}.all(k, v, v > 0) | 37..41 | 11
      {'a': 1, 'b': 2}.exists(k, v, v > 0) | 39..43 | 10
      {'a': 1, 'b': 2}.existsOne(k, v, v > 0) | 38..40 | 10
      {'a': 1, 'b': 2}.transformMap(k, v, v + 1) | 71..71 | 11
      {'a': 1, 'b': 2}.transformMap(k, v, v < 5, v + 1) | 67..75 | 15
      {'a': 1, 'b': 2}.transformMapEntry(k, v, {k: v + 1}) | 131..131 | 71
      {'a': 1, 'b': 2}.transformMapEntry(k, v, v < 5, {k: v + 1}) | 67..135 | 75
      [1, 2].all(i, v, v > 0) | 17..21 | 11
      [1, 2].exists(i, v, v > 0) | 19..23 | 10
      [1, 2].existsOne(i, v, v > 0) | 18..20 | 10
      [1, 2].transformList(i, v, v + 1) | 49..49 | 29
      [1, 2].transformList(i, v, v < 5, v + 1) | 27..53 | 33
      has(d.a.b) | 1..1 | 2
      d.a.b == 'x' | 2..2 | 4
      d.a['b'] == d['a'].b | 5..1844674407370955268 | 7
      'a' in ['a', 'b'] | 12..12 | 0
      'a' in d.list | 1..-1 | 3
      d.list.map(x, x + '!') | 12..-1 | 31
      d.list.filter(x, x == 'a') | 12..-1 | 20
      d.?a.?c.orValue('x') | 4..4 | 2
      """;

  private static final CelEnvironment ENVIRONMENT =
      CelEnvironment.builder()
          .variable("authorizer", AccessCheck.TYPE)
          .variable("d", CelType.DYN)
          .build();

  static Stream<String> costs() {
    return COSTS.lines();
  }

  @ParameterizedTest
  @MethodSource("costs")
  void costsWhatKubernetesCounts(String row) {
    String[] parts = row.split(" \\| ", -1);
    CelProgram program = Expressions.compile(ENVIRONMENT, parts[0]);
    CostEstimate estimate = program.estimateCost(SizeBounds.UNKNOWN);
    CelResult result = program.evaluate(Expressions.VARIABLES, Long.MAX_VALUE);
    assertThat(result).as(parts[0]).isInstanceOf(CelResult.Value.class);
    assertThat(estimate.min() + ".." + estimate.max() + " | " + result.cost())
        .as(parts[0])
        .isEqualTo(parts[1] + " | " + parts[2]);
  }

  /** A schema, an expression, and the most it can cost: without a limit, and with one. */
  private static final String BOUNDS =
      """
      array number maxItems=10 | self.all(x, true) | 4718591 | 32
      array string maxItems=20 | self.all(x, true) | 3145727 | 62
      array boolean maxItems=5 | self.all(x, true) | 1887437 | 17
      map number maxProperties=10 | self.all(x, true) | 1348169 | 32
      map string maxProperties=3 | self.all(x, true) | 1179647 | 11
      string - maxLength=10 | self.contains('test') | 314574 | 5
      string - maxLength=15 | self.startsWith('test') | 2 | 2
      string - maxLength=4 | size(self + "hello") > size("hello") | 314578 | 7
      array number maxItems=5000 | self[1] == 0.0 | 2 | 2
      array string maxItems=8 | self[1] == self[1] | 314577 | 314577
      array number maxItems=10 | self.all(x, self.all(y, true)) | -1 | 352
      array number maxItems=10 | self.all(x, self.all(y, self.all(z, true))) | -1 | 3552
      string - maxLength=50 | self.matches("x") | 314574 | 22
      string - maxLength=100 | self.matches("") | 1 | 1
      map number maxProperties=0 | self["x"] == 0.0 | 2 | 2
      string - maxLength=0 | self == "x" | 2 | 1
      array number maxItems=6291456 | self.all(x, x == 0.0) | 6291454 | 25165826
      string - maxLength=10 | self.lowerAscii() == 'lower!' | 314575 | 6
      map date-time maxProperties=7 | self["a"] == self["b"] | 8 | 8
      map duration maxProperties=42 | self["c"] == self["d"] | 8 | 8
      """;

  static Stream<String> bounds() {
    return BOUNDS.lines();
  }

  @ParameterizedTest
  @MethodSource("bounds")
  void estimatesFollowFromTheLimitsOfASchema(String row) {
    String[] parts = row.split(" \\| ", -1);
    String[] schema = parts[0].split(" ", -1);
    if (!parts[2].equals("-1")) {
      assertThat(worst(schema, false, parts[1])).isEqualTo(Long.parseLong(parts[2]));
    }
    assertThat(worst(schema, true, parts[1])).isEqualTo(Long.parseLong(parts[3]));
  }

  private static long worst(String[] words, boolean limited, String expression) {
    String[] limit = words[2].split("=", -1);
    String bound = limited ? ",\"" + limit[0] + "\":" + limit[1] : "";
    String of =
        switch (words[1]) {
          case "date-time", "duration" -> "{\"type\":\"string\",\"format\":\"" + words[1] + "\"}";
          default -> "{\"type\":\"" + words[1] + "\"}";
        };
    String text =
        switch (words[0]) {
          case "array" -> "{\"type\":\"array\",\"items\":" + of + bound + "}";
          case "map" -> "{\"type\":\"object\",\"additionalProperties\":" + of + bound + "}";
          default -> "{\"type\":\"string\"" + bound + "}";
        };
    SchemaType type =
        Objects.requireNonNull(
            SchemaTypes.declare((JsonObject) Expressions.tree(text), "self", false));
    CelEnvironment environment = CelEnvironment.builder().variable("self", type.type()).build();
    return Expressions.compile(environment, expression).estimateCost(type.sizeBounds()).max();
  }

  @Test
  void stopsOnceTheBudgetIsSpent() {
    CelProgram program = Expressions.compile(ENVIRONMENT, "d.list.all(x, d.list.all(y, true))");
    assertThat(program.evaluate(Expressions.VARIABLES, 10))
        .isInstanceOfSatisfying(
            CelResult.BudgetExceeded.class,
            exceeded ->
                assertThat(exceeded.message())
                    .isEqualTo("operation cancelled: actual cost limit exceeded"));
  }
}
