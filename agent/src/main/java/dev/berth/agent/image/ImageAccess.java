package dev.berth.agent.image;

import dev.berth.agent.objects.ObjectsUnavailable;
import dev.berth.agent.objects.PodObjects;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.Image;
import dev.berth.agent.runtime.PodId;
import dev.berth.model.core.RegistrySecret;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.image.ImageReference;
import dev.berth.policy.image.ImageVerification;
import dev.berth.policy.image.PullSecret;
import dev.berth.policy.image.PulledImage;
import dev.berth.policy.image.RegistryLogin;
import dev.berth.policy.image.RegistryLogins;
import dev.berth.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which pods may use images that are on this machine already, because somebody else's pod had them
 * pulled; and with which logins pods have images pulled.
 *
 * <p>What was pulled with what is in files, as a kubelet keeps them: {@code image_manager/pulling}
 * has an image's name before its pull begins, until it has ended and {@code image_manager/pulled}
 * has its id. So an agent that was killed in between leaves no image that seems to have been there
 * before. What cannot be read is pulled again, and the registry decides.
 *
 * <p>Any thread may use it. Asking for secrets may block.
 */
public final class ImageAccess {
  private static final Logger LOG = LoggerFactory.getLogger("images");

  private final Time time;
  private final ContainerRuntime runtime;
  private final ImageVerification verification;
  private final PullRecords pulling;
  private final PullRecords pulled;
  private final NodeLogins node;

  /** How many pulls of an image are under way; guarded by this. */
  private final Map<String, Integer> underWay = new HashMap<>();

  /** Whether pulls that an earlier agent has begun were looked at; guarded by this. */
  private boolean hasLookedBack;

  /**
   * @param root the agent's directory
   */
  public ImageAccess(
      Time time, ContainerRuntime runtime, ImageVerification verification, Path root) {
    this.time = time;
    this.runtime = runtime;
    this.verification = verification;
    pulling = new PullRecords(root.resolve("image_manager").resolve("pulling"));
    pulled = new PullRecords(root.resolve("image_manager").resolve("pulled"));
    node = NodeLogins.of(root, Path.of(System.getProperty("user.home", "/")));
  }

  /** A pod that wants an image, by the name that it uses, and who can read its secrets. */
  public record Wanted(PodId id, JsonObject pod, String image, PodObjects objects) {}

  /** The logins of a pod for an image, and the secrets that could not be read. */
  public record Logins(List<RegistryLogin> logins, List<String> missingSecrets) {}

  /**
   * Everything that an image may be pulled with: the logins of the pod's secrets first, then those
   * of the node.
   */
  Logins logins(Wanted wanted) {
    Logins ofPod = ofSecrets(wanted);
    List<RegistryLogin> all = new ArrayList<>(ofPod.logins);
    repository(wanted).ifPresent(each -> all.addAll(node.read().forRepository(each)));
    return new Logins(List.copyOf(all), ofPod.missingSecrets);
  }

  private static Optional<String> repository(Wanted wanted) {
    return ImageReference.parse(wanted.image)
            instanceof ImageReference.Result.Valid(ImageReference reference)
        ? Optional.of(reference.repository())
        : Optional.empty();
  }

  /** What secrets there are is tried, as upstream; an image that needs another will say so. */
  private static Logins ofSecrets(Wanted wanted) {
    List<RegistrySecret> secrets = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (JsonObject each : wanted.pod.object("spec").array("imagePullSecrets").objects()) {
      String name = each.text("name", "");
      if (name.isEmpty()) {
        continue;
      }
      try {
        Optional<JsonObject> secret = wanted.objects.secret(wanted.id.namespace(), name);
        secret.map(RegistrySecret::read).ifPresentOrElse(secrets::add, () -> missing.add(name));
      } catch (ObjectsUnavailable e) {
        missing.add(name);
      }
    }
    List<RegistryLogin> logins =
        repository(wanted)
            .map(each -> RegistryLogins.of(secrets).forRepository(each))
            .orElse(List.of());
    return new Logins(logins, List.copyOf(missing));
  }

  /** Whether a pod may use an image that is here, without its registry being asked. */
  public boolean mayUse(Wanted wanted, Image image) {
    String name = ImageReference.withoutVersion(wanted.image);
    try {
      Optional<PulledImage> known = known(wanted.image, image);
      if (!verification.verifies(wanted.image, known.isPresent())) {
        return true;
      }
      boolean needsSecrets = known.filter(record -> record.needsSecrets(name)).isPresent();
      List<PullSecret> secrets =
          needsSecrets
              ? ofSecrets(wanted).logins().stream()
                  .flatMap(login -> login.secret().stream())
                  .toList()
              : List.of();
      return known.isPresent() && use(name, image, secrets);
    } catch (IOException | JsonException e) {
      LOG.warn("whether {} may use image {} is not known: {}", wanted.id, name, e.getMessage());
      return false;
    }
  }

  private synchronized boolean use(String name, Image image, List<PullSecret> secrets)
      throws IOException {
    PulledImage record = record(image.id()).orElseGet(() -> unknown(image.id()));
    PulledImage.Use use = record.use(name, secrets, time.now());
    if (!use.record().equals(record)) {
      keep(use.record());
    }
    return use.isAllowed();
  }

  /** What is known of an image that was pulled, or may have been; empty if it was not. */
  private synchronized Optional<PulledImage> known(String name, Image image) throws IOException {
    hasLookedBack = hasLookedBack || lookBack();
    Optional<PulledImage> record = record(image.id());
    return record.isEmpty() && pulling.has(name) ? Optional.of(unknown(image.id())) : record;
  }

  private PulledImage unknown(String id) {
    return PulledImage.unknown(id, time.now());
  }

  private Optional<PulledImage> record(String id) throws IOException {
    return pulled.find(id).map(PulledImageRecord::read);
  }

  private void keep(PulledImage record) throws IOException {
    pulled.write(record.id(), PulledImageRecord.write(record));
  }

  /**
   * Pulls may have succeeded whose agent did not live to hear of it.
   *
   * @return false if the runtime does not say which images it has
   */
  private boolean lookBack() throws IOException {
    List<Image> images = runtime.images();
    for (JsonObject intent : images.isEmpty() ? List.<JsonObject>of() : pulling.all()) {
      String name = intent.text("image", "");
      for (Image image : images) {
        if (isNamed(image, name) && record(image.id()).isEmpty()) {
          keep(unknown(image.id()));
        }
      }
      if (!underWay.containsKey(name)) {
        pulling.delete(name);
      }
    }
    return !images.isEmpty();
  }

  private static boolean isNamed(Image image, String name) {
    return image.names().stream()
        .anyMatch(known -> ImageReference.full(known).equals(ImageReference.full(name)));
  }

  /**
   * An image is about to be pulled.
   *
   * @throws IOException if that cannot be noted, so that it must not be
   */
  synchronized void begin(String image) throws IOException {
    pulling.write(image, PulledImageRecord.intent(image));
    underWay.merge(image, 1, Integer::sum);
  }

  /**
   * It was pulled.
   *
   * @param by empty if without a login
   */
  synchronized void succeeded(String image, String id, Optional<RegistryLogin> by) {
    try {
      PulledImage before = record(id).orElseGet(() -> unknown(id));
      keep(
          before.pulled(
              ImageReference.withoutVersion(image), by.flatMap(RegistryLogin::secret), time.now()));
    } catch (IOException e) {
      // As long as it counts as being pulled, nobody else uses it.
      LOG.warn("what image {} was pulled with cannot be noted: {}", image, e.getMessage());
      return;
    }
    ended(image);
  }

  /** It was not pulled, or all about that is noted. */
  synchronized void ended(String image) {
    Integer left = underWay.computeIfPresent(image, (_, count) -> count == 1 ? null : count - 1);
    if (left == null) {
      try {
        pulling.delete(image);
      } catch (IOException e) {
        LOG.warn("image {} counts as being pulled: {}", image, e.getMessage());
      }
    }
  }

  /**
   * Forgets images that are gone.
   *
   * @param ids of those that are here
   * @param since when they were looked for: what was pulled after that stays
   */
  synchronized void retain(Set<String> ids, Instant since) {
    try {
      for (JsonObject tree : pulled.all()) {
        PulledImage record = PulledImageRecord.read(tree);
        // Records have whole seconds.
        if (!ids.contains(record.id()) && record.updated().isBefore(since.minusSeconds(1))) {
          pulled.delete(record.id());
        }
      }
    } catch (IOException e) {
      LOG.warn("records of images that are gone cannot be removed: {}", e.getMessage());
    }
  }
}
