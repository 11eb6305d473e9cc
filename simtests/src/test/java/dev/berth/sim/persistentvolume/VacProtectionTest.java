package dev.berth.sim.persistentvolume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.controllers.vacprotection.VacProtectionController;
import dev.berth.model.resource.ObjectName;
import dev.berth.sim.VirtualCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A VolumeAttributesClass that is deleted goes once no claim names it. */
class VacProtectionTest {
  private final VirtualCluster cluster = new VirtualCluster(1);

  @BeforeEach
  void start() {
    cluster.run(
        "vac", () -> VacProtectionController.start(cluster.parts(VacProtectionController.ACCOUNT)));
  }

  @AfterEach
  void close() {
    assertThat(cluster.warnings()).isEmpty();
    cluster.close();
  }

  private void attributesClass() {
    cluster.create(
        Resources.VOLUME_ATTRIBUTES_CLASSES,
        "{'metadata':{'name':'fast'},'driverName':'d.example.com','parameters':{'iops':'9'}}");
    cluster.settle();
  }

  private void deleteClass() {
    cluster.admin().delete(Resources.VOLUME_ATTRIBUTES_CLASSES, ObjectName.of("fast"));
    cluster.settle();
  }

  private boolean isGone() {
    return cluster.list(Resources.VOLUME_ATTRIBUTES_CLASSES).isEmpty();
  }

  @Test
  void goesAtOnceIfNobodyUsesIt() {
    attributesClass();
    deleteClass();
    assertThat(isGone()).isTrue();
  }

  @Test
  void staysWhileAClaimNamesItAlsoAcrossARestart() {
    attributesClass();
    VolumeFixture fixture = new VolumeFixture(cluster);
    fixture.claim("data", "1Gi", "", ",'volumeAttributesClassName':'fast'");
    cluster.crash("vac");
    deleteClass();
    cluster.restart("vac");
    cluster.settle();
    assertThat(isGone()).isFalse();

    cluster.patch(
        Resources.PERSISTENT_VOLUME_CLAIMS,
        VirtualCluster.podName("data"),
        "{'metadata':{'finalizers':null}}");
    fixture.delete(Resources.PERSISTENT_VOLUME_CLAIMS, "data");
    assertThat(isGone()).isTrue();
  }
}
