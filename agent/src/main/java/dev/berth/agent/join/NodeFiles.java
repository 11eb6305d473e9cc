package dev.berth.agent.join;

import dev.berth.pki.NodeCredentialFile;
import java.nio.file.Path;

/** Where a node keeps what it needs to be known: below the root of its agent. */
public record NodeFiles(Path root) {

  /** Where the cluster is, and whom to trust; names the file with the certificate. */
  public Path kubeconfig() {
    return root.resolve("kubeconfig");
  }

  /** The same with a bootstrap token, for as long as there is no certificate. */
  public Path bootstrapKubeconfig() {
    return root.resolve("bootstrap-kubeconfig");
  }

  public NodeCredentialFile credential(CertificatePurpose purpose) {
    return new NodeCredentialFile(root.resolve("pki"), purpose.filePrefix());
  }
}
