package dev.berth.serving.rest;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.access.Action;
import dev.berth.access.Authorizer;
import dev.berth.admission.AdmissionPlugins;
import dev.berth.pki.SigningRequestFixture;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.serving.fixture.FakeExchange;
import dev.berth.serving.fixture.Requests;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The parts of objects that have paths of their own. */
class SubresourcesTest {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String SETS = "/apis/apps/v1/namespaces/default/replicasets";
  private static final String CSRS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

  private final TestCluster cluster = new TestCluster(AdmissionPlugins.standard()::chain);

  /** Alice may do everything but approve for signers that are not her own. */
  private final Authorizer alice =
      (user, action) ->
          user.name().equals("alice")
                  && (!(action instanceof Action.OnResource on)
                      || !on.resource().resource().equals("signers")
                      || on.name().equals("alice.example.com/*"))
              ? new Authorizer.Decision.Allowed("")
              : Authorizer.Decision.NO_OPINION;

  private final Requests requests = new Requests(cluster, alice);

  @AfterEach
  void close() {
    requests.close();
  }

  private void replicaSet() {
    requests.send(
        "POST",
        SETS,
        "{'metadata':{'name':'web'},'spec':{'replicas':2,'selector':{'matchLabels':{'a':'b'}},"
            + "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c',"
            + "'image':'i'}]}}}}");
  }

  @Test
  void aScaleIsReadFromItsWorkload() {
    replicaSet();
    Requests.Answer scale = requests.get(SETS + "/web/scale");
    assertThat(scale.status()).isEqualTo(200);
    assertThat(at(scale.json(), "kind")).isEqualTo("Scale");
    assertThat(at(scale.json(), "apiVersion")).isEqualTo("autoscaling/v1");
    assertThat(at(scale.json(), "spec.replicas")).isEqualTo("2");
    assertThat(at(scale.json(), "status")).isEqualTo("{\"replicas\":0,\"selector\":\"a=b\"}");
  }

  @Test
  void aScaleIsATableToWhoAsksForOne() {
    replicaSet();
    FakeExchange table =
        new FakeExchange("GET", SETS + "/web/scale")
            .with("User", "root")
            .with("Accept", "application/json;as=Table;g=meta.k8s.io;v=v1");
    requests.handle(table);
    assertThat(table.answer()).contains("\"kind\":\"Table\"", "\"cells\":[\"web\",2,0,");
  }

  @Test
  void whoAsksInTheOlderWayThatDependentsGoHearsThatTheyAreStillThere() {
    requests.send(
        "POST",
        "/api/v1/namespaces/default/configmaps",
        "{'metadata':{'name':'kept','finalizers':['a.b/c']}}");
    assertThat(
            requests
                .send(
                    "DELETE",
                    "/api/v1/namespaces/default/configmaps/kept",
                    "{'kind':'DeleteOptions','apiVersion':'v1','orphanDependents':false}")
                .status())
        .isEqualTo(202);
  }

  @Test
  void aScaleIsWrittenIntoItsWorkload() {
    replicaSet();
    assertThat(
            requests
                .send(
                    "PUT", SETS + "/web/scale", "{'metadata':{'name':'web'},'spec':{'replicas':5}}")
                .status())
        .isEqualTo(200);
    assertThat(at(requests.get(SETS + "/web").json(), "spec.replicas")).isEqualTo("5");
    assertThat(at(requests.get(SETS + "/web").json(), "metadata.generation")).isEqualTo("2");
    assertThat(
            at(
                requests.send("PATCH", SETS + "/web/scale", "{'spec':{'replicas':1}}").json(),
                "spec.replicas"))
        .isEqualTo("1");
    assertThat(requests.get(SETS + "/web").json().object("spec").array("x").isEmpty()).isTrue();
  }

  /** So that whoever applies the workload learns that somebody else scales it. */
  @Test
  void whoAppliesAScaleOwnsTheReplicasOfItsWorkload() {
    replicaSet();
    FakeExchange applied =
        new FakeExchange("PATCH", SETS + "/web/scale?fieldManager=scaler&force=true")
            .with("User", "root")
            .with("Content-Type", "application/apply-patch+yaml")
            .body("{'apiVersion':'autoscaling/v1','kind':'Scale','spec':{'replicas':4}}");
    requests.handle(applied);
    assertThat(applied.status()).isEqualTo(200);
    assertThat(at(requests.get(SETS + "/web").json(), "spec.replicas")).isEqualTo("4");
    assertThat(at(requests.get(SETS + "/web").json(), "metadata.managedFields[0]"))
        .isEqualTo(
            "{\"manager\":\"scaler\",\"operation\":\"Apply\",\"apiVersion\":\"apps/v1\","
                + "\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:spec\":{\"f:replicas\":{}}},"
                + "\"subresource\":\"scale\"}");
  }

  /** Whatever the workload is, a scale is an object of its own version. */
  @Test
  void whoAppliesAScaleIsToldOfConflictsInAScale() {
    replicaSet();
    requests.send(
        "PUT",
        SETS + "/web/scale?fieldManager=other",
        "{'metadata':{'name':'web'},'spec':{'replicas':5}}");
    FakeExchange applied =
        new FakeExchange("PATCH", SETS + "/web/scale?fieldManager=scaler")
            .with("User", "root")
            .with("Content-Type", "application/apply-patch+yaml")
            .body("{'apiVersion':'autoscaling/v1','kind':'Scale','spec':{'replicas':4}}");
    requests.handle(applied);
    assertThat(tree(applied.answer()).text("message", ""))
        .isEqualTo(
            "Apply failed with 1 conflict: conflict with \"other\" with subresource \"scale\" using"
                + " autoscaling/v1: .spec.replicas");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          flowcontrol.apiserver.k8s.io/v1/flowschemas | FlowSchema | {'priorityLevelConfiguration':{'name':'x'}}
          networking.k8s.io/v1/servicecidrs           | ServiceCIDR | {'cidrs':['10.9.0.0/24']}
          storage.k8s.io/v1/volumeattachments         | VolumeAttachment | {'attacher':'a','nodeName':'n','source':{'persistentVolumeName':'p'}}
          """)
  void whoAppliesSuchAStatusOwnsNoMetadata(String resource, String kind, String spec) {
    String path = "/apis/" + resource;
    requests.send("POST", path, "{'metadata':{'name':'one'},'spec':" + spec + "}");
    String version = resource.substring(0, resource.lastIndexOf('/'));
    FakeExchange applied =
        new FakeExchange("PATCH", path + "/one/status?fieldManager=reporter&force=true")
            .with("User", "root")
            .with("Content-Type", "application/apply-patch+yaml")
            .body(
                "{'apiVersion':'%s','kind':'%s','metadata':{'name':'one','labels':{'a':'b'}}}"
                    .formatted(version, kind));
    requests.handle(applied);
    assertThat(applied.status()).isEqualTo(200);
    assertThat(applied.answer()).doesNotContain("reporter", "\"labels\"");
  }

  @Test
  void anOldOrNegativeScaleIsRefused() {
    replicaSet();
    Requests.Answer old =
        requests.send(
            "PUT",
            SETS + "/web/scale",
            "{'metadata':{'name':'web','resourceVersion':'1'},'spec':{'replicas':5}}");
    assertThat(old.status()).isEqualTo(409);
    assertThat(old.message()).contains("the object has been modified");
    Requests.Answer negative =
        requests.send("PATCH", SETS + "/web/scale", "{'spec':{'replicas':-1}}");
    assertThat(negative.status()).isEqualTo(422);
    assertThat(negative.message())
        .isEqualTo(
            "Scale.autoscaling \"web\" is invalid: spec.replicas: Invalid value: -1: must be"
                + " greater than or equal to 0");
  }

  @ParameterizedTest(name = "{0} {1}: {2} {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        "GET|/ghost/log|404|pods \"ghost\" not found",
        "GET|/two/log|400|a container name must be specified for pod two, choose one of: [a b]",
        "GET|/two/log?container=c|400|container c is not valid for pod two",
        "POST|/two/exec?container=a|400|pod two does not have a host assigned",
        "GET|/on/log|404|nodes \"n\" not found",
        "GET|/hollow/log|501|this server does not connect to nodes",
        "GET|/hollow/log?tailLines=-1|422|PodLogOptions \"hollow\" is invalid: tailLines: Invalid"
            + " value: -1: must be greater than or equal to 0",
        "POST|/hollow/exec?command=ls|501|this server does not connect to nodes",
        "POST|/hollow/attach|501|this server does not connect to nodes",
        "POST|/hollow/portforward|501|this server does not connect to nodes",
        "GET|/hollow/proxy/some/path|400|address not allowed",
        "OPTIONS|/hollow/proxy/some/path|400|address not allowed",
        "OPTIONS|/hollow/log|405|the server does not allow this method on the requested resource",
        "DELETE|/on/log|405|the server does not allow this method on the requested resource",
      })
  void whatOnlyAnAgentCanAnswerIsSaidPlainly(String method, String path, int code, String message) {
    cluster.create(
        "pods",
        "{'metadata':{'name':'two'},'spec':{'containers':[{'name':'a','image':'i'},"
            + "{'name':'b','image':'i'}]}}");
    cluster.pod("on", "n");
    cluster.create("nodes", "{'metadata':{'name':'present'}}");
    cluster.pod("hollow", "present");
    Requests.Answer answer = requests.send(method, PODS + path, "");
    assertThat(answer.status()).isEqualTo(code);
    assertThat(answer.message()).isEqualTo(message);
  }

  @Test
  void ephemeralContainersAreAddedAndStay() {
    cluster.pod("p", "n");
    String path = PODS + "/p/ephemeralcontainers";
    Requests.Answer added =
        requests.send(
            "PATCH", path, "{'spec':{'ephemeralContainers':[{'name':'debug','image':'b'}]}}");
    assertThat(added.status()).isEqualTo(200);
    assertThat(at(requests.get(PODS + "/p").json(), "spec.ephemeralContainers[0].name"))
        .isEqualTo("debug");
    assertThat(requests.send("PATCH", path, "{'spec':{'ephemeralContainers':[]}}").message())
        .contains("existing ephemeral containers \"debug\" may not be removed");
    assertThat(
            requests
                .send(
                    "PATCH",
                    path,
                    "{'spec':{'ephemeralContainers':[{'name':'debug','image':'b'},"
                        + "{'name':'c','image':'b','ports':[{'containerPort':1}]}]}}")
                .message())
        .contains(
            "spec.ephemeralContainers[1].name: Duplicate value: \"c\"",
            "spec.ephemeralContainers[1].ports: Forbidden: cannot be set for an Ephemeral"
                + " Container");
  }

  @Test
  void aPodIsResizedButKeepsItsClass() {
    cluster.create(
        "pods",
        "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i',"
            + "'resources':{'requests':{'cpu':'1'}}}]}}");
    String path = PODS + "/p/resize";
    String body = "{'spec':{'containers':[{'name':'c','resources':{%s}}]}}";
    Requests.Answer resized =
        requests.send("PATCH", path, body.formatted("'requests':{'cpu':'2'}"));
    assertThat(resized.status()).isEqualTo(200);
    assertThat(at(resized.json(), "spec.containers[0].resources.requests.cpu")).isEqualTo("2");
    assertThat(at(resized.json(), "spec.containers[0].image")).isEqualTo("i");
    assertThat(at(resized.json(), "metadata.generation")).isEqualTo("2");
    assertThat(
            requests
                .send(
                    "PATCH",
                    path,
                    body.formatted(
                        "'requests':{'cpu':'1','memory':'1'},'limits':{'cpu':'1','memory':'1'}"))
                .message())
        .contains("Pod QOS Class may not change as a result of resizing");
    assertThat(
            requests
                .send("PATCH", path, "{'spec':{'containers':[{'name':'other','image':'i'}]}}")
                .message())
        .contains(
            "spec.containers[0].name: Forbidden: containers may not be renamed or reordered on"
                + " resize");
    assertThat(
            requests
                .send(
                    "PATCH", path, body.formatted("'requests':{'cpu':'2','ephemeral-storage':'1'}"))
                .message())
        .endsWith("spec: Forbidden: only cpu and memory resources are mutable");
  }

  @Test
  void aContainerWithClaimsIsNotResized() {
    cluster.create(
        "pods",
        "{'metadata':{'name':'p'},'spec':{'resourceClaims':[{'name':'r','resourceClaimName':'r'}],"
            + "'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'1'},"
            + "'claims':[{'name':'r'}]}}]}}");
    Requests.Answer resized =
        requests.send(
            "PATCH",
            PODS + "/p/resize",
            "{'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':'2'}}}]}}");
    assertThat(resized.message())
        .endsWith("spec: Forbidden: only cpu and memory resources are mutable");
  }

  private Requests.Answer csr(String user, String signer) {
    return requests.as(
        user,
        "POST",
        CSRS,
        "{'metadata':{'name':'r'},'spec':{'request':'%s','signerName':'%s','usages':['client auth'],"
                .formatted(SigningRequestFixture.base64("alice"), signer)
            + "'username':'mallory','groups':['system:masters']}}");
  }

  @Test
  void aRequestForACertificateSaysWhoAsks() {
    Requests.Answer created = csr("alice", "alice.example.com/client");
    assertThat(created.status()).isEqualTo(201);
    assertThat(at(created.json(), "spec.username")).isEqualTo("alice");
    assertThat(at(created.json(), "spec.groups")).isEqualTo("[\"system:authenticated\"]");
  }

  @Test
  void onlyWhoMayApproveForTheSignerApproves() {
    String approval =
        "{'status':{'conditions':[{'type':'Approved','status':'True','reason':'Ok'}]}}";
    csr("alice", "other.example.com/client");
    Requests.Answer refused = requests.as("alice", "PATCH", CSRS + "/r/approval", approval);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.message())
        .isEqualTo(
            "certificatesigningrequests.certificates.k8s.io \"r\" is forbidden: user not permitted"
                + " to approve requests with signerName \"other.example.com/client\"");
    requests.send("DELETE", CSRS + "/r", "");
    csr("alice", "alice.example.com/client");
    Requests.Answer approved = requests.as("alice", "PATCH", CSRS + "/r/approval", approval);
    assertThat(approved.status()).isEqualTo(200);
    assertThat(at(approved.json(), "status.conditions[0].type")).isEqualTo("Approved");
    assertThat(
            requests
                .as("alice", "PATCH", CSRS + "/r/approval", "{'status':{'conditions':[]}}")
                .message())
        .contains("updates may not remove a condition of type \"Approved\"");
    String status = CSRS + "/r/status";
    assertThat(requests.as("alice", "PATCH", status, "{'status':{'certificate':'YQ=='}}").message())
        .contains(
            "status.certificate: Invalid value: \"<certificate data>\": must contain at least one"
                + " CERTIFICATE PEM block");
    assertThat(requests.as("alice", "PATCH", status, "{'status':{'conditions':[]}}").message())
        .contains("updates may not remove a condition of type \"Approved\"");
    Requests.Answer failed =
        requests.as(
            "alice",
            "PATCH",
            status,
            "{'status':{'conditions':[{'type':'Approved','status':'True','reason':'Other'},"
                + "{'type':'Failed','status':'True'}]}}");
    assertThat(at(failed.json(), "status.conditions[0].reason")).isEqualTo("Ok");
    assertThat(at(failed.json(), "status.conditions[1].type")).isEqualTo("Failed");
  }

  @Test
  void nobodyBecomesAMasterByACertificate() {
    Requests.Answer refused =
        requests.send(
            "POST",
            CSRS,
            "{'metadata':{'name':'r'},'spec':{'request':'%s','usages':['client auth'],"
                    .formatted(SigningRequestFixture.base64("x", "system:masters"))
                + "'signerName':'kubernetes.io/kube-apiserver-client'}}");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.message())
        .endsWith(
            "use of kubernetes.io/kube-apiserver-client signer with system:masters group is not"
                + " allowed");
  }

  @Test
  void aNamespaceGoesWhenItsFinalizersAreGone() {
    requests.send("POST", "/api/v1/namespaces", "{'metadata':{'name':'n'}}");
    requests.send("DELETE", "/api/v1/namespaces/n", "");
    assertThat(at(requests.get("/api/v1/namespaces/n").json(), "status.phase"))
        .isEqualTo("Terminating");
    requests.send(
        "PUT",
        "/api/v1/namespaces/n/finalize",
        "{'metadata':{'name':'n'},'spec':{'finalizers':[]}}");
    assertThat(requests.get("/api/v1/namespaces/n").status()).isEqualTo(404);
  }
}
