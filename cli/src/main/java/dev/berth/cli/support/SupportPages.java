package dev.berth.cli.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.http.Response;
import dev.berth.serving.rest.DebugPages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * What a running server tells {@code berth support}, below {@code /debug/support/}. RBAC says who
 * may read it, as for any path that is no resource; by default, that is {@code system:masters}.
 */
public final class SupportPages implements DebugPages {
  static final String PATH = ROOT + "support/";

  /** Longer than this, the connection would count as idle. */
  static final int LONGEST_RECORDING_SECONDS = 60;

  private static final String TEXT = "text/plain; charset=utf-8";

  private final Supplier<String> log;
  private final ServerFigures figures;
  private final AtomicBoolean recording = new AtomicBoolean();

  /**
   * @param log the end of the log
   */
  public SupportPages(Supplier<String> log, ServerFigures figures) {
    this.log = log;
    this.figures = figures;
  }

  @Override
  public Optional<Response> answer(String path, UnaryOperator<String> parameter) {
    if (!path.startsWith(PATH)) {
      return Optional.empty();
    }
    try {
      return switch (path.substring(PATH.length())) {
        case "settings" -> text(figures.settings());
        case "log" -> text(log.get());
        case "store" -> text(figures.storeFigures());
        case "threads" -> Optional.of(Response.of(200, TEXT, Diagnostics.threads()));
        case "jfr" -> Optional.of(record(parameter.apply("seconds")));
        default -> Optional.empty();
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static Optional<Response> text(String text) {
    return Optional.of(Response.of(200, TEXT, text.getBytes(UTF_8)));
  }

  /** One recording at a time, since each costs something. */
  private Response record(String seconds) throws IOException, InterruptedException {
    if (!seconds.matches("[1-9]\\d?") || Integer.parseInt(seconds) > LONGEST_RECORDING_SECONDS) {
      return refused(
          400, "seconds must be a number between 1 and " + LONGEST_RECORDING_SECONDS + "\n");
    }
    if (!recording.compareAndSet(false, true)) {
      return refused(429, "another recording is under way\n");
    }
    try {
      Duration length = Duration.ofSeconds(Integer.parseInt(seconds));
      return Response.of(200, "application/octet-stream", Diagnostics.recording(length));
    } finally {
      recording.set(false);
    }
  }

  private static Response refused(int status, String why) {
    return Response.of(status, TEXT, why.getBytes(UTF_8));
  }
}
