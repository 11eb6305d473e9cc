package dev.berth.policy.service;

import dev.berth.policy.reconcile.Action;

/** Something to be done about a ServiceCIDR. */
public enum ServiceCidrAction implements Action {
  ADD_FINALIZER("add the finalizer that keeps the ServiceCIDR while it has addresses"),
  REMOVE_FINALIZER("let the ServiceCIDR go, no service depends on it");

  private final String reason;

  ServiceCidrAction(String reason) {
    this.reason = reason;
  }

  @Override
  public String reason() {
    return reason;
  }
}
