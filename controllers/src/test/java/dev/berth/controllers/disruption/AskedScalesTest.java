package dev.berth.controllers.disruption;

import static dev.berth.model.fixture.Fixtures.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.WatchRequest;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.disruption.ControllerScale;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Controllers of kinds that nobody here has heard of, asked for their scales. */
class AskedScalesTest {
  private static final OwnerReference GAME =
      new OwnerReference("games.example.org/v1", "Fleet", "f1", "u1", true, false);

  /** A server that answers one question. */
  private record Answering(Function<String, ApiResult> answers) implements Api {
    @Override
    public ApiResult send(ApiRequest request) {
      return answers.apply(request.target().toString());
    }

    @Override
    public ListResult list(ListRequest request) {
      throw new AssertionError("nobody lists");
    }

    @Override
    public ApiWatch watch(WatchRequest request, Runnable onReady) {
      throw new AssertionError("nobody watches");
    }
  }

  private static AskedScales ask(ApiResult answer) {
    return AskedScales.ask(
        new Answering(asked -> {
          assertThat(asked).isEqualTo("fleets.games.example.org default/f1/scale");
          return answer;
        }),
        "default",
        List.of(GAME));
  }

  private static JsonObject scale(String uid, long replicas) {
    return JsonObject.of("metadata", object("name", "f1", "uid", uid))
        .with("spec", JsonObject.of("replicas", replicas));
  }

  private static ApiResult notFound(String name) {
    JsonObject details = JsonObject.of("details", object("name", name));
    return new ApiResult.Refused(ApiError.of(404, details));
  }

  @Test
  void aControllerWithAScaleIsCountedByIt() {
    AskedScales asked = ask(new ApiResult.Done(scale("u1", 5)));
    assertThat(asked.scales()).containsEntry("u1", new ControllerScale.Known("u1", 5));
    assertThat(asked.isComplete()).isTrue();
  }

  @Test
  void anotherControllerOfTheSameNameIsNotIt() {
    assertThat(ask(new ApiResult.Done(scale("u2", 5))).scales()).isEmpty();
  }

  @Test
  void aControllerThatIsGoneIsNotThere() {
    assertThat(ask(notFound("f1"))).isEqualTo(AskedScales.NONE);
  }

  @Test
  void aKindWithoutAScaleSaysSo() {
    assertThat(ask(notFound("")).scales())
        .containsEntry(
            "u1",
            new ControllerScale.Unknown(
                "fleets.games.example.org does not implement the scale subresource"));
  }

  @Test
  void aServerThatDoesNotAnswerIsAskedAgain() {
    AskedScales asked = ask(new ApiResult.Unreachable("no route"));
    assertThat(asked.isComplete()).isFalse();
    assertThat(asked.scales()).containsEntry("u1", new ControllerScale.Unknown("no route"));
  }
}
