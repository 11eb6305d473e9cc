package dev.berth.agent.shutdown;

import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is kept of the last shutdown, in a kubelet's file: it outlives the agent, and the machine's
 * restart.
 *
 * @param bootId of the time between two starts of the machine in which it was
 * @param isUnderWay whether it has begun and was not cancelled
 */
record ShutdownRecord(
    Optional<Instant> started, Optional<Instant> ended, String bootId, boolean isUnderWay) {
  static final ShutdownRecord NONE =
      new ShutdownRecord(Optional.empty(), Optional.empty(), "", false);

  private static final Logger LOG = LoggerFactory.getLogger(ShutdownManager.NAME);
  private static final String NAME = "graceful_node_shutdown_state";

  static ShutdownRecord begun(Instant now, String bootId) {
    return new ShutdownRecord(Optional.of(now), Optional.empty(), bootId, true);
  }

  ShutdownRecord ended(Instant now) {
    return new ShutdownRecord(started, Optional.of(now), bootId, isUnderWay);
  }

  ShutdownRecord cancelled() {
    return new ShutdownRecord(started, ended, bootId, false);
  }

  /** Whether the machine was about to be shut down when this was written, and did not do it yet. */
  boolean isUnderWay(String currentBootId) {
    return isUnderWay && bootId.equals(currentBootId);
  }

  /** Reads it; what cannot be read says nothing. */
  static ShutdownRecord read(Path root) {
    Path file = root.resolve(NAME);
    if (!Files.exists(file)) {
      return NONE;
    }
    try {
      JsonObject tree = JsonReader.object(Files.readAllBytes(file), JsonLimits.TRUSTED);
      return new ShutdownRecord(
          time(tree, "startTime"),
          time(tree, "endTime"),
          tree.text("bootID", ""),
          tree.flag("underWay", false));
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} cannot be read, and counts as empty: {}", file, e.toString());
      return NONE;
    }
  }

  private static Optional<Instant> time(JsonObject tree, String name) {
    String text = tree.text(name, "");
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Writes it so that it survives the machine's end, whole. */
  void write(Path root) {
    Path file = root.resolve(NAME);
    Path draft = root.resolve("." + NAME + ".new");
    JsonObject tree = JsonObject.of("bootID", bootId).with("underWay", isUnderWay);
    if (started.isPresent()) {
      tree = tree.with("startTime", started.get().toString());
    }
    if (ended.isPresent()) {
      tree = tree.with("endTime", ended.get().toString());
    }
    try {
      Files.write(draft, JsonWriter.toBytes(tree));
      try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      LOG.error("{} cannot be written: {}", file, e.toString());
    }
  }
}
