package dev.berth.controllers.persistentvolume;

import dev.berth.client.ApiResult;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.persistentvolume.Notice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a row of requests has written, and whether it got to its end. */
final class Written {
  private final List<JsonObject> objects = new ArrayList<>();
  private ApiResult.@Nullable Failure failure;
  private @Nullable Notice notice;
  private boolean isToBeTriedAgain;

  /**
   * Takes note of an answer.
   *
   * @return the object as it is now; null if the row ends here
   */
  @Nullable JsonObject took(ApiResult result) {
    return switch (result) {
      case ApiResult.Done(JsonObject object) -> {
        objects.add(object);
        yield object;
      }
      case ApiResult.Failure why -> {
        failure = why;
        yield null;
      }
    };
  }

  /** What was decided on is out of date: nothing is wrong, but it has to be decided again. */
  Written tryAgain() {
    isToBeTriedAgain = true;
    return this;
  }

  boolean isToBeTriedAgain() {
    return isToBeTriedAgain;
  }

  Written failed(ApiResult.Failure why) {
    failure = why;
    return this;
  }

  /** Something that people are to be told, whether it was successful or not. */
  Written say(Notice what) {
    notice = what;
    return this;
  }

  List<JsonObject> objects() {
    return objects;
  }

  ApiResult.@Nullable Failure failure() {
    return failure;
  }

  @Nullable Notice notice() {
    return notice;
  }
}
