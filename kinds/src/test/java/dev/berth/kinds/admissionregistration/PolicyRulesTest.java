package dev.berth.kinds.admissionregistration;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.fixture.KindCheck;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with an admission policy or its binding, in Kubernetes' words. */
class PolicyRulesTest {
  private static final String MATCH =
      """
      'matchConstraints':{'resourceRules':[{'operations':['CREATE'],'apiGroups':[''],
      'apiVersions':['v1'],'resources':['pods']}]}
      """;

  private static String problems(ResourceRules rules, String spec) {
    JsonObject policy = tree("{'metadata':{'name':'p'},'spec':{%s}}".formatted(spec));
    List<FieldError> errors = rules.validate(rules.defaults(policy));
    return errors.isEmpty() ? "" : FieldError.join(errors).replace('"', '\'');
  }

  private static String validating(String changed) {
    String rule = changed.contains("'validations'") ? "" : ",'validations':[{'expression':'true'}]";
    return problems(
        new ValidatingPolicyRules(), MATCH + rule + (changed.isEmpty() ? "" : "," + changed));
  }

  @Test
  void aStatusSaysWhatItIsAbout() {
    assertThat(
            KindCheck.of("admissionregistration.k8s.io", "v1", "validatingadmissionpolicies")
                .problemOfStatus(
                    "'spec':{}",
                    "'status':{'typeChecking':{'expressionWarnings':[{}]},'conditions':[{'type':'A','status':'True','reason':'r'}]}"))
        .isEqualTo(
            "[status.typeChecking.expressionWarnings[0].warning: Required value,"
                + " status.typeChecking.expressionWarnings[0].fieldRef: Required value,"
                + " status.conditions[0].lastTransitionTime: Required value]");
  }

  /** Nothing is mutated while it is deleted; what is matched is told before the conditions. */
  @Test
  void aMutatingPolicyIsNotForDeletions() {
    assertThat(
            problems(
                new MutatingPolicyRules(),
                MATCH.replace("CREATE", "DELETE")
                    + ",'matchConditions':[{'name':'c'}],'reinvocationPolicy':'Never',"
                    + "'mutations':[{'patchType':'JSONPatch','jsonPatch':{'expression':'[]'}}]"))
        .startsWith(
            "[spec.matchConstraints.resourceRules.operations: Unsupported value: 'DELETE':"
                + " supported values: '*', 'CONNECT', 'CREATE', 'UPDATE',"
                + " spec.matchConditions[0].expression: Required value");
  }

  @Test
  void aPolicyNeedsAMatchAndARule() {
    assertThat(validating("")).isEmpty();
    assertThat(problems(new ValidatingPolicyRules(), ""))
        .isEqualTo(
            "[spec.matchConstraints: Required value, spec.validations: Required value: validations"
                + " or auditAnnotations must contain at least one item, spec.auditAnnotations:"
                + " Required value: validations or auditAnnotations must contain at least one item]");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'failurePolicy':'Retry'|spec.failurePolicy: Unsupported value: 'Retry': supported values: 'Fail', 'Ignore'
          'paramKind':{'kind':'ConfigMap'}|spec.paramKind.apiVersion: Required value
          'paramKind':{'apiVersion':'a/b/c','kind':'X'}|spec.paramKind.apiVersion: Invalid value: 'a/b/c': unexpected GroupVersion string: a/b/c
          'validations':[{}]|spec.validations[0].expression: Required value: expression is not specified
          'validations':[{'expression':'true','message':' '}]|spec.validations[0].message: Invalid value: ' ': must be non-empty if specified
          'validations':[{'expression':'true','reason':'Odd'}]|spec.validations[0].reason: Unsupported value: 'Odd': supported values: 'Forbidden', 'Invalid', 'RequestEntityTooLarge'
          'validations':[{'expression':'object.x'}]|spec.validations[0].expression: Invalid value: 'object.x': must evaluate to bool but got dyn
          'validations':[{'expression':'nope == 1'}]|spec.validations[0].expression: Invalid value: 'nope == 1': compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')
          'validations':[{'expression':'params.x == 1'}]|spec.validations[0].expression: Invalid value: 'params.x == 1': compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')
          'validations':[{'expression':'variables.x'}],'variables':[{'name':'x','expression':'1'}]|spec.validations[0].expression: Invalid value: 'variables.x': must evaluate to bool but got int
          'validations':[{'expression':'true','messageExpression':'1'}]|spec.validations[0].messageExpression: Invalid value: '1': must evaluate to string but got int
          'variables':[{'name':'1x','expression':'1'}]|spec.variables[0].name: Invalid value: '1x': must be a valid CEL identifier
          'matchConditions':[{'name':'a','expression':'1'}]|spec.matchConditions[0].expression: Invalid value: '1': must evaluate to bool but got int
          'matchConditions':[{'expression':'true'}]|spec.matchConditions[0].name: Required value
          'auditAnnotations':[{'key':'k','valueExpression':'1'}]|spec.auditAnnotations[0].valueExpression: Invalid value: '1': must evaluate to one of [string null_type] but got int
          """)
  void saysWhatIsWrongWithAValidatingPolicy(String changed, String problem) {
    // What is wrong with an expression is followed by its line.
    assertThat(validating(changed).lines().findFirst().orElse("")).isEqualTo(problem);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'mutations':[{'patchType':'JSONPatch','jsonPatch':{'expression':'[JSONPatch{op: \\'test\\', path: \\'/x\\'}]'}}]|``
          'mutations':[{'patchType':'ApplyConfiguration','applyConfiguration':{'expression':'Object{spec: Object.spec{x: 1}}'}}]|``
          'mutations':[]|spec.mutations: Required value: mutations must contain at least one item
          'mutations':[{}]|spec.mutations[0].patchType: Required value
          'mutations':[{'patchType':'Odd'}]|spec.mutations[0].patchType: Unsupported value: 'Odd': supported values: 'ApplyConfiguration', 'JSONPatch'
          'mutations':[{'patchType':'JSONPatch'}]|spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch
          'mutations':[{'patchType':'ApplyConfiguration','applyConfiguration':{'expression':'{}'}}]|spec.mutations[0].applyConfiguration.expression: Invalid value: '{}': must evaluate to Object but got map(dyn, dyn)
          """)
  void saysWhatIsWrongWithAMutatingPolicy(String changed, String problem) {
    assertThat(
            problems(
                new MutatingPolicyRules(),
                MATCH + ",'reinvocationPolicy':'Never'," + changed.replace("\\'", "\\u0027")))
        .isEqualTo(problem);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'policyName':'p','validationActions':['Deny']|``
          'validationActions':['Deny']|spec.policyName: Required value
          'policyName':'p'|spec.validationActions: Required value: at least one validation action is required
          'policyName':'p','validationActions':['Deny','Warn']|spec.validationActions: Invalid value: ['Deny','Warn']: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)
          'policyName':'p','validationActions':['Deny'],'paramRef':{'name':'a'}|spec.paramRef.parameterNotFoundAction: Required value
          'policyName':'p','validationActions':['Deny'],'paramRef':{'parameterNotFoundAction':'Deny'}|spec.paramRef: Required value: one of name or selector must be specified
          """)
  void saysWhatIsWrongWithABinding(String spec, String problem) {
    assertThat(problems(new PolicyBindingRules(false), spec)).isEqualTo(problem);
  }
}
