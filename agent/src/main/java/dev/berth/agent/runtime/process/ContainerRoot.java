package dev.berth.agent.runtime.process;

import dev.berth.agent.nativecalls.Namespaces;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

/**
 * The mount namespace of a container that is about to start. A thread holds it until the container
 * has entered, after which the container does.
 */
final class ContainerRoot implements AutoCloseable {
  private final CountDownLatch entered = new CountDownLatch(1);
  private final long thread;

  /** Puts a root together; fails with what could not be mounted. */
  ContainerRoot(RootPlan plan, HostRoot host) throws IOException {
    CompletableFuture<Long> built = new CompletableFuture<>();
    Thread.ofPlatform().daemon().name("container-root").start(() -> hold(plan, host, built));
    try {
      thread = built.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a container's root was made", e);
    }
  }

  private void hold(RootPlan plan, HostRoot host, CompletableFuture<Long> built) {
    try {
      new RootBuilder(plan, host).build();
      built.complete(Namespaces.thread());
      entered.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable t) {
      built.completeExceptionally(t);
    }
  }

  /** The file of the namespace. */
  String namespaceFile() {
    return "/proc/%d/task/%d/ns/mnt".formatted(ProcessHandle.current().pid(), thread);
  }

  @Override
  public void close() {
    entered.countDown();
  }
}
