package dev.berth.agent.network;

import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The program that changes the kernel's rules for packets. */
public record Nft(Path program) {
  private static final Logger LOG = LoggerFactory.getLogger("pod-network");
  private static final List<String> PLACES = List.of("/usr/sbin/nft", "/sbin/nft", "/usr/bin/nft");
  private static final AtomicBoolean HAS_TOLD = new AtomicBoolean();

  /** The program of this machine; if there is none, a line in the log says what that means. */
  public static Optional<Nft> find() {
    Optional<Nft> found = findQuietly();
    if (found.isEmpty() && HAS_TOLD.compareAndSet(false, true)) {
      LOG.warn(
          "pods reach this machine and each other, but no services of the cluster and no other"
              + " networks: nft is not installed (Debian: apt-get install nftables; then start the"
              + " node again)");
    }
    return found;
  }

  /** The same, without a word. */
  public static Optional<Nft> findQuietly() {
    return PLACES.stream().map(Path::of).filter(Files::isExecutable).findFirst().map(Nft::new);
  }

  /** Carries out commands, all of them or none. */
  public void run(String commands) throws IOException {
    Commands.run(List.of(program.toString(), "-f", "-"), commands);
  }

  /** The sets of a table, as the program lists them in JSON; empty if there is no such table. */
  public JsonObject sets(String table) {
    try {
      String listed =
          Commands.run(List.of(program.toString(), "-j", "list sets table " + table), "");
      return JsonReader.object(listed.getBytes(StandardCharsets.UTF_8), JsonLimits.TRUSTED);
    } catch (IOException | JsonException e) {
      LOG.debug("the sets of {} are not known: {}", table, e.getMessage());
      return JsonObject.EMPTY;
    }
  }

  /** Whether a chain is there. */
  public boolean hasChain(String table, String chain) {
    try {
      Commands.run(List.of(program.toString(), "list chain %s %s".formatted(table, chain)), "");
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Removes a table, if it is there. */
  public void removeTable(String table) throws IOException {
    run("add table %s\ndelete table %s\n".formatted(table, table));
  }
}
