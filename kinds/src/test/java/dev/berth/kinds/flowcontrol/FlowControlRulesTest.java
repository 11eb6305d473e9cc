package dev.berth.kinds.flowcontrol;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with flow schemas and priority levels, in Kubernetes' words. */
class FlowControlRulesTest {
  private static final String ALL_RULES =
      "'rules':[{'subjects':[{'kind':'User','user':{'name':'u'}}],'resourceRules':[{'verbs':['*'],"
          + "'apiGroups':['*'],'resources':['*'],'clusterScope':true,'namespaces':['*']}]}]";

  private final ResourceRules schemas = new FlowSchemaRules();
  private final ResourceRules levels = new PriorityLevelRules();

  private static JsonObject object(String name, String spec) {
    return tree("{'metadata':{'name':'%s'},'spec':{%s}}".formatted(name, spec));
  }

  private static String text(List<FieldError> errors) {
    return errors.isEmpty() ? "" : FieldError.join(errors).replace('"', '\'');
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          'priorityLevelConfiguration':{'name':'l'}|``
          'priorityLevelConfiguration':{'name':'l'},'matchingPrecedence':1|spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1
          'priorityLevelConfiguration':{'name':'l'},'matchingPrecedence':-1|spec.matchingPrecedence: Invalid value: -1: must be a positive value
          'priorityLevelConfiguration':{'name':'l'},'matchingPrecedence':10001|spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000
          'priorityLevelConfiguration':{'name':'l'},'distinguisherMethod':{'type':'ByColor'}|spec.distinguisherMethod.type: Unsupported value: {'Type':'ByColor'}: supported values: 'ByNamespace', 'ByUser'
          'priorityLevelConfiguration':{}|spec.priorityLevelConfiguration.name: Required value: must reference a priority level
          """)
  void saysWhatIsWrongWithAFlowSchema(String spec, String problem) {
    JsonObject schema = schemas.defaults(object("s", spec + "," + ALL_RULES));
    assertThat(text(schemas.validate(schema))).isEqualTo(problem);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          'subjects':[],'nonResourceRules':[{'verbs':['get'],'nonResourceURLs':['/healthz']}]|spec.rules[0].subjects: Required value: subjects must contain at least one value
          'subjects':[{'kind':'User','user':{'name':'u'}}]|spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty
          'subjects':[{'kind':'Dog'}],'nonResourceRules':[{'verbs':['*'],'nonResourceURLs':['*']}]|spec.rules[0].subjects[0].kind: Unsupported value: 'Dog': supported values: 'Group', 'ServiceAccount', 'User'
          'subjects':[{'kind':'Group','user':{'name':'u'}}],'nonResourceRules':[{'verbs':['*'],'nonResourceURLs':['*']}]|[spec.rules[0].subjects[0].group: Required value: group is required when subject kind is 'Group', spec.rules[0].subjects[0].user: Forbidden: user is forbidden when subject kind is not 'User']
          'subjects':[{'kind':'ServiceAccount','serviceAccount':{'name':'*'}}],'nonResourceRules':[{'verbs':['*'],'nonResourceURLs':['*']}]|spec.rules[0].subjects[0].serviceAccount.namespace: Required value: must specify namespace for service account
          'subjects':[{'kind':'User','user':{'name':'u'}}],'nonResourceRules':[{'verbs':['get','*'],'nonResourceURLs':['/a//b']}]|[spec.rules[0].nonResourceRules[0].verbs: Invalid value: ['get','*']: if '*' is present, must not specify other verbs, spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: '/a//b': must not contain double slash]
          'subjects':[{'kind':'User','user':{'name':'u'}}],'nonResourceRules':[{'verbs':['get'],'nonResourceURLs':['/a*']}]|spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: '/a*': wildcard can only do suffix matching
          'subjects':[{'kind':'User','user':{'name':'u'}}],'resourceRules':[{'verbs':['get'],'apiGroups':['*','x'],'resources':['pods'],'namespaces':['*']}]|spec.rules[0].resourceRules[0].apiGroups: Invalid value: ['*','x']: if '*' is present, must not specify other api groups
          'subjects':[{'kind':'User','user':{'name':'u'}}],'resourceRules':[{'verbs':['get'],'apiGroups':['x'],'resources':['pods']}]|spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace
          """)
  void saysWhatIsWrongWithARule(String rule, String problem) {
    JsonObject schema =
        schemas.defaults(
            object(
                "s", "'priorityLevelConfiguration':{'name':'l'},'rules':[{%s}]".formatted(rule)));
    assertThat(text(schemas.validate(schema))).isEqualTo(problem);
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          l|'type':'Limited','limited':{'limitResponse':{'type':'Reject'}}|``
          l|'type':'Limited','limited':{'limitResponse':{'type':'Queue','queuing':{}}}|``
          l|'type':'Limited'|spec.limited: Required value: must not be empty when type is Limited
          l|'type':'Exempt','exempt':{}|spec.type: Invalid value: 'Exempt': must be 'Exempt' if and only if `name` is 'exempt'
          l|'type':'Unlimited'|spec.type: Unsupported value: 'Unlimited': supported values: 'Exempt', 'Limited'
          l|'type':'Limited','limited':{'nominalConcurrencyShares':-1,'limitResponse':{'type':'Reject'}}|spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer
          l|'type':'Limited','limited':{'lendablePercent':101,'limitResponse':{'type':'Reject'}}|spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive
          l|'type':'Limited','limited':{'borrowingLimitPercent':-1,'limitResponse':{'type':'Reject'}}|spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer
          l|'type':'Limited','limited':{'limitResponse':{'type':'Reject','queuing':{}}}|spec.limited.limitResponse.queuing: Forbidden: must be nil if limited.limitResponse.type is not Limited
          l|'type':'Limited','limited':{'limitResponse':{'type':'Queue'}}|spec.limited.limitResponse.queuing: Required value: must not be empty if limited.limitResponse.type is Limited
          l|'type':'Limited','limited':{'limitResponse':{'type':'Queue','queuing':{'queues':4}}}|spec.limited.limitResponse.queuing.handSize: Invalid value: 8: should not be greater than queues (4)
          l|'type':'Limited','limited':{'limitResponse':{'type':'Queue','queuing':{'queues':512,'handSize':8}}}|spec.limited.limitResponse.queuing.handSize: Invalid value: 8: required entropy bits of deckSize 512 and handSize 8 should not be greater than 60
          exempt|'type':'Exempt','exempt':{'nominalConcurrencyShares':50}|``
          """)
  void saysWhatIsWrongWithAPriorityLevel(String name, String spec, String problem) {
    JsonObject level = levels.defaults(object(name, spec));
    assertThat(text(levels.validate(level))).isEqualTo(problem);
  }

  @Test
  void fillsInUpstreamsNumbers() {
    JsonObject level =
        levels.defaults(
            object(
                "l", "'type':'Limited','limited':{'limitResponse':{'type':'Queue','queuing':{}}}"));
    assertThat(level.object("spec").object("limited"))
        .isEqualTo(
            tree(
                "{'nominalConcurrencyShares':30,'lendablePercent':0,'limitResponse':{'type':'Queue',"
                    + "'queuing':{'handSize':8,'queues':64,'queueLengthLimit':50}}}"));
    assertThat(schemas.defaults(object("s", "")).object("spec").integer("matchingPrecedence"))
        .hasValue(1_000);
  }

  @Test
  void whatTheServerReliesOnCannotBeChanged() {
    JsonObject catchAll =
        object("catch-all", "'type':'Limited','limited':{'limitResponse':{'type':'Reject'}}");
    assertThat(text(levels.validate(levels.defaults(catchAll))))
        .endsWith("spec of 'catch-all' must equal the fixed value");
    JsonObject exempt =
        object("exempt", "'priorityLevelConfiguration':{'name':'exempt'}," + ALL_RULES);
    assertThat(text(schemas.validate(schemas.defaults(exempt))))
        .endsWith("spec of 'exempt' must equal the fixed value");
  }

  /** The objects that we make ourselves need no defaults and break no rules. */
  @Test
  void whatEveryClusterHasIsComplete() {
    List<JsonObject> ourLevels = new ArrayList<>(BootstrapFlowControl.mandatoryLevels());
    ourLevels.addAll(BootstrapFlowControl.suggestedLevels());
    for (JsonObject level : ourLevels) {
      assertThat(levels.defaults(level)).isEqualTo(level);
      assertThat(levels.validate(level)).as(level.toString()).isEmpty();
    }
    List<JsonObject> ourSchemas = new ArrayList<>(BootstrapFlowControl.mandatorySchemas());
    ourSchemas.addAll(BootstrapFlowControl.suggestedSchemas());
    for (JsonObject schema : ourSchemas) {
      assertThat(schemas.defaults(schema)).isEqualTo(schema);
      assertThat(schemas.validate(schema)).as(schema.toString()).isEmpty();
    }
    assertThat(ourLevels).hasSize(8);
    assertThat(ourSchemas).hasSize(11);
  }

  @Test
  void aConditionIsThereOnce() {
    JsonObject schema =
        tree("{'status':{'conditions':[{'type':'Dangling'},{'type':'Dangling'},{'type':''}]}}");
    assertThat(text(schemas.validateSubresource(schema, schema)))
        .isEqualTo(
            "[status.conditions[1].type: Duplicate value: 'Dangling', status.conditions[2].type:"
                + " Required value]");
  }
}
