package dev.berth.grpc.cri;

import dev.berth.agent.runtime.Image;
import dev.berth.agent.runtime.ImagePull;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.grpc.criapi.Cri;
import dev.berth.grpc.socket.GoErrors;
import dev.berth.policy.image.ImageReference;
import dev.berth.policy.image.RegistryLogin;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A runtime's images. */
final class CriImages {
  private static final Logger LOG = LoggerFactory.getLogger("container-runtime");

  /** Nothing tells how far a pull is; a large image over a slow line takes its time. */
  private static final Duration LONGEST_PULL = Duration.ofHours(1);

  private static final String PULL_ERROR = "ErrImagePull";

  /** Failures that a runtime names. */
  private static final List<String> NAMED =
      List.of("RegistryUnavailable", "SignatureValidationFailed");

  private final CriConnection connection;
  private final Supplier<String> sandboxImage;

  /** As they were last seen. */
  private volatile List<Image> known = List.of();

  private volatile Optional<Path> filesystem = Optional.empty();

  /**
   * @param sandboxImage the image that all sandboxes are made of; empty if it is not known
   */
  CriImages(CriConnection connection, Supplier<String> sandboxImage) {
    this.connection = connection;
    this.sandboxImage = sandboxImage;
  }

  Optional<Cri.Image> status(String name) throws RuntimeFailure {
    Cri.ImageStatusRequest request =
        Cri.ImageStatusRequest.newBuilder()
            .setImage(Cri.ImageSpec.newBuilder().setImage(name))
            .build();
    Cri.ImageStatusResponse response =
        CriConnection.call("ImageInspectError", () -> connection.images().imageStatus(request));
    return response.hasImage() && !response.getImage().getId().isEmpty()
        ? Optional.of(response.getImage())
        : Optional.empty();
  }

  Optional<Image> find(String name) throws RuntimeFailure {
    return status(name).map(this::image);
  }

  /**
   * Older runtimes do not say that they need the image of the sandboxes themselves, and make none
   * any more once it is gone and its registry does not answer.
   */
  private Image image(Cri.Image image) {
    List<String> names = new ArrayList<>(image.getRepoTagsList());
    names.addAll(image.getRepoDigestsList());
    String own = ImageReference.full(sandboxImage.get());
    boolean isOwn =
        !own.isEmpty() && names.stream().anyMatch(name -> ImageReference.full(name).equals(own));
    return new Image(
        List.copyOf(names), image.getId(), image.getSize(), image.getPinned() || isOwn);
  }

  ImagePull pull(String name, PodId pod, List<RegistryLogin> logins) throws RuntimeFailure {
    List<Optional<RegistryLogin>> tries =
        logins.isEmpty() ? List.of(Optional.empty()) : logins.stream().map(Optional::of).toList();
    RuntimeFailure last = new RuntimeFailure(PULL_ERROR, "");
    Set<String> messages = new LinkedHashSet<>();
    for (Optional<RegistryLogin> login : tries) {
      try {
        String reference = pull(name, pod, login);
        Image image = find(reference).orElseGet(() -> new Image(List.of(name), reference, 0));
        return new ImagePull(image, login);
      } catch (RuntimeFailure e) {
        last = e;
        messages.add(String.valueOf(e.getMessage()));
      }
    }
    throw messages.size() == 1 ? last : new RuntimeFailure(PULL_ERROR, messages.toString(), last);
  }

  private String pull(String name, PodId pod, Optional<RegistryLogin> login) throws RuntimeFailure {
    Cri.PullImageRequest.Builder request =
        Cri.PullImageRequest.newBuilder()
            .setImage(Cri.ImageSpec.newBuilder().setImage(name))
            .setSandboxConfig(
                Cri.PodSandboxConfig.newBuilder()
                    .setMetadata(
                        Cri.PodSandboxMetadata.newBuilder()
                            .setName(pod.name())
                            .setNamespace(pod.namespace())
                            .setUid(pod.uid())));
    login.ifPresent(each ->
        request.setAuth(
            Cri.AuthConfig.newBuilder().setUsername(each.username()).setPassword(each.password())));
    try {
      return connection.images(LONGEST_PULL).pullImage(request.build()).getImageRef();
    } catch (StatusRuntimeException e) {
      // A code that says nothing is left out, so that names of failures are found.
      String text =
          CriConnection.is(e, Status.Code.UNKNOWN) ? GoErrors.description(e) : GoErrors.text(e);
      for (String reason : NAMED) {
        if (text.startsWith(reason)) {
          String about =
              reason.equals("RegistryUnavailable")
                  ? "the registry is unavailable"
                  : "the signature validation failed";
          throw new RuntimeFailure(
              reason,
              "image pull failed for %s because %s%s"
                  .formatted(name, about, text.substring(reason.length())),
              e);
        }
      }
      throw new RuntimeFailure(PULL_ERROR, text, e);
    }
  }

  void remove(String id) throws RuntimeFailure {
    Cri.RemoveImageRequest request =
        Cri.RemoveImageRequest.newBuilder()
            .setImage(Cri.ImageSpec.newBuilder().setImage(id))
            .build();
    CriConnection.call("RemoveImageError", () -> connection.images().removeImage(request));
  }

  /** The largest first; those that were known last if the runtime does not answer. */
  List<Image> list() {
    try {
      known =
          connection
              .images()
              .listImages(Cri.ListImagesRequest.getDefaultInstance())
              .getImagesList()
              .stream()
              .map(this::image)
              .sorted(Comparator.comparingLong(Image::bytes).reversed().thenComparing(Image::id))
              .toList();
    } catch (StatusRuntimeException e) {
      LOG.debug("images cannot be listed: {}", GoErrors.text(e));
    }
    return known;
  }

  /** A directory of the file system with the images. */
  Optional<Path> filesystem() {
    if (filesystem.isEmpty()) {
      try {
        filesystem =
            connection
                .images()
                .imageFsInfo(Cri.ImageFsInfoRequest.getDefaultInstance())
                .getImageFilesystemsList()
                .stream()
                .map(each -> each.getFsId().getMountpoint())
                .filter(place -> place.startsWith("/"))
                .map(Path::of)
                .findFirst();
      } catch (StatusRuntimeException e) {
        LOG.debug("the images' file system is not known: {}", GoErrors.text(e));
      }
    }
    return filesystem;
  }
}
