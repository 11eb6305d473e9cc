package dev.berth.agent.server;

import dev.berth.agent.runtime.Session;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A command and its client, from beginning to end. The thread that runs it waits; one more reads
 * each of the command's streams, and those of the client belong to its {@link CommandStreams}. A
 * client that goes ends the command; a command that ends is shown to its last byte.
 */
final class CommandSession {
  private static final int PIECE_BYTES = 32 * 1024;

  /** Ignores what a client sends. */
  static final CommandStreams.Listener NOBODY =
      new CommandStreams.Listener() {
        @Override
        public void stdin(byte[] bytes, int length) {}

        @Override
        public void stdinEnded() {}

        @Override
        public void resized(int columns, int rows) {}

        @Override
        public void gone() {}
      };

  private final Session session;
  private final CommandStreams streams;
  private final CommandOptions options;
  private volatile boolean ended;

  CommandSession(Session session, CommandStreams streams, CommandOptions options) {
    this.session = session;
    this.streams = streams;
    this.options = options;
  }

  /** Returns when the command has ended and all of its output was sent, or the client has gone. */
  CommandStatus run() {
    streams.begin(new FromClient());
    Thread stdout = copy("stdout", session.stdout(), streams.stdout());
    Thread stderr = copy("stderr", session.stderr(), streams.stderr());
    try {
      int code = session.waitFor();
      Waiting.uninterruptibly(stdout);
      Waiting.uninterruptibly(stderr);
      ended = true;
      return new CommandStatus.Exited(code);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new CommandStatus.Failed("the node agent is stopping");
    }
  }

  private Thread copy(String name, InputStream from, OutputStream to) {
    return Thread.ofVirtual()
        .name("command-" + name)
        .start(() -> {
          try (from) {
            byte[] bytes = new byte[PIECE_BYTES];
            int read = from.read(bytes);
            while (read >= 0) {
              to.write(bytes, 0, read);
              read = from.read(bytes);
            }
          } catch (IOException _) {
            // One of them has gone. If it is the client, the session is told by its own thread.
          }
        });
  }

  private final class FromClient implements CommandStreams.Listener {
    @Override
    public void stdin(byte[] bytes, int length) {
      if (options.stdin()) {
        try {
          OutputStream stdin = session.stdin();
          stdin.write(bytes, 0, length);
          stdin.flush();
        } catch (IOException _) {
          // The command reads no more, which is its right; its output may still come.
        }
      }
    }

    @Override
    public void stdinEnded() {
      try {
        session.stdin().close();
      } catch (IOException _) {
        // It reads no more anyway.
      }
    }

    @Override
    public void resized(int columns, int rows) {
      if (options.tty()) {
        session.resize(columns, rows);
      }
    }

    @Override
    public void gone() {
      if (!ended) {
        session.close();
      }
    }
  }
}
