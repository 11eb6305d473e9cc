package dev.berth.policy.pressure;

import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.policy.pressure.PodConsumption.Container;
import dev.berth.policy.pressure.PodConsumption.EmptyDir;
import dev.berth.policy.pressure.PodConsumption.OfContainer;
import dev.berth.policy.pressure.PodConsumption.OfVolume;
import dev.berth.policy.pressure.PodConsumption.Usage;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A pod with one container, {@code c}, and one volume, {@code v}. */
final class PodConsumptionFixture {
  private static final long MEBIBYTE = 1 << 20;

  private final String name;
  private long priority;
  private boolean critical;
  private ResourceList requests = ResourceList.EMPTY;
  private ResourceList podRequests = ResourceList.EMPTY;
  private Optional<Quantity> containerLimit = Optional.empty();
  private Optional<Quantity> volumeLimit = Optional.empty();
  private Optional<Quantity> podLimit = Optional.empty();
  private boolean known = true;
  private long memory;
  private long processes;
  private long root;
  private long rootInodes;
  private long logs;
  private long volume;
  private long volumeInodes;

  private PodConsumptionFixture(String name) {
    this.name = name;
  }

  static PodConsumptionFixture pod(String name) {
    return new PodConsumptionFixture(name);
  }

  PodConsumptionFixture priority(long value) {
    priority = value;
    return this;
  }

  PodConsumptionFixture critical() {
    critical = true;
    return this;
  }

  PodConsumptionFixture requests(String resource, String amount) {
    requests = requests.with(resource, Quantity.parse(amount));
    return this;
  }

  PodConsumptionFixture podRequests(String resource, String amount) {
    podRequests = podRequests.with(resource, Quantity.parse(amount));
    return requests(resource, amount);
  }

  PodConsumptionFixture limits(String container, String ofVolume, String ofPod) {
    containerLimit = limit(container);
    volumeLimit = limit(ofVolume);
    podLimit = limit(ofPod);
    return this;
  }

  private static Optional<Quantity> limit(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(Quantity.parse(text));
  }

  /** In MiB. */
  PodConsumptionFixture memory(long used) {
    memory = used * MEBIBYTE;
    return this;
  }

  PodConsumptionFixture processes(long used) {
    processes = used;
    return this;
  }

  /** In MiB. */
  PodConsumptionFixture writes(long intoRoot, long intoLogs, long intoVolume) {
    root = intoRoot * MEBIBYTE;
    logs = intoLogs * MEBIBYTE;
    volume = intoVolume * MEBIBYTE;
    return this;
  }

  PodConsumptionFixture inodes(long ofRoot, long ofVolume) {
    rootInodes = ofRoot;
    volumeInodes = ofVolume;
    return this;
  }

  PodConsumptionFixture unknown() {
    known = false;
    return this;
  }

  PodConsumption made() {
    return new PodConsumption(
        name,
        priority,
        critical,
        30,
        requests,
        podRequests,
        List.of(new Container("c", requests, containerLimit)),
        volumeLimit.map(limit -> List.of(new EmptyDir("v", limit))).orElse(List.of()),
        podLimit,
        known
            ? Optional.of(
                new Usage(
                    memory,
                    processes,
                    List.of(new OfContainer("c", memory, root, rootInodes, logs)),
                    Map.of("v", new OfVolume(volume, volumeInodes, true))))
            : Optional.empty());
  }
}
