package dev.berth.access.token;

import static dev.berth.model.fixture.Fixtures.tree;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.access.token.TokenVerifier.Verdict;
import dev.berth.model.user.User;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tokens from a file, and tokens that new nodes join with. */
class TokensTest {
  private static final String SERVER = "https://server";
  private static final List<String> AUDIENCES = List.of(SERVER);

  private final TestCluster cluster = new TestCluster();
  private final Tokens tokens =
      new Tokens(List.of(new BootstrapTokens(cluster.registry, SERVER)), SERVER);

  private static StaticTokens parse(String... lines) {
    return StaticTokens.parse("tokens.csv", List.of(lines), SERVER);
  }

  @Test
  void aLineOfTheFileIsATokenAndItsUser() {
    StaticTokens parsed =
        parse("# a comment", "", "abc,ann,7,\"staff,night shift\"", "def, bob ,8", "x,eve,9,solo");
    assertThat(parsed.verify("abc", AUDIENCES))
        .isEqualTo(
            new Verdict.Known(
                new User("ann", List.of("staff", "night shift")).withUid("7"), AUDIENCES));
    assertThat(parsed.verify("def", AUDIENCES))
        .isEqualTo(new Verdict.Known(new User("bob", List.of()).withUid("8"), AUDIENCES));
    assertThat(parsed.verify("x", AUDIENCES))
        .isEqualTo(new Verdict.Known(new User("eve", List.of("solo")).withUid("9"), AUDIENCES));
    assertThat(parsed.verify("ab", AUDIENCES)).isEqualTo(new Verdict.Unknown());
    assertThat(parsed.verify("abc", List.of("others"))).isEqualTo(new Verdict.Unknown());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "abc,ann | tokens.csv, line 2: there must be at least 3 columns (token, user name, user uid),"
            + " found 2.",
        "',ann,1' | tokens.csv, line 2: neither the token nor the user name may be empty.",
        "'abc,ann,1,\"staff' | tokens.csv, line 2: a quote is opened and never closed.",
        "'good,ann,1' | tokens.csv, line 2: the same token stands on a line before.",
      })
  void aBadLineIsNamed(String line, String message) {
    assertThatThrownBy(() -> parse("good,ann,1", line))
        .isInstanceOf(TokenFileException.class)
        .hasMessage(message);
  }

  private void bootstrapToken(String... dataOfPairs) {
    StringBuilder data = new StringBuilder();
    for (int i = 0; i < dataOfPairs.length; i += 2) {
      String value = Base64.getEncoder().encodeToString(dataOfPairs[i + 1].getBytes(UTF_8));
      data.append(i == 0 ? "" : ",").append("'%s':'%s'".formatted(dataOfPairs[i], value));
    }
    cluster.registry.create(
        cluster.core("secrets"),
        "kube-system",
        tree(
            "{'metadata':{'name':'bootstrap-token-abcdef'},'type':'bootstrap.kubernetes.io/token','data':{%s}}"
                .formatted(data)),
        WriteOptions.DEFAULT);
  }

  private Verdict verify() {
    return tokens.verify("abcdef.0123456789abcdef", AUDIENCES);
  }

  private static final Verdict INVALID = new Verdict.Rejected("invalid bearer token");

  @Test
  void aBootstrapTokenIsASecretUntilItExpires() {
    bootstrapToken(
        "token-id", "abcdef",
        "token-secret", "0123456789abcdef",
        "usage-bootstrap-authentication", "true",
        "expiration", "2030-01-01T01:00:00Z",
        "auth-extra-groups", "system:bootstrappers:worker,system:bootstrappers:ingress");
    assertThat(verify())
        .isEqualTo(
            new Verdict.Known(
                new User(
                    "system:bootstrap:abcdef",
                    List.of(
                        "system:bootstrappers",
                        "system:bootstrappers:worker",
                        "system:bootstrappers:ingress",
                        "system:authenticated")),
                AUDIENCES));
    assertThat(tokens.verify("abcdef.0123456789abcdee", AUDIENCES)).isEqualTo(INVALID);
    cluster.time.advance(java.time.Duration.ofMinutes(60));
    assertThat(verify()).isEqualTo(INVALID);
  }

  @Test
  void aBootstrapTokenMustBeForAuthentication() {
    bootstrapToken("token-id", "abcdef", "token-secret", "0123456789abcdef");
    assertThat(verify()).isEqualTo(INVALID);
  }

  @Test
  void aBootstrapTokenIsInNoGroupOfItsChoice() {
    bootstrapToken(
        "token-id", "abcdef",
        "token-secret", "0123456789abcdef",
        "usage-bootstrap-authentication", "true",
        "auth-extra-groups", "system:masters");
    assertThat(verify()).isEqualTo(INVALID);
  }

  @Test
  void aSecretOfAnotherTypeIsNoToken() {
    cluster.registry.create(
        cluster.core("secrets"),
        "kube-system",
        tree(
            "{'metadata':{'name':'bootstrap-token-abcdef'},'data':{'token-id':'YWJjZGVm','token-secret':'MDEyMzQ1Njc4OWFiY2RlZg==','usage-bootstrap-authentication':'dHJ1ZQ=='}}"),
        WriteOptions.DEFAULT);
    assertThat(verify()).isEqualTo(INVALID);
  }
}
