package dev.berth.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Requests of a client that has thirty under way at once. */
public final class Parallel {
  private static final int SENDERS = 30;

  private Parallel() {}

  /** Something that may fail. */
  public interface Request {
    byte[] send() throws Exception;
  }

  /** Sends so many, and waits for all answers. */
  public static void send(int count, IntFunction<Request> requests) throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(SENDERS)) {
      List<Future<byte[]>> sent = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Request request = requests.apply(i);
        sent.add(executor.submit(request::send));
      }
      for (Future<byte[]> future : sent) {
        future.get();
      }
    }
  }
}
