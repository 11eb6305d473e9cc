package dev.berth.registry;

import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.admission.AdmissionNotices;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.StatusException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The options of a deletion.
 *
 * @param gracePeriodSeconds null if the object decides
 * @param uid a precondition: the object's UID; empty for none
 * @param resourceVersion a precondition: the object's resourceVersion; empty for none
 * @param propagation what happens to what the object owns; null if the object's finalizers decide
 * @param user who deletes, for admission plugins
 * @param notices receives what admission plugins report
 */
public record DeletionOptions(
    @Nullable Long gracePeriodSeconds,
    String uid,
    String resourceVersion,
    @Nullable Propagation propagation,
    boolean dryRun,
    User user,
    AdmissionNotices notices) {

  /** What errors call these options. */
  public static final GroupKind KIND = new GroupKind("meta.k8s.io", "DeleteOptions");

  private static final String POLICY = "propagationPolicy";

  /** Deletes what cannot be read; has no effect in Kubernetes unless a gate is turned on. */
  public static final String UNSAFE = "ignoreStoreReadErrorWithClusterBreakingPotential";

  public static final DeletionOptions DEFAULT =
      new DeletionOptions(null, "", "", null, false, User.SERVER);

  public DeletionOptions(
      @Nullable Long gracePeriodSeconds,
      String uid,
      String resourceVersion,
      @Nullable Propagation propagation,
      boolean dryRun,
      User user) {
    this(
        gracePeriodSeconds, uid, resourceVersion, propagation, dryRun, user, AdmissionNotices.NONE);
  }

  /** What happens to the objects that the deleted one owns: upstream's propagation policies. */
  public enum Propagation {
    /** They stay, and lose their owner. */
    ORPHAN,
    /** They are deleted after their owner. */
    BACKGROUND,
    /** They are deleted before their owner. */
    FOREGROUND
  }

  /** Reads Kubernetes' object of this name; an empty one asks for nothing in particular. */
  public static DeletionOptions read(JsonObject options) {
    JsonObject preconditions = options.object("preconditions");
    Propagation propagation = propagation(options.text(POLICY, ""));
    if (options.has("orphanDependents")) {
      if (propagation != null) {
        throw invalid(
            FieldError.invalid(
                POLICY,
                options.text(POLICY, ""),
                "orphanDependents and deletionPropagation cannot be both set"));
      }
      propagation =
          options.flag("orphanDependents", false) ? Propagation.ORPHAN : Propagation.BACKGROUND;
    }
    checkUnsafe(options);
    var grace = options.integer("gracePeriodSeconds");
    return new DeletionOptions(
        grace.isPresent() ? grace.getAsLong() : null,
        preconditions.text("uid", ""),
        preconditions.text("resourceVersion", ""),
        propagation,
        !options.array("dryRun").isEmpty(),
        User.SERVER);
  }

  /** What cannot be read cannot be deleted with regard to anything. */
  private static void checkUnsafe(JsonObject options) {
    if (!options.flag(UNSAFE, false)) {
      return;
    }
    List<FieldError> errors =
        Stream.of("dryRun", POLICY, "orphanDependents", "gracePeriodSeconds", "preconditions")
            .filter(field ->
                field.equals("dryRun") ? !options.array(field).isEmpty() : options.has(field))
            .map(field -> FieldError.invalid(UNSAFE, true, "cannot be set together with ." + field))
            .toList();
    if (!errors.isEmpty()) {
      throw Failures.invalid(KIND, "", errors);
    }
  }

  public static @Nullable Propagation propagation(String name) {
    return switch (name) {
      case "" -> null;
      case "Orphan" -> Propagation.ORPHAN;
      case "Background" -> Propagation.BACKGROUND;
      case "Foreground" -> Propagation.FOREGROUND;
      default ->
          throw invalid(
              FieldError.notSupported(
                  POLICY, name, List.of("Foreground", "Background", "Orphan", "nil")));
    };
  }

  private static StatusException invalid(FieldError error) {
    return Failures.invalid(KIND, "", List.of(error));
  }

  public DeletionOptions grace(long seconds) {
    return new DeletionOptions(seconds, uid, resourceVersion, propagation, dryRun, user, notices);
  }

  public DeletionOptions propagation(Propagation policy) {
    return new DeletionOptions(
        gracePeriodSeconds, uid, resourceVersion, policy, dryRun, user, notices);
  }

  public DeletionOptions rehearsed() {
    return new DeletionOptions(
        gracePeriodSeconds, uid, resourceVersion, propagation, true, user, notices);
  }

  /** Only if the object is still this one. */
  public DeletionOptions only(String objectUid) {
    return new DeletionOptions(
        gracePeriodSeconds, objectUid, resourceVersion, propagation, dryRun, user, notices);
  }

  public DeletionOptions by(User deleter) {
    return new DeletionOptions(
        gracePeriodSeconds, uid, resourceVersion, propagation, dryRun, deleter, notices);
  }

  /** The same for a client that hears what admission plugins have to say. */
  public DeletionOptions reporting(AdmissionNotices to) {
    return new DeletionOptions(
        gracePeriodSeconds, uid, resourceVersion, propagation, dryRun, user, to);
  }

  /** Kubernetes' object of this name. */
  JsonObject toTree() {
    JsonObject.Builder tree =
        new JsonObject.Builder().put("kind", "DeleteOptions").put("apiVersion", "meta.k8s.io/v1");
    tree.putIfPresent("gracePeriodSeconds", gracePeriodSeconds);
    if (!uid.isEmpty() || !resourceVersion.isEmpty()) {
      JsonObject.Builder preconditions = new JsonObject.Builder();
      preconditions.putIfPresent("uid", uid.isEmpty() ? null : uid);
      preconditions.putIfPresent(
          "resourceVersion", resourceVersion.isEmpty() ? null : resourceVersion);
      tree.put("preconditions", preconditions.build());
    }
    if (propagation != null) {
      tree.put(
          "propagationPolicy",
          switch (propagation) {
            case ORPHAN -> "Orphan";
            case BACKGROUND -> "Background";
            case FOREGROUND -> "Foreground";
          });
    }
    if (dryRun) {
      tree.put("dryRun", JsonArray.of("All"));
    }
    return tree.build();
  }
}
