package dev.berth.controllers;

import dev.berth.controllers.attachdetach.AttachDetachSettings;
import dev.berth.controllers.certificates.SigningSettings;
import dev.berth.controllers.nodeipam.IpamSettings;
import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.controllers.podautoscaler.HorizontalPodAutoscalerSettings;
import dev.berth.controllers.podgc.PodGarbageCollectorSettings;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.CertificateSigner;
import dev.berth.policy.gate.FeatureGates;
import dev.berth.policy.serviceaccount.LegacyTokenCleanup;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Which controllers run, and how.
 *
 * @param run those that do
 * @param ipam which addresses nodes get; empty if they get none
 * @param rootCertificates whom pods trust, in PEM, which may change; empty if nobody tells them
 * @param signing who signs certificates, if anybody does
 * @param tokenSigner makes tokens for secrets of their claims; empty if nobody does
 * @param unusedTokenPeriod how long a token in a secret that nobody asked for may be unused
 * @param gates the features that are on; the lifecycle's settings say what they mean for it
 */
public record ControllerSettings(
    Set<ControllerName> run,
    NodeLifecycleSettings lifecycle,
    PodGarbageCollectorSettings collection,
    AttachDetachSettings attachDetach,
    HorizontalPodAutoscalerSettings autoscaling,
    Optional<IpamSettings> ipam,
    Optional<Supplier<String>> rootCertificates,
    SigningSettings signing,
    Optional<Function<JsonObject, String>> tokenSigner,
    Duration unusedTokenPeriod,
    FeatureGates gates) {
  public ControllerSettings {
    run = Set.copyOf(run);
  }

  /** All controllers, as they are unless somebody says otherwise. */
  public static ControllerSettings standard() {
    return new ControllerSettings(
        ControllerName.all(),
        NodeLifecycleSettings.DEFAULT,
        PodGarbageCollectorSettings.DEFAULT,
        AttachDetachSettings.DEFAULT,
        HorizontalPodAutoscalerSettings.DEFAULT,
        Optional.empty(),
        Optional.empty(),
        SigningSettings.NOBODY,
        Optional.empty(),
        LegacyTokenCleanup.ONE_YEAR,
        FeatureGates.DEFAULT);
  }

  /** The same with nodes watched otherwise. */
  public ControllerSettings lifecycle(NodeLifecycleSettings others) {
    return new ControllerSettings(
        run,
        others,
        collection,
        attachDetach,
        autoscaling,
        ipam,
        rootCertificates,
        signing,
        tokenSigner,
        unusedTokenPeriod,
        gates);
  }

  /** The same with other settings of autoscalers. */
  public ControllerSettings autoscaling(HorizontalPodAutoscalerSettings others) {
    return new ControllerSettings(
        run,
        lifecycle,
        collection,
        attachDetach,
        others,
        ipam,
        rootCertificates,
        signing,
        tokenSigner,
        unusedTokenPeriod,
        gates);
  }

  /** The same with certificates, unless it has others. */
  public ControllerSettings orRootCertificates(Supplier<String> pem) {
    return new ControllerSettings(
        run,
        lifecycle,
        collection,
        attachDetach,
        autoscaling,
        ipam,
        Optional.of(rootCertificates.orElse(pem)),
        signing,
        tokenSigner,
        unusedTokenPeriod,
        gates);
  }

  /** The same with an authority that signs everything, unless others sign. */
  public ControllerSettings orSigner(CertificateSigner authority) {
    return new ControllerSettings(
        run,
        lifecycle,
        collection,
        attachDetach,
        autoscaling,
        ipam,
        rootCertificates,
        signing.isAnybody() ? signing : SigningSettings.all(authority, signing.longest()),
        tokenSigner,
        unusedTokenPeriod,
        gates);
  }

  /** The same with somebody who makes tokens, unless somebody else does. */
  public ControllerSettings orTokenSigner(Function<JsonObject, String> signer) {
    return new ControllerSettings(
        run,
        lifecycle,
        collection,
        attachDetach,
        autoscaling,
        ipam,
        rootCertificates,
        signing,
        Optional.of(tokenSigner.orElse(signer)),
        unusedTokenPeriod,
        gates);
  }
}
