package dev.berth.agent.device;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the agent serves others of its machine: device plugins, which register, and programs that
 * ask which pods have which devices. While nobody comes, it is a socket and a waiting thread; with
 * the first who does, gRPC is loaded and serves at a socket of the agent's own, and what comes here
 * is passed on.
 */
public final class AgentSocket implements AutoCloseable {
  /** What upstream calls it, in the directories of both. */
  static final String NAME = "kubelet.sock";

  private static final Logger LOG = LoggerFactory.getLogger(DeviceManager.NAME);

  /** A call takes a moment; who has more open at once makes others wait. */
  private static final int MOST_CONNECTIONS = 64;

  private static final int PIECE = 16 * 1024;
  private static final int FILE_TYPE = 0170000;
  private static final int SOCKET_TYPE = 0140000;

  /** Serves at the agent's own socket, once. */
  private interface Service {
    void serve(Path inner) throws IOException;
  }

  private final ServerSocketChannel server;
  private final Path place;
  private final Path inner;
  private final Service service;
  private final Semaphore free = new Semaphore(MOST_CONNECTIONS);
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
  private boolean isServing;

  private AgentSocket(Path place, Path inner, Service service) throws IOException {
    this.place = place;
    this.inner = inner;
    this.service = service;
    makeDirectory(inner, "rwx------");
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(place));
    Thread.ofVirtual().name("agent-socket").start(this::accept);
  }

  /**
   * Lets device plugins register. They watch for the socket to be made anew, and register again
   * then. Sockets of the last agent's time are removed: their plugins make new ones.
   *
   * @param inner the agent's own socket
   * @return nothing if that does not work on this machine, which is a node all the same
   */
  public static Optional<AgentSocket> forPlugins(
      Path directory,
      Path inner,
      Supplier<PluginTransport> transport,
      PluginTransport.Registrar registrar) {
    return start(directory, inner, own -> transport.get().serve(own, registrar));
  }

  /** Tells which pods have which devices; the same otherwise. */
  public static Optional<AgentSocket> forPodResources(
      Path directory, Path inner, Supplier<PluginTransport> transport, PodResourcesLister lister) {
    return start(directory, inner, own -> transport.get().serve(own, lister));
  }

  private static Optional<AgentSocket> start(Path directory, Path inner, Service service) {
    Path place = directory.resolve(NAME);
    try {
      makeDirectory(place, "rwxr-x---");
      removeSockets(directory);
      return Optional.of(new AgentSocket(place, inner, service));
    } catch (IOException | UnsupportedOperationException e) {
      LOG.error("nobody can connect to {}: {}", place, e.toString());
      return Optional.empty();
    }
  }

  private static void makeDirectory(Path file, String permissions) throws IOException {
    Files.createDirectories(
        file.toAbsolutePath().getParent(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)));
  }

  private static void removeSockets(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        int mode = (int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        if ((mode & FILE_TYPE) == SOCKET_TYPE) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private void accept() {
    try {
      while (server.isOpen()) {
        SocketChannel client = server.accept();
        if (free.tryAcquire()) {
          Thread.ofVirtual().name("agent-socket").start(() -> serve(client));
        } else {
          client.close();
        }
      }
    } catch (IOException e) {
      if (server.isOpen()) {
        LOG.error("nobody can connect to {} any more: {}", place, e.toString());
      }
    }
  }

  private void serve(SocketChannel client) {
    open.add(client);
    try (client;
        SocketChannel ours = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      beginToServe();
      ours.connect(UnixDomainSocketAddress.of(inner));
      open.add(ours);
      Thread back = Thread.ofVirtual().name("agent-socket").start(() -> copy(ours, client));
      copy(client, ours);
      back.join();
      open.remove(ours);
    } catch (IOException | IllegalStateException e) {
      LOG.error("a client of {} is not served: {}", place, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(client);
      free.release();
    }
  }

  private synchronized void beginToServe() throws IOException {
    if (!isServing) {
      Files.deleteIfExists(inner);
      service.serve(inner);
      isServing = true;
    }
  }

  private static void copy(SocketChannel from, SocketChannel to) {
    ByteBuffer piece = ByteBuffer.allocate(PIECE);
    try {
      while (from.read(piece) >= 0) {
        piece.flip();
        while (piece.hasRemaining()) {
          to.write(piece);
        }
        piece.clear();
      }
      to.shutdownOutput();
    } catch (IOException e) {
      // One of them is gone; so is the other, then.
      close(from);
      close(to);
    }
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("a connection: {}", e.toString());
    }
  }

  @Override
  public void close() {
    try {
      server.close();
      Files.deleteIfExists(place);
    } catch (IOException e) {
      LOG.warn("{}: {}", place, e.toString());
    }
    open.forEach(AgentSocket::close);
  }
}
