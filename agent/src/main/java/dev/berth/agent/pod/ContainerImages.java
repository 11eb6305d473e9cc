package dev.berth.agent.pod;

import dev.berth.agent.image.ImagePuller;
import dev.berth.model.quantity.GoDuration;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Has the images of a pod's containers pulled. The pod is not busy meanwhile: it can be ended while
 * a registry takes its time. Lives on the loop of the pods.
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
  private final Set<String> pulled = new HashSet<>();

  ContainerImages(PodWorker worker, PodContext context, Failure failure) {
    this.worker = worker;
    this.context = context;
    this.failure = failure;
  }

  /** Whether an image is on its way. */
  boolean isPulling() {
    return !pulling.isEmpty();
  }

  /** Whether a container's image was pulled for its next start. */
  boolean isPulled(String container) {
    return pulled.contains(container);
  }

  /** A container was started, or cannot be; whether its image was pulled for that. */
  boolean use(String container) {
    return pulled.remove(container);
  }

  void pull(JsonObject container) {
    String name = container.text("name", "");
    String image = container.text("image", "");
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
                case ImagePuller.Result.Failed failed ->
                    failure.failed(name, image, failed.reason(), failed.message());
              }
            });
  }

  private void pulled(String name, String image, ImagePuller.Result.Pulled done) {
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
    pulled.add(name);
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
