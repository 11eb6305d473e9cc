package dev.berth.kinds.admissionregistration;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.FieldError;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a webhook, in Kubernetes' words. */
class WebhookRulesTest {
  private final WebhookRules rules = new WebhookRules(true);

  private String problems(String... webhooks) {
    List<FieldError> errors =
        rules.validate(
            rules.defaults(tree("{'webhooks':[%s]}".formatted(String.join(",", webhooks)))));
    return errors.isEmpty() ? "" : FieldError.join(errors).replace('"', '\'');
  }

  private static final String RULE =
      "'operations':['CREATE'],'apiGroups':[''],'apiVersions':['v1'],'resources':['pods']";

  private static String webhook(String changed) {
    return """
    {'name':'a.b.c','sideEffects':'None','admissionReviewVersions':['v1'],
     'clientConfig':{'url':'https://x/'},'rules':[{%s}]%s}
    """
        .formatted(RULE, changed.isEmpty() ? "" : "," + changed);
  }

  @Test
  void aWebhookNeedsLittle() {
    assertThat(problems(webhook(""))).isEmpty();
    assertThat(problems(webhook(""), webhook("")))
        .isEqualTo("webhooks[1].name: Duplicate value: 'a.b.c'");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'name':''|webhooks[0].name: Required value
          'name':'a.b'|webhooks[0].name: Invalid value: 'a.b': should be a domain with at least three segments separated by dots
          'failurePolicy':'Retry'|webhooks[0].failurePolicy: Unsupported value: 'Retry': supported values: 'Fail', 'Ignore'
          'matchPolicy':'Same'|webhooks[0].matchPolicy: Unsupported value: 'Same': supported values: 'Equivalent', 'Exact'
          'reinvocationPolicy':'Maybe'|webhooks[0].reinvocationPolicy: Unsupported value: 'Maybe': supported values: 'IfNeeded', 'Never'
          'sideEffects':'Some'|webhooks[0].sideEffects: Unsupported value: 'Some': supported values: 'None', 'NoneOnDryRun'
          'timeoutSeconds':31|webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds
          'admissionReviewVersions':[]|webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1
          'admissionReviewVersions':['v2']|webhooks[0].admissionReviewVersions: Invalid value: ['v2']: must include at least one of v1, v1beta1
          'admissionReviewVersions':['v1','v1']|webhooks[0].admissionReviewVersions[1]: Invalid value: 'v1': duplicate version
          'clientConfig':{}|webhooks[0].clientConfig: Required value: exactly one of url or service is required
          'clientConfig':{'url':'http://x/'}|webhooks[0].clientConfig.url: Invalid value: 'http': 'https' is the only allowed URL scheme; desired format: https://host[/path]
          'clientConfig':{'url':'https:///x'}|webhooks[0].clientConfig.url: Invalid value: '': host must be specified; desired format: https://host[/path]
          'clientConfig':{'url':'https://me@x/'}|webhooks[0].clientConfig.url: Invalid value: 'me': user information is not permitted in the URL
          'clientConfig':{'url':'https://x/?a=b'}|webhooks[0].clientConfig.url: Invalid value: 'a=b': query parameters are not permitted in the URL
          'clientConfig':{'service':{'name':'s'}}|webhooks[0].clientConfig.service.name: Required value
          'clientConfig':{'service':{'namespace':'n'}}|webhooks[0].clientConfig.service.namespace: Required value
          'clientConfig':{'service':{'name':'s','namespace':'n','path':'xy'}}|webhooks[0].clientConfig.service.path: Invalid value: 'xy': must start with a '/'
          'clientConfig':{'service':{'name':'s','namespace':'n','path':'/a//b'}}|webhooks[0].clientConfig.service.path: Invalid value: '/a//b': segment[1] may not be empty
          'clientConfig':{'service':{'name':'s','namespace':'n','port':70000}}|webhooks[0].clientConfig.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive
          """)
  void saysWhatIsWrong(String changed, String problem) {
    String field = changed.substring(0, changed.indexOf(':'));
    String whole = webhook("").replaceFirst(field + ":('[^']*'|\\[[^]]*]|\\{[^}]*\\}),?", "");
    String replaced =
        whole
            .strip()
            .replaceFirst(
                ",?\\s*}$", "," + java.util.regex.Matcher.quoteReplacement(changed) + "}");
    assertThat(problems(replaced)).isEqualTo(problem);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          'resources':['pods','pods/status']|``
          'resources':['*/*']|``
          'resources':[]|webhooks[0].rules[0].resources: Required value
          'resources':['*/*','pods']|webhooks[0].rules[0].resources: Invalid value: ['*/*','pods']: if '*/*' is present, must not specify other resources
          'resources':['*','pods']|webhooks[0].rules[0].resources: Invalid value: ['*','pods']: if '*' is present, must not specify other resources without subresources
          'resources':['pods/*','pods/status']|webhooks[0].rules[0].resources[1]: Invalid value: 'pods/status': if 'pods/*' is present, must not specify pods/status
          'resources':['*/status','pods/status']|webhooks[0].rules[0].resources[1]: Invalid value: 'pods/status': if '*/status' is present, must not specify pods/status
          'operations':['*','CREATE']|webhooks[0].rules[0].operations: Invalid value: ['*','CREATE']: if '*' is present, must not specify other operations
          'operations':['READ']|webhooks[0].rules[0].operations[0]: Unsupported value: 'READ': supported values: '*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'
          'apiVersions':['']|webhooks[0].rules[0].apiVersions[0]: Required value
          'scope':'Global'|webhooks[0].rules[0].scope: Unsupported value: 'Global': supported values: '*', 'Cluster', 'Namespaced'
          """)
  void saysWhatIsWrongWithARule(String changed, String problem) {
    String field = changed.substring(0, changed.indexOf(':'));
    String rule =
        RULE.replaceFirst(field + ":\\[[^]]*],?", "").replaceFirst(",$", "") + "," + changed;
    assertThat(problems(webhook("").replace(RULE, rule))).isEqualTo(problem);
  }
}
