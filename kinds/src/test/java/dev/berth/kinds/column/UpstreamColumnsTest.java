package dev.berth.kinds.column;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.BuiltIns;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Columns whose cells are of another type than they say, or that one would not think of. */
class UpstreamColumnsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest(name = "{1}, {2}: {3} {4}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          certificates.k8s.io|certificatesigningrequests|RequestedDuration|string|`"60m"`|{'spec':{'expirationSeconds':3600}}
          certificates.k8s.io|certificatesigningrequests|RequestedDuration|string|`"<none>"`|{}
          flowcontrol.apiserver.k8s.io|flowschemas|MatchingPrecedence|string|500|{'spec':{'matchingPrecedence':500}}
          flowcontrol.apiserver.k8s.io|prioritylevelconfigurations|Queues|string|4|{'spec':{'limited':{'limitResponse':{'queuing':{'queues':4}}}}}
          flowcontrol.apiserver.k8s.io|prioritylevelconfigurations|Queues|string|`"<none>"`|{'spec':{'type':'Exempt'}}
          storage.k8s.io|csistoragecapacities|Created At|date|`"2025-12-31T00:00:00Z"`|{'metadata':{'creationTimestamp':'2025-12-31T00:00:00Z'}}
          ``|persistentvolumes|Access Modes|string|`"RWO,ROX,RWX,RWOP"`|{'spec':{'accessModes':['ReadWriteOncePod','ReadWriteMany','ReadOnlyMany','ReadWriteOnce','ReadWriteOnce','Odd']}}
          admissionregistration.k8s.io|mutatingadmissionpolicybindings|ParamRef|string|`"&LabelSelector{MatchLabels:map[string]string{a: b,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:c,Operator:In,Values:[d e],},},}"`|{'spec':{'paramRef':{'selector':{'matchLabels':{'a':'b'},'matchExpressions':[{'key':'c','operator':'In','values':['d','e']}]}}}}
          ``|persistentvolumeclaims|Capacity|string|`"0"`|{'spec':{'volumeName':'v'}}
          ``|persistentvolumeclaims|Capacity|string|`""`|{'status':{'capacity':{'storage':'1Gi'}}}
          ``|persistentvolumeclaims|Access Modes|string|`""`|{'status':{'accessModes':['ReadWriteOnce']}}
          ``|endpoints|Endpoints|string|`"<none>"`|{}
          ``|endpoints|Endpoints|string|`""`|{'subsets':[{'notReadyAddresses':[{'ip':'10.0.0.1'}],'ports':[{'port':80}]}]}
          ``|endpoints|Endpoints|string|`"10.0.0.1"`|{'subsets':[{'addresses':[{'ip':'10.0.0.1'}]}]}
          ``|endpoints|Endpoints|string|`"[fd00::1]:80"`|{'subsets':[{'addresses':[{'ip':'fd00::1'}],'ports':[{'port':80}]}]}
          ``|endpoints|Endpoints|string|`"10.0.0.1:80,10.0.0.2:80,10.0.0.1:81 + 1 more..."`|{'subsets':[{'addresses':[{'ip':'10.0.0.1'},{'ip':'10.0.0.2'}],'ports':[{'port':80},{'port':81}]}]}
          ``|events|Count|string|3|{'count':3}
          ``|events|Object|string|`"pod"`|{'involvedObject':{'kind':'Pod'}}
          ``|events|Object|string|`"pod/a"`|{'involvedObject':{'kind':'Pod','name':'a'}}
          """)
  void cells(String group, String plural, String name, String type, String cell, String object) {
    Resource resource = BuiltIns.catalog().get(group, "v1", plural);
    JsonObject tree = tree(object);
    Column column =
        resource.columns().stream()
            .filter(c -> c.name().equals(name))
            .findFirst()
            .orElseThrow(() -> new AssertionError(plural + " have no column " + name));

    assertThat(column.type()).isEqualTo(type);
    assertThat(JsonArray.of(column.cell().of(tree, NOW)).toString()).isEqualTo("[" + cell + "]");
  }
}
