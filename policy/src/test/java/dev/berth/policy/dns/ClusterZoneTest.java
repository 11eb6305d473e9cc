package dev.berth.policy.dns;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterZoneTest {
  private static final Map<String, Integer> TYPES =
      Map.of("A", 1, "NS", 2, "CNAME", 5, "SOA", 6, "PTR", 12, "TXT", 16, "AAAA", 28, "SRV", 33);

  private static JsonObject json(String text) {
    return JsonReader.object(text.replace('\'', '"').getBytes(UTF_8), JsonLimits.REQUEST);
  }

  private static DnsService service(String name, String spec, String... slices) {
    return DnsService.read(
        json("{'metadata':{'namespace':'ns','name':'%s'},'spec':%s}".formatted(name, spec)),
        Stream.of(slices).map(ClusterZoneTest::json).toList());
  }

  private static final List<DnsService> SERVICES =
      List.of(
          service(
              "web",
              "{'clusterIP':'10.96.0.5','clusterIPs':['10.96.0.5','fd00::5'],'ports':[{'name':'http','port':80,'protocol':'TCP'},{'port':53,'protocol':'UDP'}]}"),
          service(
              "db",
              "{'clusterIP':'None','ports':[{'name':'sql','port':5432,'protocol':'TCP'}]}",
              "{'addressType':'IPv4','ports':[{'name':'sql','port':5432,'protocol':'TCP'}],'endpoints':["
                  + "{'addresses':['10.1.0.1'],'hostname':'db-0'},{'addresses':['10.1.0.2']},"
                  + "{'addresses':['10.1.0.3'],'conditions':{'ready':false}}]}",
              "{'addressType':'IPv6','ports':[{'name':'sql','port':5432,'protocol':'TCP'}],'endpoints':["
                  + "{'addresses':['fd00:1::1'],'hostname':'db-0'}]}"),
          service(
              "early",
              "{'clusterIP':'None','publishNotReadyAddresses':true}",
              "{'addressType':'IPv4','ports':[],'endpoints':[{'addresses':['10.1.0.9'],'conditions':{'ready':false}}]}"),
          service("empty", "{'clusterIP':'None'}"),
          service("away", "{'type':'ExternalName','externalName':'Example.COM.'}"));

  private static final ServiceDirectory DIRECTORY =
      new ServiceDirectory() {
        @Override
        public Optional<DnsService> service(ObjectName name) {
          return SERVICES.stream().filter(each -> each.name().equals(name)).findFirst();
        }

        @Override
        public boolean hasNamespace(String namespace) {
          return namespace.equals("ns");
        }

        @Override
        public Collection<DnsService> withAddress(String address) {
          return SERVICES;
        }

        @Override
        public Collection<String> nameServers() {
          return List.of("10.96.0.10");
        }
      };

  private static String text(DnsRecord record) {
    return switch (record) {
      case DnsRecord.Address is -> is.address();
      case DnsRecord.Alias is -> is.target();
      case DnsRecord.Pointer is -> is.target();
      case DnsRecord.NameServer is -> is.target();
      case DnsRecord.Text is -> is.text();
      case DnsRecord.Service is -> "%d %d %s".formatted(is.weight(), is.port(), is.target());
      case DnsRecord.Authority is -> is.server();
    };
  }

  private static String text(DnsAnswer answer) {
    return switch (answer) {
      case DnsAnswer.Records(List<DnsRecord> records, _) ->
          String.join(", ", records.stream().map(ClusterZoneTest::text).toList());
      case DnsAnswer.Elsewhere(DnsRecord.Alias alias) -> "see " + alias.target();
      case DnsAnswer.NoRecord _ -> "nothing";
      case DnsAnswer.NoName _ -> "no name";
      case DnsAnswer.NotOurs _ -> "others";
    };
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          A    | web.ns.svc.c.local                 | 10.96.0.5
          A    | WEB.ns.SVC.c.Local                 | 10.96.0.5
          AAAA | web.ns.svc.c.local                 | fd00::5
          TXT  | web.ns.svc.c.local                 | nothing
          SRV  | _http._tcp.web.ns.svc.c.local      | 100 80 web.ns.svc.c.local
          A    | _http._tcp.web.ns.svc.c.local      | nothing
          SRV  | _http._udp.web.ns.svc.c.local      | no name
          SRV  | _other._tcp.web.ns.svc.c.local     | no name
          SRV  | __tcp.web.ns.svc.c.local           | no name
          A    | _tcp.web.ns.svc.c.local            | nothing
          SRV  | web.ns.svc.c.local                 | 100 80 web.ns.svc.c.local, 100 53 web.ns.svc.c.local
          A    | x.web.ns.svc.c.local               | no name
          A    | a.b.c.web.ns.svc.c.local           | no name
          A    | db.ns.svc.c.local                  | 10.1.0.1, 10.1.0.2
          AAAA | db.ns.svc.c.local                  | fd00:1::1
          A    | db-0.db.ns.svc.c.local             | 10.1.0.1
          AAAA | db-0.db.ns.svc.c.local             | fd00:1::1
          A    | 10-1-0-2.db.ns.svc.c.local         | 10.1.0.2
          A    | 10-1-0-3.db.ns.svc.c.local         | no name
          SRV  | _sql._tcp.db.ns.svc.c.local        | 33 5432 db-0.db.ns.svc.c.local, 33 5432 10-1-0-2.db.ns.svc.c.local
          A    | early.ns.svc.c.local               | 10.1.0.9
          A    | empty.ns.svc.c.local               | nothing
          A    | away.ns.svc.c.local                | see example.com
          CNAME| away.ns.svc.c.local                | example.com
          A    | none.ns.svc.c.local                | no name
          A    | web.other.svc.c.local              | no name
          A    | ns.svc.c.local                     | nothing
          A    | other.svc.c.local                  | no name
          A    | svc.c.local                        | nothing
          A    | 10-9-8-7.ns.pod.c.local            | 10.9.8.7
          AAAA | 10-9-8-7.ns.pod.c.local            | nothing
          AAAA | fd00--7.ns.pod.c.local             | fd00::7
          A    | 10-9-8.ns.pod.c.local              | no name
          A    | 10-9-8-7.other.pod.c.local         | no name
          PTR  | 5.0.96.10.in-addr.arpa             | web.ns.svc.c.local
          PTR  | 1.0.1.10.in-addr.arpa              | db-0.db.ns.svc.c.local
          PTR  | 2.0.1.10.in-addr.arpa              | others
          PTR  | 300.0.1.10.in-addr.arpa            | others
          PTR  | 5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.d.f.ip6.arpa | web.ns.svc.c.local
          PTR  | f.ip6.arpa                         | others
          TXT  | dns-version.c.local                | 1.1.0
          SOA  | c.local                            | ns.dns.c.local
          NS   | c.local                            | ns.dns.c.local
          A    | ns.dns.c.local                     | 10.96.0.10
          A    | x.c.local                          | no name
          A    | xc.local                           | others
          A    | example.com                        | others
          """)
  void answers(String type, String name, String answer) {
    ClusterZone zone = new ClusterZone("c.local", DIRECTORY);
    assertThat(text(zone.answer(name, TYPES.getOrDefault(type, 0)))).isEqualTo(answer);
  }
}
