package dev.berth.agent.image;

import dev.berth.agent.objects.ObjectsUnavailable;
import dev.berth.agent.objects.PodObjects;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.Image;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.model.core.RegistrySecret;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.image.ImageReference;
import dev.berth.policy.image.RegistryLogin;
import dev.berth.policy.image.RegistryLogins;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Has images pulled for pods, with their secrets, so many at once and the rest in order. */
public final class ImagePuller {
  private static final Duration SOON = Duration.ofMillis(20);

  private final Loop loop;
  private final Time time;
  private final ContainerRuntime runtime;
  private final PodObjects objects;
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
   * @param loop on which it lives
   * @param objects where secrets are read
   */
  public ImagePuller(
      Loop loop, Time time, ContainerRuntime runtime, PodObjects objects, int atOnce) {
    this.loop = loop;
    this.time = time;
    this.runtime = runtime;
    this.objects = objects;
    this.atOnce = atOnce;
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
    Instant began = time.monotonicNow();
    List<String> missing = new ArrayList<>();
    try {
      List<RegistryLogin> logins = logins(request, missing);
      String name = request.image;
      if (ImageReference.parse(name) instanceof ImageReference.Result.Valid(var reference)) {
        name = reference.tagged(name);
      }
      Image image = runtime.pullImage(name, request.id, logins);
      return new Result.Pulled(
          time.since(began), time.since(pull.asked), image.bytes(), List.copyOf(missing));
    } catch (RuntimeFailure e) {
      return new Result.Failed(e.reason(), String.valueOf(e.getMessage()), List.copyOf(missing));
    } catch (JsonException e) {
      return new Result.Failed("ErrImagePull", String.valueOf(e.getMessage()), List.of());
    }
  }

  /** What secrets there are is tried, as upstream; an image that needs another will say so. */
  private List<RegistryLogin> logins(Request request, List<String> missing) {
    List<RegistrySecret> secrets = new ArrayList<>();
    for (JsonObject each : request.pod.object("spec").array("imagePullSecrets").objects()) {
      String name = each.text("name", "");
      if (name.isEmpty()) {
        continue;
      }
      try {
        Optional<JsonObject> secret = objects.secret(request.id.namespace(), name);
        secret.map(RegistrySecret::read).ifPresentOrElse(secrets::add, () -> missing.add(name));
      } catch (ObjectsUnavailable e) {
        missing.add(name);
      }
    }
    return ImageReference.parse(request.image)
            instanceof ImageReference.Result.Valid(ImageReference reference)
        ? RegistryLogins.of(secrets).forRepository(reference.repository())
        : List.of();
  }
}
