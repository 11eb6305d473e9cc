package dev.berth.grpc.socket;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients and servers of Unix sockets, by the JDK's own channels: no native library is needed. One
 * thread does all their reading and writing; what they are asked and answered runs on virtual ones.
 */
public final class UnixSockets implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private static final int WINDOW_BYTES = 1 << 20;

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(
          1,
          Thread.ofPlatform().daemon().name("grpc-" + COUNT.incrementAndGet()).factory(),
          NioIoHandler.newFactory());

  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

  /** A client of a socket. It connects when it is first used, and again when it lost it. */
  public ManagedChannel channel(Path socket) {
    return NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
        .eventLoopGroup(group)
        .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
        // This kind of socket has no such option, which is on otherwise.
        .withOption(ChannelOption.SO_KEEPALIVE, null)
        .overrideAuthority("localhost")
        .usePlaintext()
        // One of a fixed size: to find the best one costs a ping with every answer.
        .flowControlWindow(WINDOW_BYTES)
        .executor(executor)
        .build();
  }

  /** A server at a socket, to be given its services. */
  public NettyServerBuilder server(Path socket) {
    return NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
        .channelType(NioServerDomainSocketChannel.class)
        .bossEventLoopGroup(group)
        .workerEventLoopGroup(group)
        .withChildOption(ChannelOption.SO_KEEPALIVE, null)
        .executor(executor);
  }

  @Override
  public void close() {
    executor.shutdown();
    var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
