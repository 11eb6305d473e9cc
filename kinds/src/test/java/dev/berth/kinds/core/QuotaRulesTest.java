package dev.berth.kinds.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.fixture.KindCheck;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with quotas and with ranges of limits, in Kubernetes' words. */
class QuotaRulesTest {

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          'hard':{'pods':'1','count/jobs.batch':'2','requests.hugepages-2Mi':'1','example.com/gpu':'1'}|``
          'hard':{'x':'1'}|[spec.hard[x]: Invalid value: 'x': must be a standard resource type or fully qualified, spec.hard[x]: Invalid value: 'x': must be a standard resource for quota]
          'hard':{'storage':'1'}|spec.hard[storage]: Invalid value: 'storage': must be a standard resource for quota
          'hard':{'pods':'-1'}|spec.hard[pods]: Invalid value: '-1': must be greater than or equal to 0
          'hard':{'pods':'500m','example.com/gpu':'500m'}|[spec.hard[example.com/gpu]: Invalid value: '500m': must be an integer, spec.hard[pods]: Invalid value: '500m': must be an integer]
          'hard':{'pods':'1'},'scopes':['Often']|spec.scopes: Invalid value: ['Often']: unsupported scope
          'hard':{'memory':'1'},'scopes':['BestEffort']|spec.scopes: Invalid value: ['BestEffort']: unsupported scope applied to resource
          'hard':{'pods':'1'},'scopes':['Terminating','NotTerminating']|spec.scopes: Invalid value: ['Terminating','NotTerminating']: conflicting scopes
          'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'Exists','values':['a']}]}|spec.scopeSelector.matchExpressions.values: Invalid value: ['a']: must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector
          'scopeSelector':{'matchExpressions':[{'scopeName':'BestEffort','operator':'In','values':['a']}]}|spec.scopeSelector.matchExpressions.operator: Invalid value: 'In': must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity
          'hard':{'secrets':'1'},'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'In'}]}|[spec.scopeSelector.matchExpressions: Invalid value: {'MatchExpressions':[{'ScopeName':'PriorityClass','Operator':'In','Values':null}]}: unsupported scope applied to resource, spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector]
          """)
  void newQuotas(String spec, String problem) {
    assertThat(quotas().problem("'spec':{" + spec + "}")).isEqualTo(problem);
  }

  @ParameterizedTest(name = "{0} to {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          'scopes':['Terminating','PriorityClass']|'scopes':['PriorityClass','Terminating']|``
          'scopes':['Terminating']|'scopes':[]|spec.scopes: Invalid value: null: field is immutable
          """)
  void scopesNeverChange(String before, String after, String problem) {
    assertThat(quotas().problemOfChange("'spec':{" + before + "}", "'spec':{" + after + "}"))
        .isEqualTo(problem);
  }

  private static KindCheck quotas() {
    return KindCheck.of("", "v1", "resourcequotas");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          {'type':'Container','max':{'cpu':'2'},'default':{'cpu':'1'}}|``
          {'type':'Thing'}|spec.limits[0].type: Invalid value: 'Thing': must be a standard limit type or fully qualified
          {'type':'::1'}|spec.limits[0].type: Invalid value: '::1': name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
          {'type':'Pod'},{'type':'Pod','default':{'cpu':'1'}}|[spec.limits[1].type: Duplicate value: 'Pod', spec.limits[1].default: Forbidden: may not be specified when `type` is 'Pod']
          {'type':'Pod','max':{'x':'1'}}|[spec.limits[0].max[x]: Invalid value: 'x': must be a standard resource type or fully qualified, spec.limits[0].max[x]: Invalid value: 'x': must be a standard resource for containers]
          {'type':'PersistentVolumeClaim','max':{'cpu':'1'}}|spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided
          {'type':'Pod','min':{'cpu':'2'},'max':{'cpu':'1'}}|spec.limits[0].min[cpu]: Invalid value: '2': min value 2 is greater than max value 1
          {'type':'a/b','max':{'cpu':'1'},'default':{'cpu':'2'}}|spec.limits[0].default[cpu]: Invalid value: '1': default value 2 is greater than max value 1
          {'type':'a/b','min':{'cpu':'2'},'default':{'cpu':'1'}}|spec.limits[0].default[cpu]: Invalid value: '2': min value 2 is greater than default value 1
          {'type':'a/b','default':{'cpu':'1'},'defaultRequest':{'cpu':'2'}}|spec.limits[0].defaultRequest[cpu]: Invalid value: '2': default request value 2 is greater than default limit value 1
          {'type':'Pod','maxLimitRequestRatio':{'cpu':'500m'}}|spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: '500m': ratio 500m is less than 1
          {'type':'Pod','min':{'cpu':'1'},'max':{'cpu':'2'},'maxLimitRequestRatio':{'cpu':'3'}}|spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: '3': ratio 3 is greater than max/min = 2.000000
          {'type':'a/b','default':{'e.com/gpu':'2'},'defaultRequest':{'e.com/gpu':'1'}}|spec.limits[0].defaultRequest[e.com/gpu]: Invalid value: '1': default value 2 must equal to defaultRequest value 1 in e.com/gpu
          """)
  void limitRanges(String limits, String problem) {
    assertThat(KindCheck.of("", "v1", "limitranges").problem("'spec':{'limits':[" + limits + "]}"))
        .isEqualTo(problem);
  }
}
