package dev.berth.serving.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.access.Action;
import dev.berth.model.config.ConfigException;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.user.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AuditPolicyTest {
  private static final User ANNA = User.authenticated("anna", List.of("editors"));

  @TempDir Path directory;

  static Stream<Arguments> matches() {
    return Stream.of(
        Arguments.of("users: [anna]", get("pods"), true),
        Arguments.of("users: [otto]", get("pods"), false),
        Arguments.of("userGroups: [editors, others]", get("pods"), true),
        Arguments.of("userGroups: [others]", get("pods"), false),
        Arguments.of("users: [anna], userGroups: [others]", get("pods"), false),
        Arguments.of("verbs: [get]", get("pods"), true),
        Arguments.of("verbs: [list]", get("pods"), false),
        Arguments.of("verbs: [get]", path("/healthz"), true),
        Arguments.of("namespaces: [default]", get("pods"), true),
        Arguments.of("namespaces: [kube-system]", get("pods"), false),
        Arguments.of("namespaces: ['']", get("pods"), false),
        Arguments.of("namespaces: [default]", path("/healthz"), false),
        Arguments.of("resources: [{group: ''}]", get("pods"), true),
        Arguments.of("resources: [{group: apps}]", get("pods"), false),
        Arguments.of("resources: [{group: '*'}]", get("pods"), true),
        Arguments.of("resources: [{resources: [pods]}]", get("pods"), true),
        Arguments.of("resources: [{resources: [pods]}]", get("pods", "log"), false),
        Arguments.of("resources: [{resources: ['pods/log']}]", get("pods", "log"), true),
        Arguments.of("resources: [{resources: ['pods/*']}]", get("pods", "log"), true),
        Arguments.of("resources: [{resources: ['pods/*']}]", get("pods"), true),
        Arguments.of("resources: [{resources: ['*/log']}]", get("pods", "log"), true),
        Arguments.of("resources: [{resources: ['*/log']}]", get("pods"), false),
        Arguments.of("resources: [{resources: ['*']}]", get("pods", "log"), true),
        Arguments.of("resources: [{resources: [pods], resourceNames: [web]}]", get("pods"), true),
        Arguments.of("resources: [{resources: [pods], resourceNames: [db]}]", get("pods"), false),
        Arguments.of("resources: [{resources: [pods]}]", path("/healthz"), false),
        Arguments.of("nonResourceURLs: ['/healthz*']", path("/healthz/etcd"), true),
        Arguments.of("nonResourceURLs: [/healthz]", path("/healthz/etcd"), false),
        Arguments.of("nonResourceURLs: ['*']", path("/anything"), true),
        Arguments.of("nonResourceURLs: ['*']", get("pods"), false),
        Arguments.of("", get("pods"), true),
        Arguments.of("", path("/healthz"), true));
  }

  @ParameterizedTest
  @MethodSource("matches")
  void aRuleMatchesWhatFitsAllThatItSays(String rule, Action action, boolean expected) {
    AuditPolicy policy =
        policy("rules: [{level: Request, %s}]".formatted(rule).replace(", }", "}"));
    assertThat(policy.decide(ANNA, action).level())
        .isEqualTo(expected ? AuditLevel.REQUEST : AuditLevel.NONE);
  }

  @Test
  void rulesAboutUsersDoNotMatchWhoIsUnknown() {
    AuditPolicy policy = policy("rules: [{level: Request, users: [anna]}, {level: Metadata}]");
    assertThat(policy.decide(null, get("pods")).level()).isEqualTo(AuditLevel.METADATA);
    assertThat(policy.decide(ANNA, get("pods")).level()).isEqualTo(AuditLevel.REQUEST);
  }

  @Test
  void theFirstRuleThatMatchesDecidesAndStagesAddUp() {
    AuditPolicy policy =
        policy(
            """
            omitStages: [RequestReceived]
            omitManagedFields: true
            rules:
            - {level: None, verbs: [watch]}
            - {level: RequestResponse, omitStages: [Panic], omitManagedFields: false, verbs: [get]}
            - {level: Metadata}
            """);
    AuditDecision get = policy.decide(ANNA, get("pods"));
    assertThat(get.level()).isEqualTo(AuditLevel.REQUEST_RESPONSE);
    assertThat(get.omitManagedFields()).isFalse();
    assertThat(Stream.of(AuditStage.values()).filter(get::records))
        .containsExactly(AuditStage.RESPONSE_STARTED, AuditStage.RESPONSE_COMPLETE);
    AuditDecision other = policy.decide(ANNA, get("pods").withVerb("list"));
    assertThat(other.level()).isEqualTo(AuditLevel.METADATA);
    assertThat(other.omitManagedFields()).isTrue();
    assertThat(policy.decide(ANNA, get("pods").withVerb("watch")).records(AuditStage.PANIC))
        .isFalse();
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of("rules: []", "rules: Required value: a policy without rules records nothing"),
        Arguments.of("rules: [{}]", "rules[0].level: Required value"),
        Arguments.of(
            "rules: [{level: Meta}]",
            "rules[0].level: Unsupported value: \"Meta\": supported values: \"None\", \"Metadata\","
                + " \"Request\", \"RequestResponse\""),
        Arguments.of(
            "rules: [{level: None, nonResourceURLs: [healthz]}]",
            "rules[0].nonResourceURLs[0]: Invalid value: \"healthz\": non-resource URL rules must"
                + " begin with a '/' character"),
        Arguments.of(
            "rules: [{level: None, nonResourceURLs: ['/a/*/b']}]",
            "rules[0].nonResourceURLs[0]: Invalid value: \"/a/*/b\": non-resource URL wildcards '*'"
                + " must be the final character of the rule"),
        Arguments.of(
            "rules: [{level: None, nonResourceURLs: [/a], namespaces: [b]}]",
            "rules[0].nonResourceURLs: Invalid value: [\"/a\"]: rules cannot apply to both regular"
                + " resources and non-resource URLs"),
        Arguments.of(
            "rules: [{level: None, resources: [{group: apps/v1}]}]",
            "rules[0].resources[0].group: Invalid value: \"apps/v1\": a lowercase RFC 1123 subdomain"),
        Arguments.of(
            "rules: [{level: None, resources: [{resourceNames: [a]}]}]",
            "rules[0].resources[0].resourceNames: Invalid value: [\"a\"]: using resourceNames requires"
                + " at least one resource"),
        Arguments.of(
            "rules: [{level: None, omitStages: [Done]}]",
            "rules[0].omitStages[0]: Invalid value: \"Done\": allowed stages are"
                + " RequestReceived,ResponseStarted,ResponseComplete,Panic"),
        Arguments.of(
            "omitStages: [Done]\nrules: [{level: None}]",
            "omitStages[0]: Invalid value: \"Done\": allowed stages are"),
        Arguments.of(
            "rules: [{level: None, verb: [get]}]", "rules[0].verb: Forbidden: unknown field"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void mistakesAreNamedWithTheirPlace(String text, String message) {
    assertThatThrownBy(() -> policy(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is not a valid Policy:")
        .hasMessageContaining(message);
  }

  private static Action.OnResource get(String resource) {
    return get(resource, "");
  }

  private static Action.OnResource get(String resource, String subresource) {
    return new Action.OnResource(
        "get", new GroupResource("", resource), "default", "web", subresource);
  }

  private static Action path(String path) {
    return new Action.OnPath("get", path);
  }

  private AuditPolicy policy(String text) {
    try {
      return AuditPolicy.read(
          Files.writeString(
              directory.resolve("policy.yaml"),
              "apiVersion: audit.k8s.io/v1\nkind: Policy\n" + text + "\n"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
