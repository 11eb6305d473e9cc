package dev.berth.agent.eviction;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.machine.Filesystem;
import dev.berth.agent.machine.MachineReader;
import dev.berth.agent.machine.MachineReader.Available;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.PodUsage;
import dev.berth.agent.volume.DiskUsage;
import dev.berth.model.core.ResourceList;
import dev.berth.policy.pressure.Observation;
import dev.berth.policy.pressure.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks at the machine and at what its pods use. It blocks, so it runs beside a loop. */
public interface ResourceObserver {

  /**
   * Looks.
   *
   * @param emptyDirs the names of such volumes, by the uid of their pod, of each pod whose files
   *     are to be measured; of others the snapshot does not know what they have written, and if
   *     there are no such pods, it knows of none what it uses
   */
  ResourceSnapshot observe(Map<String, List<String>> emptyDirs);

  /** What there really is. */
  final class OfMachine implements ResourceObserver {
    private final AgentSettings settings;
    private final MachineReader machine;
    private final ContainerRuntime runtime;

    public OfMachine(AgentSettings settings, MachineReader machine, ContainerRuntime runtime) {
      this.settings = settings;
      this.machine = machine;
      this.runtime = runtime;
    }

    @Override
    public ResourceSnapshot observe(Map<String, List<String>> emptyDirs) {
      Map<String, PodUsage> usage = new LinkedHashMap<>();
      if (!emptyDirs.isEmpty()) {
        runtime.usage(emptyDirs::containsKey).forEach(pod -> usage.put(pod.pod().uid(), pod));
      }
      Map<Signal, Observation> signals = new HashMap<>();
      memory(signals);
      processes(signals);
      boolean hasImageFilesystem = filesystems(signals);
      Map<String, Map<String, DiskUsage>> volumes = new LinkedHashMap<>();
      emptyDirs.forEach((uid, names) -> volumes.put(uid, volumes(uid, names)));
      return new ResourceSnapshot(signals, hasImageFilesystem, usage, volumes);
    }

    private void memory(Map<Signal, Observation> signals) {
      Available memory = machine.memory();
      if (memory.capacity() == 0) {
        return;
      }
      signals.put(
          Signal.MEMORY_AVAILABLE,
          Observation.of(Signal.MEMORY_AVAILABLE, memory.available(), memory.capacity()));
      long reserved =
          settings.reservations().system().get(ResourceList.MEMORY).value()
              + settings.reservations().kube().get(ResourceList.MEMORY).value();
      long forPods = memory.capacity() - reserved;
      signals.put(
          Signal.ALLOCATABLE_MEMORY_AVAILABLE,
          Observation.of(
              Signal.ALLOCATABLE_MEMORY_AVAILABLE, forPods - runtime.workingSetBytes(), forPods));
    }

    private void processes(Map<Signal, Observation> signals) {
      Available processes = machine.processes();
      if (processes.capacity() > 0) {
        signals.put(
            Signal.PID_AVAILABLE,
            Observation.of(Signal.PID_AVAILABLE, processes.available(), processes.capacity()));
      }
    }

    private boolean filesystems(Map<Signal, Observation> signals) {
      try {
        Filesystem ofNode = Filesystem.of(settings.root());
        Optional<Path> images = runtime.imageFilesystem().filter(Files::exists);
        Filesystem ofImages = images.isPresent() ? Filesystem.of(images.get()) : ofNode;
        put(signals, Signal.NODE_FS_AVAILABLE, Signal.NODE_FS_INODES_FREE, ofNode);
        put(signals, Signal.IMAGE_FS_AVAILABLE, Signal.IMAGE_FS_INODES_FREE, ofImages);
        put(signals, Signal.CONTAINER_FS_AVAILABLE, Signal.CONTAINER_FS_INODES_FREE, ofImages);
        return ofNode.device() != ofImages.device();
      } catch (IOException e) {
        // A file system that cannot be described gives no signal; the node's status says why.
        return false;
      }
    }

    private static void put(
        Map<Signal, Observation> signals, Signal bytes, Signal inodes, Filesystem filesystem) {
      signals.put(
          bytes, Observation.of(bytes, filesystem.availableBytes(), filesystem.capacityBytes()));
      // Some file systems make inodes as they need them, and say that there are none.
      if (filesystem.inodes() > 0) {
        signals.put(inodes, Observation.of(inodes, filesystem.inodesFree(), filesystem.inodes()));
      }
    }

    private Map<String, DiskUsage> volumes(String uid, List<String> names) {
      Path volumes = settings.root().resolve("pods").resolve(uid).resolve("volumes");
      Map<String, DiskUsage> usage = new LinkedHashMap<>();
      for (String name : names) {
        usage.put(name, DiskUsage.ofAny(volumes.resolve("kubernetes.io~empty-dir").resolve(name)));
      }
      return usage;
    }
  }
}
