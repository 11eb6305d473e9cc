package dev.berth.agent.image;

import dev.berth.agent.objects.PodObjects;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.ImagePull;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.image.ImageReference;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Has images pulled for pods, with their secrets, so many at once and the rest in order. */
public final class ImagePuller {
  private static final Duration SOON = Duration.ofMillis(20);
  private static final String ERROR = "ErrImagePull";
  private static final ImageAccess.Logins NO_LOGINS = new ImageAccess.Logins(List.of(), List.of());

  private final Loop loop;
  private final Time time;
  private final ContainerRuntime runtime;
  private final PodObjects objects;
  private final ImageAccess access;
  private final int atOnce;
  private final Deque<Pull> waiting = new ArrayDeque<>();
  private int underWay;

  private record Pull(Request request, Consumer<Result> then, Instant asked) {}

  /** An image for a pod. */
  public record Request(PodId id, JsonObject pod, String image) {}

  /** What came of it. */
  public sealed interface Result {
    /** It is here. */
    record Pulled(Duration took, Duration tookWithWaiting, long bytes, List<String> missingSecrets)
        implements Result {}

    /**
     * It is not.
     *
     * @param reason as the status of a container that waits says it
     */
    record Failed(String reason, String message, List<String> missingSecrets) implements Result {}

    /** Secrets of the pod that could not be read. */
    List<String> missingSecrets();
  }

  /**
   * What to make it of.
   *
   * @param loop on which it lives
   * @param objects where secrets are read
   * @param access is told what was pulled, and with what
   * @param atOnce how many pulls are under way at once
   */
  public record Parts(
      Loop loop,
      Time time,
      ContainerRuntime runtime,
      PodObjects objects,
      ImageAccess access,
      int atOnce) {}

  public ImagePuller(Parts parts) {
    loop = parts.loop();
    time = parts.time();
    runtime = parts.runtime();
    objects = parts.objects();
    access = parts.access();
    atOnce = parts.atOnce();
  }

  /** Pulls an image; then says on the loop what came of it. */
  public void pull(Request request, Consumer<Result> then) {
    waiting.addLast(new Pull(request, then, time.monotonicNow()));
    next();
  }

  private void next() {
    while (underWay < atOnce && !waiting.isEmpty()) {
      Pull pull = waiting.getFirst();
      boolean begun =
          loop.call(
              () -> run(pull),
              result -> {
                underWay--;
                pull.then.accept(result);
                next();
              });
      if (!begun) {
        loop.after(SOON, this::next);
        return;
      }
      waiting.removeFirst();
      underWay++;
    }
  }

  private Result run(Pull pull) {
    Request request = pull.request;
    try {
      access.begin(request.image);
    } catch (IOException e) {
      return new Result.Failed(
          ERROR,
          "Failed to record image pull intent for container image \"%s\": %s"
              .formatted(request.image, e.getMessage()),
          List.of());
    }
    Optional<ImagePull> done = Optional.empty();
    ImageAccess.Logins logins = NO_LOGINS;
    Instant began = time.monotonicNow();
    try {
      logins =
          access.logins(new ImageAccess.Wanted(request.id, request.pod, request.image, objects));
      String name = request.image;
      if (ImageReference.parse(name) instanceof ImageReference.Result.Valid(var reference)) {
        name = reference.tagged(name);
      }
      ImagePull pulled = runtime.pullImage(name, request.id, logins.logins());
      done = Optional.of(pulled);
      return new Result.Pulled(
          time.since(began),
          time.since(pull.asked),
          pulled.image().bytes(),
          logins.missingSecrets());
    } catch (RuntimeFailure e) {
      return new Result.Failed(e.reason(), String.valueOf(e.getMessage()), logins.missingSecrets());
    } catch (JsonException e) {
      return new Result.Failed(ERROR, String.valueOf(e.getMessage()), List.of());
    } finally {
      done.ifPresentOrElse(
          pulled -> access.succeeded(request.image, pulled.image().id(), pulled.login()),
          () -> access.ended(request.image));
    }
  }
}
