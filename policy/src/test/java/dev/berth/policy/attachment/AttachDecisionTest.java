package dev.berth.policy.attachment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.VolumeAttachmentView;
import dev.berth.policy.attachment.AttachAction.Attach;
import dev.berth.policy.attachment.AttachAction.AwaitUnmount;
import dev.berth.policy.attachment.AttachAction.Detach;
import dev.berth.policy.attachment.AttachAction.Reason;
import dev.berth.policy.attachment.AttachAction.Refuse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AttachDecisionTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");
  private static final Duration PATIENCE = Duration.ofMinutes(6);
  private static final AttachableVolume VOLUME = new AttachableVolume("pv", "csi.test", "h", true);

  private static NodeVolumes node(boolean ready, boolean outOfService, boolean uses) {
    List<String> inUse = uses ? List.of(VOLUME.uniqueName()) : List.of();
    return new NodeVolumes("u", true, ready, outOfService, false, inUse, List.of());
  }

  private static final NodeVolumes WELL = node(true, false, false);
  private static final NodeVolumes WELL_AND_USING = node(true, false, true);
  private static final NodeVolumes LOST_AND_USING = node(false, false, true);
  private static final NodeVolumes OUT_OF_SERVICE = node(false, true, true);
  private static final NodeVolumes ITS_OWN =
      new NodeVolumes("u", false, true, false, false, List.of(), List.of());

  private static VolumeAttachmentView attachment(String node, boolean attached, boolean leaving) {
    return new VolumeAttachmentView(
        VOLUME.attachmentName(node), "1", "csi.test", node, "pv", attached, leaving, "");
  }

  private static VolumePlace place(
      String name,
      @Nullable NodeVolumes node,
      @Nullable VolumeAttachmentView attachment,
      Duration unneeded,
      String... pods) {
    return new VolumePlace(
        name,
        node,
        Stream.of(pods)
            .map(pod ->
                new VolumePlace.Use(ObjectName.parse(pod), Instant.EPOCH.plusSeconds(pod.length())))
            .toList(),
        attachment,
        NOW.minus(unneeded));
  }

  /** A node that has the volume, which no pod there needs. */
  private static VolumePlace unneeded(@Nullable NodeVolumes node, Duration since) {
    return place("a", node, attachment("a", true, false), since);
  }

  private static VolumePlace wanting(String name, String... pods) {
    return place(name, WELL, null, Duration.ZERO, pods);
  }

  private static VolumePlace having(String name, String... pods) {
    return place(name, WELL_AND_USING, attachment(name, true, false), Duration.ZERO, pods);
  }

  private static Detach detach(Reason reason) {
    return new Detach("a", attachment("a", true, false), reason);
  }

  private static Refuse refuse(String node, String... users) {
    return new Refuse(node, Stream.of(users).map(ObjectName::parse).toList());
  }

  static Stream<Arguments> decides() {
    Duration minute = Duration.ofMinutes(1);
    Instant inFive = NOW.plus(Duration.ofMinutes(5));
    return Stream.of(
        argumentSet("attached where a pod needs it", List.of(wanting("a", "x/p")), attach("a")),
        argumentSet("had where it is needed", List.of(having("a", "x/p")), List.of()),
        argumentSet(
            "being attached where it is needed",
            List.of(place("a", WELL, attachment("a", false, false), minute, "x/p")),
            List.of()),
        argumentSet(
            "leaving where it is needed again",
            List.of(place("a", WELL, attachment("a", true, true), minute, "x/p")),
            List.of()),
        argumentSet("no such node", List.of(place("a", null, null, minute, "x/p")), List.of()),
        argumentSet(
            "a node that attaches by itself",
            List.of(
                place("a", ITS_OWN, null, minute, "x/p"),
                place("b", ITS_OWN, attachment("b", true, false), minute)),
            List.of()),
        argumentSet(
            "the eldest pod's node comes first",
            List.of(wanting("a", "x/older"), wanting("b", "x/old"), wanting("c", "x/oldest")),
            attach("b")),
        argumentSet(
            "unneeded and unused",
            List.of(unneeded(WELL, Duration.ZERO)),
            List.of(detach(Reason.UNUSED))),
        argumentSet(
            "unneeded and not attached yet",
            List.of(place("a", WELL, attachment("a", false, false), Duration.ZERO)),
            List.of(new Detach("a", attachment("a", false, false), Reason.UNUSED))),
        argumentSet(
            "unneeded and leaving",
            List.of(place("a", WELL, attachment("a", true, true), minute)),
            List.of()),
        argumentSet(
            "unneeded, its node well and using it",
            List.of(unneeded(WELL_AND_USING, minute)),
            List.of(new AwaitUnmount("a", Instant.MAX))),
        argumentSet(
            "unneeded for a day, its node well and using it",
            List.of(unneeded(WELL_AND_USING, Duration.ofDays(1))),
            List.of(new AwaitUnmount("a", Instant.MAX))),
        argumentSet(
            "unneeded, its node lost",
            List.of(unneeded(LOST_AND_USING, minute)),
            List.of(new AwaitUnmount("a", inFive))),
        argumentSet(
            "unneeded for too long, its node lost",
            List.of(unneeded(LOST_AND_USING, PATIENCE)),
            List.of(detach(Reason.TIMEOUT))),
        argumentSet(
            "unneeded, its node out of service",
            List.of(unneeded(OUT_OF_SERVICE, Duration.ZERO)),
            List.of(detach(Reason.OUT_OF_SERVICE))),
        argumentSet(
            "unneeded for too long, its node out of service",
            List.of(unneeded(OUT_OF_SERVICE, PATIENCE)),
            List.of(detach(Reason.TIMEOUT))),
        argumentSet(
            "unneeded, its node gone",
            List.of(unneeded(null, Duration.ZERO)),
            List.of(detach(Reason.UNUSED))),
        argumentSet(
            "needed by pods of a node that is gone",
            List.of(place("a", null, attachment("a", true, false), minute, "x/p")),
            List.of()),
        argumentSet(
            "needed by a pod that is stuck on a node out of service",
            List.of(place("a", OUT_OF_SERVICE, attachment("a", true, false), minute, "x/p")),
            List.of()),
        argumentSet(
            "another node has it and needs it",
            List.of(having("a", "x/p", "x/q"), wanting("b", "x/r")),
            List.of(refuse("b", "x/p", "x/q"))),
        argumentSet(
            "another node has it and uses it",
            List.of(unneeded(WELL_AND_USING, minute), wanting("b", "x/r")),
            List.of(new AwaitUnmount("a", Instant.MAX), refuse("b"))),
        argumentSet(
            "another node has it and does not use it",
            List.of(unneeded(WELL, minute), wanting("b", "x/r")),
            List.of(detach(Reason.UNUSED))),
        argumentSet(
            "it is leaving another node",
            List.of(place("a", WELL, attachment("a", true, true), minute), wanting("b", "x/r")),
            List.of()),
        argumentSet(
            "it is being attached to another node",
            List.of(
                place("a", WELL, attachment("a", false, false), minute, "x/p"),
                wanting("b", "x/r")),
            List.of()));
  }

  private static List<AttachAction> attach(String node) {
    return List.of(new Attach(node));
  }

  @ParameterizedTest
  @MethodSource
  void decides(List<VolumePlace> places, List<AttachAction> expected) {
    assertThat(AttachDecision.decide(true, places, Optional.of(PATIENCE), true, NOW))
        .isEqualTo(expected);
  }

  @Test
  void aVolumeThatMayBeSharedIsAttachedWhereverItIsWanted() {
    List<VolumePlace> places =
        List.of(having("a", "x/p"), wanting("b", "x/q"), wanting("c", "x/r"));
    assertThat(AttachDecision.decide(false, places, Optional.of(PATIENCE), true, NOW))
        .containsExactly(new Attach("b"), new Attach("c"));
  }

  @Test
  void nothingIsTakenFromALostNodeIfNobodyWantsThat() {
    List<VolumePlace> lost = List.of(unneeded(LOST_AND_USING, Duration.ofDays(1)));
    assertThat(AttachDecision.decide(true, lost, Optional.empty(), true, NOW))
        .containsExactly(new AwaitUnmount("a", Instant.MAX));
    List<VolumePlace> outOfService = List.of(unneeded(OUT_OF_SERVICE, Duration.ofDays(1)));
    assertThat(AttachDecision.decide(true, outOfService, Optional.empty(), true, NOW))
        .containsExactly(detach(Reason.OUT_OF_SERVICE));
  }

  @Test
  void aPodIsToldWhoHasItsVolumeButNotInOtherNamespaces() {
    assertThat(refuse("b").message("x"))
        .isEqualTo(
            "Volume is already exclusively attached to one node and can't be attached to another");
    assertThat(refuse("b", "x/p", "x/q").message("x"))
        .isEqualTo("Volume is already used by pod(s) p, q");
    assertThat(refuse("b", "x/p", "y/q").message("x"))
        .isEqualTo("Volume is already used by pod(s) p and 1 pod(s) in different namespaces");
    assertThat(refuse("b", "x/p", "y/q").message("z"))
        .isEqualTo("Volume is already used by 2 pod(s) in different namespaces");
  }

  static Stream<Arguments> answers() {
    NodeVolumes unused = node(false, false, false);
    return Stream.of(
        argumentSet("nobody uses it", Reason.UNUSED, WELL, true),
        argumentSet("the node has begun to use it", Reason.UNUSED, WELL_AND_USING, false),
        argumentSet("a lost node has begun to use it", Reason.UNUSED, LOST_AND_USING, false),
        argumentSet("the node was waited for", Reason.TIMEOUT, LOST_AND_USING, true),
        argumentSet("it was waited for, and is ready", Reason.TIMEOUT, WELL_AND_USING, false),
        argumentSet("the node is out of service", Reason.OUT_OF_SERVICE, OUT_OF_SERVICE, true),
        argumentSet("out of service, and ready", Reason.OUT_OF_SERVICE, WELL_AND_USING, false),
        argumentSet("nobody uses it any more", Reason.TIMEOUT, unused, true));
  }

  @ParameterizedTest
  @MethodSource
  void answers(Reason reason, NodeVolumes answer, boolean allowed) {
    assertThat(detach(reason).isAllowedBy(answer)).isEqualTo(allowed);
  }
}
