package dev.berth.grpc.cri;

import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.grpc.criapi.Cri;
import dev.berth.grpc.criapi.RuntimeServiceGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * Lists all that a runtime has, again and again. An answer that says what the last one said is not
 * read: that would be most of the work of a node on which nothing happens.
 *
 * <p>One thread uses it at a time.
 */
final class RepeatedList {
  private static final String REASON = "RuntimeError";

  /** An answer as it came. */
  private static final Marshaller<byte[]> BYTES =
      new Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            // Streams of this library know their length.
            byte[] bytes = new byte[stream.available()];
            int read = stream.readNBytes(bytes, 0, bytes.length);
            if (read < bytes.length || stream.read() >= 0) {
              throw new IOException("the length of an answer is not what it should be");
            }
            return bytes;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private static final MethodDescriptor<Cri.ListPodSandboxRequest, byte[]> SANDBOXES =
      plain(RuntimeServiceGrpc.getListPodSandboxMethod());

  private static final MethodDescriptor<Cri.ListContainersRequest, byte[]> CONTAINERS =
      plain(RuntimeServiceGrpc.getListContainersMethod());

  private final CriConnection connection;
  private Optional<Long> last = Optional.empty();

  /** All that there is. */
  record Contents(List<Cri.PodSandbox> sandboxes, List<Cri.Container> containers) {}

  RepeatedList(CriConnection connection) {
    this.connection = connection;
  }

  private static <Q> MethodDescriptor<Q, byte[]> plain(MethodDescriptor<Q, ?> method) {
    return method.toBuilder(method.getRequestMarshaller(), BYTES).build();
  }

  /** What there is now; empty if that is what there was. Blocks. */
  Optional<Contents> next() throws RuntimeFailure {
    byte[] sandboxes =
        CriConnection.call(
            REASON,
            () -> connection.call(SANDBOXES, Cri.ListPodSandboxRequest.getDefaultInstance()));
    byte[] containers =
        CriConnection.call(
            REASON,
            () -> connection.call(CONTAINERS, Cri.ListContainersRequest.getDefaultInstance()));
    try {
      Optional<Long> before = last;
      last = Optional.of(31 * Fingerprint.of(sandboxes) + Fingerprint.of(containers));
      return last.equals(before)
          ? Optional.empty()
          : Optional.of(
              new Contents(
                  Cri.ListPodSandboxResponse.parseFrom(sandboxes).getItemsList(),
                  Cri.ListContainersResponse.parseFrom(containers).getContainersList()));
    } catch (IOException e) {
      forget();
      throw new RuntimeFailure(REASON, "what the runtime lists cannot be read: " + e, e);
    }
  }

  /** Has the next answer read in any case. */
  void forget() {
    last = Optional.empty();
  }
}
