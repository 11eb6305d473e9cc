package dev.berth.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cel.library.AccessCheck;
import dev.berth.cel.value.CelType;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What expressions mean: their values, and their errors in Kubernetes' words. */
class CelValuesTest {
  private static final CelEnvironment ENVIRONMENT =
      CelEnvironment.builder()
          .variable("authorizer", AccessCheck.TYPE)
          .variable("d", CelType.DYN)
          .variable("s", CelType.map(CelType.STRING, CelType.INT))
          .build();

  private static final String VALUES =
      """
      1 + 2 * 3 => int 7
      -(-3) => int 3
      7 % 4 - 10 / 3 => int 0
      9223372036854775807 + 1 => error: integer overflow
      1 / 0 => error: division by zero
      1 % 0 => error: modulus by zero
      1u - 2u => error: unsigned integer overflow
      1.5 * 2.0 => double 3.0
      1 < 1.5 && 2u > 1 => bool true
      1 == 1.0 => compilation failed: ERROR: <input>:1:3: found no matching overload for '_==_' applied to '(int, double)'
      dyn(1) == 1.0 => bool true
      dyn(1) == '1' => bool false
      'a' + 'b' => string ab
      b'ab' + b'c' == b'abc' => bool true
      '\\u00fc\\x41\\n'.size() => int 3
      r'\\n'.size() => int 2
      [1, 2] + [3] == [1, 2, 3] => bool true
      {'a': 1}.a => int 1
      {'a': 1}['b'] => error: no such key: b
      [1, 2][2] => error: index out of bounds: 2
      d.a.b => string x
      d.x.y => error: no such key: x
      d.a.b.c => error: no such key: c
      d.n + 1 => int 4
      d.f + 0.5 => double 2.0
      d.n + 'a' => error: no such overload
      d.n + d.a.b => error: no such overload
      d.labels['a.b/c'] => string d
      has(d.a) && !has(d.q) => bool true
      has(d.q.r) => error: no such key: q
      d.none == null => bool true
      d.q == 1 || true => bool true
      d.q == 1 && false => bool false
      d.q == 1 || false => error: no such key: q
      true ? 1 : 2 => int 1
      d.?a.?b.orValue('z') => string x
      d.?q.?b.orValue('z') => string z
      d[?'q'].hasValue() => bool false
      optional.of(1).value() => int 1
      optional.none().value() => error: optional.none() dereference
      d.?a.optMap(a, a.b + '!').orValue('') => string x!
      optional.ofNonZeroValue('').hasValue() => bool false
      optional.ofNonZeroValue(timestamp('0001-01-01T00:00:00Z')).hasValue() => bool false
      [1, ?optional.none(), 2].size() => int 2
      {?'a': optional.of(1)}.size() => int 1
      d.list.first().value() => string a
      [1, 2, 3].all(x, x > 0) => bool true
      [1, 2, 3].exists(x, x > 2) => bool true
      [1, 2, 3].exists_one(x, x > 2) => bool true
      [1, 2, 3].map(x, x * 2) => list [2, 4, 6]
      [1, 2, 3].map(x, x > 1, x * 2) => list [4, 6]
      [1, 2, 3].filter(x, x > 1) => list [2, 3]
      d.labels.all(k, k.size() > 2) => bool true
      [0, 1].all(x, 1 / x > 0) => error: division by zero
      [0, 1].exists(x, 1 / x > 0) => bool true
      [[1, 2], [3]].map(x, x.map(y, y + 1)) => list [[2, 3], [4]]
      {'a': 1, 'b': 2}.transformMap(k, v, v + 1)['b'] => int 3
      [5, 6].transformList(i, v, i + v) => list [5, 7]
      'b' in ['a', 'b'] && 'app' in d.labels => bool true
      d.list.isSorted() && [1, 3, 2].max() == 3 => bool true
      [].sum() => int 0
      dyn([1.0, 2.0]).sum() => double 3.0
      [1, 2].sum() => int 3
      ['c', 'a'].sort() => list [a, c]
      [3, 1, 2].sortBy(x, -x) => list [3, 2, 1]
      [1, 1, 2].distinct() => list [1, 2]
      [[1], [2, 3]].flatten() => list [1, 2, 3]
      [1, 2, 3].slice(1, 2) => list [2]
      [1, 2].slice(1, 5) => error: cannot slice(1, 5), list is length 2
      lists.range(3) => list [0, 1, 2]
      [1, 2].reverse() => list [2, 1]
      sets.contains([1, 2], [2]) && sets.intersects([1], [1, 2]) && sets.equivalent([1, 1], [1]) => bool true
      'Hello'.charAt(1) + 'Hello'.substring(2, 4) => string ell
      'abc'.substring(5) => error: index out of range: 5
      'a,b,c'.split(',') => list [a, b, c]
      'a,b,c'.split(',', 2) => list [a, b,c]
      'hello'.replace('l', 'L', 1) => string heLlo
      ' x '.trim() + 'Ab'.lowerAscii() + 'Ab'.upperAscii() => string xabAB
      'hello'.indexOf('l') + 'hello'.lastIndexOf('l') => int 5
      ['a', 'b'].join('-') => string a-b
      '%s is %d, %.2f, %x'.format(['a', 1, 1.5, 255]) => string a is 1, 1.50, ff
      '%e'.format([3.14]) => string 3.140000×10⁰⁰
      '%s %s'.format([[1, 'a'], {'k': 1.5}]) => string [1, "a"] {"k":1.500000}
      'abc'.matches('^a.c$') => bool true
      'abc'.find('[b-c]+') + 'abab'.findAll('a').join() => string bcaa
      'abc'.find(')') => program instantiation failed: error parsing regexp: unexpected ): `)`
      'abc'.matches(d.a.b + '(') => error: error parsing regexp: missing closing ): `x(`
      int('12') + int(3.7) + int(2u) => int 17
      int('x') => program instantiation failed: strconv.ParseInt: parsing "x": invalid syntax
      string(1.5) + string(true) + string(10.0) => string 1.5true10
      bool('true') => bool true
      type(1) == int => bool true
      type([]) == list => bool true
      timestamp('2024-01-02T03:04:05Z').getFullYear() => int 2024
      timestamp('2024-01-02T03:04:05Z').getHours('Europe/Berlin') => int 4
      timestamp('2024-01-02T03:04:05Z') + duration('1h') == timestamp('2024-01-02T04:04:05Z') => bool true
      duration('1h30m').getMinutes() => int 90
      string(duration('1500ms')) => string 1.5s
      quantity('1.5Gi').isLessThan(quantity('2Gi')) && quantity('1') == quantity('1000m') => bool true
      quantity('1500m').asInteger() => error: cannot convert value to integer
      isQuantity('1x') => bool false
      ip('192.168.0.1').family() == 4 && ip('::1').isLoopback() => bool true
      isIP('256.0.0.1') => bool false
      ip('1.2.3') => error: IP Address "1.2.3" parse error during conversion from string: ParseAddr("1.2.3"): IPv4 address too short
      string(ip('2001:db8:0:0:0:0:0:1')) => string 2001:db8::1
      cidr('192.168.0.0/16').containsIP('192.168.1.1') && cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') => bool true
      cidr('192.168.0.1/24').masked().ip() == ip('192.168.0.0') => bool true
      url('https://example.com:80/a%20b?x=1&x=2').getQuery()['x'] => list [1, 2]
      url('https://example.com:80/p').getHostname() + url('https://[::1]:80/p').getPort() => string example.com80
      url('https://example.com/p?x=1#part').getQuery()['x'] => list [1]
      isURL('../x') => bool false
      semver('1.2.3').isLessThan(semver('1.10.0')) && semver('1.0.0-a').compareTo(semver('1.0.0')) == -1 => bool true
      semver('v1.2', true) == semver('1.2.0') => bool true
      semver('1.2') => error: No Major.Minor.Patch elements found
      format.dns1123Label().validate('Abc').hasValue() => bool true
      format.named('uuid').value().validate('123e4567-e89b-12d3-a456-426614174000').hasValue() => bool false
      authorizer.group('').resource('pods').namespace('x').check('create').allowed() => bool true
      authorizer.group('').resource('').check('get').allowed() => error: resource must not be empty
      jsonpatch.escapeKey('a/b~c') => string a~1b~0c
      """;

  static Stream<String> values() {
    return VALUES.lines();
  }

  @ParameterizedTest
  @MethodSource("values")
  void hasTheValueOrErrorThatKubernetesGives(String row) {
    String[] parts = row.split(" => ", -1);
    assertThat(Expressions.evaluate(ENVIRONMENT, parts[0]).lines().findFirst().orElse(""))
        .as(parts[0])
        .isEqualTo(parts[1]);
  }
}
