package dev.berth.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.access.token.oidc.JwtIssuer;
import dev.berth.access.token.oidc.SigningAlgorithm;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.UsageException;
import dev.berth.model.config.ConfigException;
import dev.berth.policy.taint.DefaultTolerations;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerOptionsTest {
  private static ServerSettings read(String... words) {
    return ServerOptions.read(
        Arguments.parse(new UpCommand(), List.of(words)), new PrintWriter(new StringWriter()));
  }

  /** Row T10. */
  @Test
  void howLongPodsTolerateNodeProblemsIsAFlag() {
    assertThat(read().admission().tolerations()).isEqualTo(DefaultTolerations.FIVE_MINUTES);
    assertThat(
            read(
                    "--default-not-ready-toleration-seconds=30",
                    "--default-unreachable-toleration-seconds=0")
                .admission()
                .tolerations())
        .isEqualTo(new DefaultTolerations(Duration.ofSeconds(30), Duration.ZERO));
    assertThatThrownBy(() -> read("--default-unreachable-toleration-seconds=-1"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--default-unreachable-toleration-seconds");
  }

  @Test
  void howLongHistoryIsKeptIsAFlag() {
    assertThat(read().watchHistory()).isEqualTo(Duration.ofMinutes(5));
    assertThat(read("--watch-history=90s").watchHistory()).isEqualTo(Duration.ofSeconds(90));
    assertThatThrownBy(() -> read("--watch-history=20ms"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--watch-history");
  }

  @Test
  void howLongAServerThatStopsGoesOnIsAFlagAndElseDependsOnOthers() {
    assertThat(read().shutdownDelay()).isEmpty();
    assertThat(read("--shutdown-delay-duration=0").shutdownDelay()).contains(Duration.ZERO);
    assertThat(read("--shutdown-delay-duration=1m10s").shutdownDelay())
        .contains(Duration.ofSeconds(70));
    assertThatThrownBy(() -> read("--shutdown-delay-duration=-1s"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--shutdown-delay-duration must be a duration");
  }

  @Test
  void anIssuerIsGivenByOptionsOrByAFile() {
    JwtIssuer issuer =
        read(
                "--oidc-issuer-url=https://issuer.example",
                "--oidc-client-id=berth",
                "--oidc-groups-claim=roles",
                "--oidc-required-claim=a=b,c=d",
                "--oidc-signing-algs=ES256,RS256")
            .access()
            .authentication()
            .issuers()
            .getFirst();
    assertThat(issuer.audiences()).containsExactly("berth");
    assertThat(issuer.username())
        .isEqualTo(new JwtIssuer.PrefixedClaim("sub", "https://issuer.example#"));
    assertThat(issuer.groups()).contains(new JwtIssuer.PrefixedClaim("roles", ""));
    assertThat(issuer.requiredClaims()).isEqualTo(Map.of("a", "b", "c", "d"));
    assertThat(issuer.algorithms())
        .containsExactlyInAnyOrder(SigningAlgorithm.ES256, SigningAlgorithm.RS256);

    assertThatThrownBy(() ->
            read(
                "--oidc-issuer-url=https://issuer.example",
                "--oidc-client-id=berth",
                "--authentication-config=file"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("exclude each other");
    assertThatThrownBy(() -> read("--oidc-groups-claim=roles"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("must be given together");
    assertThatThrownBy(
            () -> read("--oidc-issuer-url=http://issuer.example", "--oidc-client-id=berth"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("URL scheme must be https");
    assertThatThrownBy(() ->
            read("--oidc-issuer-url=https://a", "--oidc-client-id=b", "--oidc-signing-algs=HS256"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("\"HS256\" is none of RS256");
  }

  /**
   * The prefix keeps users of an issuer apart from all others, unless their names are addresses.
   */
  @Test
  void thePrefixOfUserNamesFollowsFromTheClaim() {
    assertThat(prefix()).isEqualTo("https://a#");
    assertThat(prefix("--oidc-username-claim=email")).isEmpty();
    assertThat(prefix("--oidc-username-claim=name")).isEqualTo("https://a#");
    assertThat(prefix("--oidc-username-prefix=-")).isEmpty();
    assertThat(prefix("--oidc-username-prefix=x:")).isEqualTo("x:");
  }

  private static String prefix(String... more) {
    List<String> words =
        new ArrayList<>(List.of("--oidc-issuer-url=https://a", "--oidc-client-id=b"));
    words.addAll(List.of(more));
    return read(words.toArray(String[]::new))
        .access()
        .authentication()
        .issuers()
        .getFirst()
        .username()
        .prefix();
  }

  @Test
  void anAuditPolicyNeedsALog() {
    assertThatThrownBy(() -> read("--audit-policy-file=policy.yaml"))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--audit-policy-file has no effect without --audit-log, which names the file to write"
                + " to.");
  }
}
