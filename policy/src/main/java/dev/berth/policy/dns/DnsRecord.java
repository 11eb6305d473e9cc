package dev.berth.policy.dns;

/** A record, without its time to live, which is the same for all. Names have no dot at the end. */
public sealed interface DnsRecord {
  /** Whose record it is. */
  String name();

  /** Its number in messages. */
  int type();

  int A = 1;
  int NS = 2;
  int CNAME = 5;
  int SOA = 6;
  int PTR = 12;
  int TXT = 16;
  int AAAA = 28;
  int SRV = 33;
  int ANY = 255;

  /** An address, of either family. */
  record Address(String name, String address) implements DnsRecord {
    @Override
    public int type() {
      return address.indexOf(':') >= 0 ? AAAA : A;
    }
  }

  /** Another name for something. */
  record Alias(String name, String target) implements DnsRecord {
    @Override
    public int type() {
      return CNAME;
    }
  }

  /** Where a port is served. */
  record Service(String name, int weight, int port, String target) implements DnsRecord {
    @Override
    public int type() {
      return SRV;
    }
  }

  /** The name of an address. */
  record Pointer(String name, String target) implements DnsRecord {
    @Override
    public int type() {
      return PTR;
    }
  }

  record Text(String name, String text) implements DnsRecord {
    @Override
    public int type() {
      return TXT;
    }
  }

  /** Who serves a zone. */
  record NameServer(String name, String target) implements DnsRecord {
    @Override
    public int type() {
      return NS;
    }
  }

  /** The beginning of a zone, which also says for how long nothing is nothing. */
  record Authority(String name, String server, String person) implements DnsRecord {
    @Override
    public int type() {
      return SOA;
    }
  }
}
