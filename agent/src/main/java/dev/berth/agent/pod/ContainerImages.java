package dev.berth.agent.pod;

import dev.berth.agent.image.ImagePuller;
import dev.berth.model.quantity.GoDuration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Has the images pulled that a pod's containers run in, and that their volumes are made from. The
 * pod is not busy meanwhile: it can be ended while a registry takes its time. Lives on the loop of
 * the pods.
 */
final class ContainerImages {
  /** Is told what keeps an image from being pulled. */
  interface Failure {
    void failed(String container, String image, String reason, String message);
  }

  private final PodWorker worker;
  private final PodContext context;
  private final Failure failure;
  private final Set<String> pulling = new HashSet<>();

  /** The images that were pulled for a container's next start, by the container's name. */
  private final Map<String, Set<String>> pulled = new HashMap<>();

  ContainerImages(PodWorker worker, PodContext context, Failure failure) {
    this.worker = worker;
    this.context = context;
    this.failure = failure;
  }

  /** Whether an image is on its way. */
  boolean isPulling() {
    return !pulling.isEmpty();
  }

  /** Those of a container's images that were pulled for its next start. */
  Set<String> pulledFor(String container) {
    Set<String> all = new HashSet<>(pulled.getOrDefault(container, Set.of()));
    all.removeIf(image -> !wants(container, image));
    return all;
  }

  /** A container was started, or cannot be; which of its images were pulled for that. */
  Set<String> use(String container) {
    Set<String> all = pulledFor(container);
    pulled.remove(container);
    return all;
  }

  /** Whether a container still has an image: its own may be another one by now. */
  private boolean wants(String container, String image) {
    return WantedImage.of(worker.pod(), PodContainers.spec(worker.pod(), container)).stream()
        .anyMatch(wanted -> wanted.name().equals(image));
  }

  void pull(String name, String image) {
    pulling.add(name);
    context.events().normal(worker.pod(), name, "Pulling", "Pulling image \"%s\"".formatted(image));
    context
        .images()
        .pull(
            new ImagePuller.Request(worker.id(), worker.pod(), image),
            result -> {
              pulling.remove(name);
              warn(result.missingSecrets());
              switch (result) {
                case ImagePuller.Result.Pulled done -> pulled(name, image, done);
                case ImagePuller.Result.Failed failed when wants(name, image) ->
                    failure.failed(name, image, failed.reason(), failed.message());
                case ImagePuller.Result.Failed _ -> worker.step(); // It has another by now.
              }
            });
  }

  private void pulled(String name, String image, ImagePuller.Result.Pulled done) {
    context.metrics().pulled(done.tookWithWaiting(), done.bytes());
    context
        .events()
        .normal(
            worker.pod(),
            name,
            "Pulled",
            "Successfully pulled image \"%s\" in %s (%s including waiting). Image size: %d bytes."
                .formatted(
                    image,
                    GoDuration.text(done.took()),
                    GoDuration.text(done.tookWithWaiting()),
                    done.bytes()));
    pulled.computeIfAbsent(name, _ -> new HashSet<>()).add(image);
    worker.step();
  }

  private void warn(List<String> missingSecrets) {
    if (!missingSecrets.isEmpty()) {
      context
          .events()
          .warning(
              worker.pod(),
              "FailedToRetrieveImagePullSecret",
              "Unable to retrieve some image pull secrets (%s); attempting to pull the image may not succeed."
                  .formatted(String.join(", ", missingSecrets)));
    }
  }
}
