package dev.berth.admission.service;

import dev.berth.policy.service.NodePortRange;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.admission.Settlement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The node ports of services: what services in the store have is taken, and what is set aside for
 * writes under way. Belongs to whoever holds the lock of {@link ServiceAllocation}.
 */
final class NodePorts {
  private static final int BEFORE_DRY_RUNS = 32_768;

  private final NodePortRange range;
  private final AllocationIndex index;
  private final RandomGenerator random;
  private final Map<Long, Settlement> setAside = new HashMap<>();

  NodePorts(NodePortRange range, AllocationIndex index, RandomGenerator random) {
    this.range = range;
    this.index = index;
    this.random = random;
  }

  int size() {
    return range.size();
  }

  /** What one write is given. */
  Operation begin(AdmissionRequest request) {
    return new Operation(request);
  }

  /** Nothing is set aside for a write any more. */
  void settle(AdmissionRequest request) {
    setAside.values().removeIf(of -> of == request.settlement());
  }

  /** Gives ports to one service. */
  final class Operation {
    private final AdmissionRequest request;
    private final Set<Long> given = new HashSet<>();

    private Operation(AdmissionRequest request) {
      this.request = request;
    }

    /** Takes a port that somebody wants; says why not if it cannot be had. */
    Optional<String> take(long port) {
      if (!range.contains(port)) {
        return request.dryRun()
            ? Optional.empty()
            : Optional.of(
                "provided port is not in the valid range. The range of valid ports is " + range);
      }
      if (!isFree(port) || !given.add(port)) {
        return Optional.of("provided port is already allocated");
      }
      setAside(port);
      return Optional.empty();
    }

    @SuppressWarnings("ReferenceEquality") // One write has one settlement, whatever it contains.
    private boolean isFree(long port) {
      Settlement of = setAside.get(port);
      return of == request.settlement() || (of == null && !index.hasPort(port));
    }

    /** Takes any free port; empty if there is none. A dry run is shown one that nobody gets. */
    OptionalInt next() {
      if (request.dryRun()) {
        long last = given.stream().mapToLong(port -> port).max().orElse(BEFORE_DRY_RUNS);
        given.add(last + 1);
        return OptionalInt.of((int) last + 1);
      }
      OptionalInt chosen =
          range.choose(
              port -> !setAside.containsKey((long) port) && !index.hasPort(port), random::nextLong);
      chosen.ifPresent(port -> {
        given.add((long) port);
        setAside(port);
      });
      return chosen;
    }

    private void setAside(long port) {
      if (!request.dryRun()) {
        setAside.put(port, request.settlement());
      }
    }
  }
}
