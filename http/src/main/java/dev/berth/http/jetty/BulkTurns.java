package dev.berth.http.jetty;

import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Leaves a processor to short requests, whatever large answers cost. Compressing, encrypting and
 * handing over a chunk does not block, and virtual threads are not preempted: some clients that
 * read large answers as fast as they can would have all processors, and whoever wants to renew a
 * lease would wait behind them at every step. So only as many large answers are worked on at a time
 * as there are processors but one, and they take turns after each chunk. Nobody has a turn while
 * waiting for a client.
 */
final class BulkTurns {
  private final Semaphore turns;

  BulkTurns() {
    this(Math.max(1, Runtime.getRuntime().availableProcessors() - 1));
  }

  BulkTurns(int atOnce) {
    this.turns = new Semaphore(atOnce, true);
  }

  /** The turns of one answer; used by the thread that writes it. */
  static final class Turn {
    /** Of an answer that needs none: it sends little at a time. */
    static final Turn FREE = new Turn(null);

    private final @Nullable Semaphore turns;
    private boolean taken;

    private Turn(@Nullable Semaphore turns) {
      this.turns = turns;
    }

    /** Waits for a turn, unless it is this one's already. */
    void begin() {
      if (turns != null && !taken) {
        turns.acquireUninterruptibly();
        taken = true;
      }
    }

    void end() {
      if (turns != null && taken) {
        taken = false;
        turns.release();
      }
    }
  }

  Turn forAnswer() {
    return new Turn(turns);
  }

  /** A body whose bytes are made and sent when it is its turn. */
  record InTurns(Turn turn, BodySink body) implements BodySink {
    @Override
    public boolean write(byte[] bytes, int offset, int length) {
      turn.begin();
      return body.write(bytes, offset, length);
    }

    @Override
    public boolean flush() {
      turn.begin();
      try {
        return body.flush();
      } finally {
        turn.end();
      }
    }

    @Override
    public boolean finish() {
      turn.begin();
      try {
        return body.finish();
      } finally {
        turn.end();
      }
    }

    @Override
    public void release() {
      turn.end();
      body.release();
    }
  }
}
