package dev.berth.controllers.certificates;

import dev.berth.pki.CertificateSigner;
import dev.berth.policy.certificates.KubernetesSigner;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * Who signs, and for how long.
 *
 * @param signers what is not among them is not signed here
 * @param longest requests may ask for less
 */
public record SigningSettings(Map<KubernetesSigner, CertificateSigner> signers, Duration longest) {
  /** Upstream's {@code --cluster-signing-duration}. */
  public static final Duration ONE_YEAR = Duration.ofHours(8760);

  /** Nothing is signed. */
  public static final SigningSettings NOBODY = new SigningSettings(Map.of(), ONE_YEAR);

  public SigningSettings {
    signers = Map.copyOf(signers);
  }

  /** Whether anything is signed at all. */
  public boolean isAnybody() {
    return !signers.isEmpty();
  }

  /** One authority signs everything. */
  public static SigningSettings all(CertificateSigner signer, Duration longest) {
    Map<KubernetesSigner, CertificateSigner> signers = new EnumMap<>(KubernetesSigner.class);
    for (KubernetesSigner each : KubernetesSigner.values()) {
      signers.put(each, signer);
    }
    return new SigningSettings(signers, longest);
  }
}
