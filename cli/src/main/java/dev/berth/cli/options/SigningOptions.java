package dev.berth.cli.options;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.FlagValues;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.controllers.certificates.SigningSettings;
import dev.berth.pki.AuthorityFiles;
import dev.berth.pki.CertificateSigner;
import dev.berth.policy.certificates.KubernetesSigner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who signs certificate signing requests, by kube-controller-manager's flags and rules. */
final class SigningOptions {
  private static final String PREFIX = "--cluster-signing-";
  private static final Files ALL = new Files(PREFIX, "all Kubernetes signers");
  private static final Map<KubernetesSigner, Files> BY_SIGNER =
      new EnumMap<>(KubernetesSigner.class);

  static {
    bySigner(KubernetesSigner.KUBELET_SERVING, "kubelet-serving");
    bySigner(KubernetesSigner.KUBELET_CLIENT, "kubelet-client");
    bySigner(KubernetesSigner.KUBE_APISERVER_CLIENT, "kube-apiserver-client");
    bySigner(KubernetesSigner.LEGACY_UNKNOWN, "legacy-unknown");
  }

  private static final Option DURATION =
      new Option(
          PREFIX + "duration",
          "DURATION",
          "The longest duration of signed certificates; requests may ask for less by"
              + " spec.expirationSeconds (default: 8760h).");

  static final List<Option> OPTIONS = options();

  private SigningOptions() {}

  /** The two options that name an authority's files. */
  private record Files(Option certificate, Option key) {
    Files(String prefix, String signs) {
      this(
          new Option(
              prefix + "cert-file",
              "FILE",
              "The PEM certificate of the CA that signs for %s.".formatted(signs)),
          new Option(
              prefix + "key-file",
              "FILE",
              "The PEM private key of the CA that signs for %s.".formatted(signs)));
    }

    boolean isGiven(Arguments arguments) {
      return arguments.has(certificate.name()) || arguments.has(key.name());
    }

    Optional<CertificateSigner> read(Arguments arguments) {
      if (!isGiven(arguments)) {
        return Optional.empty();
      }
      Path certificateFile = needed(arguments, certificate, key);
      Path keyFile = needed(arguments, key, certificate);
      return Optional.of(AuthorityFiles.open(certificateFile, keyFile));
    }

    private static Path needed(Arguments arguments, Option option, Option other) {
      return arguments
          .path(option.name())
          .orElseThrow(
              () -> new UsageException("%s needs %s, too.".formatted(other.name(), option.name())));
    }
  }

  private static void bySigner(KubernetesSigner signer, String word) {
    BY_SIGNER.put(signer, new Files(PREFIX + word + "-", signer.signerName()));
  }

  private static List<Option> options() {
    List<Option> options = new ArrayList<>(List.of(ALL.certificate(), ALL.key()));
    BY_SIGNER.values().forEach(files -> options.addAll(List.of(files.certificate(), files.key())));
    options.add(DURATION);
    return List.copyOf(options);
  }

  /** What the flags say; nobody signs if they name no files. */
  static SigningSettings read(Arguments arguments) {
    Duration longest = FlagValues.duration(arguments, DURATION, SigningSettings.ONE_YEAR);
    Optional<CertificateSigner> all = ALL.read(arguments);
    Map<KubernetesSigner, CertificateSigner> signers = new EnumMap<>(KubernetesSigner.class);
    BY_SIGNER.forEach((signer, files) ->
        files.read(arguments).ifPresent(authority -> signers.put(signer, authority)));
    if (all.isPresent() && !signers.isEmpty()) {
      throw new UsageException(
          "%s and %s are for all signers: give either these or files for each signer."
              .formatted(ALL.certificate().name(), ALL.key().name()));
    }
    return all.map(authority -> SigningSettings.all(authority, longest))
        .orElseGet(() -> new SigningSettings(signers, longest));
  }
}
