package dev.berth.kinds.authentication;

import dev.berth.kinds.resource.Resource;
import java.util.List;

/** The group authentication.k8s.io: questions about who somebody is. */
public final class AuthenticationResources {
  private static final String V1 = "v1";
  private static final String GROUP = "authentication.k8s.io";

  private AuthenticationResources() {}

  public static List<Resource> all() {
    return List.of(
        Resource.clusterWide(GROUP, V1, "SelfSubjectReview").notStored().build(),
        Resource.clusterWide(GROUP, V1, "TokenReview").notStored().build());
  }
}
