package dev.berth.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.fixture.Fixtures;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.ServiceAccountKey;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.serving.fixture.FakeExchange;
import dev.berth.serving.fixture.Requests;
import dev.berth.serving.rest.ApiHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is let in, what they may do, and what they are told of it, without a network. */
class AccessTest {
  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final String REVIEWS = "/apis/authorization.k8s.io/v1/";

  @TempDir Path directory;

  private final TestCluster cluster = new TestCluster();
  private ClusterAccess access;
  private ApiHandler handler;

  @BeforeEach
  void open() throws Exception {
    Path file =
        Files.write(
            directory.resolve("tokens.csv"),
            List.of(
                "root-token,root,1,system:masters", "ann-token,ann,2,staff", "bob-token,bob,3"));
    Path pki = directory.resolve("pki");
    access =
        ClusterAccess.open(
            cluster.registry,
            ClusterCa.open(pki, cluster.time.now()).clientCertificates(),
            ServiceAccountKey.open(pki),
            new AccessConfig(file, AccessConfig.DEFAULT.issuer()));
    access.begin(Runnable::run);
    handler = Requests.handler(cluster, access.control(), access.endpoints());
    write(
        "clusterroles",
        "{'metadata':{'name':'readers'},'rules':[{'verbs':['get','list'],'apiGroups':[''],'resources':['pods']}]}");
    give("readers", "ann");
  }

  @AfterEach
  void close() {
    handler.close();
    access.close();
  }

  private void write(String plural, String json) {
    cluster.registry.create(
        cluster.registry.catalog().get(RBAC, "v1", plural),
        "",
        Fixtures.tree(json),
        WriteOptions.DEFAULT);
  }

  private void give(String role, String user) {
    write(
        "clusterrolebindings",
        "{'metadata':{'name':'%s-%s'},'roleRef':{'kind':'ClusterRole','name':'%s'},'subjects':[{'kind':'User','name':'%s'}]}"
            .formatted(role, user, role, user));
  }

  private FakeExchange answer(FakeExchange exchange) throws Exception {
    handler.handle(exchange);
    return exchange;
  }

  private FakeExchange as(String user, FakeExchange exchange) throws Exception {
    return answer(exchange.with("Authorization", "Bearer " + user + "-token"));
  }

  private static JsonObject json(FakeExchange answered) {
    return JsonReader.object(answered.answer().getBytes(UTF_8), JsonLimits.TRUSTED);
  }

  private JsonObject ask(String user, String path, String body) throws Exception {
    FakeExchange answered = as(user, new FakeExchange("POST", path).body(body));
    assertThat(answered.status()).isEqualTo(201);
    return json(answered).object("status");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "/healthz, 200",
    "/livez?verbose, 200",
    "/readyz, 200",
    "/version, 200",
    "/api, 403",
    "/metrics, 403",
    "/api/v1/nodes, 403",
    "/openid/v1/jwks, 403",
    "/nothing, 403",
  })
  void whoProvesNothingReachesHealthAndVersionOnly(String path, int status) throws Exception {
    assertThat(answer(new FakeExchange("GET", path)).status()).isEqualTo(status);
  }

  @Test
  void aBadTokenIsRefusedEverywhere() throws Exception {
    FakeExchange refused = as("eve", new FakeExchange("GET", "/healthz"));
    assertThat(refused.status()).isEqualTo(401);
    assertThat(json(refused).text("reason")).isEqualTo("Unauthorized");
    assertThat(json(refused).text("message")).isEqualTo("Unauthorized");
  }

  @ParameterizedTest(name = "{0} of {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "DELETE|/api/v1/namespaces/x/pods/p|pods \"p\" is forbidden: User \"ann\" cannot delete"
            + " resource \"pods\" in API group \"\" in the namespace \"x\"",
        "GET|/api/v1/nodes/n1|nodes \"n1\" is forbidden: User \"ann\" cannot get resource \"nodes\" in"
            + " API group \"\" at the cluster scope",
        "GET|/api/v1/namespaces/x/pods/p/log|pods \"p\" is forbidden: User \"ann\" cannot get resource"
            + " \"pods/log\" in API group \"\" in the namespace \"x\"",
        "GET|/api/v1/namespaces/x|namespaces \"x\" is forbidden: User \"ann\" cannot get resource"
            + " \"namespaces\" in API group \"\" in the namespace \"x\"",
        "POST|/apis/apps/v1/namespaces/x/deployments|deployments.apps is forbidden: User \"ann\" cannot"
            + " create resource \"deployments\" in API group \"apps\" in the namespace \"x\"",
        "GET|/logs|forbidden: User \"ann\" cannot get path \"/logs\"",
      })
  void whoMayNotIsToldWhat(String method, String path, String message) throws Exception {
    FakeExchange refused = as("ann", new FakeExchange(method, path));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(json(refused).text("message")).isEqualTo(message);
  }

  @Test
  void aRoleThatIsMissingIsMentioned() throws Exception {
    give("gone", "bob");
    assertThat(json(as("bob", new FakeExchange("GET", "/api/v1/pods"))).text("message"))
        .isEqualTo(
            "pods is forbidden: User \"bob\" cannot list resource \"pods\" in API group \"\" at the"
                + " cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io \"gone\" not found");
  }

  @Test
  void whoMayActAsAnotherHasTheOthersRightsAndNoMore() throws Exception {
    FakeExchange list = new FakeExchange("GET", "/api/v1/pods").with("Impersonate-User", "ann");
    assertThat(as("root", list).status()).isEqualTo(200);
    FakeExchange nodes = new FakeExchange("GET", "/api/v1/nodes").with("Impersonate-User", "ann");
    assertThat(json(as("root", nodes)).text("message"))
        .startsWith("nodes is forbidden: User \"ann\"");
  }

  @Test
  void whoMayNotActAsAnotherIsTold() throws Exception {
    FakeExchange asRoot = new FakeExchange("GET", "/api/v1/pods").with("Impersonate-User", "root");
    assertThat(json(as("ann", asRoot)).text("message"))
        .isEqualTo(
            "users \"root\" is forbidden: User \"ann\" cannot impersonate resource \"users\" in API"
                + " group \"\" at the cluster scope");
    FakeExchange alone =
        new FakeExchange("GET", "/api/v1/pods").with("Impersonate-Group", "system:masters");
    assertThat(as("root", alone).status()).isEqualTo(500);
  }

  @Test
  void eachPartOfAnotherIdentityIsChecked() throws Exception {
    write(
        "clusterroles",
        "{'metadata':{'name':'act'},'rules':[{'verbs':['impersonate'],'apiGroups':[''],'resources':['users'],'resourceNames':['eve']},{'verbs':['impersonate'],'apiGroups':['authentication.k8s.io'],'resources':['userextras/scopes'],'resourceNames':['view']}]}");
    give("act", "bob");
    String path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    FakeExchange allowed =
        as(
            "bob",
            new FakeExchange("POST", path)
                .body("{}")
                .with("Impersonate-User", "eve")
                .with("Impersonate-Extra-Scopes", "view"));
    assertThat(json(allowed).object("status").object("userInfo"))
        .isEqualTo(
            Fixtures.tree(
                "{'username':'eve','groups':['system:authenticated'],'extra':{'scopes':['view']}}"));
    assertThat(
            json(as(
                    "bob",
                    new FakeExchange("POST", path)
                        .body("{}")
                        .with("Impersonate-User", "eve")
                        .with("Impersonate-Extra-Scopes", "view|edit")))
                .text("message"))
        .isEqualTo(
            "userextras.authentication.k8s.io \"edit\" is forbidden: User \"bob\" cannot impersonate"
                + " resource \"userextras/scopes\" in API group \"authentication.k8s.io\" at the"
                + " cluster scope");
    assertThat(
            json(as(
                    "bob",
                    new FakeExchange("POST", path)
                        .body("{}")
                        .with("Impersonate-User", "eve")
                        .with("Impersonate-Uid", "7")))
                .text("message"))
        .startsWith("uids.authentication.k8s.io \"7\" is forbidden");
  }

  @Test
  void someActAsOthersForSomeRequestsOnly() throws Exception {
    write(
        "clusterroles",
        "{'metadata':{'name':'see-as'},'rules':["
            + "{'verbs':['impersonate-on:user-info:list'],'apiGroups':[''],'resources':['pods']},"
            + "{'verbs':['impersonate:user-info'],'apiGroups':['authentication.k8s.io'],'resources':['users'],'resourceNames':['ann']}]}");
    give("see-as", "bob");
    String pods = "/api/v1/pods";
    assertThat(as("bob", new FakeExchange("GET", pods).with("Impersonate-User", "ann")).status())
        .isEqualTo(200);
    assertThat(
            json(as("bob", new FakeExchange("GET", pods).with("Impersonate-User", "root")))
                .text("message"))
        .isEqualTo(
            "users.authentication.k8s.io \"root\" is forbidden: User \"bob\" cannot impersonate:user-info resource \"users\" in API group \"authentication.k8s.io\" at the cluster scope");
    assertThat(
            json(as(
                    "bob",
                    new FakeExchange("GET", pods)
                        .with("Impersonate-User", "ann")
                        .with("Impersonate-Group", "system:masters")))
                .text("message"))
        .endsWith("impersonating the system:masters group is not allowed");
    assertThat(
            as(
                    "bob",
                    new FakeExchange("GET", "/api/v1/namespaces/x/pods/p")
                        .with("Impersonate-User", "ann"))
                .status())
        .isEqualTo(403);
  }

  @Test
  void whoActsAsANodeIsInItsGroupAndMayNameNothingElse() throws Exception {
    write(
        "clusterroles",
        "{'metadata':{'name':'as-node'},'rules':["
            + "{'verbs':['impersonate-on:arbitrary-node:list'],'apiGroups':[''],'resources':['pods']},"
            + "{'verbs':['impersonate:arbitrary-node'],'apiGroups':['authentication.k8s.io'],'resources':['nodes'],'resourceNames':['n1']}]}");
    give("as-node", "bob");
    String own = "/api/v1/pods?fieldSelector=spec.nodeName%3Dn1";
    assertThat(
            as("bob", new FakeExchange("GET", own).with("Impersonate-User", "system:node:n1"))
                .status())
        .isEqualTo(200);
    assertThat(
            as(
                    "bob",
                    new FakeExchange("GET", "/api/v1/pods")
                        .with("Impersonate-User", "system:node:n1"))
                .status())
        .isEqualTo(403);
    assertThat(
            as("bob", new FakeExchange("GET", own).with("Impersonate-User", "system:node:n2"))
                .status())
        .isEqualTo(403);
    assertThat(
            as(
                    "bob",
                    new FakeExchange("GET", own)
                        .with("Impersonate-User", "system:node:n1")
                        .with("Impersonate-Group", "staff"))
                .status())
        .isEqualTo(403);
  }

  @ParameterizedTest(name = "{0} in {1} is in {2}")
  @CsvSource({
    "eve, '', system:authenticated",
    "eve, staff, staff|system:authenticated",
    "eve, system:unauthenticated, system:unauthenticated",
    "system:anonymous, '', system:unauthenticated",
    "system:anonymous, staff, staff|system:unauthenticated",
    "system:node:n1, '', system:nodes|system:authenticated",
    "system:serviceaccount:a:b, '', system:serviceaccounts|system:serviceaccounts:a|system:authenticated",
  })
  void groupsFollowFromTheName(String name, String group, String groups) throws Exception {
    write(
        "clusterroles",
        "{'metadata':{'name':'reviewers'},'rules':[{'verbs':['create'],'apiGroups':['*'],'resources':['selfsubjectreviews']}]}");
    give("reviewers", name);
    FakeExchange exchange =
        new FakeExchange("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews")
            .body("{}")
            .with("Impersonate-User", name);
    JsonObject answered =
        json(as("root", group.isEmpty() ? exchange : exchange.with("Impersonate-Group", group)));
    assertThat(answered.object("status").object("userInfo").array("groups").texts())
        .containsExactly(groups.split("\\|", -1));
  }

  @Test
  void accessOfOneselfIsReviewed() throws Exception {
    String body = "{'spec':{'resourceAttributes':{'verb':'%s','resource':'pods'}}}";
    assertThat(ask("ann", REVIEWS + "selfsubjectaccessreviews", body.formatted("list")))
        .isEqualTo(
            Fixtures.tree(
                "{'allowed':true,'reason':'RBAC: allowed by ClusterRoleBinding \\'readers-ann\\' of ClusterRole \\'readers\\' to User \\'ann\\''}"
                    .replace("\\'", "\\\"")));
    assertThat(ask("ann", REVIEWS + "selfsubjectaccessreviews", body.formatted("watch")))
        .isEqualTo(Fixtures.tree("{'allowed':false}"));
    assertThat(
            ask(
                "ann",
                REVIEWS + "selfsubjectaccessreviews",
                "{'spec':{'nonResourceAttributes':{'verb':'get','path':'/apis'}}}"))
        .extracting(status -> status.flag("allowed", false))
        .isEqualTo(true);
  }

  @Test
  void accessOfOthersIsReviewedForThoseWhoMayAsk() throws Exception {
    String body =
        "{'spec':{'user':'ann','groups':['staff'],'resourceAttributes':{'namespace':'default','verb':'get','resource':'pods','name':'p'}}}";
    assertThat(ask("root", REVIEWS + "subjectaccessreviews", body).flag("allowed", false)).isTrue();
    String local = REVIEWS + "namespaces/default/localsubjectaccessreviews";
    assertThat(ask("root", local, body).flag("allowed", false)).isTrue();
    assertThat(
            as("ann", new FakeExchange("POST", REVIEWS + "subjectaccessreviews").body(body))
                .status())
        .isEqualTo(403);
    assertThat(as("root", new FakeExchange("GET", REVIEWS + "subjectaccessreviews")).status())
        .isEqualTo(405);
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "subjectaccessreviews|{'spec':{'resourceAttributes':{}}}|spec.user: Invalid value: \"\": at"
            + " least one of user or group must be specified",
        "subjectaccessreviews|{'spec':{'user':'x'}}|spec.resourceAttributes: Invalid value: null:"
            + " exactly one of nonResourceAttributes or resourceAttributes must be specified",
        "selfsubjectaccessreviews|{'spec':{'resourceAttributes':{},'nonResourceAttributes':{}}}|cannot be"
            + " specified in combination with resourceAttributes",
        "namespaces/a/localsubjectaccessreviews|{'spec':{'user':'x','resourceAttributes':{'namespace':'b'}}}|spec.resourceAttributes.namespace:"
            + " Invalid value: \"b\": must match metadata.namespace",
        "namespaces/a/localsubjectaccessreviews|{'spec':{'user':'x'}}|exactly one of nonResourceAttributes"
            + " or resourceAttributes must be specified",
        "namespaces/a/localsubjectaccessreviews|{'metadata':{'name':'n'},'spec':{'user':'x','resourceAttributes':{'namespace':'a'}}}|must"
            + " be empty except for namespace",
        "selfsubjectaccessreviews|{'metadata':{'name':'n'},'spec':{'resourceAttributes':{}}}|must be empty",
        "selfsubjectrulesreviews|{'spec':{}}|no namespace on request",
      })
  void aReviewThatAsksNothingIsRefused(String resource, String body, String message)
      throws Exception {
    // The quotes of the table are taken for CSV's, so they stand for themselves here.
    FakeExchange refused = as("root", new FakeExchange("POST", REVIEWS + resource).body(body));
    assertThat(json(refused).text("message")).endsWith(message);
  }

  @Test
  void theRulesOfOneselfAreListed() throws Exception {
    JsonObject status =
        ask("ann", REVIEWS + "selfsubjectrulesreviews", "{'spec':{'namespace':'default'}}");
    assertThat(status.array("resourceRules").objects())
        .contains(Fixtures.tree("{'verbs':['get','list'],'apiGroups':[''],'resources':['pods']}"));
    assertThat(status.array("nonResourceRules").toString()).contains("/healthz");
    assertThat(status.flag("incomplete", true)).isFalse();
  }

  /** Upstream answers with a new object, which repeats nothing and which nobody wrote. */
  @Test
  void theRulesOfOneselfDoNotRepeatTheQuestion() throws Exception {
    FakeExchange answered =
        as(
            "ann",
            new FakeExchange("POST", REVIEWS + "selfsubjectrulesreviews")
                .body("{'spec':{'namespace':'default'}}"));
    assertThat(json(answered).without("status").toString())
        .isEqualTo(
            "{\"kind\":\"SelfSubjectRulesReview\",\"apiVersion\":\"authorization.k8s.io/v1\","
                + "\"metadata\":{},\"spec\":{}}");
  }

  @Test
  void tokensAreMadeReviewedAndUsed() throws Exception {
    cluster.create("serviceaccounts", "{'metadata':{'name':'robot'}}");
    FakeExchange made =
        as(
            "root",
            new FakeExchange("POST", "/api/v1/namespaces/default/serviceaccounts/robot/token")
                .body("{'spec':{'expirationSeconds':600}}"));
    assertThat(made.status()).isEqualTo(201);
    String token = json(made).object("status").text("token", "");

    String reviews = "/apis/authentication.k8s.io/v1/tokenreviews";
    JsonObject reviewed = ask("root", reviews, "{'spec':{'token':'%s'}}".formatted(token));
    assertThat(reviewed.flag("authenticated", false)).isTrue();
    assertThat(TestCluster.at(reviewed, "user.username"))
        .isEqualTo("system:serviceaccount:default:robot");
    assertThat(ask("root", reviews, "{'spec':{'token':'nonsense'}}"))
        .isEqualTo(Fixtures.tree("{'user':{},'error':'invalid bearer token'}"));

    FakeExchange keys =
        answer(new FakeExchange("GET", "/openid/v1/jwks").with("Authorization", "Bearer " + token));
    assertThat(keys.answerHeaders("Content-Type")).containsExactly("application/jwk-set+json");
    assertThat(json(keys).array("keys").objects().getFirst().text("alg")).isEqualTo("ES256");
    FakeExchange configuration =
        as("root", new FakeExchange("GET", "/.well-known/openid-configuration"));
    assertThat(json(configuration).text("issuer")).isEqualTo(AccessConfig.DEFAULT.issuer());

    cluster.time.advance(java.time.Duration.ofMinutes(12));
    assertThat(ask("root", reviews, "{'spec':{'token':'%s'}}".formatted(token)))
        .isEqualTo(
            Fixtures.tree(
                "{'user':{},'error':'[invalid bearer token, service account token has expired]'}"));
    assertThat(
            answer(
                    new FakeExchange("GET", "/openid/v1/jwks")
                        .with("Authorization", "Bearer " + token))
                .status())
        .isEqualTo(401);
  }

  @Test
  void whoMayReadOneObjectMayWatchItByItsName() throws Exception {
    write(
        "clusterroles",
        "{'metadata':{'name':'one'},'rules':[{'verbs':['list','watch'],'apiGroups':[''],'resources':['secrets'],'resourceNames':['mine']}]}");
    give("one", "bob");
    String secrets = "/api/v1/namespaces/default/secrets?fieldSelector=";
    assertThat(as("bob", new FakeExchange("GET", secrets + "metadata.name%3Dmine")).status())
        .isEqualTo(200);
    FakeExchange refused = as("bob", new FakeExchange("GET", secrets + "metadata.name%3Dyours"));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(json(refused).text("message")).startsWith("secrets \"yours\" is forbidden");
    assertThat(as("bob", new FakeExchange("GET", secrets + "metadata.name!%3Dmine")).status())
        .isEqualTo(403);
    assertThat(as("bob", new FakeExchange("GET", secrets + "type%3Dmine")).status()).isEqualTo(403);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'fieldSelector':{'rawSelector':'spec.nodeName=n1'}|true|",
        "'fieldSelector':{'rawSelector':'spec.nodeName=n2'}|false|",
        "'fieldSelector':{'requirements':[{'key':'spec.nodeName','operator':'In','values':['n1']}]}|true|",
        "'fieldSelector':{'requirements':[{'key':'spec.nodeName','operator':'NotIn','values':['n1']}]}|false|",
        "'fieldSelector':{'requirements':[{'key':'spec.nodeName','operator':'In','values':['n1']},{'key':'a','operator':'Gt','values':['1']}]}|true|spec.resourceAttributes.fieldSelector partially ignored due to parse error",
        "'fieldSelector':{'rawSelector':'nonsense'}|false|spec.resourceAttributes.fieldSelector ignored due to parse error",
        "'fieldSelector':{'rawSelector':'spec.nodeName=n1'},'labelSelector':{'rawSelector':'a in'}|true|spec.resourceAttributes.labelSelector ignored due to parse error",
      })
  void reviewsHonourSelectors(String selectors, boolean allowed, String problem) throws Exception {
    JsonObject status =
        ask(
            "root",
            REVIEWS + "subjectaccessreviews",
            "{'spec':{'user':'system:node:n1','groups':['system:nodes'],'resourceAttributes':{'verb':'list','resource':'pods',%s}}}"
                .formatted(selectors));
    assertThat(status.flag("allowed", false)).isEqualTo(allowed);
    assertThat(status.text("evaluationError", "")).isEqualTo(problem == null ? "" : problem);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'fieldSelector':{}|spec.resourceAttributes.fieldSelector.requirements: Required value: when spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required",
        "'labelSelector':{'rawSelector':'a','requirements':[{'key':'a','operator':'Exists'}]}|spec.resourceAttributes.labelSelector.rawSelector: Invalid value: \"a\": may not specified at the same time as requirements",
        "'fieldSelector':{'requirements':[{'operator':'In','values':['a']}]}|spec.resourceAttributes.fieldSelector.requirements[0].key: Required value: must be specified",
        "'labelSelector':{'requirements':[{'key':'a','operator':'In'}]}|spec.resourceAttributes.labelSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        "'labelSelector':{'requirements':[{'key':'a','operator':'Exists','values':['b']}]}|spec.resourceAttributes.labelSelector.requirements[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      })
  void selectorsOfReviewsAreChecked(String selectors, String problem) throws Exception {
    FakeExchange refused =
        as(
            "root",
            new FakeExchange("POST", REVIEWS + "selfsubjectaccessreviews")
                .body(
                    "{'spec':{'resourceAttributes':{'verb':'list','resource':'pods',%s}}}"
                        .formatted(selectors)));
    assertThat(refused.status()).isEqualTo(422);
    assertThat(json(refused).text("message")).endsWith(problem);
  }

  @Test
  void theRulesOfANodeCannotBeListed() throws Exception {
    FakeExchange answered =
        as(
            "root",
            new FakeExchange("POST", REVIEWS + "selfsubjectrulesreviews")
                .with("Impersonate-User", "system:node:n1")
                .body("{'spec':{'namespace':'default'}}"));
    JsonObject status = json(answered).object("status");
    assertThat(status.flag("incomplete", false)).isTrue();
    assertThat(status.text("evaluationError"))
        .isEqualTo("node authorizer does not support user rule resolution");
  }
}
