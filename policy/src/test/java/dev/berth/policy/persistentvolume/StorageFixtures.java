package dev.berth.policy.persistentvolume;

import static dev.berth.model.fixture.Fixtures.tree;

import dev.berth.model.storage.PersistentVolumeClaimView;
import dev.berth.model.storage.PersistentVolumeView;
import dev.berth.model.storage.StorageClassView;
import dev.berth.model.tree.JsonObject;

/** Volumes, claims and classes in few words. */
final class StorageFixtures {
  private StorageFixtures() {}

  private static JsonObject merged(JsonObject under, JsonObject over) {
    JsonObject merged = under;
    for (int i = 0; i < over.size(); i++) {
      Object below = merged.get(over.name(i));
      Object value = over.value(i);
      merged =
          merged.with(
              over.name(i),
              below instanceof JsonObject b && value instanceof JsonObject v
                  ? merged(b, v)
                  : value);
    }
    return merged;
  }

  /** A free volume of 5 Gi and class {@code c}, with changes. */
  static PersistentVolumeView volume(String name, String changes) {
    JsonObject usual =
        tree(
            ("{'metadata':{'name':'%s','uid':'uid-%s'},'spec':{'capacity':{'storage':'5Gi'},"
                    + "'accessModes':['ReadWriteOnce'],'storageClassName':'c',"
                    + "'persistentVolumeReclaimPolicy':'Retain'},'status':{'phase':'Available'}}")
                .formatted(name, name));
    return PersistentVolumeView.read(merged(usual, tree(changes)));
  }

  /** A claim for 3 Gi of class {@code c}, with the uid {@code u}, with changes. */
  static PersistentVolumeClaimView claim(String changes) {
    JsonObject usual =
        tree(
            "{'metadata':{'namespace':'ns','name':'data','uid':'u','resourceVersion':'7'},"
                + "'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'c',"
                + "'resources':{'requests':{'storage':'3Gi'}}},'status':{'phase':'Pending'}}");
    return PersistentVolumeClaimView.read(merged(usual, tree(changes)));
  }

  static StorageClassView storageClass(String changes) {
    JsonObject usual =
        tree(
            "{'metadata':{'name':'c'},'provisioner':'example.com/disk',"
                + "'volumeBindingMode':'Immediate','reclaimPolicy':'Delete'}");
    return StorageClassView.read(merged(usual, tree(changes)));
  }
}
