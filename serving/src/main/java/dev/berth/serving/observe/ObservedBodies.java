package dev.berth.serving.observe;

import dev.berth.http.Headers;
import dev.berth.http.Response;
import dev.berth.http.ResponseStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a client sent and what it was answered, as far as anybody wants to know. What was sent is
 * kept as it was understood, while the request lasts. An answer is kept if it says what went wrong,
 * and otherwise only if somebody asks for it before it is made.
 */
public final class ObservedBodies {
  private static final int FIRST_ERROR = 400;

  private @Nullable Object sent;
  private boolean keepsSent;
  private boolean keepsAnswer;
  private @Nullable Object answer;
  private String answerType = "";
  private List<byte[]> answerBytes = List.of();

  /** Says what the client sent: an object, options, or a patch. */
  public void sent(Object tree) {
    sent = tree;
  }

  /** Whether the audit log will show what was sent. */
  public boolean keepsSent() {
    return keepsSent;
  }

  /** Says that the audit log will show what was sent. */
  public void keepSent() {
    keepsSent = true;
  }

  public Optional<Object> sent() {
    return Optional.ofNullable(sent);
  }

  /** Has the answer kept, whatever it is. */
  public void keepAnswer() {
    keepsAnswer = true;
  }

  public boolean keepsAnswer() {
    return keepsAnswer;
  }

  /** Says what was answered, where no bytes pass. */
  public void answered(int code, Object tree) {
    if (keepsAnswer || code >= FIRST_ERROR) {
      answer = tree;
    }
  }

  /** The answer's tree, where no bytes passed. */
  public Optional<Object> answer() {
    return Optional.ofNullable(answer);
  }

  /** The media type of the answer's bytes; empty if none were kept. */
  public String answerType() {
    return answerType;
  }

  public List<byte[]> answerBytes() {
    return List.copyOf(answerBytes);
  }

  void responding(Response response) {
    if (keepsAnswer || response.status() >= FIRST_ERROR) {
      answerType = type(response.headers());
      answerBytes = response.body();
    }
  }

  /** Keeps what is sent piece by piece, if somebody wants it. */
  ResponseStream streaming(Headers headers, ResponseStream stream) {
    if (!keepsAnswer) {
      return stream;
    }
    List<byte[]> parts = new ArrayList<>();
    answerType = type(headers);
    answerBytes = parts;
    return new KeptStream(stream, parts);
  }

  private static String type(Headers headers) {
    return headers.fields().stream()
        .filter(field -> field.name().equalsIgnoreCase("Content-Type"))
        .map(Headers.Field::value)
        .findFirst()
        .orElse("");
  }

  /** Notes all that is written to a stream. */
  private record KeptStream(ResponseStream stream, List<byte[]> parts) implements ResponseStream {
    @Override
    public boolean write(byte[] bytes) {
      parts.add(bytes);
      return stream.write(bytes);
    }

    @Override
    public boolean flush() {
      return stream.flush();
    }

    @Override
    public void onGone(Runnable listener) {
      stream.onGone(listener);
    }

    @Override
    public void abort() {
      stream.abort();
    }

    @Override
    public void close() {
      stream.close();
    }
  }
}
