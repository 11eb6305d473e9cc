package dev.berth.agent.runtime.process;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.runtime.process.ProcessTable.Known;
import dev.berth.model.tree.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds what an earlier agent left. A container is in one of these states:
 *
 * <ol>
 *   <li>No shim owns it: the agent ended before the shim began. It is removed, after which its shim
 *       cannot begin any more, since the one who makes the file {@code shim} decides.
 *   <li>Its shim is about to start it: that is waited for.
 *   <li>Its command ran: it is adopted, whether it still runs or not.
 *   <li>It has ended without its command having run: it is removed.
 *   <li>Its command ran, and its shim is gone without an exit code, as after a restart of the
 *       machine: what is left of it is killed, and it counts as killed.
 * </ol>
 */
final class Adoption {
  private static final Logger LOG = LoggerFactory.getLogger("process-runtime");
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int KILLED = 137;

  private final ProcessSettings settings;
  private final Cgroups cgroups;
  private final ProcessTable processes;
  private final Consumer<Container> onEnd;

  Adoption(ProcessSettings settings, Cgroups cgroups, Consumer<Container> onEnd) {
    this.settings = settings;
    this.cgroups = cgroups;
    this.processes = new ProcessTable(settings.proc());
    this.onEnd = onEnd;
  }

  List<Sandbox> sandboxes() throws IOException {
    List<Sandbox> found = new ArrayList<>();
    for (Path pod : StateFiles.children(settings.pods())) {
      Path directory = pod.resolve("sandbox");
      Optional<JsonObject> state = StateFiles.read(Sandbox.stateFile(directory));
      if (state.isPresent()) {
        found.add(adopt(new Sandbox(SandboxState.read(state.get()), directory)));
      } else {
        // An agent was killed while it made or removed the pod.
        StateFiles.delete(directory);
        SandboxMaker.deleteIfEmpty(pod);
      }
    }
    return found;
  }

  private Sandbox adopt(Sandbox sandbox) throws IOException {
    for (Path directory : StateFiles.children(sandbox.directory().resolve("containers"))) {
      Optional<ContainerState> state =
          StateFiles.read(directory.resolve("container.json")).map(ContainerState::read);
      if (state.isEmpty()) {
        StateFiles.delete(directory);
        continue;
      }
      ContainerFiles files = ContainerFiles.of(sandbox, state.get().name(), state.get().attempt());
      if (hasRun(files, state.get())) {
        PodNamespaces.unmount(files.terminals());
        sandbox.add(new Container(state.get(), files, onEnd));
      } else {
        remove(files, state.get());
      }
    }
    return sandbox;
  }

  /** Whether a container's command has run, or could not; then it runs or there is an exit code. */
  private boolean hasRun(ContainerFiles files, ContainerState state) throws IOException {
    if (Files.exists(files.startError())) {
      return true;
    }
    if (!hasShim(files)) {
      return false;
    }
    Optional<Known> shim = shim(files);
    if (!Await.until(
        settings.time(),
        PATIENCE,
        () -> hasStarted(files) || Files.exists(files.exit()) || !isAlive(shim))) {
      LOG.warn("container {} did not get started in time and is removed", state.name());
      return false;
    }
    if (!hasStarted(files)) {
      return false;
    }
    if (!Files.exists(files.exit()) && !isAlive(shim) && !Files.exists(files.exit())) {
      LOG.warn("nobody knows how container {} ended", state.name());
      cgroups.kill(state.cgroup());
      StateFiles.write(files.exit(), Integer.toString(KILLED).getBytes(StandardCharsets.UTF_8));
    }
    return true;
  }

  /** Whether a shim owns a container; if none does, none ever will. */
  private static boolean hasShim(ContainerFiles files) throws IOException {
    try {
      Files.createFile(files.shim());
      return false;
    } catch (FileAlreadyExistsException e) {
      return true;
    }
  }

  /** Who holds a container. The shim makes the file and then writes to it. */
  Optional<Known> shim(ContainerFiles files) throws IOException {
    Await.until(settings.time(), PATIENCE, () -> size(files.shim()) > 0);
    return StateFiles.readText(files.shim()).flatMap(Known::parse);
  }

  private boolean isAlive(Optional<Known> shim) {
    return shim.isPresent() && processes.isAlive(shim.get());
  }

  private static boolean hasStarted(ContainerFiles files) {
    return size(files.started()) > 0;
  }

  private static long size(Path file) {
    try {
      return Files.exists(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  private void remove(ContainerFiles files, ContainerState state) throws IOException {
    cgroups.kill(state.cgroup());
    Container.tell(files.collected());
    cgroups.remove(state.cgroup());
    files.delete();
  }
}
