package dev.berth.grpc.cri;

import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.grpc.criapi.Cri;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Which users and groups of the machine those of a pod are that has its own: 65,536 in a row that
 * no other pod has, and never the machine's first, among which root is.
 *
 * <p>The sandboxes remember who has which. What was given and is not in a sandbox yet is soft. Any
 * thread may ask; asking the runtime for its sandboxes happens under the lock, so that of two pods
 * that start, the second sees what the first has got.
 */
final class UserRanges {
  static final long LENGTH = 1L << 16;
  private static final long ALL = 1L << 32;

  /** By the pod's uid, until its sandbox is there, or could not be made. */
  private final Map<String, Long> given = new HashMap<>();

  /** All sandboxes of the runtime. */
  interface Sandboxes {
    Collection<Cri.PodSandbox> list() throws RuntimeFailure;
  }

  /** The pod's range if one of its sandboxes has one, or else the first that is free. */
  synchronized Cri.IDMapping give(String podUid, Sandboxes sandboxes) throws RuntimeFailure {
    // Before the list: what is settled while it is made is in it.
    Set<Long> taken = new HashSet<>(given.values());
    for (Cri.PodSandbox sandbox : sandboxes.list()) {
      Cri.IDMapping of = of(sandbox);
      if (of.getLength() == 0) {
        continue;
      }
      if (sandbox.getLabelsMap().getOrDefault(CriNames.POD_UID, "").equals(podUid)) {
        return of;
      }
      taken.add(unsigned(of));
    }
    long first =
        LongStream.iterate(LENGTH, each -> each < ALL, each -> each + LENGTH)
            .filter(each -> !taken.contains(each))
            .findFirst()
            .orElseThrow(() ->
                new RuntimeFailure(
                    "CreatePodSandboxError",
                    "create user namespace: could not find an empty slot to allocate a user namespace"));
    given.put(podUid, first);
    return Cri.IDMapping.newBuilder().setHostId((int) first).setLength((int) LENGTH).build();
  }

  /** The pod has a sandbox now, or will try again. */
  synchronized void settle(String podUid) {
    given.remove(podUid);
  }

  private static Cri.IDMapping of(Cri.PodSandbox sandbox) {
    return SandboxConfigs.kept(sandbox.getLabelsMap(), sandbox.getAnnotationsMap())
        .map(config -> config.getLinux().getSecurityContext().getNamespaceOptions())
        .filter(options -> options.getUsernsOptions().getUidsCount() > 0)
        .map(options -> options.getUsernsOptions().getUids(0))
        .orElse(Cri.IDMapping.getDefaultInstance());
  }

  private static long unsigned(Cri.IDMapping range) {
    return Integer.toUnsignedLong(range.getHostId());
  }
}
