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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where device plugins register. While none does, it is a socket and a waiting thread; with the
 * first that does, gRPC is loaded and serves at a socket of the agent's own, and what comes here is
 * passed on.
 *
 * <p>Plugins watch for this socket to be made anew, and register again then. Sockets of the last
 * agent's time are removed: their plugins make new ones.
 */
public final class PluginSocket implements AutoCloseable {
  /** What upstream calls it. */
  static final String NAME = "kubelet.sock";

  private static final Logger LOG = LoggerFactory.getLogger(DeviceManager.NAME);

  /** Registering takes a moment; more at once are no plugins. */
  private static final int MOST_CONNECTIONS = 64;

  private static final int PIECE = 16 * 1024;
  private static final int FILE_TYPE = 0170000;
  private static final int SOCKET_TYPE = 0140000;

  private final ServerSocketChannel server;
  private final Path place;
  private final Path inner;
  private final Supplier<PluginTransport> transport;
  private final PluginTransport.Registrar registrar;
  private final Semaphore free = new Semaphore(MOST_CONNECTIONS);
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
  private boolean isServing;

  private PluginSocket(
      Path directory,
      Path inner,
      Supplier<PluginTransport> transport,
      PluginTransport.Registrar registrar)
      throws IOException {
    this.place = directory.resolve(NAME);
    this.inner = inner;
    this.transport = transport;
    this.registrar = registrar;
    Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
    removeSockets(directory);
    Files.createDirectories(
        inner.toAbsolutePath().getParent(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(place));
  }

  /**
   * Begins to listen. A machine on which that does not work has no device plugins, and is a node
   * all the same.
   *
   * @param inner the agent's own socket
   */
  public static @Nullable PluginSocket start(
      Path directory,
      Path inner,
      Supplier<PluginTransport> transport,
      PluginTransport.Registrar registrar) {
    try {
      PluginSocket socket = new PluginSocket(directory, inner, transport, registrar);
      Thread.ofVirtual().name("device-plugins").start(socket::accept);
      return socket;
    } catch (IOException | UnsupportedOperationException e) {
      LOG.error("device plugins cannot register in {}: {}", directory, e.toString());
      return null;
    }
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
          Thread.ofVirtual().name("device-plugin").start(() -> serve(client));
        } else {
          client.close();
        }
      }
    } catch (IOException e) {
      if (server.isOpen()) {
        LOG.error("device plugins can no longer register: {}", e.toString());
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
      Thread back = Thread.ofVirtual().name("device-plugin").start(() -> copy(ours, client));
      copy(client, ours);
      back.join();
      open.remove(ours);
    } catch (IOException | IllegalStateException e) {
      LOG.error("a device plugin could not register: {}", e.getMessage());
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
      transport.get().serve(inner, registrar);
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
      LOG.debug("a connection of a device plugin: {}", e.toString());
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
    open.forEach(PluginSocket::close);
  }
}
