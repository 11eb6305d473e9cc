package dev.berth.agent;

import dev.berth.agent.config.AgentSettings;
import dev.berth.pki.Certificates;
import dev.berth.pki.NodeCredential;
import dev.berth.pki.PkiException;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files by which somebody else says what a node's port is served with: its certificate and key,
 * and the authority of its clients. They are looked at every ten seconds, so that who renews them
 * need not start the agent again. What cannot be used, as while files are being replaced, changes
 * nothing.
 */
final class ServingFiles implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("node-agent");
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private final AgentSettings.Port port;
  private final Consumer<Content> changed;
  private final Loop loop;
  private Content last;

  /** What was said of files that cannot be used; it is said once. */
  private String problem = "";

  /**
   * What the files say.
   *
   * @param credential empty if there are no files for it
   * @param authorities likewise
   */
  record Content(Optional<NodeCredential> credential, Optional<List<X509Certificate>> authorities) {
    /** Whether there are any files. */
    boolean isPresent() {
      return credential.isPresent() || authorities.isPresent();
    }

    /**
     * Reads it.
     *
     * @throws PkiException if it cannot be used
     */
    static Content read(AgentSettings.Port port) {
      return new Content(
          port.certificateFile()
              .flatMap(
                  certificate -> port.keyFile().map(key -> NodeCredential.read(certificate, key))),
          port.clientCaFile().map(Certificates::read));
    }
  }

  private record Look(@Nullable Content content, String problem) {}

  private ServingFiles(
      Time time, AgentSettings.Port port, Content read, Consumer<Content> changed) {
    this.port = port;
    this.changed = changed;
    this.loop = time.start("serving-files");
    this.last = read;
  }

  /**
   * Looks again and again.
   *
   * @param read what they have said
   * @param changed told whenever they say something else
   */
  static ServingFiles watch(
      Time time, AgentSettings.Port port, Content read, Consumer<Content> changed) {
    ServingFiles files = new ServingFiles(time, port, read, changed);
    files.loop.after(PERIOD, files::look);
    return files;
  }

  private void look() {
    loop.call(
        () -> {
          try {
            return new Look(Content.read(port), "");
          } catch (PkiException e) {
            return new Look(null, String.valueOf(e.getMessage()));
          }
        },
        this::looked);
    loop.after(PERIOD, this::look);
  }

  private void looked(Look look) {
    if (!look.problem.isEmpty() && !look.problem.equals(problem)) {
      LOG.warn("{} The port goes on as it was.", look.problem);
    }
    problem = look.problem;
    Content now = look.content;
    if (now != null && !now.equals(last)) {
      last = now;
      LOG.info("new connections to the node's port use the certificates that its files have now");
      changed.accept(now);
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
