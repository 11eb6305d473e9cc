package dev.berth.agent.runtime.process;

import dev.berth.agent.nativecalls.Epoll;
import dev.berth.agent.nativecalls.Inotify;
import dev.berth.agent.nativecalls.NativeFailure;
import dev.berth.agent.nativecalls.PipePeek;
import dev.berth.agent.nativecalls.Wakeup;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that reads the output of all containers, and hears of their ends. A container that
 * writes faster than its log can be written waits at its pipe; nothing piles up here.
 */
final class OutputPump implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("process-runtime");
  private static final int BUFFER_BYTES = 64 * 1024;

  /** A container whose output is read. */
  interface Source {
    ContainerFiles files();

    ContainerOutput output();

    /** Told on the pump's thread, once its exit code is there and all output was read. */
    void ended();
  }

  private final Epoll epoll;
  private final Inotify inotify;
  private final Wakeup wakeup;
  private final Map<Integer, Source> byDescriptor = new ConcurrentHashMap<>();
  private final Map<Integer, Source> byWatch = new ConcurrentHashMap<>();
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final PipePeek pipes;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment buffer = arena.allocate(BUFFER_BYTES);
  private final byte[] bytes = new byte[BUFFER_BYTES];
  private final Thread thread;
  private volatile boolean isClosed;

  OutputPump() throws NativeFailure {
    epoll = new Epoll();
    inotify = new Inotify();
    wakeup = new Wakeup();
    pipes = new PipePeek();
    epoll.add(inotify.descriptor());
    epoll.add(wakeup.descriptor());
    thread = Thread.ofPlatform().daemon().name("container-output").start(this::run);
  }

  /** Reads a container's output from now on, until it has ended. */
  void add(Source source) {
    submit(() -> {
      try {
        byWatch.put(inotify.watch(source.files().directory()), source);
        for (int descriptor : source.output().descriptors()) {
          byDescriptor.put(descriptor, source);
          epoll.add(descriptor);
        }
        endIfItHas(source);
      } catch (NativeFailure e) {
        LOG.warn("cannot read what {} has: {}", source.files().directory(), e.getMessage());
      }
    });
  }

  /** Looks whether a container has ended, of which somebody knows better than by its directory. */
  void check(Source source) {
    submit(() -> endIfItHas(source));
  }

  private void submit(Runnable task) {
    tasks.add(task);
    wakeup.wake();
  }

  private void run() {
    while (!isClosed) {
      try {
        epoll.await(this::readable);
      } catch (NativeFailure | RuntimeException e) {
        LOG.error("reading the output of containers failed", e);
      }
    }
    byDescriptor.values().stream().distinct().forEach(source -> source.output().close());
    epoll.close();
    inotify.close();
    wakeup.close();
    pipes.close();
    arena.close();
  }

  private void readable(int descriptor) {
    try {
      if (descriptor == wakeup.descriptor()) {
        wakeup.clear();
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
          task.run();
        }
      } else if (descriptor == inotify.descriptor()) {
        inotify.read((watch, name, _) -> {
          Source source = byWatch.get(watch);
          if (source != null && name.equals("exit")) {
            endIfItHas(source);
          }
        });
      } else {
        Source source = byDescriptor.get(descriptor);
        if (source != null) {
          source.output().copy(descriptor, pipes, buffer, bytes);
        }
      }
    } catch (NativeFailure e) {
      LOG.error("reading the output of containers failed", e);
    }
  }

  private void endIfItHas(Source source) {
    if (!byWatch.containsValue(source) || !Files.exists(source.files().exit())) {
      return;
    }
    source.output().drain(pipes, buffer, bytes);
    forget(source);
    source.output().close();
    source.ended();
  }

  private void forget(Source source) {
    byWatch
        .entrySet()
        .removeIf(each -> {
          boolean isIt = each.getValue().equals(source);
          if (isIt) {
            inotify.forget(each.getKey());
          }
          return isIt;
        });
    source.output().descriptors().forEach(byDescriptor::remove);
  }

  @Override
  public void close() {
    isClosed = true;
    wakeup.wake();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
