package dev.berth.policy.podsecurity;

import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a namespace's labels demand of its pods.
 *
 * <ol>
 *   <li>What no label says is as the cluster's defaults say; privileged, as of the latest version,
 *       where these say nothing.
 *   <li>What cannot be read is restricted where it is enforced, and privileged where it only warns
 *       or is recorded; a version that cannot be read is the latest.
 *   <li>Where nothing says when to warn, there are warnings of what is enforced.
 * </ol>
 *
 * @param enforce pods that violate it are refused
 * @param audit pods that violate it are recorded in the audit log
 * @param warn who creates pods that violate it is warned
 * @param problems labels that cannot be read
 */
public record NamespaceSecurity(
    LevelVersion enforce, LevelVersion audit, LevelVersion warn, List<FieldError> problems) {
  private static final LevelVersion PRIVILEGED =
      new LevelVersion(SecurityLevel.PRIVILEGED, LevelVersion.LATEST);

  /** What holds where nobody says anything. */
  public static final NamespaceSecurity NONE =
      new NamespaceSecurity(PRIVILEGED, PRIVILEGED, PRIVILEGED, List.of());

  public NamespaceSecurity {
    problems = List.copyOf(problems);
  }

  public static NamespaceSecurity of(Map<String, String> labels) {
    return NONE.with(labels);
  }

  /** What these are the defaults of, for a namespace with labels. */
  public NamespaceSecurity with(Map<String, String> labels) {
    List<FieldError> problems = new ArrayList<>();
    LevelVersion enforce =
        read(labels, "enforce", this.enforce, SecurityLevel.RESTRICTED, problems);
    LevelVersion audit = read(labels, "audit", this.audit, SecurityLevel.PRIVILEGED, problems);
    LevelVersion warn = read(labels, "warn", this.warn, SecurityLevel.PRIVILEGED, problems);
    boolean saysWarn = labels.containsKey(label("warn"));
    boolean enforces = SecurityLevel.parse(labels.getOrDefault(label("enforce"), "")).isPresent();
    if (!saysWarn && enforces && enforce.level().compareTo(warn.level()) > 0) {
      boolean saysVersion = labels.containsKey(label("warn-version"));
      warn = saysVersion ? warn.with(enforce.level()) : enforce;
    }
    return new NamespaceSecurity(enforce, audit, warn, problems);
  }

  private static String label(String mode) {
    return WellKnownLabels.POD_SECURITY_PREFIX + mode;
  }

  private static LevelVersion read(
      Map<String, String> labels,
      String mode,
      LevelVersion whenAbsent,
      SecurityLevel otherwise,
      List<FieldError> problems) {
    LevelVersion read = whenAbsent;
    String level = labels.getOrDefault(label(mode), "");
    if (labels.containsKey(label(mode))) {
      Optional<SecurityLevel> known = SecurityLevel.parse(level);
      if (known.isEmpty()) {
        problems.add(problem(mode, level, "must be one of privileged, baseline, restricted"));
      }
      read = read.with(known.orElse(otherwise));
    }
    String versionLabel = mode + "-version";
    if (labels.containsKey(label(versionLabel))) {
      String version = labels.getOrDefault(label(versionLabel), "");
      OptionalInt minor = LevelVersion.parseVersion(version);
      if (minor.isEmpty()) {
        problems.add(problem(versionLabel, version, "must be \"latest\" or \"v1.x\""));
      }
      read = read.at(minor.orElse(LevelVersion.LATEST));
    }
    return read;
  }

  private static FieldError problem(String mode, String value, String what) {
    return FieldError.invalid("metadata.labels[" + label(mode) + "]", value, what);
  }

  /** The problems in one text. */
  public String problemText() {
    return FieldError.join(problems);
  }

  /** Whether pods may ask for anything, and nobody minds. */
  public boolean isFullyPrivileged() {
    return problems.isEmpty() && enforce.level() == SecurityLevel.PRIVILEGED && !isWatched();
  }

  /** Whether anybody is told of what pods ask for. */
  public boolean isWatched() {
    return !problems.isEmpty()
        || warn.level() != SecurityLevel.PRIVILEGED
        || audit.level() != SecurityLevel.PRIVILEGED;
  }
}
