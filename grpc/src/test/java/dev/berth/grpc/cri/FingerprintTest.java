package dev.berth.grpc.cri;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import dev.berth.grpc.criapi.Cri;
import dev.berth.time.fixture.SeededTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Lists that say the same have one fingerprint, in whatever order; others have others. */
class FingerprintTest {
  private static final int MOST = 40;

  @SeededTest(fixed = 20, fresh = 10)
  void orderDoesNotMatterAndAllElseDoes(long seed) throws IOException {
    Random random = new Random(seed);
    List<Cri.PodSandbox> pods = new ArrayList<>();
    for (int i = random.nextInt(1, MOST); i > 0; i--) {
      pods.add(
          Cri.PodSandbox.newBuilder()
              .setId("s" + i)
              .setCreatedAt(random.nextLong(3))
              .setStateValue(random.nextInt(2))
              .putLabels("name", "web-" + random.nextInt(3))
              .putLabels("tier", "" + random.nextInt(3))
              .putAnnotations("name", "" + random.nextInt(3))
              .build());
    }
    long before = Fingerprint.of(list(pods, random));
    Collections.shuffle(pods, random);
    assertThat(Fingerprint.of(list(pods, random))).isEqualTo(before);

    int at = random.nextInt(pods.size());
    Cri.PodSandbox.Builder one = pods.get(at).toBuilder();
    switch (random.nextInt(5)) {
      case 0 -> one.setStateValue(1 - one.getStateValue());
      case 1 -> one.putLabels("tier", one.getLabelsOrThrow("tier") + "x");
      case 2 -> one.setId(one.getId() + "'");
      case 3 -> {
        one.putLabels("name", pods.get(at).getAnnotationsOrThrow("name"));
        one.putAnnotations("name", pods.get(at).getLabelsOrThrow("name"));
      }
      default -> pods.add(pods.get(random.nextInt(pods.size())));
    }
    pods.set(at, one.build());
    assertThat(Fingerprint.of(list(pods, random))).isNotEqualTo(before);
  }

  @SeededTest(fixed = 20, fresh = 10)
  void noBytesDoHarm(long seed) throws IOException {
    Random random = new Random(seed);
    byte[] bytes =
        Cri.ListPodSandboxResponse.newBuilder()
            .addItems(Cri.PodSandbox.newBuilder().setId("s1").putLabels("a", "b"))
            .build()
            .toByteArray();
    for (int i = 0; i < 200; i++) {
      byte[] damaged = Arrays.copyOf(bytes, random.nextInt(1, bytes.length + 4));
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      try {
        long print = Fingerprint.of(damaged);
        assertThat(Fingerprint.of(damaged)).isEqualTo(print);
      } catch (IOException e) {
        assertThat(e).hasMessageNotContaining("IndexOutOfBounds");
      }
    }
  }

  /** As a runtime might write it: the fields and entries of each message in any order. */
  private static byte[] list(List<Cri.PodSandbox> pods, Random random) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (Cri.PodSandbox pod : pods) {
      List<Cri.PodSandbox> parts = new ArrayList<>();
      parts.add(Cri.PodSandbox.newBuilder().setId(pod.getId()).build());
      parts.add(Cri.PodSandbox.newBuilder().setCreatedAt(pod.getCreatedAt()).build());
      parts.add(Cri.PodSandbox.newBuilder().setState(pod.getState()).build());
      pod.getLabelsMap()
          .forEach(
              (key, value) -> parts.add(Cri.PodSandbox.newBuilder().putLabels(key, value).build()));
      pod.getAnnotationsMap()
          .forEach((key, value) ->
              parts.add(Cri.PodSandbox.newBuilder().putAnnotations(key, value).build()));
      Collections.shuffle(parts, random);
      ByteArrayOutputStream message = new ByteArrayOutputStream();
      for (Cri.PodSandbox part : parts) {
        part.writeTo(message);
      }
      // The bytes of a message that has this one alone, and no more than its own field around it.
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      out.writeByteArray(Cri.ListPodSandboxResponse.ITEMS_FIELD_NUMBER, message.toByteArray());
      out.flush();
    }
    assertThat(Cri.ListPodSandboxResponse.parseFrom(bytes.toByteArray()).getItemsList())
        .isEqualTo(pods);
    return bytes.toByteArray();
  }
}
