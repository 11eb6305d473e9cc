package dev.berth.sim.job;

import static dev.berth.client.Resources.JOBS;
import static dev.berth.client.Resources.PODS;

import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.PatchType;
import dev.berth.client.Target;
import dev.berth.controllers.job.JobController;
import dev.berth.controllers.ttlafterfinished.TtlAfterFinishedController;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.job.JobPod;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.kubelet.RoundRobinBinder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A cluster with the controllers of jobs, where the test says what becomes of pods. */
final class JobFixture implements AutoCloseable {
  static final String CONTROLLER = "jobs";
  static final String TTL = "ttl";

  final VirtualCluster cluster;

  JobFixture(VirtualCluster cluster) {
    this.cluster = cluster;
  }

  /** One whose controllers run. */
  static JobFixture start() {
    JobFixture fixture = new JobFixture(new VirtualCluster(1));
    VirtualCluster cluster = fixture.cluster;
    cluster.run(CONTROLLER, () -> JobController.start(cluster.parts(JobController.ACCOUNT)));
    cluster.run(
        TTL,
        () -> TtlAfterFinishedController.start(cluster.parts(TtlAfterFinishedController.ACCOUNT)));
    return fixture;
  }

  /** A job with further fields of its specification. */
  JsonObject job(String name, String spec) {
    return job(name, spec, "'restartPolicy':'Never'");
  }

  JsonObject job(String name, String spec, String pod) {
    JsonObject job =
        cluster.create(
            JOBS,
            ("{'metadata':{'name':'%s','namespace':'default'},'spec':{'template':{'spec':{%s,"
                    + "'containers':[{'name':'c','image':'i'}]}}%s}}")
                .formatted(name, pod, spec.isEmpty() ? "" : "," + spec));
    settle();
    return job;
  }

  /** Lets everything happen that is about to. */
  void settle() {
    cluster.advance(Duration.ofSeconds(1));
  }

  void advance(long seconds) {
    cluster.advance(Duration.ofSeconds(seconds));
  }

  static ObjectName name(String name) {
    return new ObjectName("default", name);
  }

  void patch(String job, String spec) {
    cluster.patch(JOBS, name(job), "{'spec':" + spec + "}");
    settle();
  }

  Optional<JsonObject> find(String job) {
    return cluster.admin().get(JOBS, name(job)) instanceof ApiResult.Done(JsonObject found)
        ? Optional.of(found)
        : Optional.empty();
  }

  JsonObject status(String job) {
    return find(job).orElseThrow().object("status");
  }

  long count(String job, String field) {
    return status(job).integer(field).orElse(0);
  }

  /** {@code Status Reason: message} of a condition; empty if it is not there. */
  String condition(String job, String type) {
    return Conditions.find(status(job).array("conditions"), type)
        .map(c -> c.text("status", "") + " " + c.text("reason", "") + ": " + c.text("message", ""))
        .orElse("");
  }

  List<JsonObject> pods() {
    return cluster.list(PODS);
  }

  /** Pods that have neither ended nor are on their way out. */
  List<JsonObject> active() {
    return pods().stream().filter(JobFixture::isActive).toList();
  }

  static boolean isActive(JsonObject pod) {
    String phase = pod.object("status").text("phase", "");
    return !Metadata.of(pod).isBeingDeleted()
        && !phase.equals("Failed")
        && !phase.equals("Succeeded");
  }

  static String index(JsonObject pod) {
    return Metadata.of(pod).annotation("batch.kubernetes.io/job-completion-index").orElse("");
  }

  JsonObject ofIndex(long index) {
    return active().stream()
        .filter(pod -> index(pod).equals(Long.toString(index)))
        .findFirst()
        .orElseThrow();
  }

  boolean isTracked() {
    return pods().stream().anyMatch(JobPod::hasFinalizer);
  }

  /** Assigns a pod to a node, on which it runs and is ready. */
  void run(JsonObject pod) {
    RoundRobinBinder.bind(cluster.admin(), pod, "n1");
    status(pod, "'phase':'Running','conditions':[{'type':'Ready','status':'True'}]");
  }

  void succeed(JsonObject pod) {
    end(pod, "Succeeded", 0);
  }

  void fail(JsonObject pod) {
    fail(pod, 1);
  }

  void fail(JsonObject pod, long exitCode) {
    end(pod, "Failed", exitCode);
  }

  private void end(JsonObject pod, String phase, long exitCode) {
    status(
        pod,
        ("'phase':'%s','conditions':[{'type':'Ready','status':'False'}],'containerStatuses':[{'name':'c',"
                + "'image':'i','imageID':'','ready':false,'restartCount':0,'state':{'terminated':{'exitCode':%d,'finishedAt':'%s'}}}]")
            .formatted(phase, exitCode, cluster.time().now()));
  }

  void status(JsonObject pod, String fields) {
    Target status = Target.of(PODS, ObjectName.of(pod)).subresource("status");
    JsonObject patch = VirtualCluster.tree("{'status':{" + fields + "}}");
    if (cluster.admin().patch(status, PatchType.STRATEGIC, patch)
        instanceof ApiResult.Failure why) {
      throw new AssertionError(why.message());
    }
  }

  /** What a node does at last with a pod whose deletion was asked for. */
  void confirm(JsonObject pod) {
    cluster.admin().delete(PODS, ObjectName.of(pod), DeleteOptions.NONE.grace(0));
  }

  void confirmAll() {
    pods().stream().filter(pod -> Metadata.of(pod).isBeingDeleted()).forEach(this::confirm);
    settle();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
