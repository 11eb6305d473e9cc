package dev.berth.access.token;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.access.token.TokenVerifier.Verdict;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WebhookTokensTest {
  private static final String SERVER = "https://server";
  private static final List<String> AUDIENCES = List.of(SERVER);

  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.cause());
          });
  private final List<JsonObject> asked = new ArrayList<>();
  private String status = "{'authenticated':true,'user':{'username':'ann'}}";
  private String failure = "";
  private final WebhookTokens tokens =
      new WebhookTokens(this::answer, Duration.ofMinutes(2), time, SERVER);

  private JsonObject answer(JsonObject review) throws IOException {
    asked.add(review);
    if (!failure.isEmpty()) {
      throw new IOException(failure);
    }
    return tree(
        "{'kind':'TokenReview','apiVersion':'authentication.k8s.io/v1','status':%s}"
            .formatted(status));
  }

  @Test
  void aReviewSaysWhoseATokenIs() {
    status =
        "{'authenticated':true,'user':{'username':'ann','uid':'7','groups':['staff'],"
            + "'extra':{'example.com/a':['b','c']}}}";
    assertThat(tokens.verify("t", AUDIENCES))
        .isEqualTo(
            new Verdict.Known(
                new User("ann", "7", List.of("staff"), Map.of("example.com/a", List.of("b", "c"))),
                AUDIENCES));
    assertThat(asked)
        .singleElement()
        .hasToString(
            "{\"kind\":\"TokenReview\",\"apiVersion\":\"authentication.k8s.io/v1\",\"metadata\":{},"
                + "\"spec\":{\"token\":\"t\",\"audiences\":[\"https://server\"]}}");
  }

  @Test
  void anAnswerHoldsForAWhile() {
    tokens.verify("t", AUDIENCES);
    time.advance(Duration.ofSeconds(119));
    assertThat(tokens.verify("t", AUDIENCES)).isInstanceOf(Verdict.Known.class);
    assertThat(asked).hasSize(1);
    status = "{'authenticated':false}";
    time.advance(Duration.ofSeconds(1));
    assertThat(tokens.verify("t", AUDIENCES)).isEqualTo(new Verdict.Unknown());
    assertThat(tokens.verify("t", AUDIENCES)).isEqualTo(new Verdict.Unknown());
    assertThat(asked).as("that it is nobody's holds too").hasSize(2);
    tokens.verify("other", AUDIENCES);
    tokens.verify("t", List.of("others"));
    assertThat(asked).hasSize(4);
  }

  @Test
  void aFailureIsAskedAboutAnew() {
    failure = "no route";
    assertThat(tokens.verify("t", AUDIENCES))
        .isEqualTo(new Verdict.Rejected("the token webhook did not answer: no route"));
    failure = "";
    status = "{'authenticated':false,'error':'revoked'}";
    assertThat(tokens.verify("t", AUDIENCES)).isEqualTo(new Verdict.Rejected("revoked"));
    status = "{'authenticated':true,'user':{'username':'ann'}}";
    assertThat(tokens.verify("t", AUDIENCES)).isInstanceOf(Verdict.Known.class);
  }

  @Test
  void aTokenIsForWhomTheAnswerSays() {
    status = "{'authenticated':true,'user':{'username':'ann'},'audiences':['a','b']}";
    assertThat(tokens.verify("t", List.of("b", "c")))
        .isEqualTo(new Verdict.Known(new User("ann", List.of()), List.of("b")));
    assertThat(tokens.verify("t", AUDIENCES)).isEqualTo(new Verdict.Unknown());
  }

  @Test
  void nonsenseIsRefused() {
    status = "{'authenticated':true,'user':{}}";
    assertThat(tokens.verify("t", AUDIENCES))
        .isEqualTo(
            new Verdict.Rejected(
                "the token webhook answered nonsense: status.user.username is empty"));
    status = "{'authenticated':'yes'}";
    assertThat(tokens.verify("t", AUDIENCES)).isInstanceOf(Verdict.Rejected.class);
  }
}
