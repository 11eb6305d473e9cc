package dev.berth.agent.dns;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.berth.policy.dns.ClusterZone;
import dev.berth.policy.dns.DnsAnswer;
import dev.berth.policy.dns.DnsRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Answers messages: those about the cluster itself, all others through a forwarder. */
final class DnsResponder {
  private static final int IN = 1;
  private static final int ZONE_TRANSFERS = 251;
  private static final int LONGEST_CHAIN = 8;

  private final ClusterZone zone;
  private final DnsForwarder forwarder;

  DnsResponder(ClusterZone zone, DnsForwarder forwarder) {
    this.zone = zone;
    this.forwarder = forwarder;
  }

  /** An answer, or that others have to be asked for one, which takes its time. */
  sealed interface Response {
    @SuppressWarnings("ArrayRecordComponent") // nobody compares answers
    record Now(byte[] bytes) implements Response {}

    /** To be {@linkplain DnsResponder#ask asked}. */
    record Later(DnsQuery query) implements Response {}

    record None() implements Response {}
  }

  /** Answers what can be answered at once. */
  Response answer(byte[] message, boolean isStream) {
    return switch (DnsQuery.read(message)) {
      case DnsQuery.Read.Ignored _ -> new Response.None();
      case DnsQuery.Read.Bad bad -> new Response.Now(DnsReply.of(bad));
      case DnsQuery.Read.Question(DnsQuery query) -> answer(query, isStream);
    };
  }

  private Response answer(DnsQuery query, boolean isStream) {
    // Whoever wants everything wants much for little; nobody else does.
    if (query.recordClass() != IN
        || (query.type() >= ZONE_TRANSFERS && query.type() <= DnsRecord.ANY)) {
      return now(query, DnsReply.Sections.code(DnsReply.REFUSED), isStream);
    }
    return switch (zone.answer(query.name(), query.type())) {
      case DnsAnswer.NotOurs _ -> new Response.Later(query);
      case DnsAnswer.Elsewhere _ -> new Response.Later(query);
      case DnsAnswer.NoName _ -> now(query, nothing(DnsReply.NO_NAME), isStream);
      case DnsAnswer.NoRecord _ -> now(query, nothing(DnsReply.NO_ERROR), isStream);
      case DnsAnswer.Records(List<DnsRecord> records, List<DnsRecord> further) ->
          now(
              query,
              new DnsReply.Sections(DnsReply.NO_ERROR, records, List.of(), further),
              isStream);
    };
  }

  private DnsReply.Sections nothing(int code) {
    return new DnsReply.Sections(code, List.of(), List.of(zone.authority()), List.of());
  }

  private static Response now(DnsQuery query, DnsReply.Sections sections, boolean isStream) {
    return new Response.Now(DnsReply.of(query, sections, isStream));
  }

  /** Answers what others have to be asked for. It blocks. */
  byte[] ask(byte[] message, DnsQuery query, boolean isStream) {
    if (zone.answer(query.name(), query.type())
        instanceof DnsAnswer.Elsewhere(DnsRecord.Alias to)) {
      return follow(query, to, isStream);
    }
    return forwarder
        .ask(message, query, isStream)
        .orElseGet(
            () -> DnsReply.of(query, DnsReply.Sections.code(DnsReply.SERVER_FAILURE), isStream));
  }

  /** Programs expect the addresses of the other name along with that name. */
  private byte[] follow(DnsQuery query, DnsRecord.Alias first, boolean isStream) {
    List<DnsRecord> found = new ArrayList<>();
    found.add(first);
    String target = first.target();
    int code = DnsReply.NO_ERROR;
    for (int i = 0; i < LONGEST_CHAIN; i++) {
      switch (zone.answer(target, query.type())) {
        case DnsAnswer.Elsewhere(DnsRecord.Alias next) -> {
          found.add(next);
          target = next.target();
          continue;
        }
        case DnsAnswer.Records(List<DnsRecord> records, _) -> found.addAll(records);
        case DnsAnswer.NoName _ -> code = DnsReply.NO_NAME;
        case DnsAnswer.NoRecord _ -> {}
        case DnsAnswer.NotOurs _ -> {
          Optional<List<DnsRecord>> addresses = addresses(target, query.type());
          addresses.ifPresent(found::addAll);
          code = addresses.isPresent() ? DnsReply.NO_ERROR : DnsReply.SERVER_FAILURE;
        }
      }
      return DnsReply.of(query, new DnsReply.Sections(code, found, List.of(), List.of()), isStream);
    }
    return DnsReply.of(query, DnsReply.Sections.code(DnsReply.SERVER_FAILURE), isStream);
  }

  private Optional<List<DnsRecord>> addresses(String name, int type) {
    byte[] question = question(name.toLowerCase(Locale.ROOT), type);
    if (!(DnsQuery.read(question) instanceof DnsQuery.Read.Question(DnsQuery query))) {
      return Optional.empty();
    }
    return forwarder.ask(question, query, false).map(AnswerReader::records);
  }

  private static byte[] question(String name, int type) {
    ByteBuffer bytes = ByteBuffer.allocate(DnsReply.SMALLEST);
    bytes.putShort((short) 0).putShort((short) 0x0100).putShort((short) 1);
    bytes.putInt(0).putShort((short) 0);
    for (String label : name.split("\\.", -1)) {
      byte[] text = label.getBytes(US_ASCII);
      bytes.put((byte) text.length).put(text);
    }
    bytes.put((byte) 0).putShort((short) type).putShort((short) IN);
    return Arrays.copyOf(bytes.array(), bytes.position());
  }
}
