package dev.berth.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The commands of the real {@code kubectl} that make objects by themselves. They send protobuf, and
 * what they make must be the very object that the same command's manifest makes as JSON.
 */
class KubectlGeneratorsTest extends WithKubectl {
  @BeforeAll
  static void anotherNamespace() {
    assertThat(kubectl("create", "namespace", "other")).isEqualTo("namespace/other created\n");
  }

  private static String[] and(String[] arguments, String... more) {
    String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
    System.arraycopy(more, 0, all, arguments.length, more.length);
    return all;
  }

  private static JsonObject json(String text) {
    return JsonReader.object(text.getBytes(UTF_8), JsonLimits.TRUSTED);
  }

  /** An object without what the server makes anew for each. */
  private static JsonObject essence(JsonObject object) {
    JsonObject metadata = object.object("metadata");
    for (String own : List.of("uid", "resourceVersion", "creationTimestamp", "managedFields")) {
      metadata = metadata.without(own);
    }
    return object.with("metadata", metadata.without("namespace"));
  }

  /** The fields that the object's maker owns. */
  private static List<JsonObject> fields(JsonObject object) {
    return object.object("metadata").array("managedFields").objects().stream()
        .map(entry -> entry.object("fieldsV1"))
        .toList();
  }

  /** The object, whose identity may be all over it, with the same identity as all others. */
  private static JsonObject seen(String... arguments) throws Exception {
    String text = kubectl(arguments);
    String uid = json(text).object("metadata").text("uid", "");
    return json(text.replace(uid, "the-uid"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          configmap/c1                | create configmap c1 --from-literal=a=b --from-literal=e=
          secret/s1                   | create secret generic s1 --from-literal=password=hünter2
          secret/s2                   | create secret docker-registry s2 --docker-username=u --docker-password=p
          serviceaccount/sa1          | create serviceaccount sa1
          deployment.apps/d1          | create deployment d1 --image=nginx:1.27 --replicas=2 --port=80
          deployment.apps/d0          | create deployment d0 --image=nginx --replicas=0 -- sleep 1
          job.batch/j1                | create job j1 --image=busybox -- echo hello
          cronjob.batch/cj1           | create cronjob cj1 --image=busybox --schedule=*/5 * * * * -- date
          poddisruptionbudget.policy/p1 | create poddisruptionbudget p1 --selector=app=x --min-available=50%
          poddisruptionbudget.policy/p2 | create poddisruptionbudget p2 --selector=app=x --max-unavailable=0
          resourcequota/q1            | create quota q1 --hard=cpu=1,memory=1G,pods=0
          role.rbac.authorization.k8s.io/r1 | create role r1 --verb=get,list --resource=pods --resource-name=a
          rolebinding.rbac.authorization.k8s.io/rb1 | create rolebinding rb1 --role=r1 --user=jane --group=all
          service/sv1                 | create service clusterip sv1 --tcp=80:8080
          """)
  void makesTheObjectThatItsManifestMakes(String name, String line) throws Exception {
    String[] words =
        Arrays.stream(line.replace("*/5 * * * *", "*/5_*_*_*_*").split(" ", -1))
            .map(word -> word.replace('_', ' '))
            .toArray(String[]::new);
    int command = List.of(words).indexOf("--");
    String[] options = command < 0 ? words : Arrays.copyOf(words, command);
    String[] rest = command < 0 ? new String[0] : Arrays.copyOfRange(words, command, words.length);
    assertThat(kubectl(and(options, rest))).isEqualTo(name + " created\n");
    JsonObject sent = seen("get", name, "-o", "json", "--show-managed-fields");

    String manifest =
        kubectl(and(and(options, "-n", "other", "--dry-run=client", "-o", "json"), rest));
    Path file = Files.writeString(directory.resolve(name.replace('/', '-') + ".json"), manifest);
    assertThat(kubectl("create", "-n", "other", "--save-config=false", "-f", file.toString()))
        .isEqualTo(name + " created\n");
    JsonObject written = seen("get", "-n", "other", name, "-o", "json", "--show-managed-fields");

    assertThat(withoutAddress(essence(sent))).isEqualTo(withoutAddress(essence(written)));
    assertThat(fields(sent)).isEqualTo(fields(written));
  }

  private static JsonObject withoutAddress(JsonObject object) {
    return object.has("spec")
        ? object.with("spec", object.object("spec").without("clusterIP").without("clusterIPs"))
        : object;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          clusterrole.rbac.authorization.k8s.io/cr1 | create clusterrole cr1 --verb=* --non-resource-url=/metrics
          clusterrolebinding.rbac.authorization.k8s.io/crb1 | create clusterrolebinding crb1 --clusterrole=cr1 --serviceaccount=default:x
          priorityclass.scheduling.k8s.io/pc1 | create priorityclass pc1 --value=-7 --description=low
          namespace/n1                | create namespace n1
          """)
  void makesWhatIsInNoNamespace(String name, String line) throws Exception {
    assertThat(kubectl(line.split(" ", -1))).isEqualTo(name + " created\n");
    JsonObject made = json(kubectl("get", name, "-o", "json"));
    JsonObject manifest = json(kubectl(and(line.split(" ", -1), "--dry-run=client", "-o", "json")));
    for (String field : List.of("rules", "roleRef", "subjects", "value", "description")) {
      assertThat(made.get(field)).isEqualTo(manifest.get(field));
    }
  }

  @Test
  void theseCommandsSendProtobuf() throws Exception {
    assertThat(kubectl("create", "configmap", "spoken", "-v=8"))
        .containsPattern("Content-Type: ?\"?application/vnd.kubernetes.protobuf")
        .contains("configmap/spoken created");
  }

  @Test
  void runsExposesScalesAndSets() throws Exception {
    assertThat(kubectl("run", "web", "--image=nginx", "--port=80", "--labels=app=web"))
        .isEqualTo("pod/web created\n");
    assertThat(kubectl("expose", "pod", "web", "--port=80", "--target-port=http"))
        .isEqualTo("service/web exposed\n");
    assertThat(kubectl("get", "service", "web", "-o", "jsonpath={.spec.ports[0].targetPort}"))
        .isEqualTo("http");
    kubectl("create", "deployment", "scaled", "--image=nginx");
    assertThat(kubectl("set", "image", "deployment/scaled", "nginx=nginx:2"))
        .isEqualTo("deployment.apps/scaled image updated\n");
    assertThat(kubectl("delete", "pod", "web", "--grace-period=0", "--force"))
        .contains("pod \"web\" force deleted");
  }

  /** To attach, kubectl watches its pod in protobuf until it runs or has ended. */
  @Test
  void aRealClientUnderstandsWatchesInProtobuf() throws Exception {
    Process attached = begin("run", "ending", "--image=x", "--restart=Never", "--attach", "-v=8");
    StringBuilder said = new StringBuilder();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(attached.getInputStream(), UTF_8))) {
      boolean ended = false;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said.append(line).append('\n');
        if (!ended && line.contains("watch=true")) {
          ended = true;
          kubectl(
              "patch",
              "pod",
              "ending",
              "--subresource=status",
              "-p",
              "{\"status\":{\"phase\":\"Failed\"}}");
        }
      }
    } finally {
      attached.destroy();
    }
    assertThat(said)
        .containsPattern("Accept: ?\"?application/vnd.kubernetes.protobuf")
        .doesNotContain("unable to decode")
        .contains("/pods/ending/log");
  }

  @Test
  void dryRunsAndFailuresAreUnderstoodToo() throws Exception {
    assertThat(kubectl("create", "configmap", "dry", "--dry-run=server"))
        .isEqualTo("configmap/dry created (server dry run)\n");
    assertThat(kubectl("get", "configmap", "dry")).contains("\"dry\" not found");
    kubectl("create", "configmap", "twice");
    assertThat(kubectl("create", "configmap", "twice"))
        .isEqualTo("error: failed to create configmap: configmaps \"twice\" already exists\n");
    assertThat(kubectl("create", "namespace", "Not_a_name"))
        .contains("is invalid: metadata.name: Invalid value: \"Not_a_name\"");
  }
}
