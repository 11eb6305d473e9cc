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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A container for tests; each method changes it and gives it back. */
public final class TestContainer {
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
  private boolean ignoresImageGroups;
  private boolean tty;
  private final List<DeviceNode> devices = new ArrayList<>();
  private List<String> cdiDevices = List.of();
  private boolean isPrivileged;
  private String target = "";

  private TestContainer(List<String> command) {
    this.command = command;
  }

  public static TestContainer running(String... command) {
    return new TestContainer(List.of(command));
  }

  public static TestContainer script(String script) {
    return running("sh", "-c", script);
  }

  /** One that ends when it is asked to. */
  public static TestContainer patient() {
    return script("trap 'exit 0' TERM; echo up; while :; do sleep 60 & wait; done");
  }

  public TestContainer named(String value) {
    name = value;
    return this;
  }

  public TestContainer attempt(int value) {
    attempt = value;
    return this;
  }

  public TestContainer image(String value) {
    image = value;
    return this;
  }

  public TestContainer with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  public TestContainer in(String directory) {
    workingDirectory = directory;
    return this;
  }

  public TestContainer mounting(String hostPath, String containerPath, boolean isReadOnly) {
    mounts.add(new Mount(hostPath, containerPath, isReadOnly, false, "None"));
    return this;
  }

  public TestContainer mountingImage(String image, String subPath, String containerPath) {
    mounts.add(new Mount("", containerPath, true, false, "None", image, subPath));
    return this;
  }

  public TestContainer sharing(String hostPath, String containerPath, String propagation) {
    mounts.add(new Mount(hostPath, containerPath, false, false, propagation));
    return this;
  }

  public TestContainer limitedTo(Limits value) {
    limits = value;
    return this;
  }

  public TestContainer memory(long bytes) {
    return limitedTo(
        new Limits(
            2,
            Optional.empty(),
            OptionalLong.of(bytes),
            OptionalLong.of(0),
            OptionalLong.empty(),
            1000,
            "",
            "",
            false));
  }

  public TestContainer as(long number) {
    user = OptionalLong.of(number);
    return this;
  }

  public TestContainer notRoot() {
    mustNotBeRoot = true;
    return this;
  }

  public TestContainer gainingPrivileges() {
    mayGainPrivileges = true;
    return this;
  }

  public TestContainer readOnly() {
    hasReadOnlyRoot = true;
    return this;
  }

  public TestContainer adding(String capability) {
    added.add(capability);
    return this;
  }

  public TestContainer dropping(String capability) {
    dropped.add(capability);
    return this;
  }

  public TestContainer seccomp(String profile) {
    seccomp = profile;
    return this;
  }

  public TestContainer stdin(boolean once) {
    stdin = true;
    stdinOnce = once;
    return this;
  }

  public TestContainer device(String hostPath, String containerPath, String permissions) {
    devices.add(new DeviceNode(hostPath, containerPath, permissions));
    return this;
  }

  public TestContainer cdiDevice(String name) {
    cdiDevices = List.of(name);
    return this;
  }

  public TestContainer tty() {
    tty = true;
    return this;
  }

  public TestContainer privileged() {
    isPrivileged = true;
    return this;
  }

  public TestContainer among(String container) {
    target = container;
    return this;
  }

  public TestContainer withoutImageGroups() {
    ignoresImageGroups = true;
    return this;
  }

  public ContainerSpec spec(TestPod pod) {
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
            false,
            "",
            ignoresImageGroups),
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
