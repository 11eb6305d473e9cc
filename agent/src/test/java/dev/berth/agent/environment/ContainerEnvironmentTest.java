package dev.berth.agent.environment;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.fixture.FakeObjects;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the variables of a container come from. */
final class ContainerEnvironmentTest {
  private static final JsonObject POD =
      tree(
          "{'metadata':{'name':'web','namespace':'shop','uid':'u1','labels':{'app':'a'},"
              + "'annotations':{'note':'n'}},'spec':{'nodeName':'n1','serviceAccountName':'robot'}}");

  @TempDir private Path volume;
  private final FakeObjects objects = new FakeObjects();

  private Map<String, String> resolve(JsonObject pod, String container) throws EnvironmentFailure {
    return new ContainerEnvironment(objects)
        .resolve(
            new ContainerEnvironment.Request(
                pod,
                tree(container),
                List.of("10.0.0.2", "fd00::2"),
                List.of("192.168.0.1"),
                tree("{'cpu':'4','memory':'8Gi','hugepages-2Mi':'64Mi'}"),
                _ -> volume));
  }

  private Map<String, String> resolve(String container) throws EnvironmentFailure {
    return resolve(POD, container);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "metadata.name,                  web",
    "metadata.namespace,             shop",
    "metadata.uid,                   u1",
    "metadata.labels['app'],         a",
    "metadata.annotations['note'],   n",
    "metadata.labels['none'],        ''",
    "spec.nodeName,                  n1",
    "spec.serviceAccountName,        robot",
    "status.hostIP,                  192.168.0.1",
    "status.podIP,                   10.0.0.2",
    "status.podIPs,                  '10.0.0.2,fd00::2'",
  })
  void fields(String path, String expected) throws EnvironmentFailure {
    String quoted = path.replace("'", "\\u0027");
    String container =
        "{'env':[{'name':'A','valueFrom':{'fieldRef':{'fieldPath':'%s'}}}]}".formatted(quoted);
    assertThat(resolve(container)).containsEntry("A", expected);
  }

  @ParameterizedTest(name = "{0} by {1}: {2}")
  @CsvSource({
    "limits.cpu,      1,   2",
    "limits.cpu,      1m,  1500",
    "requests.memory, 1,   104857600",
    "requests.memory, 1Mi, 100",
    // What is not limited is what the node has.
    "limits.memory,   1Gi, 8",
    "requests.cpu,    1,   0",
    // But for huge pages, which nobody has without a limit.
    "limits.hugepages-2Mi, 1, 0",
  })
  void resources(String resource, String divisor, String expected) throws EnvironmentFailure {
    assertThat(
            resolve(
                "{'resources':{'limits':{'cpu':'1500m'},'requests':{'memory':'100Mi'}},'env':[{'name':'A','valueFrom':{'resourceFieldRef':{'resource':'%s','divisor':'%s'}}}]}"
                    .formatted(resource, divisor)))
        .containsEntry("A", expected);
  }

  @Test
  void whatIsNotLimitedIsWhatThePodIsLimitedTo() throws EnvironmentFailure {
    JsonObject pod =
        POD.update(
            "spec",
            spec ->
                spec.with("resources", tree("{'limits':{'cpu':'2','memory':'1Gi'}}"))
                    .with("containers", JsonArray.of(tree("{'name':'other'}"))));
    String environment =
        "{'resources':{'limits':{'cpu':'1500m'}},'env':["
            + "{'name':'OWN','valueFrom':{'resourceFieldRef':{'resource':'limits.cpu','divisor':'1m'}}},"
            + "{'name':'PODS','valueFrom':{'resourceFieldRef':{'resource':'limits.memory','divisor':'1Mi'}}},"
            + "{'name':'OTHERS','valueFrom':{'resourceFieldRef':{'containerName':'other','resource':'limits.cpu'}}}]}";
    assertThat(resolve(pod, environment))
        .containsEntry("OWN", "1500")
        .containsEntry("PODS", "1024")
        .containsEntry("OTHERS", "2");
  }

  @Test
  void configMapsAndSecretsGiveOneKeyOrAll() throws EnvironmentFailure {
    objects.configMap("settings", tree("{'one':'1','two':'2'}"));
    objects.secret("keys", tree("{'token':'c2VjcmV0'}"));
    assertThat(
            resolve(
                "{'envFrom':[{'prefix':'P_','configMapRef':{'name':'settings'}},{'secretRef':{'name':'keys'}}],"
                    + "'env':[{'name':'A','valueFrom':{'configMapKeyRef':{'name':'settings','key':'two'}}},"
                    + "{'name':'B','valueFrom':{'secretKeyRef':{'name':'keys','key':'token'}}},"
                    + "{'name':'P_one','value':'$(P_two)/$(B)'}]}"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("P_one", "2/secret", "P_two", "2", "token", "secret", "A", "2", "B", "secret"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "configMapKeyRef, none,     k, 'configmap \"none\" not found'",
    "secretKeyRef,    none,     k, 'secret \"none\" not found'",
    "configMapKeyRef, settings, k, couldn't find key k in ConfigMap shop/settings",
  })
  void whatIsMissingIsSaidUnlessItIsOptional(String source, String name, String key, String message)
      throws EnvironmentFailure {
    objects.configMap("settings", JsonObject.EMPTY);
    String env = "{'env':[{'name':'A','valueFrom':{'%s':{'name':'%s','key':'%s','optional':%s}}}]}";
    assertThatThrownBy(() -> resolve(env.formatted(source, name, key, false)))
        .isInstanceOf(EnvironmentFailure.class)
        .hasMessage(message);
    assertThat(resolve(env.formatted(source, name, key, true))).doesNotContainKey("A");
  }

  @Test
  void whatCannotBeReadIsAFailure() {
    objects.unavailable("the server does not answer");
    assertThatThrownBy(() -> resolve("{'envFrom':[{'configMapRef':{'name':'settings'}}]}"))
        .hasMessage("the server does not answer");
  }

  @Test
  void aFileOfAVolumeGivesItsKeys() throws Exception {
    Files.writeString(volume.resolve("vars"), "# note\nA=one\nB='two words'\n");
    String env =
        "{'env':[{'name':'X','valueFrom':{'fileKeyRef':{'volumeName':'v','path':'vars','key':'%s'}}}]}";
    assertThat(resolve(env.formatted("B"))).containsEntry("X", "two words");
    assertThatThrownBy(() -> resolve(env.formatted("C")))
        .hasMessageStartingWith("environment variable key \"C\" not found in file");
  }

  @Test
  void aFileOutsideOfTheVolumeIsNotRead(@TempDir Path outside) throws IOException {
    Files.writeString(outside.resolve("vars"), "A=secret\n");
    Files.createSymbolicLink(volume.resolve("link"), outside.resolve("vars"));
    assertThatThrownBy(() ->
            resolve(
                "{'env':[{'name':'X','valueFrom':{'fileKeyRef':{'volumeName':'v','path':'link','key':'A'}}}]}"))
        .hasMessage("couldn't parse env file");
  }

  @Test
  void servicesOfTheNamespaceAreVariables() throws EnvironmentFailure {
    objects
        .service(
            tree(
                "{'metadata':{'name':'my-db','namespace':'shop'},'spec':{'clusterIP':'10.9.0.1','ports':[{'name':'sql','port':5432,'protocol':'TCP'}]}}"))
        .service(
            tree(
                "{'metadata':{'name':'headless','namespace':'shop'},'spec':{'clusterIP':'None','ports':[{'port':1}]}}"))
        .service(
            tree(
                "{'metadata':{'name':'kubernetes','namespace':'default'},'spec':{'clusterIP':'10.9.0.9','ports':[{'name':'https','port':443}]}}"));
    assertThat(resolve("{'env':[{'name':'URL','value':'$(MY_DB_PORT)'}]}"))
        .containsEntry("URL", "tcp://10.9.0.1:5432")
        .containsEntry("MY_DB_SERVICE_HOST", "10.9.0.1")
        .containsEntry("MY_DB_SERVICE_PORT", "5432")
        .containsEntry("MY_DB_SERVICE_PORT_SQL", "5432")
        .containsEntry("MY_DB_PORT_5432_TCP_ADDR", "10.9.0.1")
        .containsEntry("KUBERNETES_SERVICE_HOST", "10.9.0.9")
        .doesNotContainKey("HEADLESS_SERVICE_HOST");
    JsonObject alone = POD.update("spec", spec -> spec.with("enableServiceLinks", false));
    assertThat(resolve(alone, "{}"))
        .containsKey("KUBERNETES_SERVICE_HOST")
        .doesNotContainKey("MY_DB_SERVICE_HOST");
  }
}
