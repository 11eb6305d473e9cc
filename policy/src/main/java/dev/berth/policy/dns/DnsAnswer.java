package dev.berth.policy.dns;

import java.util.List;

/** What a question is answered with. */
public sealed interface DnsAnswer {

  /**
   * There are records.
   *
   * @param further what whoever asked will ask next
   */
  record Records(List<DnsRecord> records, List<DnsRecord> further) implements DnsAnswer {
    public Records {
      records = List.copyOf(records);
      further = List.copyOf(further);
    }

    static DnsAnswer of(DnsRecord... records) {
      return new Records(List.of(records), List.of());
    }
  }

  /** There is another name for it; what that stands for is to be asked as well. */
  record Elsewhere(DnsRecord.Alias alias) implements DnsAnswer {}

  /** The name is there, but has no such record. */
  record NoRecord() implements DnsAnswer {}

  /** There is no such name. */
  record NoName() implements DnsAnswer {}

  /** Others know. */
  record NotOurs() implements DnsAnswer {}

  DnsAnswer NO_RECORD = new NoRecord();
  DnsAnswer NO_NAME = new NoName();
  DnsAnswer NOT_OURS = new NotOurs();
}
