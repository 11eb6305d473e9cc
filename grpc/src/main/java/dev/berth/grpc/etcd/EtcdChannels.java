package dev.berth.grpc.etcd;

import dev.berth.store.etcd.EtcdConnector.Servers;
import io.grpc.ManagedChannel;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection to each member, made when it is first used; one of them is used at present. One
 * thread does all their reading and writing, and runs what their answers call.
 */
final class EtcdChannels implements AutoCloseable {
  private static final int WINDOW_BYTES = 4 << 20;

  /** A member that does not answer is noticed after 15 s; etcd allows a ping every 5 s. */
  private static final int PING_SECONDS = 10;

  private static final int PONG_SECONDS = 5;

  private static final int CONNECT_MILLIS = 2_000;

  /** It tells of names that it cannot find with a stack trace; requests end with the same. */
  private static final Logger LIBRARY = Logger.getLogger("io.grpc.internal.ManagedChannelImpl");

  static {
    LIBRARY.setLevel(Level.OFF);
  }

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(
          1, Thread.ofPlatform().daemon().name("etcd").factory(), NioIoHandler.newFactory());

  private final String endpoints;
  private final List<ManagedChannel> channels;
  private final AtomicInteger current = new AtomicInteger();

  EtcdChannels(Servers servers) {
    endpoints = servers.endpoints().stream().map(URI::toString).collect(Collectors.joining(","));
    SslContext tls = usesTls(servers) ? tls(servers) : null;
    channels = servers.endpoints().stream().map(endpoint -> channel(endpoint, tls)).toList();
  }

  private static boolean usesTls(Servers servers) {
    return servers.endpoints().stream().anyMatch(endpoint -> "https".equals(endpoint.getScheme()));
  }

  private static SslContext tls(Servers servers) {
    try {
      SslContextBuilder builder = GrpcSslContexts.forClient();
      if (!servers.authorities().isEmpty()) {
        builder.trustManager(servers.authorities().toArray(X509Certificate[]::new));
      }
      servers
          .identity()
          .ifPresent(
              own -> builder.keyManager(own.key(), own.chain().toArray(X509Certificate[]::new)));
      return builder.build();
    } catch (SSLException e) {
      throw new IllegalStateException("TLS to etcd cannot be set up: " + e.getMessage(), e);
    }
  }

  private ManagedChannel channel(URI endpoint, @Nullable SslContext tls) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(endpoint.getHost(), endpoint.getPort())
            .eventLoopGroup(group)
            .channelType(NioSocketChannel.class)
            .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
            .flowControlWindow(WINDOW_BYTES)
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .keepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
            .keepAliveTimeout(PONG_SECONDS, TimeUnit.SECONDS)
            // Answers do no more than to complete a future or to fill a queue.
            .directExecutor();
    return (tls == null ? builder.usePlaintext() : builder.sslContext(tls)).build();
  }

  int size() {
    return channels.size();
  }

  int current() {
    return current.get();
  }

  ManagedChannel channel(int index) {
    return channels.get(index);
  }

  /** Uses the next member, unless somebody has moved on already. */
  void moveOnFrom(int index) {
    // Else it would wait longer each time, though there is nobody else to ask.
    channels.get(index).resetConnectBackoff();
    int next = (index + 1) % channels.size();
    if (current.compareAndSet(index, next)) {
      channels.get(next).resetConnectBackoff();
    }
  }

  String endpoints() {
    return endpoints;
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
