package dev.berth.cli;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a {@link Rehearsal} extends its server by: a custom resource with rules, and policies. */
final class RehearsedExtensions {
  static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  static final String DEFINITION = "rehearsals.example.com";
  static final String OBJECTS = "/apis/example.com/v1/namespaces/default/rehearsals";
  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
  private static final int FIELDS = 20;

  private RehearsedExtensions() {}

  static String definition() {
    return """
    {"metadata":{"name":"%s"},
     "spec":{"group":"example.com","scope":"Namespaced",
      "names":{"plural":"rehearsals","singular":"rehearsal","kind":"Rehearsal"},
      "versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},
       "schema":{"openAPIV3Schema":{"type":"object","properties":{
        "status":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
        "spec":{"type":"object","required":["text0"],
         "x-kubernetes-validations":[
          {"rule":"self.text0.startsWith('t') && size(self.text1) < 64"},
          {"rule":"!has(self.number0) || self.number0 <= self.number1"},
          {"rule":"self.list.all(e, e.name != '')"}],
         "properties":{%s,
          "list":{"type":"array","maxItems":16,"x-kubernetes-list-type":"map",
           "x-kubernetes-list-map-keys":["name"],
           "items":{"type":"object","required":["name"],"properties":{
            "name":{"type":"string","maxLength":63},
            "mode":{"type":"string","enum":["Fast","Slow"],"default":"Fast"}}}}}}}}}}]}}
    """
        .formatted(
            DEFINITION,
            fields(
                "\"text%1$d\":{\"type\":\"string\",\"maxLength\":64},"
                    + "\"number%1$d\":{\"type\":\"integer\",\"minimum\":0}"));
  }

  static String object() {
    return """
    {"metadata":{"generateName":"a-"},
     "spec":{%s,"list":[{"name":"a"},{"name":"b","mode":"Slow"}]}}
    """
        .formatted(fields("\"text%1$d\":\"text\",\"number%1$d\":%1$d"));
  }

  private static String fields(String pattern) {
    return IntStream.range(0, FIELDS).mapToObj(pattern::formatted).collect(Collectors.joining(","));
  }

  /** No scheduler is interested, since binding is rehearsed elsewhere. */
  static String pod() {
    return """
    {"metadata":{"generateName":"a-","labels":{"app":"a"}},
     "spec":{"schedulerName":"none",
      "containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1m"}},
       "ports":[{"containerPort":80}],"env":[{"name":"A","value":"b"}]}]}}
    """;
  }

  /** Policies, each with a binding of the same name. */
  enum Policy {
    MUTATING(
        "\"reinvocationPolicy\":\"Never\",\"mutations\":[{\"patchType\":\"ApplyConfiguration\","
            + "\"applyConfiguration\":{\"expression\":\"Object{metadata: Object.metadata{labels:"
            + " {'by': request.userInfo.username.replace(':', '-')}}}\"}}]",
        ""),
    VALIDATING(
        "\"variables\":[{\"name\":\"all\",\"expression\":\"object.spec.containers\"}],"
            + "\"validations\":[{\"expression\":\"variables.all.all(c, has(c.image) &&"
            + " c.name.matches('^[a-z]+$'))\"},{\"expression\":\"request.userInfo.groups.exists(g,"
            + " g.startsWith('system:'))\"}]",
        ",\"validationActions\":[\"Deny\"]");

    private final String rules;
    private final String actions;

    Policy(String rules, String actions) {
      this.rules = rules;
      this.actions = actions;
    }

    String path() {
      return GROUP + name().toLowerCase(Locale.ROOT) + "admissionpolicies";
    }

    String bindingPath() {
      return GROUP + name().toLowerCase(Locale.ROOT) + "admissionpolicybindings";
    }

    String policy() {
      return """
      {"metadata":{"name":"rehearsal"},
       "spec":{"matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],
         "resources":["pods"],"operations":["CREATE"]}]},%s}}
      """
          .formatted(rules);
    }

    String binding() {
      return """
      {"metadata":{"name":"rehearsal"},"spec":{"policyName":"rehearsal"%s}}
      """
          .formatted(actions);
    }
  }
}
