"""The program through the official Python client.

Reads the name of a step from each line of its input, does it, and answers with a line: ok, or failed and why.
A step may ask for something by a line of its own, such as restart, and reads a line when it is done.
"""
import json
import sys
import threading
import traceback
from datetime import datetime, timezone

from kubernetes import client, config, watch
from kubernetes.client.exceptions import ApiException

config.load_kube_config(config_file=sys.argv[1])
core = client.CoreV1Api()
apps = client.AppsV1Api()
coordination = client.CoordinationV1Api()
DEFAULT = "default"


def pod(name, **labels):
    return client.V1Pod(
        metadata=client.V1ObjectMeta(name=name, labels={"app": name, **labels}),
        spec=pod_spec(),
    )


def pod_spec():
    return client.V1PodSpec(
        tolerations=[client.V1Toleration(key="gpu", operator="Exists", effect="NoExecute", toleration_seconds=60)],
        containers=[
            client.V1Container(
                name="main", image="image:1", resources=client.V1ResourceRequirements(requests={"cpu": "250m"})
            )
        ],
    )


def node(name):
    return client.V1Node(
        metadata=client.V1ObjectMeta(name=name, labels={"zone": "a"}),
        spec=client.V1NodeSpec(taints=[client.V1Taint(key="gpu", value="yes", effect="NoSchedule")]),
    )


def lease(name, **labels):
    return client.V1Lease(
        api_version="coordination.k8s.io/v1",
        kind="Lease",
        metadata=client.V1ObjectMeta(name=name, labels=labels or None),
        spec=client.V1LeaseSpec(
            holder_identity="me",
            lease_duration_seconds=40,
            renew_time=datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=timezone.utc),
        ),
    )


def deployment(name):
    return client.V1Deployment(
        metadata=client.V1ObjectMeta(name=name),
        spec=client.V1DeploymentSpec(
            replicas=2,
            selector=client.V1LabelSelector(match_labels={"app": name}),
            template=client.V1PodTemplateSpec(metadata=client.V1ObjectMeta(labels={"app": name}), spec=pod_spec()),
        ),
    )


def event(name, about):
    return client.CoreV1Event(
        metadata=client.V1ObjectMeta(name=name),
        involved_object=client.V1ObjectReference(kind="Node", name=about),
        reason="Tested",
        message="a typed event",
        type="Normal",
        count=2,
        first_timestamp=datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc),
    )


def plain(thing):
    return client.ApiClient().sanitize_for_serialization(thing)


def survives(sent, received, path=""):
    if isinstance(sent, dict) and isinstance(received, dict):
        for name, value in sent.items():
            assert name in received, f"{path}.{name} is missing"
            survives(value, received[name], f"{path}.{name}")
    elif isinstance(sent, list) and isinstance(received, list) and len(sent) <= len(received):
        for i, value in enumerate(sent):
            survives(value, received[i], f"{path}[{i}]")
    else:
        assert sent == received, f"{path} was {sent} and is {received}"


def comes_back(sent, created, read):
    assert created == read
    survives(plain(sent), plain(read))
    assert read.metadata.uid


def failure(code, reason, work, *arguments, **options):
    try:
        work(*arguments, **options)
    except ApiException as e:
        status = json.loads(e.body)
        assert (e.status, status["reason"]) == (code, reason), (e.status, e.body)
        return status
    raise AssertionError(f"expected {code} {reason}, and it went well")


def patch(path, body, content_type, **query):
    """The generated methods of this version choose the content type by the body; this says it."""
    api = client.ApiClient()
    return api.call_api(
        path,
        "PATCH",
        query_params=list(query.items()),
        header_params={"Content-Type": content_type, "Accept": "application/json"},
        body=body,
        response_type="object",
        auth_settings=["BearerToken"],
        _return_http_data_only=True,
    )


def creates_and_reads_back():
    sent = node("typed")
    comes_back(sent, core.create_node(sent), core.read_node("typed"))
    sent = pod("typed")
    comes_back(sent, core.create_namespaced_pod(DEFAULT, sent), core.read_namespaced_pod("typed", DEFAULT))
    sent = lease("typed")
    created = coordination.create_namespaced_lease(DEFAULT, sent)
    comes_back(sent, created, coordination.read_namespaced_lease("typed", DEFAULT))
    sent = deployment("typed")
    created = apps.create_namespaced_deployment(DEFAULT, sent)
    comes_back(sent, created, apps.read_namespaced_deployment("typed", DEFAULT))
    sent = event("typed.1", "typed")
    comes_back(sent, core.create_namespaced_event(DEFAULT, sent), core.read_namespaced_event("typed.1", DEFAULT))


def generates_names():
    nameless = lease(None)
    nameless.metadata.generate_name = "made-"
    first = coordination.create_namespaced_lease(DEFAULT, nameless).metadata.name
    second = coordination.create_namespaced_lease(DEFAULT, nameless).metadata.name
    assert first.startswith("made-") and len(first) == 10 and first != second


def explains_errors():
    missing = failure(404, "NotFound", core.read_namespaced_pod, "absent", DEFAULT)
    assert missing["details"]["name"] == "absent"
    core.create_node(node("twice"))
    failure(409, "AlreadyExists", core.create_node, node("twice"))
    wrong = pod("wrong")
    wrong.spec.tolerations[0].effect = "NoSchedule"
    wrong.spec.containers[0].image = ""
    invalid = failure(422, "Invalid", core.create_namespaced_pod, DEFAULT, wrong)
    fields = {cause["field"] for cause in invalid["details"]["causes"]}
    assert {"spec.tolerations[0].effect", "spec.containers[0].image"} <= fields, fields


def names(**options):
    return [item.metadata.name for item in core.list_namespaced_pod(DEFAULT, **options).items]


def lists_by_selectors():
    for i in (1, 2, 3):
        core.create_namespaced_pod(DEFAULT, pod(f"chosen-{i}", set="chosen"))
    assert len(names(label_selector="set=chosen")) == 3
    assert len(names(label_selector="app in (chosen-1,chosen-3)")) == 2
    assert names(label_selector="set=chosen", field_selector="metadata.name=chosen-2") == ["chosen-2"]
    assert names(label_selector="set=chosen", field_selector="status.phase=Running") == []


def lists_in_pages():
    for i in range(1, 8):
        core.create_namespaced_pod(DEFAULT, pod(f"page-{i}", set="page"))
    found, following = [], None
    while True:
        page = core.list_namespaced_pod(DEFAULT, label_selector="set=page", limit=3, _continue=following)
        assert len(page.items) <= 3
        found += [item.metadata.name for item in page.items]
        following = page.metadata._continue
        if not following:
            break
    assert found == [f"page-{i}" for i in range(1, 8)], found


def watches_in_order():
    version = core.list_namespaced_pod(DEFAULT).metadata.resource_version
    core.create_namespaced_pod(DEFAULT, pod("watched"))
    core.patch_namespaced_pod("watched", DEFAULT, {"metadata": {"labels": {"a": "b"}}})
    core.delete_namespaced_pod("watched", DEFAULT, grace_period_seconds=0)
    seen = []
    stream = watch.Watch()
    for change in stream.stream(
        core.list_namespaced_pod, DEFAULT, label_selector="app=watched", resource_version=version, timeout_seconds=30
    ):
        seen.append(change["type"])
        if change["type"] == "DELETED":
            stream.stop()
    assert seen == ["ADDED", "MODIFIED", "DELETED"], seen


def refuses_stale_updates():
    stale = coordination.create_namespaced_lease(DEFAULT, lease("stale"))
    stale.spec.holder_identity = "first"
    fresh = coordination.replace_namespaced_lease("stale", DEFAULT, stale)
    assert fresh.spec.holder_identity == "first"
    conflict = failure(409, "Conflict", coordination.replace_namespaced_lease, "stale", DEFAULT, stale)
    assert "the object has been modified" in conflict["message"]


def patches_with_json():
    core.create_node(node("json"))
    patched = core.patch_node(
        "json",
        [
            {"op": "test", "path": "/spec/taints/0/key", "value": "gpu"},
            {"op": "add", "path": "/spec/taints/-", "value": {"key": "more", "effect": "NoExecute"}},
        ],
    )
    assert {"gpu", "more"} <= {taint.key for taint in patched.spec.taints}


def patches_with_merge():
    core.create_node(node("merge"))
    change = {
        "metadata": {"labels": {"zone": None, "rack": "7"}},
        "spec": {"taints": [{"key": "only", "effect": "NoSchedule"}]},
    }
    patched = patch("/api/v1/nodes/merge", change, "application/merge-patch+json")
    assert patched["metadata"]["labels"] == {"rack": "7"}
    assert [taint["key"] for taint in patched["spec"]["taints"]] == ["only"]


def patches_strategically():
    core.create_namespaced_pod(DEFAULT, pod("strategic"))
    change = {"spec": {"containers": [{"name": "main", "image": "image:2"}]}}
    patched = patch(
        "/api/v1/namespaces/default/pods/strategic", change, "application/strategic-merge-patch+json"
    )
    (container,) = patched["spec"]["containers"]
    assert container["image"] == "image:2" and container["resources"]["requests"]["cpu"] == "250m"


def apply(sent, manager, force):
    path = "/apis/coordination.k8s.io/v1/namespaces/default/leases/" + sent.metadata.name
    return patch(path, json.dumps(plain(sent)), "application/apply-patch+yaml", fieldManager=manager, force=force)


def applies_server_side():
    apply(lease("applied"), "one", "false")
    theirs = lease("applied")
    theirs.spec.holder_identity = "they"
    conflict = failure(409, "Conflict", apply, theirs, "two", "false")
    causes = [(cause["reason"], cause["field"]) for cause in conflict["details"]["causes"]]
    assert causes == [("FieldManagerConflict", ".spec.holderIdentity")], causes
    forced = apply(theirs, "two", "true")
    assert forced["spec"]["holderIdentity"] == "they"
    managers = {(entry["manager"], entry["operation"]) for entry in forced["metadata"]["managedFields"]}
    assert managers == {("one", "Apply"), ("two", "Apply")}, managers


def writes_status_apart():
    mine = core.create_node(node("status"))
    mine.spec.unschedulable = True
    mine.status = client.V1NodeStatus(capacity={"example.com/gpu": "4"})
    updated = core.replace_node_status("status", mine)
    assert updated.status.capacity == {"example.com/gpu": "4"} and not updated.spec.unschedulable
    updated.status = client.V1NodeStatus()
    updated.spec.unschedulable = True
    whole = core.replace_node("status", updated)
    assert whole.spec.unschedulable and whole.status.capacity == {"example.com/gpu": "4"}


def rehearses():
    assert coordination.create_namespaced_lease(DEFAULT, lease("rehearsed"), dry_run="All").metadata.uid
    failure(404, "NotFound", coordination.read_namespaced_lease, "rehearsed", DEFAULT)


def deletes_as_asked():
    old = apps.create_namespaced_deployment(DEFAULT, deployment("deleted"))
    apps.patch_namespaced_deployment("deleted", DEFAULT, {"spec": {"replicas": 5}})
    unchanged = client.V1DeleteOptions(
        preconditions=client.V1Preconditions(resource_version=old.metadata.resource_version)
    )
    failure(409, "Conflict", apps.delete_namespaced_deployment, "deleted", DEFAULT, body=unchanged)
    apps.delete_namespaced_deployment("deleted", DEFAULT, propagation_policy="Foreground")
    going = apps.read_namespaced_deployment("deleted", DEFAULT)
    assert going.metadata.finalizers == ["foregroundDeletion"] and going.metadata.deletion_timestamp
    apps.patch_namespaced_deployment("deleted", DEFAULT, {"metadata": {"finalizers": None}})
    failure(404, "NotFound", apps.read_namespaced_deployment, "deleted", DEFAULT)


def deletes_collections():
    for i in range(3):
        coordination.create_namespaced_lease(DEFAULT, lease(f"many-{i}", set="goes" if i < 2 else "stays"))
    coordination.delete_collection_namespaced_lease(DEFAULT, label_selector="set=goes")
    left = coordination.list_namespaced_lease(DEFAULT, label_selector="set").items
    assert [item.metadata.name for item in left] == ["many-2"]


FARM = "farm.example"
DEFINITION = """
{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
 "metadata": {"name": "sheep.farm.example"},
 "spec": {"group": "farm.example", "scope": "Namespaced",
  "names": {"plural": "sheep", "singular": "sheep", "kind": "Sheep", "listKind": "SheepList"},
  "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
   "schema": {"openAPIV3Schema": {"type": "object", "properties": {
    "spec": {"type": "object", "properties": {"wool": {"type": "integer", "minimum": 0}}},
    "status": {"type": "object", "properties": {"phase": {"type": "string"}}}}}}}]}}
"""


def sheep(name, wool):
    return {
        "apiVersion": FARM + "/v1",
        "kind": "Sheep",
        "metadata": {"name": name, "labels": {"flock": "one"}},
        "spec": {"wool": wool},
    }


def uses_custom_resources():
    definitions = client.ApiextensionsV1Api()
    definitions.create_custom_resource_definition(json.loads(DEFINITION))
    for change in watch.Watch().stream(
        definitions.list_custom_resource_definition, field_selector="metadata.name=sheep.farm.example", timeout_seconds=30
    ):
        conditions = change["object"].status.conditions or []
        if any(each.type == "Established" and each.status == "True" for each in conditions):
            break
    api = client.CustomObjectsApi()
    where = (FARM, "v1", DEFAULT, "sheep")
    version = api.list_namespaced_custom_object(*where)["metadata"]["resourceVersion"]
    created = api.create_namespaced_custom_object(*where, sheep("dolly", 3))
    assert created["metadata"]["generation"] == 1 and created["spec"]["wool"] == 3
    wrong = failure(422, "Invalid", api.create_namespaced_custom_object, *where, sheep("bald", -1))
    assert [cause["field"] for cause in wrong["details"]["causes"]] == ["spec.wool"]
    path = "/apis/farm.example/v1/namespaces/default/sheep/dolly"
    patched = patch(path, {"spec": {"wool": 4}}, "application/merge-patch+json")
    assert patched["metadata"]["generation"] == 2
    patched["status"] = {"phase": "Shorn"}
    patched["spec"]["wool"] = 99
    told = api.replace_namespaced_custom_object_status(*where, "dolly", patched)
    assert told["status"] == {"phase": "Shorn"} and told["spec"]["wool"] == 4
    listed = api.list_namespaced_custom_object(*where, label_selector="flock=one")
    assert [item["metadata"]["name"] for item in listed["items"]] == ["dolly"]
    api.delete_namespaced_custom_object(*where, "dolly")
    failure(404, "NotFound", api.get_namespaced_custom_object, *where, "dolly")
    seen = []
    stream = watch.Watch()
    for change in stream.stream(
        api.list_namespaced_custom_object, *where, resource_version=version, timeout_seconds=30
    ):
        seen.append(change["type"])
        if change["type"] == "DELETED":
            stream.stop()
    assert seen == ["ADDED", "MODIFIED", "MODIFIED", "DELETED"], seen
    definitions.delete_custom_resource_definition("sheep.farm.example")


class Follower(threading.Thread):
    """Keeps a copy of the leases of a namespace up to date, from a version on, until it sees the one named last."""

    def __init__(self, namespace, restarted):
        super().__init__(daemon=True)
        self.namespace = namespace
        self.restarted = restarted
        listed = coordination.list_namespaced_lease(namespace)
        self.version = listed.metadata.resource_version
        self.copy = versions(listed.items)
        self.history = {}
        self.problem = None

    def run(self):
        try:
            while not self.follow():
                # Nothing is lost in between: the next watch begins where this one ended.
                assert self.restarted.wait(60)
        except Exception:
            self.problem = traceback.format_exc()

    def follow(self):
        may_break = not self.restarted.is_set()
        stream = watch.Watch()
        try:
            for change in stream.stream(
                coordination.list_namespaced_lease, self.namespace, resource_version=self.version
            ):
                metadata = change["object"].metadata
                self.version = metadata.resource_version
                told = self.history.setdefault(metadata.name, [])
                if change["type"] == "DELETED":
                    del self.copy[metadata.name]
                    told.append("deleted")
                else:
                    self.copy[metadata.name] = self.version
                    told.append(self.version)
                if metadata.name == "last":
                    return True
        except Exception:
            if not may_break:
                raise
        return False


def versions(items):
    return {item.metadata.name: item.metadata.resource_version for item in items}


class Writers:
    """Threads that create, change and delete leases, and remember what was acknowledged."""

    def __init__(self, namespace):
        self.namespace = namespace
        self.acknowledged = {}
        self.doubtful = set()
        self.failures = []
        self.lives = threading.Semaphore(0)

    def life(self, name, deleted):
        told = self.acknowledged.setdefault(name, [])
        mine = coordination.create_namespaced_lease(self.namespace, lease(name))
        told.append(mine.metadata.resource_version)
        for transitions in (1, 2):
            mine.spec.lease_transitions = transitions
            mine = coordination.replace_namespaced_lease(name, self.namespace, mine)
            told.append(mine.metadata.resource_version)
        if deleted:
            self.delete(name)
            told.append("deleted")

    def delete(self, name):
        try:
            coordination.delete_namespaced_lease(name, self.namespace)
        except ApiException as e:
            e.deletes = True
            raise

    def start(self, work):
        threads = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(4)]
        for thread in threads:
            thread.start()
        return threads

    def fixed(self, thread):
        for i in range(25):
            self.life(f"w-{thread}-{i}", i % 3 == 2)

    def until(self, stop):
        def work(thread):
            i = 0
            while not stop.is_set():
                name = f"w-{thread}-{i}"
                try:
                    self.life(name, i % 3 == 2)
                    self.lives.release()
                except Exception as e:
                    self.failures.append(e)
                    self.doubtful.add(name)
                i += 1

        return work

    def await_lives(self, count):
        for _ in range(count):
            assert self.lives.acquire(timeout=60)


def join(threads):
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def namespace(name):
    core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name=name)))
    return name


def converges(follower):
    coordination.create_namespaced_lease(follower.namespace, lease("last"))
    join([follower])
    assert not follower.problem, follower.problem
    stored = versions(coordination.list_namespaced_lease(follower.namespace).items)
    assert follower.copy == stored, (follower.copy, stored)
    return stored


def informs_of_everything():
    never = threading.Event()
    never.set()
    follower = Follower(namespace("informed"), never)
    follower.start()
    writers = Writers("informed")
    join(writers.start(writers.fixed))
    converges(follower)
    del follower.history["last"]
    assert len(writers.acknowledged) == 100
    assert follower.history == writers.acknowledged


def outlives(name, question):
    restarted, stop = threading.Event(), threading.Event()
    follower = Follower(namespace(name), restarted)
    follower.start()
    writers = Writers(name)
    threads = writers.start(writers.until(stop))
    writers.await_lives(20)
    print(question, flush=True)
    assert sys.stdin.readline().strip() == question + "ed"
    restarted.set()
    writers.await_lives(20)
    stop.set()
    join(threads)
    stored = converges(follower)
    for name, told in writers.acknowledged.items():
        if name not in writers.doubtful:
            assert stored.get(name, "deleted") == told[-1], (name, told, stored.get(name))
    return writers.failures


def survives_restart():
    outlives("restarted", "restart")


def survives_kill():
    """
    Of what a server said, nobody may hear but that a write had happened whose answer was lost: the
    library sends changes and deletions again by itself, which then find another revision, or nothing.
    """
    for e in outlives("killed", "kill"):
        if isinstance(e, ApiException):
            assert e.status in (0, 404 if getattr(e, "deletes", False) else 409), str(e)


for line in sys.stdin:
    try:
        globals()[line.strip()]()
        print("ok", flush=True)
    except Exception:
        print("failed " + json.dumps(traceback.format_exc()), flush=True)
