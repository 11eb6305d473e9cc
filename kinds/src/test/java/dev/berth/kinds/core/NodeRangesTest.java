package dev.berth.kinds.core;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.FieldError;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeRangesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|{}",
        "{'podCIDR':''}|{'podCIDR':''}",
        "{'podCIDR':'10.0.0.0/24'}|{'podCIDR':'10.0.0.0/24','podCIDRs':['10.0.0.0/24']}",
        "{'podCIDRs':['10.0.0.0/24']}|{'podCIDRs':['10.0.0.0/24'],'podCIDR':'10.0.0.0/24'}",
        "{'podCIDR':'10.0.1.0/24','podCIDRs':['10.0.0.0/24']}|{'podCIDR':'10.0.1.0/24','podCIDRs':['10.0.1.0/24']}",
      })
  void eitherFieldSaysWhatTheOtherDoes(String spec, String filled) {
    assertThat(NodeRanges.defaults(tree(spec))).isEqualTo(tree(filled));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'10.0.0.0/24','fd00::/64'|[]",
        "'10.0.0.0/24','x'|[spec.podCIDRs[1]: Invalid value: 'x': must be a valid CIDR value, (e.g."
            + " 10.9.8.0/24 or 2001:db8::/64), spec.podCIDRs: Internal error: invalid PodCIDRs. failed"
            + " to check with dual stack with error:invalid CIDR[1]: <nil> (invalid CIDR address: x),"
            + " spec.podCIDRs: Invalid value: ['10.0.0.0/24','x']: may"
            + " specify no more than one CIDR for each IP family]",
        "'10.0.0.0/24','10.0.1.0/24'|spec.podCIDRs: Invalid value: ['10.0.0.0/24','10.0.1.0/24']:"
            + " may specify no more than one CIDR for each IP family",
      })
  void thereIsOneOfEachFamily(String ranges, String problem) {
    assertThat(FieldError.join(NodeRanges.validate(tree("{'podCIDRs':[" + ranges + "]}"))))
        .isEqualTo(problem.replace('\'', '"'));
  }
}
