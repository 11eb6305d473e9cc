package dev.berth.agent.config;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.resource.FieldError;
import dev.berth.policy.image.ImageVerification;
import dev.berth.policy.image.ImageVerification.Policy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The fields that say of which images it is verified that a pod may use them. */
record VerificationFields(ConfigFields fields, KubeletGates gates) {
  private static final String POLICY = "imagePullCredentialsVerificationPolicy";
  private static final String ALLOWLIST = "preloadedImagesVerificationAllowlist";

  ImageVerification read(ImageVerification before) {
    if (!gates.isOn(KubeletGates.IMAGE_VERIFICATION)) {
      refuseWithoutGate(POLICY, !fields.text(POLICY, "").isEmpty());
      refuseWithoutGate(ALLOWLIST, !fields.texts(ALLOWLIST).isEmpty());
      return new ImageVerification(Policy.NEVER, List.of());
    }
    String written = fields.text(POLICY, "");
    Optional<Policy> named = Policy.of(written);
    if (named.isEmpty() && !written.isEmpty()) {
      fields.invalid(
          POLICY,
          written,
          "must be one of: "
              + Arrays.stream(Policy.values()).map(Policy::text).collect(Collectors.joining(", ")));
    }
    Policy policy = named.orElse(before.policy());
    List<String> allowlist = fields.has(ALLOWLIST) ? fields.texts(ALLOWLIST) : before.allowlist();
    if (!allowlist.isEmpty() && policy != Policy.NEVER_ALLOWLISTED) {
      fields.error(
          FieldError.forbidden(
              fields.path(ALLOWLIST),
              "requires %s: %s".formatted(POLICY, Policy.NEVER_ALLOWLISTED.text())));
    }
    for (String entry : allowlist) {
      ImageVerification.problem(entry)
          .ifPresent(problem -> fields.invalid(ALLOWLIST, entry, problem));
    }
    return new ImageVerification(policy, allowlist);
  }

  private void refuseWithoutGate(String name, boolean isSaid) {
    if (isSaid) {
      fields.error(
          FieldError.forbidden(
              fields.path(name), "requires feature gate " + KubeletGates.IMAGE_VERIFICATION));
    }
  }
}
