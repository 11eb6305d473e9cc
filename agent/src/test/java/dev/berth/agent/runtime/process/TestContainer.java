package dev.berth.agent.runtime.process;

import dev.berth.agent.runtime.ContainerSpec;
import dev.berth.agent.runtime.DeviceNode;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.Mount;
import dev.berth.agent.runtime.Security;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** A container for tests; each method changes it and gives it back. */
final class TestContainer {
  private String name = "main";
  private int attempt;
  private String image = "example";
  private List<String> command;
  private final Map<String, String> environment = new LinkedHashMap<>();
  private String workingDirectory = "";
  private final List<Mount> mounts = new ArrayList<>();
  private Limits limits = Limits.NONE;
  private OptionalLong user = OptionalLong.empty();
  private boolean mustNotBeRoot;
  private boolean mayGainPrivileges;
  private boolean hasReadOnlyRoot;
  private final Set<String> added = new LinkedHashSet<>();
  private final Set<String> dropped = new LinkedHashSet<>();
  private String seccomp = "RuntimeDefault";
  private boolean stdin;
  private boolean stdinOnce;
  private boolean tty;
  private final List<DeviceNode> devices = new ArrayList<>();
  private List<String> cdiDevices = List.of();
  private boolean isPrivileged;
  private String target = "";

  private TestContainer(List<String> command) {
    this.command = command;
  }

  static TestContainer running(String... command) {
    return new TestContainer(List.of(command));
  }

  static TestContainer script(String script) {
    return running("sh", "-c", script);
  }

  /** One that ends when it is asked to. */
  static TestContainer patient() {
    return script("trap 'exit 0' TERM; echo up; while :; do sleep 60 & wait; done");
  }

  TestContainer named(String value) {
    name = value;
    return this;
  }

  TestContainer attempt(int value) {
    attempt = value;
    return this;
  }

  TestContainer image(String value) {
    image = value;
    return this;
  }

  TestContainer with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  TestContainer in(String directory) {
    workingDirectory = directory;
    return this;
  }

  TestContainer mounting(String hostPath, String containerPath, boolean isReadOnly) {
    mounts.add(new Mount(hostPath, containerPath, isReadOnly, false, "None"));
    return this;
  }

  TestContainer sharing(String hostPath, String containerPath, String propagation) {
    mounts.add(new Mount(hostPath, containerPath, false, false, propagation));
    return this;
  }

  TestContainer limitedTo(Limits value) {
    limits = value;
    return this;
  }

  TestContainer memory(long bytes) {
    return limitedTo(
        new Limits(
            2,
            OptionalLong.empty(),
            OptionalLong.of(bytes),
            OptionalLong.of(0),
            OptionalLong.empty(),
            1000,
            ""));
  }

  TestContainer as(long number) {
    user = OptionalLong.of(number);
    return this;
  }

  TestContainer notRoot() {
    mustNotBeRoot = true;
    return this;
  }

  TestContainer gainingPrivileges() {
    mayGainPrivileges = true;
    return this;
  }

  TestContainer readOnly() {
    hasReadOnlyRoot = true;
    return this;
  }

  TestContainer adding(String capability) {
    added.add(capability);
    return this;
  }

  TestContainer dropping(String capability) {
    dropped.add(capability);
    return this;
  }

  TestContainer seccomp(String profile) {
    seccomp = profile;
    return this;
  }

  TestContainer stdin(boolean once) {
    stdin = true;
    stdinOnce = once;
    return this;
  }

  TestContainer device(String hostPath, String containerPath, String permissions) {
    devices.add(new DeviceNode(hostPath, containerPath, permissions));
    return this;
  }

  TestContainer cdiDevice(String name) {
    cdiDevices = List.of(name);
    return this;
  }

  TestContainer tty() {
    tty = true;
    return this;
  }

  TestContainer privileged() {
    isPrivileged = true;
    return this;
  }

  TestContainer among(String container) {
    target = container;
    return this;
  }

  ContainerSpec spec(TestPod pod) {
    return new ContainerSpec(
        pod.id(),
        name,
        attempt,
        image,
        command,
        List.of(),
        environment,
        workingDirectory,
        List.copyOf(mounts),
        new Security(
            user,
            "",
            OptionalLong.empty(),
            List.of(),
            mustNotBeRoot,
            isPrivileged,
            mayGainPrivileges,
            hasReadOnlyRoot,
            added,
            dropped,
            seccomp,
            false),
        limits,
        "",
        stdin,
        stdinOnce,
        tty,
        "",
        List.copyOf(devices),
        cdiDevices,
        target);
  }
}
