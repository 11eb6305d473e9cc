package dev.berth.access.token.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.access.AnonymousAccess;
import dev.berth.model.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AuthenticationConfigurationTest {
  private static final String SERVER = "https://kubernetes.default.svc.cluster.local";
  private static final String MAPPINGS = "claimMappings: {username: {claim: sub, prefix: ''}}";

  @TempDir Path directory;

  @Test
  void anIssuerIsReadWithAllItsFields() {
    JwtIssuer issuer =
        read("""
        jwt:
        - issuer:
            url: https://issuer.example
            discoveryURL: https://inside.example/.well-known/openid-configuration
            audiences: [berth, other]
            audienceMatchPolicy: MatchAny
          claimValidationRules:
          - {claim: hd, requiredValue: example.com}
          claimMappings:
            username: {claim: sub, prefix: 'oidc:'}
            groups: {claim: roles, prefix: ''}
            uid: {claim: id}
        """)
            .issuers()
            .getFirst();
    assertThat(issuer.url()).isEqualTo("https://issuer.example");
    assertThat(issuer.discoveryUrl())
        .isEqualTo("https://inside.example/.well-known/openid-configuration");
    assertThat(issuer.audiences()).containsExactly("berth", "other");
    assertThat(issuer.algorithms()).containsExactlyInAnyOrder(SigningAlgorithm.values());
    assertThat(issuer.requiredClaims()).isEqualTo(Map.of("hd", "example.com"));
    assertThat(issuer.username()).isEqualTo(new JwtIssuer.PrefixedClaim("sub", "oidc:"));
    assertThat(issuer.groups()).contains(new JwtIssuer.PrefixedClaim("roles", ""));
    assertThat(issuer.uidClaim()).isEqualTo("id");
  }

  @Test
  void anonymousRequestsCanBeTurnedAway() {
    assertThat(read("jwt: []\n").anonymous()).isEmpty();
    assertThat(read("anonymous: {enabled: false}\n").anonymous())
        .isEqualTo(Optional.of(new AnonymousAccess(false, Set.of())));
    assertThat(
            read("anonymous: {enabled: true, conditions: [{path: /livez}, {path: /readyz}]}\n")
                .anonymous())
        .isEqualTo(Optional.of(new AnonymousAccess(true, Set.of("/livez", "/readyz"))));
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        mistake("issuer: {}", "jwt[0].issuer.url: Required value"),
        mistake(
            "issuer: {url: 'http://a', audiences: [b]}",
            "jwt[0].issuer.url: Invalid value: \"http://a\": URL scheme must be https"),
        mistake(
            "issuer: {url: 'https://u:p@a', audiences: [b]}",
            "URL must not contain a username or password"),
        mistake("issuer: {url: 'https://a?b=c', audiences: [b]}", "URL must not contain a query"),
        mistake("issuer: {url: 'https://a#b', audiences: [b]}", "URL must not contain a fragment"),
        mistake(
            "issuer: {url: '%s', audiences: [b]}".formatted(SERVER),
            "jwt[0].issuer.url: Invalid value: \"%s\": URL must not overlap with disallowed issuers: [%s]"
                .formatted(SERVER, SERVER)),
        mistake(
            "issuer: {url: 'https://a', discoveryURL: 'https://a/', audiences: [b]}",
            "jwt[0].issuer.discoveryURL: Invalid value: \"https://a/\": discoveryURL must be"
                + " different from URL"),
        mistake(
            "issuer: {url: 'https://a'}",
            "jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is"
                + " required"),
        mistake(
            "issuer: {url: 'https://a', audiences: [b, b], audienceMatchPolicy: MatchAny}",
            "jwt[0].issuer.audiences[1]: Duplicate value: \"b\""),
        mistake(
            "issuer: {url: 'https://a', audiences: [b, c]}",
            "jwt[0].issuer.audienceMatchPolicy: Invalid value: \"\": audienceMatchPolicy must be"
                + " MatchAny for multiple audiences"),
        mistake(
            "issuer: {url: 'https://a', audiences: [b], certificateAuthority: nonsense}",
            "jwt[0].issuer.certificateAuthority: Invalid value: \"<omitted>\": data does not contain"
                + " any valid RSA or ECDSA certificates"),
        mistake(
            "issuer: {url: 'https://a', audiences: [b], egressSelectorType: cluster}",
            "jwt[0].issuer.egressSelectorType: Forbidden: egress selectors are not supported"),
        mistake(
            "claimMappings: {username: {claim: sub}}",
            "jwt[0].claimMappings.username.prefix: Required value: prefix is required when claim is"
                + " set. It can be set to an empty string to disable prefixing"),
        mistake(
            "claimMappings: {}",
            "jwt[0].claimMappings.username: Required value: claim or expression is required"),
        mistake(
            "claimMappings: {username: {expression: claims.sub}}",
            "jwt[0].claimMappings.username.expression: Forbidden: CEL expressions are not supported:"
                + " use claim and prefix"),
        mistake(
            "claimMappings: {username: {claim: a, prefix: ''}, groups: {expression: claims.g}}",
            "jwt[0].claimMappings.groups.expression: Forbidden: CEL expressions"),
        mistake(
            "claimMappings: {username: {claim: a, prefix: ''}, uid: {expression: claims.g}}",
            "jwt[0].claimMappings.uid.expression: Forbidden: CEL expressions"),
        mistake(
            "claimMappings: {username: {claim: a, prefix: ''}, extra: [{key: a.b/c,"
                + " valueExpression: claims.g}]}",
            "jwt[0].claimMappings.extra[0].valueExpression: Forbidden: CEL expressions"),
        mistake(
            "claimValidationRules: [{expression: 'true'}]",
            "jwt[0].claimValidationRules[0].expression: Forbidden: CEL expressions are not supported:"
                + " use claim and requiredValue"),
        mistake(
            "claimValidationRules: [{}]",
            "jwt[0].claimValidationRules[0]: Required value: claim or expression is required"),
        mistake(
            "claimValidationRules: [{claim: a}, {claim: a}]",
            "jwt[0].claimValidationRules[1].claim: Duplicate value: \"a\""),
        mistake(
            "userValidationRules: [{expression: 'true'}]",
            "jwt[0].userValidationRules[0].expression: Forbidden: CEL expressions"),
        mistake("isuer: {}", "jwt[0].isuer: Forbidden: unknown field"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void mistakesAreNamedWithTheirPlace(String field, String message) {
    String issuer =
        field.startsWith("issuer:") ? "" : "issuer: {url: 'https://a', audiences: [b]}\n  ";
    String mappings = field.startsWith("claimMappings:") ? "" : "\n  " + MAPPINGS;
    assertThatThrownBy(() -> read("jwt:\n- " + issuer + field + mappings + "\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is not a valid AuthenticationConfiguration:")
        .hasMessageContaining(message);
  }

  @Test
  void issuersDifferAndConditionsNeedToBeEnabled() {
    String one = "- issuer: {url: 'https://a', audiences: [b]}\n  " + MAPPINGS + "\n";
    assertThatThrownBy(() -> read("jwt:\n" + one + one))
        .hasMessageContaining("jwt[1].issuer.url: Duplicate value: \"https://a\"");
    assertThatThrownBy(() -> read("anonymous: {enabled: false, conditions: [{path: /livez}]}\n"))
        .hasMessageContaining(
            "anonymous.conditions: Invalid value: [{\"path\":\"/livez\"}]: enabled should be set to"
                + " true when conditions are defined");
  }

  private static Arguments mistake(String field, String message) {
    return Arguments.of(field, message);
  }

  private AuthenticationConfiguration read(String text) {
    try {
      Path file =
          Files.writeString(
              directory.resolve("authentication.yaml"),
              "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n" + text);
      return AuthenticationConfiguration.read(file, SERVER);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
