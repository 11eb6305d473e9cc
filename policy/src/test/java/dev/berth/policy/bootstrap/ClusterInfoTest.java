package dev.berth.policy.bootstrap;

import static dev.berth.model.fixture.Fixtures.tree;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.bootstrap.BootstrapToken;
import dev.berth.model.bootstrap.ClusterInfoTree;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What tokens sign, and until when. */
class ClusterInfoTest {
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
  private static final JsonObject INFO =
      tree("{'metadata':{'name':'cluster-info'},'data':{'kubeconfig':'content','other':'kept'}}");

  private static Optional<JsonObject> signed(
      JsonObject info, List<BootstrapToken> tokens, Instant now) {
    return ClusterInfo.signed(
        new ClusterInfoTree(info),
        tokens,
        (content, id, secret) -> content + " by " + id + " " + secret,
        now);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static BootstrapToken token(String name, String id, String signing, String expiration) {
    JsonObject.Builder data =
        new JsonObject.Builder()
            .put("token-id", base64(id))
            .put("token-secret", base64("0123456789abcdef"))
            .put("usage-bootstrap-signing", base64(signing));
    if (!expiration.isEmpty()) {
      data.put("expiration", base64(expiration));
    }
    return BootstrapToken.read(
        new JsonObject.Builder()
            .put("metadata", JsonObject.of("name", name))
            .put("data", data.build())
            .build());
  }

  private static BootstrapToken token(String id) {
    return token("bootstrap-token-" + id, id, "true", "");
  }

  @Test
  void eachTokenSignsAndOldSignaturesGo() {
    JsonObject signed = signed(INFO, List.of(token("bbbbbb"), token("aaaaaa")), NOW).orElseThrow();
    JsonObject data = signed.object("data");
    assertThat(data.text("kubeconfig")).isEqualTo("content");
    assertThat(data.text("other")).isEqualTo("kept");
    assertThat(data.text("jws-kubeconfig-aaaaaa")).isEqualTo("content by aaaaaa 0123456789abcdef");
    assertThat(data.has("jws-kubeconfig-bbbbbb")).isTrue();

    assertThat(signed(signed, List.of(token("aaaaaa"), token("bbbbbb")), NOW)).isEmpty();
    assertThat(
            signed(signed, List.of(token("aaaaaa")), NOW)
                .orElseThrow()
                .object("data")
                .has("jws-kubeconfig-bbbbbb"))
        .isFalse();
    JsonObject changed = signed.with("data", data.with("kubeconfig", "changed"));
    assertThat(
            signed(changed, List.of(token("aaaaaa"), token("bbbbbb")), NOW)
                .orElseThrow()
                .object("data")
                .text("jws-kubeconfig-aaaaaa"))
        .isEqualTo("changed by aaaaaa 0123456789abcdef");
  }

  @Test
  void withoutAKubeconfigThereIsNothingToSign() {
    assertThat(signed(tree("{'data':{'x':'y'}}"), List.of(token("aaaaaa")), NOW)).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      textBlock =
          """
          for ever          | bootstrap-token-abcdef  | abcdef | true  | ''                   | true
          not yet ended     | bootstrap-token-abcdef  | abcdef | true  | 2026-05-01T12:00:01Z | true
          ended             | bootstrap-token-abcdef  | abcdef | true  | 2026-05-01T12:00:00Z | false
          no time           | bootstrap-token-abcdef  | abcdef | true  | tomorrow             | false
          not for signing   | bootstrap-token-abcdef  | abcdef | false | ''                   | false
          another's name    | bootstrap-token-fedcba  | abcdef | true  | ''                   | false
          no id             | bootstrap-token-        | ''     | true  | ''                   | false
          """)
  void tokensSignIfTheyMay(
      String what, String name, String id, String signing, String expiration, boolean signs) {
    assertThat(signed(INFO, List.of(token(name, id, signing, expiration)), NOW).isPresent())
        .isEqualTo(signs);
  }

  @Test
  void theNextEndIsTheFirstOfThoseThatSign() {
    assertThat(
            ClusterInfo.nextExpiration(
                List.of(
                    token("aaaaaa"),
                    token("bootstrap-token-bbbbbb", "bbbbbb", "true", "2026-05-02T00:00:00Z"),
                    token("bootstrap-token-cccccc", "cccccc", "true", "2026-05-01T13:00:00Z"),
                    token("bootstrap-token-dddddd", "dddddd", "true", "2026-05-01T11:00:00Z")),
                NOW))
        .contains(Instant.parse("2026-05-01T13:00:00Z"));
  }
}
