package dev.berth.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Message;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.time.fixture.SeededTest;
import dev.berth.wire.fixture.FullObjects;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apps;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever the bytes are, the outcome is an object that can be written, or one exception. */
class MalformedProtobufTest {
  private static final GroupVersionKind POD = new GroupVersionKind("", "v1", "Pod");
  private static final byte[] FULL_POD = Protobuf.encode(FullObjects.of(POD));

  private static boolean isRead(byte[] bytes) {
    JsonObject object;
    try {
      object = Envelope.read(bytes).object(POD);
    } catch (WireException _) {
      return false;
    }
    assertThat(JsonWriter.toBytes(object)).isNotEmpty();
    return true;
  }

  @Test
  void cutOffAnywhere() {
    int refused = 0;
    for (int length = 0; length < FULL_POD.length; length += 101) {
      byte[] cut = new byte[length];
      System.arraycopy(FULL_POD, 0, cut, 0, length);
      refused += isRead(cut) ? 0 : 1;
    }
    assertThat(refused).isGreaterThan(FULL_POD.length / 101 - 3);
  }

  @SeededTest(fixed = 3, fresh = 1)
  void damagedAtRandom(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 250; round++) {
      byte[] damaged = FULL_POD.clone();
      for (int i = 0; i <= random.nextInt(6); i++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      try {
        isRead(damaged);
      } catch (RuntimeException e) {
        fail("seed " + seed + ", round " + round, e);
      }
    }
  }

  private static void refuses(Message pod, String why) {
    assertThatThrownBy(() -> Envelope.read(ProtobufTest.wrapped("v1", "Pod", pod)).object(POD))
        .isInstanceOf(WireException.class)
        .hasMessageContaining(why);
  }

  @Test
  void saysWhatIsWrong() {
    assertThatThrownBy(() -> Envelope.read(new byte[0])).hasMessage("empty data");
    assertThatThrownBy(() -> Envelope.read("{}".getBytes(UTF_8)))
        .hasMessage(
            "provided data does not appear to be a protobuf message, expected prefix [107 56 115"
                + " 0]");
    assertThatThrownBy(() -> Envelope.read(new byte[] {'k', '8', 's', 0})).hasMessage("empty body");
    refuses(
        V1.Pod.newBuilder()
            .setMetadata(
                Meta.ObjectMeta.newBuilder()
                    .setNameBytes(ByteString.copyFrom(new byte[] {(byte) 0xc3})))
            .build(),
        "a string is not UTF-8");
    refuses(
        V1.Pod.newBuilder()
            .setMetadata(
                Meta.ObjectMeta.newBuilder()
                    .setCreationTimestamp(Meta.Time.newBuilder().setSeconds(Long.MAX_VALUE)))
            .build(),
        "there is no time of 9223372036854775807 seconds");
    // Another message's bytes, whose first field is a number.
    refuses(
        V1Apps.StatefulSetOrdinals.newBuilder().setStart(7).build(),
        "the field metadata (1) of io.k8s.api.core.v1.Pod has wire type 0, expected 2");
  }

  /** A schema inside a schema, far deeper than any tree may be. */
  @Test
  void nestedWithoutEnd() throws IOException {
    byte[] schema = {};
    for (int i = 0; i < 2000; i++) {
      var out = new ByteArrayOutputStream();
      CodedOutputStream coded = CodedOutputStream.newInstance(out);
      coded.writeByteArray(28, schema);
      coded.flush();
      schema = out.toByteArray();
    }
    byte[] nested = schema;
    WireMessage type = WireTypes.builtIn().get(WireTypes.JSON_SCHEMA);
    assertThat(type.field(28)).isNotNull().extracting(field -> field.name).isEqualTo("not");
    assertThatThrownBy(() -> new WireDecoder(nested, 0, nested.length).message(type))
        .isInstanceOf(WireException.class)
        .hasMessage("nested deeper than 512 levels");
  }
}
