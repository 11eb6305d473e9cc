package dev.berth.apiserver.auth;

import dev.berth.apiserver.http.Exchange;
import dev.berth.apiserver.pki.ClientCertificates;
import dev.berth.time.Time;

/** Knows clients by the certificates that the cluster's authority gave them. */
public record CertificateAuthenticator(ClientCertificates certificates, Time time)
    implements Authenticator {

  @Override
  public Answer authenticate(Exchange exchange) {
    return switch (certificates.verify(exchange.peerCertificates(), time.now())) {
      case ClientCertificates.Verdict.Valid valid ->
          new Answer.Known(User.authenticated(valid.user(), valid.groups()));
      case ClientCertificates.Verdict.Absent _ -> new Answer.NoProof();
      case ClientCertificates.Verdict.Rejected rejected -> new Answer.Rejected(rejected.reason());
    };
  }
}
